// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import Kiosk
import RoundelMotion
import RoundelRaster
import RoundelRuntime
import TestSupport
import Testing
import RoundelText

/// A touch hits the opaque parts of an image, and passes through the rest.
@Suite struct ImageHitTests {
  /// White squares on a transparent background.
  private static func image(_ size: PixelSize, using random: inout SeededGenerator) -> Bitmap {
    let side = Int.random(in: 3...9, using: &random)
    let isShown = (0..<side * side).map { _ in Bool.random(using: &random) }
    return Bitmap(
      size: size,
      pixels: (0..<size.width * size.height).map { index in
        let across = index % size.width * side / size.width
        let down = index / size.width * side / size.height
        return isShown[down * side + across] ? 0xffff_ffff : 0
      })
  }

  private static let screen = Size(500, 420)

  private func content(
    _ controls: [any Control], _ images: [String: ImageFile], size: Size = screen
  ) -> Content {
    let description = Description(
      name: "test", screen: Screen(size: size, background: .black),
      pages: [
        Page(
          name: "main",
          controls: controls.enumerated().map { PlacedControl(id: "c\($0)", control: $1) })
      ])
    return Content(description, fonts: FontLibrary(), images: images)
  }

  /// The control that receives a touch at a point.
  private func receiver(at point: Point, _ engine: Engine) -> String? {
    var copy = engine
    return copy.handle(Touch(finger: 0, phase: .down, position: point), at: .zero).control
  }

  private enum Kind: CaseIterable {
    case wheel, photos, button
  }

  /// A control that consists of images named `i0`, `i1` and so on.
  private func control(_ kind: Kind, using random: inout SeededGenerator) -> any Control {
    let center = Point(
      .random(in: 230...270, using: &random), .random(in: 200...220, using: &random))
    let count = Int.random(in: 1...6, using: &random)
    switch kind {
    case .wheel:
      return Pinwheel(
        center: center, radius: .random(in: 100...190, using: &random), gap: .degrees(0),
        start: .degrees(.random(in: 0...360, using: &random)),
        wedges: (0..<count).map { Pinwheel.Wedge(id: "w\($0)", image: "i\($0)") })
    case .photos:
      let fits = [ImageFit.contain, .cover, .fill]
      return Pinwheel(
        center: center, radius: .random(in: 100...190, using: &random), gap: .degrees(0),
        wedges: (0..<count).map { index in
          var wedge = Pinwheel.Wedge(id: "w\(index)")
          wedge.photo = "i\(index)"
          wedge.fit = fits.randomElement(using: &random) ?? .cover
          return wedge
        })
    case .button:
      var button = Button(
        center: center,
        size: Size(.random(in: 80...400, using: &random), .random(in: 80...300, using: &random)),
        text: "", color: .clear, shape: .rounded)
      button.image = "i0"
      return button
    }
  }

  @Test(arguments: Cases.of(12).map(UInt64.init))
  func `touches hit the painted parts of random images at random points`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var compared = (painted: 0, empty: 0)
    for kind in Kind.allCases {
      let images = (0..<6).map { index in
        let size = PixelSize(
          .random(in: 20...700, using: &random), .random(in: 20...500, using: &random))
        return ("i\(index)", ImageFile(Self.image(size, using: &random)))
      }
      let content = content(
        [control(kind, using: &random)], Dictionary(uniqueKeysWithValues: images))
      let stage = Stage(content, seed: 1)
      // Two pixels per design pixel, so that edges are thin.
      let size = PixelSize(Int(Self.screen.width) * 2, Int(Self.screen.height) * 2)
      let picture = stage.picture(size).canvas().bitmap()
      for _ in 0..<600 {
        let x = Int.random(in: 8..<size.width - 8, using: &random)
        let y = Int.random(in: 8..<size.height - 8, using: &random)
        // Near an edge, where a scaled image fades, either result is allowed.
        let near = (-6...6).flatMap { dy in (-6...6).map { dx in (x + dx, y + dy) } }
        let values = Set(near.map { picture.pixels[$0.1 * size.width + $0.0] & 0xff })
        guard values.count == 1, let value = values.first else { continue }
        let point = Point((Double(x) + 0.5) / 2, (Double(y) + 0.5) / 2)
        let isHit = receiver(at: point, stage.engine) != nil
        #expect(isHit == (value > 0), "\(kind) at \(point)")
        if value > 0 { compared.painted += 1 } else { compared.empty += 1 }
      }
    }
    #expect(compared.painted > 100 && compared.empty > 100, "\(compared)")
  }

  /// An image with a transparent left half.
  private static let half = ImageFile(
    Bitmap(size: PixelSize(40, 40), pixels: (0..<1600).map { $0 % 40 < 20 ? 0 : 0xffff_ffff }))

  private func button(_ change: (inout Button) -> Void = { _ in }) -> Button {
    var button = Button(
      center: Point(200, 200), size: Size(200, 200), text: "", color: .clear, shape: .rounded)
    button.image = "half"
    change(&button)
    return button
  }

  private static let (left, right) = (Point(150, 200), Point(250, 200))

  /// The receivers of touches on the left and right of a button in front of another one.
  private func receivers(_ front: any Control) -> [String?] {
    let behind = Button(center: Point(200, 200), size: Size(300, 300), text: "")
    let engine = Engine(content([behind, front], ["half": Self.half]).description, seed: 1)
    return [Self.left, Self.right].map { receiver(at: $0, engine) }
  }

  @Test func `a touch on a transparent part passes to the control behind`() {
    #expect(receivers(button()) == ["c0", "c1"])
  }

  @Test func `a button's own colour or text is hit, unless only the image counts`() {
    #expect(receivers(button { $0.color = .surface }) == ["c1", "c1"])
    #expect(receivers(button { $0.text = "Go" }) == ["c1", "c1"])
    #expect(
      receivers(
        button {
          $0.color = .surface; $0.hit = .alpha
        }) == ["c0", "c1"])
    #expect(receivers(button { $0.hit = .shape }) == ["c1", "c1"])
    #expect(receivers(button { $0.image = "lost" }) == ["c1", "c1"])
  }

  @Test func `a touch that began on the image may end anywhere on the shape`() {
    var engine = Engine(content([button()], ["half": Self.half]).description, seed: 1)
    engine.handle(Touch(finger: 0, phase: .down, position: Self.right), at: .zero)
    engine.handle(Touch(finger: 0, phase: .move, position: Self.left), at: .zero)
    engine.handle(Touch(finger: 0, phase: .up, position: Self.left), at: .zero)
    #expect(engine.takeEvents().map(\.name).prefix(2) == ["pressed", "selected"])
  }

  @Test func `the normal image counts even while another one is shown`() {
    var wheel = Pinwheel(
      center: Point(200, 200), radius: 190, hole: 0,
      wedges: [Pinwheel.Wedge(id: "a", image: "half", pressImage: "whole")])
    wheel.handle(
      Touch(finger: 1, phase: .down, position: Self.right), at: .zero, events: &Self.none)
    let whole = ImageFile(Bitmap(size: PixelSize(1, 1), pixels: [0xffff_ffff]))
    let engine = Engine(
      content([wheel], ["half": Self.half, "whole": whole]).description, seed: 1)
    #expect([Self.left, Self.right].map { receiver(at: $0, engine) } == [nil, "c0"])
  }

  private static var none: [ControlEvent] {
    get { [] }
    set {}
  }
}

// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import Kiosk
import RoundelMotion
import RoundelRaster
import TestSupport
import Testing
import RoundelText

private let middle = Point(60, 60)
private let font = "Inter"

/// A control in a theme, on a separate panel.
private struct Panel {
  var engine: Engine
  let painter: Painter

  init(_ control: any Control, _ theme: Theme, images: [String: ImageFile] = [:]) {
    engine = Engine(
      Description(
        name: "k", screen: Screen(size: Size(120, 120), font: Font(font)), theme: theme,
        pages: [Page(name: "p", controls: [PlacedControl(id: "c", control: control)])]),
      seed: 1)
    painter = Painter(
      size: PixelSize(120, 120), viewport: Viewport(scale: 1, offset: .zero),
      fonts: FontLibrary(), images: images)
  }

  mutating func touch(_ phase: Touch.Phase, at seconds: Double) {
    engine.handle(
      Touch(finger: 0, phase: phase, position: middle + Vector(0, -30)),
      at: Instant(seconds: seconds))
  }

  /// The pixel next to the finger.
  var color: Color { color(at: PixelRect(x0: 44, y0: 36, x1: 45, y1: 37)) }

  func color(at place: PixelRect) -> Color {
    painter.show(engine.displayList)
    return Color(hex: painter.block(place).pixels[0] & 0xffffff)
  }
}

/// 500 colours, including extremes and greys.
private let colors: [Color] = {
  var random = SeededGenerator(seed: 500)
  let greys = (0...16).map { UInt32(min($0 * 16, 255)) * 0x10101 }
  let pure: [UInt32] = [0xff0000, 0x00ff00, 0x0000ff, 0xffff00, 0xff00ff, 0x00ffff]
  let all = greys + pure
  return
    (all
    + (all.count..<Cases.of(500).count).map { _ in UInt32.random(in: 0...0xffffff, using: &random) })
    .map(Color.init(hex:))
}()

@Suite struct VisibilityTests {
  /// Twice a just visible difference, and half that of a blink seen from afar.
  private static let pressed = 0.04
  private static let lit = 0.16

  private static func check(
    _ theme: Theme, pressed: Double = pressed, lit: Double = lit,
    _ make: (ThemeColor) -> any Control
  ) {
    for color in colors {
      var panel = Panel(make(.fixed(color)), theme)
      let rest = panel.color
      panel.touch(.down, at: 1)
      #expect(panel.color.distance(to: rest) >= pressed, "\(color) held")
      panel.touch(.up, at: 1.1)
      panel.engine.advance(to: Instant(seconds: 1.15))
      #expect(panel.color.distance(to: rest) >= lit, "\(color) lit")
      panel.engine.advance(to: Instant(seconds: 3))
      #expect(panel.color == rest)
    }
  }

  @Test(arguments: [Theme.dark, .light])
  func `a wedge's press and blink are visible on any colour`(theme: Theme) {
    Self.check(theme) { color in
      Pinwheel(center: middle, radius: 55, wedges: [.init(id: "a", color: color)])
    }
  }

  @Test(arguments: [Theme.dark, .light])
  func `a button's press and blink are visible on any colour`(theme: Theme) {
    Self.check(theme) { color in
      Button(
        center: middle, size: Size(100, 100), text: "", color: color, blink: Blink.Pattern())
    }
  }

  @Test(arguments: [Theme.dark, .light])
  func `press and blink are visible on all default colours`(theme: Theme) {
    for color in [ThemeColor.accent, .background, .surface, .text, .muted] {
      var panel = Panel(
        Pinwheel(center: middle, radius: 55, wedges: [.init(id: "a", color: color)]), theme)
      let rest = panel.color
      panel.touch(.down, at: 1)
      #expect(panel.color.distance(to: rest) >= Self.pressed)
    }
  }

  @Test(arguments: [Theme.dark, .light])
  func `text is legible on any colour, even when held or lit`(theme: Theme) throws {
    for color in colors {
      for phase in ["rest", "held", "lit"] {
        let button = Button(
          center: middle, size: Size(100, 100), text: "Text", color: .fixed(color),
          blink: Blink.Pattern())
        var panel = Panel(button, theme)
        if phase != "rest" { panel.touch(.down, at: 1) }
        if phase == "lit" { panel.touch(.up, at: 1) }
        let list = panel.engine.displayList
        let fills = list.items.compactMap { item -> Color? in
          // The light from above isn't a fill.
          if case .rim = item.tiles[0].shape { return nil }
          return if case .color(let color) = item.tiles[0].fill { color } else { nil }
        }
        let (fill, ink) = (fills[fills.count - 2], fills[fills.count - 1])
        #expect(ink.contrast(with: fill) >= (phase == "held" ? 2 : 3), "\(color) \(phase)")
      }
    }
  }
}

extension VisibilityTests {
  @Test(arguments: [Theme.dark, .light])
  func `a wedge's press and blink are visible on any image`(theme: Theme) throws {
    let wheel = Pinwheel(
      center: middle, radius: 55, wedges: [.init(id: "a", image: "a.png"), .init(id: "b")])
    // From the hub to the rim, above the finger.
    let places = (16...52).map { PixelRect(x0: 60, y0: 60 - $0, x1: 61, y1: 61 - $0) }
    for color in colors.prefix(80) {
      let pixel =
        0xff00_0000 | UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
      var panel = Panel(
        wheel, theme,
        images: [
          "a.png": ImageFile(
            Bitmap(size: PixelSize(8, 8), pixels: Array(repeating: pixel, count: 64)))
        ])
      let rest = places.map(panel.color)
      func change() -> Double {
        zip(places.map(panel.color), rest).map { $0.distance(to: $1) }.reduce(0, +)
          / Double(places.count)
      }
      panel.touch(.down, at: 1)
      #expect(change() >= Self.pressed, "\(color) held")
      panel.touch(.up, at: 1.1)
      panel.engine.advance(to: Instant(seconds: 1.15))
      #expect(change() >= Self.lit, "\(color) lit")
    }
  }
}

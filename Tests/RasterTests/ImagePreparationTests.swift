// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import TestSupport
import Testing
import RoundelText

@testable import RoundelRaster

/// Images that are decoded and scaled asynchronously.
@Suite struct ImagePreparationTests {
  private let size = PixelSize(120, 100)
  private let images: [String: ImageFile]

  init() {
    var random = SeededGenerator(seed: 8)
    images = Dictionary(
      uniqueKeysWithValues: ["rest", "pressed", "icon", "other"].map { name in
        let pixels = (0..<60 * 50).map { _ in
          0xff00_0000 | UInt32.random(in: 0...0xff_ffff, using: &random)
        }
        return (name, ImageFile(Bitmap(size: PixelSize(60, 50), pixels: pixels)))
      })
  }

  private func painter(
    _ preparation: ImagePreparation, replacing old: Painter? = nil,
    images: [String: ImageFile]? = nil
  ) -> Painter {
    Painter(
      size: size, viewport: Viewport(scale: 1, offset: .zero), fonts: FontLibrary(),
      images: images ?? self.images, preparation: preparation, replacing: old)
  }

  private func pixels(_ painter: Painter) -> [UInt32] {
    unsafe painter.canvas().withPixels { unsafe Array($0) }
  }

  private let frame = Rect(x0: 10, y0: 5, x1: 90, y1: 85)

  private func tile(_ name: String, isMoving: Bool = false) -> Tile {
    Tile(
      .disc(center: frame.center, radius: 40),
      .image(name, frame: frame, turn: isMoving ? .degrees(20) : .zero, isMoving: isMoving))
  }

  private func list(_ tiles: Tile..., coming: [Tile] = []) -> DisplayList {
    var list = DisplayList(background: Color(hex: 0x204060), items: tiles.map { DisplayItem([$0]) })
    list.coming = coming
    return list
  }

  private func expected(_ list: DisplayList) -> [UInt32] {
    let painter = painter(.atOnce)
    painter.show(list)
    return pixels(painter)
  }

  /// Does all pending work and returns the number of jobs.
  @discardableResult
  private func work(for painter: Painter) -> Int {
    var count = 0
    while let work = painter.takeImageWork() {
      painter.finish(work.run())
      count += 1
    }
    return count
  }

  @Test(arguments: [false, true])
  func `a pending image is omitted, and shown as soon as it is ready`(_ isMoving: Bool) {
    let painter = painter(.later)
    let shown = list(tile("rest", isMoving: isMoving))
    painter.show(shown)
    #expect(pixels(painter) == expected(list()))
    #expect(painter.isPreparing)
    #expect(painter.show(shown).isEmpty)
    #expect(work(for: painter) == 1)
    #expect(!painter.isPreparing)
    #expect(!painter.show(shown).isEmpty)
    #expect(pixels(painter) == expected(shown))
    #expect(painter.show(shown).isEmpty)
  }

  /// A reel at rest with two rows of pictures.
  private var reel: DisplayList {
    let rows = ["icon", "other"].map { name in
      let box = Rect(x0: 10, y0: 5, x1: 60, y1: 35)
      return Strip.Row(
        background: Color(hex: 0x402020), Tile(.rect(box), .image(name, frame: box)))
    }
    return list(
      Tile(.rect(frame), .strip(Strip(frame: frame, rowHeight: 40, rows: rows, offset: 0))))
  }

  @Test func `rows of a reel show their pictures as soon as they are ready`() {
    let painter = painter(.later)
    painter.show(reel)
    #expect(pixels(painter) != expected(reel))
    while let work = painter.takeImageWork() {
      painter.finish(work.run())
      #expect(!painter.show(reel).isEmpty)
    }
    #expect(pixels(painter) == expected(reel))
    #expect(painter.show(reel).isEmpty)
  }

  @Test func `a page in transition shows its pictures as soon as they are ready`() {
    let painter = painter(.later)
    painter.show(list(tile("rest")))
    func time(_ progress: Double) -> DisplayList {
      var time = list()
      time.transition = .slide(from: list(tile("rest")), towards: .left, progress: progress)
      return time
    }
    painter.show(time(0.2))
    #expect(pixels(painter) != expected(time(0.2)))
    work(for: painter)
    painter.show(time(0.4))
    #expect(pixels(painter) == expected(time(0.4)))
  }

  @Test func `an image that may come next is prepared in advance`() {
    let painter = painter(.later)
    let coming = [tile("rest"), tile("pressed")]
    painter.show(list(tile("rest"), coming: coming))
    work(for: painter)
    painter.show(list(tile("rest"), coming: coming))
    let pressed = list(tile("pressed"), coming: coming)
    painter.show(pressed)
    #expect(pixels(painter) == expected(pressed))
    #expect(painter.takeImageWork() == nil)
  }

  @Test func `an image that comes to rest is interpolated until it is scaled`() {
    let painter = painter(.later)
    let moving = Tile(
      .rect(frame), .image("icon", frame: frame, isMoving: true))
    painter.show(list(moving))
    work(for: painter)
    painter.show(list(moving))
    #expect(pixels(painter) == expected(list(moving)))
    let resting = list(Tile(.rect(frame), .image("icon", frame: frame)))
    painter.show(resting)
    #expect(pixels(painter) == expected(list(moving)))
    work(for: painter)
    painter.show(resting)
    #expect(pixels(painter) == expected(resting))
  }

  @Test func `another page's images are prepared and appear immediately`() {
    let painter = painter(.later)
    painter.show(list())
    painter.prepare(list(tile("other"), tile("icon", isMoving: true)))
    #expect(work(for: painter) == 2)
    let other = list(tile("other"), tile("icon", isMoving: true))
    painter.show(other)
    #expect(pixels(painter) == expected(other))
    #expect(painter.takeImageWork() == nil)
  }

  @Test func `a painter reuses the images prepared for the previous one`() {
    let old = painter(.later)
    let shown = list(tile("rest"), tile("icon", isMoving: true), tile("other"))
    old.show(shown)
    work(for: old)
    old.show(shown)
    var changed = images
    changed["other"] = images["pressed"]
    let new = painter(.later, replacing: old, images: changed)
    new.show(shown)
    #expect(pixels(new) == expected(list(tile("rest"), tile("icon", isMoving: true))))
    #expect(work(for: new) == 1)
  }

  @Test func `images prepared for another painter are rejected`() throws {
    let old = painter(.later)
    old.show(list(tile("rest")))
    let work = try #require(old.takeImageWork())
    let new = painter(.later)
    new.show(list(tile("rest")))
    new.finish(work.run())
    new.show(list(tile("rest")))
    #expect(pixels(new) == expected(list()))
    #expect(new.isPreparing)
  }

  @Test func `a missing image is omitted permanently`() {
    let painter = painter(.later)
    painter.show(list(tile("missing")))
    #expect(painter.takeImageWork() == nil)
    #expect(!painter.isPreparing)
  }
}

// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import TestSupport
import Testing

/// A clock that advances on demand.
private final class Clock {
  var now = Timestamp(seconds: 1)
}

@Suite struct HeadlessDisplayTests {
  private let clock = Clock()

  private func makeDisplay(_ rotation: Rotation = .none) -> HeadlessDisplay {
    HeadlessDisplay(size: PixelSize(4, 2), rotation: rotation, refreshInterval: 0.02) {
      [clock] in clock.now
    }
  }

  /// A black picture except for a red first pixel.
  private func picture(_ size: PixelSize) -> Painter {
    var pixels = Array(repeating: 0xff00_0000 as UInt32, count: size.width * size.height)
    pixels[0] = 0xffff_0000
    return Painter(showing: Bitmap(size: size, pixels: pixels))
  }

  @Test func `the picture is rotated to the panel`() throws {
    let display = makeDisplay(.quarter)
    #expect(display.canvasSize == PixelSize(2, 4))
    _ = try display.present(picture(display.canvasSize))
    #expect(display.panel[3, 0] == 0xffff_0000)
  }

  @Test func `a rotation while showing requires a full picture`() throws {
    let display = makeDisplay()
    let before = picture(display.canvasSize)
    _ = try display.present(before)
    #expect(display.shownFrame == before.frame)
    display.rotation = .threeQuarters
    #expect(display.shownFrame == nil)
    #expect(display.canvasSize == PixelSize(2, 4))
    _ = try display.present(picture(display.canvasSize))
    #expect(display.panel[0, 1] == 0xffff_0000)
  }

  @Test func `a frame is shown at the time of its presentation`() throws {
    let display = makeDisplay()
    let picture = picture(display.canvasSize)
    #expect(try display.present(picture) == Timestamp(seconds: 1))
    clock.now = Timestamp(seconds: 2)
    #expect(display.isReady)
    #expect(try display.present(picture) == Timestamp(seconds: 2))
  }

  @Test func `changes during sleep are shown on wake-up`() throws {
    let display = makeDisplay()
    let size = display.canvasSize
    let picture = picture(size)
    #expect(display.shownFrame == nil)
    _ = try display.present(picture)
    try display.setPower(false)
    #expect(display.state == .asleep && !display.isReady)
    picture.show(
      bitmap: size, under: [DisplayItem(.rect(Rect(x0: 1, y0: 1, x1: 2, y1: 2)), .white)])
    #expect(try display.present(picture) == nil)
    #expect(display.panel[1, 1] == 0xff00_0000)
    #expect(display.shownFrame != picture.frame)
    try display.setPower(true)
    _ = try display.present(picture)
    #expect(display.panel[1, 1] == 0xffff_ffff)
    #expect(display.shownFrame == picture.frame)
    #expect(display.presentCount == 2)
  }

  @Test func `an unobserved display keeps no pixels and still accepts frames`() throws {
    let display = HeadlessDisplay(size: PixelSize(4, 2), storesPixels: false) { [clock] in clock.now
    }
    #expect(display.canvasSize == PixelSize(4, 2))
    let picture = picture(display.canvasSize)
    #expect(try display.present(picture) != nil)
    #expect(display.panel.size == PixelSize(1, 1))
    #expect(display.shownFrame == picture.frame)
  }

  @Test func `buffers of any age get the same picture`() throws {
    var random = SeededGenerator(seed: 5)
    let size = PixelSize(60, 40)
    for rotation in Rotation.allCases {
      let panel = rotation.applied(to: size)
      func display() -> HeadlessDisplay {
        HeadlessDisplay(size: panel, rotation: rotation) { .zero }
      }
      // Each of them misses some frames: none, one, two, or more than are remembered.
      let displays = (0..<5).map { _ in display() }
      let intervals = [1, 2, 3, 4, 20]
      let bitmap = Bitmap(
        size: size,
        pixels: (0..<size.width * size.height).map { _ in
          0xff00_0000 | .random(in: 0...0xff_ffff, using: &random)
        })
      let picture = Painter(showing: bitmap)
      for frame in 1...60 {
        let place = Point(
          .random(in: -5...65, using: &random), .random(in: -5...45, using: &random))
        let radius = Double.random(in: 1...9, using: &random)
        picture.show(
          bitmap: size, under: [DisplayItem(.disc(center: place, radius: radius), .white)])
        let whole = display()
        _ = try whole.present(picture)
        for (display, interval) in zip(displays, intervals) where frame % interval == 0 {
          _ = try display.present(picture)
          #expect(
            display.panel.bitmap() == whole.panel.bitmap(), "\(rotation) \(interval) \(frame)")
        }
      }
    }
  }

  @Test func `a picture is written to a file as on a panel`() throws {
    // Larger than one write.
    let size = PixelSize(1300, 1000)
    let picture = Painter(
      showing: Bitmap(
        size: size,
        pixels: (0..<size.width * size.height).map { 0xff00_0000 | UInt32(truncatingIfNeeded: $0) })
    )
    for rotation in Rotation.allCases {
      let panel = HeadlessDisplay(size: rotation.applied(to: size), rotation: rotation) { .zero }
      _ = try panel.present(picture)
      var parts: [[UInt8]] = []
      picture.writePNG(turned: rotation) { parts.append($0) }
      #expect(try PNG.decode(Array(parts.joined())) == panel.panel.bitmap(), "\(rotation)")
    }
  }
}

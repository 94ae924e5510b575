// SPDX-License-Identifier: MIT

import Drawing
import Geometry
import Motion
import Presentation
import Raster
import Testing

/// A clock that stands until it is moved.
private final class Clock {
  var now = Instant(seconds: 1)
}

@Suite struct HeadlessDisplayTests {
  private let clock = Clock()

  private func makeDisplay(_ rotation: Rotation = .none) -> HeadlessDisplay {
    HeadlessDisplay(size: PixelSize(4, 2), rotation: rotation, refreshInterval: 0.02) {
      [clock] in clock.now
    }
  }

  @Test func `it turns the canvas onto its panel`() throws {
    let display = makeDisplay(.quarter)
    #expect(display.canvasSize == PixelSize(2, 4))
    let canvas = Canvas(size: display.canvasSize)
    unsafe canvas.withPixels { unsafe $0[0] = 0xffff_0000 }
    try display.present(canvas, damage: Damage())
    #expect(display.panel[3, 0] == 0xffff_0000)
  }

  @Test func `a panel that is turned while it shows wants all of an upright canvas anew`() throws {
    let display = makeDisplay()
    try display.present(Canvas(size: display.canvasSize), damage: Damage())
    #expect(!display.needsFrame)
    display.rotation = .threeQuarters
    #expect(display.needsFrame)
    #expect(display.canvasSize == PixelSize(2, 4))
    clock.now = Instant(seconds: 2)
    let canvas = Canvas(size: display.canvasSize)
    unsafe canvas.withPixels { unsafe $0[0] = 0xffff_0000 }
    try display.present(canvas, damage: Damage())
    #expect(display.panel[0, 1] == 0xffff_0000)
  }

  @Test func `it takes a frame at most once an interval and says when`() throws {
    let display = makeDisplay()
    var flips: [Instant] = []
    display.onFlip = { flips.append($0) }
    let canvas = Canvas(size: display.canvasSize)
    try display.present(canvas, damage: Damage())
    try display.present(canvas, damage: Damage())
    #expect(!display.isReady)
    let ready = try #require(display.readyAt)
    #expect(ready == Instant(seconds: 1.02))
    clock.now = ready
    #expect(display.isReady && display.readyAt == nil)
    #expect(flips == [Instant(seconds: 1), Instant(seconds: 1)])
  }

  @Test func `what is given while it sleeps is shown when it wakes`() throws {
    let display = makeDisplay()
    let canvas = Canvas(size: display.canvasSize)
    #expect(display.needsFrame)
    try display.present(canvas, damage: Damage())
    #expect(!display.needsFrame)
    try display.setPower(false)
    #expect(display.state == .asleep && !display.isReady)
    unsafe canvas.withPixels { unsafe $0[5] = 0xff00_ff00 }
    try display.present(canvas, damage: Damage(PixelRect(x0: 1, y0: 1, x1: 2, y1: 2)))
    #expect(display.panel[1, 1] == 0xff00_0000)
    try display.setPower(true)
    #expect(display.needsFrame)
    try display.present(canvas, damage: Damage())
    #expect(display.panel[1, 1] == 0xff00_ff00)
    #expect(display.presentCount == 2)
  }

  @Test func `where nobody looks it keeps no picture and takes frames all the same`() throws {
    let display = HeadlessDisplay(size: PixelSize(4, 2), lookedAt: false) { [clock] in clock.now }
    var flips = 0
    display.onFlip = { _ in flips += 1 }
    #expect(display.canvasSize == PixelSize(4, 2))
    try display.present(Canvas(size: display.canvasSize), damage: Damage())
    #expect(display.panel.size == PixelSize(1, 1))
    #expect(flips == 1 && !display.needsFrame)
  }
}

// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import Glibc
import LinuxIO
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import Synchronization
import TestSupport
import Testing

@testable import RoundelTerminal

@Suite(.serialized) struct TerminalScreenTests {
  private typealias Capabilities = TerminalEmulator.Capabilities

  private static let graphic = [
    (Capabilities(), Graphics.blocks),
    (Capabilities(attributes: "62;4;22", tellsCellSize: true), .sixel),
    (Capabilities(attributes: "62;4;22", hasKitty: true, tellsCellSize: true), .kitty),
    (Capabilities(knownModes: [2026, 1016]), .blocks),
    (Capabilities(answersStatus: false), .blocks),
  ]

  private func emulator(_ capabilities: Capabilities, _ graphics: Graphics) -> TerminalEmulator {
    let cell = graphics == .blocks ? PixelSize(1, 2) : PixelSize(8, 16)
    return TerminalEmulator(columns: 40, rows: 12, cell: cell, capabilities: capabilities)
  }

  @Test(arguments: graphic.indices)
  func `the best available graphics show the picture, and the terminal is restored`(
    _ index: Int
  ) throws {
    let (capabilities, graphics) = Self.graphic[index]
    let fixture = try TerminalFixture(emulator(capabilities, graphics))
    let before = fixture.terminal.modes
    let screen = try TerminalScreen(
      at: fixture.terminal.path, isMultiplexed: false, on: fixture.loop)
    #expect(screen.layout.graphics == graphics)
    var taken = 0
    screen.onTaken = { _ in taken += 1 }
    var picture = RandomPicture(screen.layout.size, seed: 2)
    for step in 0..<10 {
      #expect(try fixture.run { screen.isReady })
      if screen.show([step == 0 ? picture.whole : picture.change()]) != nil { taken += 1 }
    }
    #expect(try fixture.run { taken == 10 })
    #expect(fixture.terminal.modes != before)
    if graphics != .sixel { #expect(try fixture.run { fixture.terminal.emulator.shows(picture) }) }
    let shown = fixture.terminal.emulator
    #expect(shown.modes.isSuperset(of: [1049, 1002, 1006]) && !shown.hasCursor)
    screen.close()
    #expect(try fixture.run { fixture.terminal.emulator.modes.isEmpty })
    #expect(fixture.terminal.emulator.hasCursor)
    #expect(fixture.terminal.emulator.diagnostics == [])
    #expect(fixture.terminal.modes == before)
    #expect(fixture.terminal.unread == 0)
  }

  @Test func `tmux isn't sent a query that would set its title`() throws {
    let fixture = try TerminalFixture(emulator(Capabilities(hasKitty: true), .blocks))
    let screen = try TerminalScreen(
      at: fixture.terminal.path, isMultiplexed: true, on: fixture.loop)
    #expect(screen.layout.graphics == .blocks)
    screen.close()
  }

  @Test(arguments: [("1;2;4", false), ("62;4;22", true)])
  func `tmux uses half blocks, although it claims to support sixels`(
    _ attributes: String, _ isNamed: Bool
  ) throws {
    let capabilities = Capabilities(attributes: attributes, tellsCellSize: true)
    let fixture = try TerminalFixture(emulator(capabilities, .blocks))
    let screen = try TerminalScreen(
      at: fixture.terminal.path, isMultiplexed: isNamed, on: fixture.loop)
    #expect(screen.layout.graphics == .blocks)
    let picture = RandomPicture(screen.layout.size, seed: 3)
    screen.show([picture.whole])
    #expect(try fixture.run { fixture.terminal.emulator.shows(picture) })
    screen.close()
  }

  @Test func `a terminal without answers gets half blocks within two seconds`() throws {
    let fixture = try TerminalFixture(emulator(Capabilities(isSilent: true), .blocks))
    let start = MonotonicClock.now
    let screen = try TerminalScreen(
      at: fixture.terminal.path, isMultiplexed: false, on: fixture.loop)
    #expect(MonotonicClock.now - start < 2)
    let picture = RandomPicture(screen.layout.size, seed: 1)
    screen.show([picture.whole])
    #expect(try fixture.run { fixture.terminal.emulator.shows(picture) })
    #expect(screen.isReady)
  }

  @Test func `a blocked terminal gets no more frames, and later the complete last one`() throws {
    let fixture = try TerminalFixture(emulator(Capabilities(), .blocks))
    let screen = try TerminalScreen(
      at: fixture.terminal.path, isMultiplexed: false, on: fixture.loop)
    var picture = RandomPicture(screen.layout.size, seed: 8)
    fixture.terminal.read(false)
    var shown = 0
    let end = MonotonicClock.now + 0.3
    while MonotonicClock.now < end {
      if screen.isReady {
        let change = picture.change()
        screen.show([change, picture.whole])
        shown += 1
      }
      try fixture.loop.turn(until: MonotonicClock.now + 0.002)
    }
    // A few frames for the first answer and the kernel's buffer; one per 2 ms would be 150.
    #expect(shown < 15)
    fixture.terminal.read(true)
    #expect(try fixture.run { screen.isReady })
    screen.show([picture.whole])
    #expect(try fixture.run { fixture.terminal.emulator.shows(picture) })
  }

  @Test func `leaving a blocked terminal takes at most a second`() throws {
    let fixture = try TerminalFixture(emulator(Capabilities(), .blocks))
    let before = fixture.terminal.modes
    let screen = try TerminalScreen(
      at: fixture.terminal.path, isMultiplexed: false, on: fixture.loop)
    fixture.terminal.read(false)
    var picture = RandomPicture(screen.layout.size, seed: 8)
    for _ in 0..<50 {
      _ = picture.change()
      screen.show([picture.whole])
    }
    let start = MonotonicClock.now
    screen.close()
    #expect(MonotonicClock.now - start < 1)
    #expect(fixture.terminal.modes == before)
  }

  @Test func `the mouse acts as a finger, in cells or pixels`() throws {
    for pixels in [nil, PixelSize(320, 192)] {
      let capabilities = Capabilities(knownModes: pixels == nil ? [] : [1016])
      let fixture = try TerminalFixture(emulator(capabilities, .blocks))
      fixture.terminal.resize(40, 12, pixels)
      let screen = try TerminalScreen(
        at: fixture.terminal.path, isMultiplexed: false, on: fixture.loop)
      var touches: [(Touch.Phase, Point)] = []
      screen.onTouch = { phase, place, _ in touches.append((phase, place)) }
      let scale = pixels == nil ? (1, 1) : (8, 16)
      for (code, column, row, final) in [
        (0, 10, 3, "M"), (32, 11, 3, "M"), (64, 11, 3, "M"), (0, 40, 12, "m"), (2, 1, 1, "M"),
      ] {
        fixture.terminal.type("\u{1b}[<\(code);\(column * scale.0);\(row * scale.1)\(final)")
      }
      #expect(try fixture.run { touches.count == 3 })
      #expect(touches.map(\.0) == [.down, .move, .up])
      let half = pixels == nil ? Point(0.5, 0.5) : Point(1 / 16, 1 / 32)
      for (touch, cell) in zip(touches, [(10.0, 3.0), (11, 3), (40, 12)]) {
        #expect(abs(touch.1.x - (cell.0 - half.x) / 40) < 1e-9)
        #expect(abs(touch.1.y - (cell.1 - half.y) / 12) < 1e-9)
      }
      #expect(
        try fixture.run { fixture.terminal.emulator.modes.contains(1016) == (pixels != nil) })
    }
  }

  @Test(arguments: ["q", "\u{3}", "\u{1b}"])
  func `a key leaves the screen`(_ key: String) throws {
    let fixture = try TerminalFixture(emulator(Capabilities(), .blocks))
    let screen = try TerminalScreen(
      at: fixture.terminal.path, isMultiplexed: false, on: fixture.loop)
    var hasLeft = false
    screen.onLeave = { hasLeft = true }
    fixture.terminal.type("x\u{1b}[A\u{1b}OP")
    fixture.terminal.type(key)
    #expect(try fixture.run { hasLeft })
  }

  @Test func `a missing terminal is reported`() throws {
    let loop = try EventLoop()
    for path in ["/dev/null", "/no/such/terminal"] {
      let error = #expect(throws: DisplayError.self) {
        try TerminalScreen(at: path, isMultiplexed: false, on: loop)
      }
      #expect(error?.kind == .unavailable)
      #expect(error?.description.contains(path) == true)
    }
  }
}

@Suite(.serialized) struct TerminalDisplayTests {
  /// A gradient.
  private func gradient(_ size: PixelSize) -> Painter {
    var pixels: [UInt32] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let red = UInt32(x * 255 / size.width)
        let blue = UInt32(y * 255 / size.height)
        pixels.append(0xff00_0000 | red << 16 | blue)
      }
    }
    return Painter(showing: Bitmap(size: size, pixels: pixels))
  }

  private func expected(_ canvas: Canvas, _ size: PixelSize) -> [UInt32] {
    AreaScaling(from: canvas.size, to: size).scaled(PixelRect(size: size), of: canvas).pixels
  }

  @Test func `only damage is sent, and skipped frames are included later`() throws {
    let fixture = try TerminalFixture(TerminalEmulator(columns: 40, rows: 12))
    let screen = try TerminalScreen(
      at: fixture.terminal.path, isMultiplexed: false, on: fixture.loop)
    let display = TerminalDisplay(screen)
    #expect(display.canvasSize == PixelSize(640, 384) && display.shownFrame == nil)
    let size = display.canvasSize
    let picture = gradient(size)
    let first = expected(picture.canvas(), PixelSize(40, 24))
    #expect(try fixture.run { display.isReady })
    #expect(try display.present(picture) == nil)
    #expect(try fixture.run { fixture.terminal.emulator.pixels == first })

    // The next frame includes the skipped one.
    #expect(try fixture.run { display.isReady })
    picture.show(
      bitmap: size, under: [DisplayItem(.disc(center: Point(90, 300), radius: 40), .white)])
    let white = Rect(x0: 101, y0: 57, x1: 230, y1: 120)
    picture.show(bitmap: size, under: [DisplayItem(.rect(white), .white)])
    #expect(display.shownFrame != picture.frame)
    #expect(try display.present(picture) == nil)
    let last = expected(picture.canvas(), PixelSize(40, 24))
    #expect(try fixture.run { fixture.terminal.emulator.pixels == last })
    // Without differences nothing is sent, so the frame is shown immediately.
    #expect(try fixture.run { display.isReady })
    #expect(try display.present(picture) != nil)

    try display.setPower(false)
    #expect(display.state == .asleep)
    #expect(try fixture.run { Set(fixture.terminal.emulator.pixels) == [0xff00_0000] })
    try display.setPower(true)
    #expect(try fixture.run { display.isReady } && display.shownFrame == nil)
    display.close()
    #expect(fixture.terminal.emulator.diagnostics == [])
  }

  @Test func `another size gives another canvas, which is sent completely`() throws {
    let fixture = try TerminalFixture(TerminalEmulator(columns: 40, rows: 12))
    let screen = try TerminalScreen(
      at: fixture.terminal.path, isMultiplexed: false, on: fixture.loop)
    let display = TerminalDisplay(screen)
    fixture.terminal.resize(
      60, 20, nil, to: TerminalEmulator(columns: 60, rows: 20))
    // A terminal sends the signal to its foreground program.
    raise(28)
    #expect(try fixture.run { display.canvasSize == PixelSize(960, 640) })
    let picture = gradient(display.canvasSize)
    #expect(try fixture.run { display.isReady } && display.shownFrame == nil)
    _ = try display.present(picture)
    let canvas = picture.canvas()
    #expect(
      try fixture.run { fixture.terminal.emulator.pixels == expected(canvas, PixelSize(60, 40)) })
  }

  @Test(arguments: Rotation.allCases)
  func `a rotated display rotates picture and touches`(_ rotation: Rotation) throws {
    let fixture = try TerminalFixture(TerminalEmulator(columns: 40, rows: 12))
    let screen = try TerminalScreen(
      at: fixture.terminal.path, isMultiplexed: false, on: fixture.loop)
    let display = TerminalDisplay(screen, rotation: rotation)
    let shown = gradient(display.canvasSize)
    #expect(try fixture.run { display.isReady })
    _ = try display.present(shown)
    let panel = HeadlessDisplay(
      size: PixelSize(640, 384), rotation: rotation, clock: { MonotonicClock.now })
    _ = try panel.present(shown)
    let picture = expected(panel.panel, PixelSize(40, 24))
    #expect(try fixture.run { fixture.terminal.emulator.pixels == picture })

    var place: Point?
    display.onTouch = { _, point, _ in place = point }
    fixture.terminal.type("\u{1b}[<0;5;3M")
    #expect(try fixture.run { place != nil })
    #expect(
      place == rotation.canvasPoint(Point(4.5 * 16, 2.5 * 32), panel: PixelSize(640, 384)))
  }
}

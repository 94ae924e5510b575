// SPDX-License-Identifier: MIT

import Controls
import Drawing
import Geometry
import Glibc
import LinuxIO
import Motion
import Presentation
import Raster
import Synchronization
import TestSupport
import Testing

@testable import Terminal

@Suite(.serialized) struct TerminalScreenTests {
  private typealias Nature = TerminalEmulator.Nature

  private static let graphic = [
    (Nature(), Graphics.blocks),
    (Nature(attributes: "62;4;22", tellsCellSize: true), .sixel),
    (Nature(attributes: "62;4;22", hasKitty: true, tellsCellSize: true), .kitty),
    (Nature(knownModes: [2026, 1016]), .blocks),
    (Nature(answersStatus: false), .blocks),
  ]

  private func emulator(_ nature: Nature, _ graphics: Graphics) -> TerminalEmulator {
    let cell = graphics == .blocks ? PixelSize(1, 2) : PixelSize(8, 16)
    return TerminalEmulator(columns: 40, rows: 12, cell: cell, nature: nature)
  }

  @Test(arguments: graphic.indices)
  func `the best available graphics show the picture, and the terminal is restored`(
    _ index: Int
  ) throws {
    let (nature, graphics) = Self.graphic[index]
    let stand = try TerminalStand(emulator(nature, graphics))
    let before = stand.terminal.modes
    let screen = try TerminalScreen(at: stand.terminal.path, isMultiplexed: false, on: stand.loop)
    #expect(screen.layout.graphics == graphics)
    var taken = 0
    screen.onTaken = { _ in taken += 1 }
    var picture = RandomPicture(screen.layout.size, seed: 2)
    for step in 0..<10 {
      #expect(try stand.run { screen.isReady })
      if screen.show([step == 0 ? picture.whole : picture.change()]) != nil { taken += 1 }
    }
    #expect(try stand.run { taken == 10 })
    #expect(stand.terminal.modes != before)
    if graphics != .sixel { #expect(try stand.run { stand.terminal.emulator.shows(picture) }) }
    let shown = stand.terminal.emulator
    #expect(shown.modes.isSuperset(of: [1049, 1002, 1006]) && !shown.hasCursor)
    screen.close()
    #expect(try stand.run { stand.terminal.emulator.modes.isEmpty })
    #expect(stand.terminal.emulator.hasCursor)
    #expect(stand.terminal.emulator.mistakes == [])
    #expect(stand.terminal.modes == before)
    #expect(stand.terminal.unread == 0)
  }

  @Test func `tmux isn't sent a query that would set its title`() throws {
    let stand = try TerminalStand(emulator(Nature(hasKitty: true), .blocks))
    let screen = try TerminalScreen(at: stand.terminal.path, isMultiplexed: true, on: stand.loop)
    #expect(screen.layout.graphics == .blocks)
    screen.close()
  }

  @Test(arguments: [("1;2;4", false), ("62;4;22", true)])
  func `tmux uses half blocks, although it claims to support sixels`(
    _ attributes: String, _ isNamed: Bool
  ) throws {
    let nature = Nature(attributes: attributes, tellsCellSize: true)
    let stand = try TerminalStand(emulator(nature, .blocks))
    let screen = try TerminalScreen(
      at: stand.terminal.path, isMultiplexed: isNamed, on: stand.loop)
    #expect(screen.layout.graphics == .blocks)
    let picture = RandomPicture(screen.layout.size, seed: 3)
    screen.show([picture.whole])
    #expect(try stand.run { stand.terminal.emulator.shows(picture) })
    screen.close()
  }

  @Test func `a terminal without answers gets half blocks within two seconds`() throws {
    let stand = try TerminalStand(emulator(Nature(isSilent: true), .blocks))
    let start = MonotonicClock.now
    let screen = try TerminalScreen(at: stand.terminal.path, isMultiplexed: false, on: stand.loop)
    #expect(MonotonicClock.now - start < 2)
    let picture = RandomPicture(screen.layout.size, seed: 1)
    screen.show([picture.whole])
    #expect(try stand.run { stand.terminal.emulator.shows(picture) })
    #expect(screen.isReady)
  }

  @Test func `a blocked terminal gets no more frames, and later the complete last one`() throws {
    let stand = try TerminalStand(emulator(Nature(), .blocks))
    let screen = try TerminalScreen(at: stand.terminal.path, isMultiplexed: false, on: stand.loop)
    var picture = RandomPicture(screen.layout.size, seed: 8)
    stand.terminal.read(false)
    var shown = 0
    let end = MonotonicClock.now + 0.3
    while MonotonicClock.now < end {
      if screen.isReady {
        let change = picture.change()
        screen.show([change, picture.whole])
        shown += 1
      }
      try stand.loop.turn(until: MonotonicClock.now + 0.002)
    }
    // A few frames for the first answer and the kernel's buffer; one per 2 ms would be 150.
    #expect(shown < 15)
    stand.terminal.read(true)
    #expect(try stand.run { screen.isReady })
    screen.show([picture.whole])
    #expect(try stand.run { stand.terminal.emulator.shows(picture) })
  }

  @Test func `leaving a blocked terminal takes at most a second`() throws {
    let stand = try TerminalStand(emulator(Nature(), .blocks))
    let before = stand.terminal.modes
    let screen = try TerminalScreen(at: stand.terminal.path, isMultiplexed: false, on: stand.loop)
    stand.terminal.read(false)
    var picture = RandomPicture(screen.layout.size, seed: 8)
    for _ in 0..<50 {
      _ = picture.change()
      screen.show([picture.whole])
    }
    let start = MonotonicClock.now
    screen.close()
    #expect(MonotonicClock.now - start < 1)
    #expect(stand.terminal.modes == before)
  }

  @Test func `the mouse acts as a finger, in cells or pixels`() throws {
    for pixels in [nil, PixelSize(320, 192)] {
      let nature = Nature(knownModes: pixels == nil ? [] : [1016])
      let stand = try TerminalStand(emulator(nature, .blocks))
      stand.terminal.resize(40, 12, pixels)
      let screen = try TerminalScreen(
        at: stand.terminal.path, isMultiplexed: false, on: stand.loop)
      var touches: [(Touch.Phase, Point)] = []
      screen.onTouch = { phase, place, _ in touches.append((phase, place)) }
      let scale = pixels == nil ? (1, 1) : (8, 16)
      for (code, column, row, final) in [
        (0, 10, 3, "M"), (32, 11, 3, "M"), (64, 11, 3, "M"), (0, 40, 12, "m"), (2, 1, 1, "M"),
      ] {
        stand.terminal.type("\u{1b}[<\(code);\(column * scale.0);\(row * scale.1)\(final)")
      }
      #expect(try stand.run { touches.count == 3 })
      #expect(touches.map(\.0) == [.down, .move, .up])
      let half = pixels == nil ? Point(0.5, 0.5) : Point(1 / 16, 1 / 32)
      for (touch, cell) in zip(touches, [(10.0, 3.0), (11, 3), (40, 12)]) {
        #expect(abs(touch.1.x - (cell.0 - half.x) / 40) < 1e-9)
        #expect(abs(touch.1.y - (cell.1 - half.y) / 12) < 1e-9)
      }
      #expect(
        try stand.run { stand.terminal.emulator.modes.contains(1016) == (pixels != nil) })
    }
  }

  @Test(arguments: ["q", "\u{3}", "\u{1b}"])
  func `a key leaves the screen`(_ key: String) throws {
    let stand = try TerminalStand(emulator(Nature(), .blocks))
    let screen = try TerminalScreen(at: stand.terminal.path, isMultiplexed: false, on: stand.loop)
    var hasLeft = false
    screen.onLeave = { hasLeft = true }
    stand.terminal.type("x\u{1b}[A\u{1b}OP")
    stand.terminal.type(key)
    #expect(try stand.run { hasLeft })
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
    let stand = try TerminalStand(TerminalEmulator(columns: 40, rows: 12))
    let screen = try TerminalScreen(at: stand.terminal.path, isMultiplexed: false, on: stand.loop)
    let display = TerminalDisplay(screen)
    #expect(display.canvasSize == PixelSize(640, 384) && display.shownFrame == nil)
    let size = display.canvasSize
    let picture = gradient(size)
    let first = expected(picture.canvas(), PixelSize(40, 24))
    #expect(try stand.run { display.isReady })
    #expect(try display.present(picture) == nil)
    #expect(try stand.run { stand.terminal.emulator.pixels == first })

    // The next frame includes the skipped one.
    #expect(try stand.run { display.isReady })
    picture.show(
      bitmap: size, under: [DisplayItem(.disc(center: Point(90, 300), radius: 40), .white)])
    let white = Rect(x0: 101, y0: 57, x1: 230, y1: 120)
    picture.show(bitmap: size, under: [DisplayItem(.rect(white), .white)])
    #expect(display.shownFrame != picture.frame)
    #expect(try display.present(picture) == nil)
    let last = expected(picture.canvas(), PixelSize(40, 24))
    #expect(try stand.run { stand.terminal.emulator.pixels == last })
    // Without differences nothing is sent, so the frame is shown immediately.
    #expect(try stand.run { display.isReady })
    #expect(try display.present(picture) != nil)

    try display.setPower(false)
    #expect(display.state == .asleep)
    #expect(try stand.run { Set(stand.terminal.emulator.pixels) == [0xff00_0000] })
    try display.setPower(true)
    #expect(try stand.run { display.isReady } && display.shownFrame == nil)
    display.close()
    #expect(stand.terminal.emulator.mistakes == [])
  }

  @Test func `another size gives another canvas, which is sent completely`() throws {
    let stand = try TerminalStand(TerminalEmulator(columns: 40, rows: 12))
    let screen = try TerminalScreen(at: stand.terminal.path, isMultiplexed: false, on: stand.loop)
    let display = TerminalDisplay(screen)
    stand.terminal.resize(
      60, 20, nil, to: TerminalEmulator(columns: 60, rows: 20))
    // A terminal sends the signal to its foreground program.
    raise(28)
    #expect(try stand.run { display.canvasSize == PixelSize(960, 640) })
    let picture = gradient(display.canvasSize)
    #expect(try stand.run { display.isReady } && display.shownFrame == nil)
    _ = try display.present(picture)
    let canvas = picture.canvas()
    #expect(try stand.run { stand.terminal.emulator.pixels == expected(canvas, PixelSize(60, 40)) })
  }

  @Test(arguments: Rotation.allCases)
  func `a rotated display rotates picture and touches`(_ rotation: Rotation) throws {
    let stand = try TerminalStand(TerminalEmulator(columns: 40, rows: 12))
    let screen = try TerminalScreen(at: stand.terminal.path, isMultiplexed: false, on: stand.loop)
    let display = TerminalDisplay(screen, rotation: rotation)
    let shown = gradient(display.canvasSize)
    #expect(try stand.run { display.isReady })
    _ = try display.present(shown)
    let panel = HeadlessDisplay(
      size: PixelSize(640, 384), rotation: rotation, clock: { MonotonicClock.now })
    _ = try panel.present(shown)
    let picture = expected(panel.panel, PixelSize(40, 24))
    #expect(try stand.run { stand.terminal.emulator.pixels == picture })

    var place: Point?
    display.onTouch = { _, point, _ in place = point }
    stand.terminal.type("\u{1b}[<0;5;3M")
    #expect(try stand.run { place != nil })
    #expect(
      place == rotation.canvasPoint(Point(4.5 * 16, 2.5 * 32), panel: PixelSize(640, 384)))
  }
}

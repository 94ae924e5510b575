// SPDX-License-Identifier: MIT

import RoundelGeometry
import RoundelRaster
import TestSupport
import Testing

@testable import RoundelTerminal

@Suite struct GraphicsTests {
  private static let cell = PixelSize(9, 20)

  private func written(
    _ graphics: Graphics, _ shown: inout ShownPicture, _ blocks: [PixelBlock],
    _ layout: TerminalLayout
  ) -> [UInt8] {
    let changes = blocks.map { shown.take($0) }
    var output: [UInt8] = []
    switch graphics {
    case .kitty: KittyGraphics.encode(shown, changes, layout, into: &output)
    case .sixel: SixelGraphics.encode(shown, changes, layout, into: &output)
    case .blocks: break
    }
    return output
  }

  /// The largest difference between two pixels in a channel.
  private func distance(_ a: UInt32, _ b: UInt32) -> Int {
    [0, 8, 16].map { (shift: UInt32) in abs(Int(a >> shift & 255) - Int(b >> shift & 255)) }.max()
      ?? 0
  }

  @Test func `kitty pictures are exact, even in parts`() {
    let layout = TerminalLayout(.kitty, columns: 25, rows: 11, cell: Self.cell)
    #expect(layout.size == PixelSize(225, 220))
    var picture = RandomPicture(layout.size, seed: 5)
    var shown = ShownPicture(size: layout.size)
    var terminal = TerminalEmulator(columns: 25, rows: 11, cell: Self.cell)
    terminal.take(written(.kitty, &shown, [picture.whole], layout))
    let tiles = terminal.images
    for _ in 0..<40 {
      terminal.take(written(.kitty, &shown, [picture.change()], layout))
      #expect(terminal.shows(picture))
    }
    #expect(terminal.diagnostics.isEmpty)
    // Images don't accumulate: they are replaced.
    #expect(terminal.images == tiles)
  }

  @Test func `kitty pictures are sent in chunks of its maximum size`() {
    let layout = TerminalLayout(.kitty, columns: 25, rows: 11, cell: Self.cell)
    var random = SeededGenerator(seed: 7)
    let noise = (0..<(layout.size.width * layout.size.height)).map { _ in
      0xff00_0000 | UInt32.random(in: 0...0xff_ffff, using: &random)
    }
    var shown = ShownPicture(size: layout.size)
    var terminal = TerminalEmulator(columns: 25, rows: 11, cell: Self.cell)
    let whole = PixelBlock(PixelRect(size: layout.size), pixels: noise)
    terminal.take(written(.kitty, &shown, [whole], layout))
    #expect((terminal.pixels == noise) == true)
    #expect(terminal.diagnostics.isEmpty)
  }

  @Test func `kitty gets only the changed tiles`() {
    let layout = TerminalLayout(.kitty, columns: 80, rows: 24, cell: Self.cell)
    var picture = RandomPicture(layout.size, seed: 6)
    for _ in 0..<200 { _ = picture.change() }
    var shown = ShownPicture(size: layout.size)
    let all = written(.kitty, &shown, [picture.whole], layout).count
    let change = written(.kitty, &shown, [picture.change()], layout).count
    #expect(change * 8 < all)
    #expect(written(.kitty, &shown, [picture.whole], layout).isEmpty)
  }

  @Test func `sixels with few colours are exact to a hundredth, even in parts`() {
    let layout = TerminalLayout(.sixel, columns: 25, rows: 11, cell: Self.cell)
    #expect(layout.size == PixelSize(225, 200))
    var shown = ShownPicture(size: layout.size)
    var terminal = TerminalEmulator(columns: 25, rows: 11, cell: Self.cell)
    var pixels = Array(repeating: 0xff10_151c as UInt32, count: 225 * 200)
    for step in 0..<12 {
      for y in 0..<(20 + step) {
        for x in 0..<30 {
          pixels[(step * 13 + y) * 225 + step * 11 + x] = 0xff00_0000 | UInt32(step * 0x15_0f0b)
        }
      }
      let whole = PixelBlock(PixelRect(size: layout.size), pixels: pixels)
      terminal.take(written(.sixel, &shown, [whole], layout))
      let worst = zip(terminal.pixels, pixels).map { distance($0, $1) }.max()
      #expect(worst ?? 255 <= 2)
    }
    #expect(terminal.diagnostics.isEmpty)
  }

  @Test func `sixels with thousands of colours are close`() {
    let layout = TerminalLayout(.sixel, columns: 40, rows: 12, cell: PixelSize(8, 16))
    var shown = ShownPicture(size: layout.size)
    // Two gradients, one of brightness and one of colour, as in a photograph.
    let (width, height) = (layout.size.width, layout.size.height)
    let pixels = (0..<(width * height)).map { place -> UInt32 in
      let (y, x) = place.quotientAndRemainder(dividingBy: width)
      let (a, b) = (UInt32(x * 255 / (width - 1)), UInt32(y * 255 / (height - 1)))
      return 0xff00_0000 | a << 16 | b << 8 | (a + b) / 2
    }
    var terminal = TerminalEmulator(columns: 40, rows: 12, cell: PixelSize(8, 16))
    let whole = PixelBlock(PixelRect(size: layout.size), pixels: pixels)
    terminal.take(written(.sixel, &shown, [whole], layout))
    let distances = zip(terminal.pixels, pixels).map { distance($0, $1) }
    #expect(distances.reduce(0, +) < distances.count * 8)
    #expect(distances.max() ?? 255 < 40)
    #expect(terminal.diagnostics.isEmpty)
  }

  @Test(arguments: Graphics.allCases)
  func `invalid terminal sizes don't allocate gigabytes`(_ graphics: Graphics) {
    for (columns, rows) in [(0, 0), (1, 1), (-3, 5), (65_535, 65_535), (1, 65_535)] {
      for cell in [nil, PixelSize(9, 20), PixelSize(200, 400)] {
        let layout = TerminalLayout(graphics, columns: columns, rows: rows, cell: cell)
        #expect(layout.size.width >= 1 && layout.size.height >= 1)
        #expect(layout.canvasSize.width * layout.canvasSize.height <= 64 << 20)
        #expect(layout.aspect > 0.2 && layout.aspect < 5)
      }
    }
  }

  @Test func `the canvas has a whole number of pixels per terminal pixel, in its shape`() {
    for (columns, rows) in [(80, 24), (120, 40), (211, 55), (40, 12)] {
      for cell in [nil, PixelSize(9, 20), PixelSize(10, 16)] {
        let layout = TerminalLayout(.blocks, columns: columns, rows: rows, cell: cell)
        let (canvas, size) = (layout.canvasSize, layout.size)
        #expect(size == PixelSize(columns, 2 * rows))
        #expect(canvas.width % size.width == 0 && canvas.height % size.height == 0)
        let aspect = Double(canvas.width / size.width) / Double(canvas.height / size.height)
        #expect(abs(aspect - layout.aspect) < 0.15)
      }
    }
  }
}

// SPDX-License-Identifier: MIT

import Geometry
import Raster
import TestSupport
import Testing

@testable import Terminal

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

  /// How far two pixels are apart in the channel in which they are farthest.
  private func distance(_ a: UInt32, _ b: UInt32) -> Int {
    [0, 8, 16].map { (shift: UInt32) in abs(Int(a >> shift & 255) - Int(b >> shift & 255)) }.max()
      ?? 0
  }

  @Test func `kitty's pictures are exact, piece by piece too`() {
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
    #expect(terminal.mistakes.isEmpty)
    // Nothing piles up: the same images are replaced again and again.
    #expect(terminal.images == tiles)
  }

  @Test func `kitty's pictures come in pieces as small as it takes them`() {
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
    #expect(terminal.mistakes.isEmpty)
  }

  @Test func `kitty gets the tiles that changed alone`() {
    let layout = TerminalLayout(.kitty, columns: 80, rows: 24, cell: Self.cell)
    var picture = RandomPicture(layout.size, seed: 6)
    for _ in 0..<200 { _ = picture.change() }
    var shown = ShownPicture(size: layout.size)
    let all = written(.kitty, &shown, [picture.whole], layout).count
    let change = written(.kitty, &shown, [picture.change()], layout).count
    #expect(change * 8 < all)
    #expect(written(.kitty, &shown, [picture.whole], layout).isEmpty)
  }

  @Test func `sixels of few colours are exact to a hundredth, piece by piece too`() {
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
    #expect(terminal.mistakes.isEmpty)
  }

  @Test func `sixels of thousands of colours come close`() {
    let layout = TerminalLayout(.sixel, columns: 40, rows: 12, cell: PixelSize(8, 16))
    var shown = ShownPicture(size: layout.size)
    // Two gradients, one of light and one of colour, as a photograph has them.
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
    #expect(terminal.mistakes.isEmpty)
  }

  @Test(arguments: Graphics.allCases)
  func `nonsense of a terminal about its size makes no picture of gigabytes`(_ graphics: Graphics) {
    for (columns, rows) in [(0, 0), (1, 1), (-3, 5), (65_535, 65_535), (1, 65_535)] {
      for cell in [nil, PixelSize(9, 20), PixelSize(200, 400)] {
        let layout = TerminalLayout(graphics, columns: columns, rows: rows, cell: cell)
        #expect(layout.size.width >= 1 && layout.size.height >= 1)
        #expect(layout.canvasSize.width * layout.canvasSize.height <= 64 << 20)
        #expect(layout.aspect > 0.2 && layout.aspect < 5)
      }
    }
  }

  @Test func `the canvas is whole pixels for each of the terminal's, of their shape`() {
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

// SPDX-License-Identifier: MIT

import RoundelGeometry
import RoundelRaster
import Testing

@testable import RoundelTerminal

@Suite struct HalfBlocksTests {
  /// The output for consecutive blocks.
  private struct Writer {
    var shown: ShownPicture
    var encoder: HalfBlocks

    init(_ size: PixelSize) {
      shown = ShownPicture(size: size)
      encoder = HalfBlocks(columns: size.width, rows: size.height / 2)
    }

    mutating func show(_ blocks: [PixelBlock]) -> [UInt8] {
      let changes = blocks.map { shown.take($0) }
      var output: [UInt8] = []
      encoder.encode(shown, changes, into: &output)
      return output
    }
  }

  @Test(arguments: [PixelSize(1, 2), PixelSize(7, 4), PixelSize(80, 48)])
  func `the output draws the picture`(_ size: PixelSize) {
    var picture = RandomPicture(size, seed: 1)
    for _ in 0..<30 { _ = picture.change() }
    var writer = Writer(size)
    var terminal = TerminalEmulator(columns: size.width, rows: size.height / 2)
    terminal.take(writer.show([picture.whole]))
    #expect(terminal.shows(picture))
    #expect(terminal.diagnostics.isEmpty)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `partial changes give the same result as one change`(_ seed: UInt64) {
    let size = PixelSize(61, 38)
    var picture = RandomPicture(size, seed: seed)
    var writer = Writer(size)
    var terminal = TerminalEmulator(columns: 61, rows: 19)
    terminal.take(writer.show([picture.whole]))
    for _ in 0..<50 {
      let blocks = [picture.change(), picture.change()]
      // The second block may cover the first.
      terminal.take(writer.show([picture.whole.part(blocks[0].rect), blocks[1]]))
      #expect(terminal.shows(picture))
    }
    #expect(terminal.diagnostics.isEmpty)
  }

  @Test func `unchanged pixels aren't written again`() {
    var picture = RandomPicture(PixelSize(40, 20), seed: 3)
    for _ in 0..<30 { _ = picture.change() }
    var writer = Writer(picture.size)
    #expect(!writer.show([picture.whole]).isEmpty)
    #expect(writer.show([picture.whole]).isEmpty)
  }

  @Test func `a changed cell is cheap, and a plain area costs little more than its cells`() {
    let size = PixelSize(100, 60)
    var writer = Writer(size)
    var pixels = Array(repeating: 0xff20_3040 as UInt32, count: 6000)
    // One cursor address per row and one blank per cell.
    #expect(writer.show([PixelBlock(PixelRect(size: size), pixels: pixels)]).count < 3000 + 30 * 9)
    pixels[50 * 100 + 50] = 0xffff_ffff
    let all = PixelBlock(PixelRect(size: size), pixels: pixels)
    // CSI 26;51H, two colours, one character.
    #expect(writer.show([all]).count <= 8 + 36 + 3)
  }

  @Test func `a colour is set only when it changes`() {
    let size = PixelSize(40, 2)
    var writer = Writer(size)
    // Two alternating colours: blanks, full blocks and halves with the same pen.
    let pixels: [UInt32] = (0..<80).map { ($0 / 3) % 2 == 0 ? 0xffaa_0000 : 0xff00_00aa }
    let text = String(
      decoding: writer.show([PixelBlock(PixelRect(size: size), pixels: pixels)]), as: UTF8.self)
    #expect(text.count { $0 == "m" } <= 3)
  }
}

extension PixelBlock {
  /// The pixels of a rectangle inside the block.
  func part(_ part: PixelRect) -> PixelBlock {
    var pixels: [UInt32] = []
    for y in part.y0..<part.y1 {
      let start = (y - rect.y0) * rect.width - rect.x0
      pixels += self.pixels[(start + part.x0)..<(start + part.x1)]
    }
    return PixelBlock(part, pixels: pixels)
  }
}

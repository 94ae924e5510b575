// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import SystemFonts
import TestSupport
import Testing

@testable import RoundelText

/// Emoji in Debian's Noto Color Emoji.
@Suite struct EmojiTests {
  private func fonts(_ families: String...) throws -> FontLibrary {
    let loader = FontLoader()
    for family in families {
      #expect(
        throws: Never.self, "there is no \(family): install the fonts that deploy/test does"
      ) { try loader.load(FaceName(family)) }
    }
    loader.loadFallback()
    return loader.library
  }

  private func glyphs(
    _ text: String, _ library: FontLibrary, in font: Font = inter, tabularFigures: Bool = false
  ) throws -> [PlacedGlyph] {
    let run = TextRun(text, font: font, size: 20, at: .zero, tabularFigures: tabularFigures)
    return try #require(library.layout(run)).lines.flatMap(\.glyphs)
  }

  @Test(arguments: [
    "😀", "👍🏽", "👩‍👩‍👧", "🇩🇪", "1️⃣", "#️⃣", "❤️", "❤️‍🔥", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏳️‍🌈", "☕", "🧑🏿‍🚀",
  ])
  func `a sequence is one glyph`(_ text: String) throws {
    let library = try fonts("Inter")
    for font in [inter, Font("Inter", weight: 700, language: "ar")] {
      for tabularFigures in [false, true] {
        let glyphs = try glyphs(text, library, in: font, tabularFigures: tabularFigures)
        #expect(glyphs.count == 1 && glyphs.first?.glyph.picture?.size == PixelSize(136, 128))
      }
    }
  }

  @Test func `a variation selector chooses between text and emoji`() throws {
    // Both fonts have a heart, an umbrella and a watch; DejaVu Sans has outlines.
    let library = try fonts("DejaVu Sans")
    func isEmoji(_ text: String, _ families: String...) throws -> Bool {
      let glyphs = try glyphs(text, library, in: Font(families))
      return try #require(glyphs.first).glyph.picture != nil
    }
    #expect(try !isEmoji("❤\u{fe0e}", "DejaVu Sans") && isEmoji("❤\u{fe0f}", "DejaVu Sans"))
    #expect(try !isEmoji("❤", "DejaVu Sans"), "a letter by default")
    #expect(try !isEmoji("☔", "DejaVu Sans"), "the first font has it")
    #expect(try isEmoji("☔\u{fe0f}", "DejaVu Sans") && !isEmoji("☔\u{fe0e}", "DejaVu Sans"))
    try library.add(FaceName("Inter"), bytes: fontBytes(inter))
    #expect(try isEmoji("☔", "Inter"), "an emoji by default, which the first font lacks")
    #expect(try !isEmoji("☔\u{fe0e}", "Inter"), "though the system's fonts have it in colour")
    #expect(try !isEmoji("❤", "Inter") && isEmoji("☝🏽", "DejaVu Sans"))
  }

  @Test func `spaces and digits next to an emoji come from the text's font`() throws {
    let library = try fonts("Inter")
    let plain = try glyphs("a 1", library)
    let glyphs = try glyphs("🍊 1", library)
    #expect(glyphs.map { $0.glyph.picture == nil } == [false, true, true])
    #expect(glyphs[2].x - glyphs[1].x == plain[2].x - plain[1].x)
  }

  @Test func `an emoji font can be named, and truncated files of such fonts are harmless`() throws {
    let library = try fonts("Inter", "Noto Color Emoji")
    #expect(
      try glyphs("☕", library, in: Font(["Inter", "Noto Color Emoji"])).first?.glyph.picture != nil)
    let bytes = try FontFile.read(SystemFonts().file(for: "Noto Color Emoji").path)
    let run = TextRun("☕👍🏽🇩🇪 a", font: "Cut", size: 20, at: Point(100, 100))
    var random = SeededGenerator(seed: 4)
    for count in [0, 11, 100, 4000, 60_000, 500_000, 5_000_000, bytes.count - 1] {
      var cut = Array(bytes.prefix(count))
      // The second round replaces the tables with other bytes.
      for _ in 0..<2 {
        let library = FontLibrary()
        try? library.add(FaceName("Cut"), bytes: cut)
        let mask = library.mask(for: run, viewport: .unscaled, clip: .screen)
        for placed in mask.colorGlyphs { _ = placed.glyph.picture() }
        for place in cut.indices.prefix(3000).shuffled(using: &random).prefix(8) {
          cut[place] ^= 0x55
        }
      }
    }
  }

  @Test func `a colour glyph is at its character's position, unrotated and rotated`() throws {
    let library = try fonts("Inter")
    func placed(_ angle: Double) throws -> PlacedColorGlyph {
      let run = TextRun(
        "🍊", font: inter, size: 40, at: Point(200, 200), angle: .degrees(angle))
      let mask = library.mask(for: run, viewport: .unscaled, clip: .screen)
      #expect(mask.coverage.isEmpty)
      return try #require(mask.colorGlyphs.first)
    }
    let upright = try placed(0)
    #expect(upright.turn == .zero)
    #expect(abs(upright.frame.center.x - 200) < 1 && abs(upright.frame.center.y - 200) < 3)
    #expect((44...54).contains(upright.frame.width) && (44...54).contains(upright.frame.height))
    let turned = try placed(90)
    let distance = upright.frame.center - Point(200, 200)
    let turnedWay = turned.frame.center - Point(200, 200)
    #expect(abs(turnedWay.x + distance.y) < 1e-6 && abs(turnedWay.y - distance.x) < 1e-6)
    #expect(abs(turned.turn.degrees - 90) < 1e-6)
  }
}

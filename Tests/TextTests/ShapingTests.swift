// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import TestSupport
import Testing

@testable import RoundelText

/// Shaping of several scripts with DejaVu Sans, which includes Arabic and Hebrew.
@Suite struct ShapingTests {
  private func block(
    _ text: String, language: String = "", box: Size? = nil, lines: Int = 1
  ) throws -> TextBlock {
    var font = dejaVu
    font.language = language
    return try #require(
      fontLibrary(dejaVu).layout(
        TextRun(text, font: font, size: 20, at: .zero, box: box, lines: lines, minimumSize: 20)))
  }

  private func glyphs(_ text: String) throws -> [UInt32] {
    try block(text).lines.flatMap { line in line.glyphs.map(\.glyph.index) }
  }

  @Test func `Arabic letters join, and run from right to left`() throws {
    let word = try glyphs("سلام")
    let alone = try "سلام".map { try glyphs(String($0)) }.flatMap(\.self)
    #expect(Set(word).isDisjoint(with: alone.dropLast().prefix(2)), "the forms are others")
    // The word ends with an isolated mim, because the preceding alef doesn't join to the left.
    #expect(word.first == alone.last)
  }

  @Test func `lam and alef are one glyph`() throws {
    #expect(try glyphs("لا").count < glyphs("ل").count + glyphs("ا").count)
  }

  @Test func `a line mixes directions by UAX 9`() throws {
    // "abc", then a Hebrew word with a number, whose digits stay in order.
    let line = try block("abc אב 12 גד").lines[0]
    #expect(!line.isRightToLeft)
    let order = try ["a", "b", "c", "ד", "ג", "1", "2", "ב", "א"].map { try glyphs($0)[0] }
    let space = try glyphs("a a")[1]
    #expect(line.glyphs.map(\.glyph.index).filter { $0 != space } == order)
  }

  @Test func `text that starts with Hebrew reads from right to left`() throws {
    let line = try block("שלום abc").lines[0]
    #expect(line.isRightToLeft)
    let first = try glyphs("a")[0]
    #expect(line.glyphs.first?.glyph.index == first, "what reads last stands on the left")
    #expect(TextRun.Alignment.start.share(isRightToLeft: true) == 1)
  }

  @Test func `a truncated text has its ellipsis at the end of its reading direction`() throws {
    let dots = try glyphs("…")[0]
    let latin = try block("one two three four", box: Size(100, 40))
    #expect(latin.isCut && latin.lines[0].glyphs.last?.glyph.index == dots)
    let hebrew = try block("אחת שתיים שלוש ארבע", box: Size(100, 40))
    #expect(hebrew.isCut && hebrew.lines[0].glyphs.first?.glyph.index == dots)
  }

  @Test func `ASCII white space matches Unicode`() {
    for value in UInt8(0)...0x7f {
      let scalar = Unicode.Scalar(value)
      #expect(scalar.isSpace == scalar.properties.isWhitespace)
    }
  }

  @Test func `a combining mark is placed over its letter without width`() throws {
    for (letter, marked) in [("o", "o\u{302}\u{301}"), ("x", "x\u{308}"), ("ب", "بَ")] {
      #expect(try block(marked).lines[0].width == block(letter).lines[0].width)
    }
    // Vietnamese with and without combining marks.
    #expect(try glyphs("ệ") == glyphs("e\u{323}\u{302}"))
  }

  @Test func `a line that ends at a soft hyphen shows it, and others don't`() throws {
    let text = "Kaffee\u{ad}maschine"
    let whole = try block(text, box: Size(500, 80), lines: 2)
    #expect(
      try whole.lines.count == 1 && whole.lines[0].width == block("Kaffeemaschine").lines[0].width)
    let wrapped = try block(text, box: Size(110, 80), lines: 2)
    #expect(wrapped.lines.count == 2)
    let hyphen = try glyphs("\u{2010}")[0]
    #expect(wrapped.lines[0].glyphs.last?.glyph.index == hyphen)
  }

  @Test func `a no-break space keeps words together`() throws {
    let wrapped = try block("ten 20\u{a0}km", box: Size(80, 80), lines: 2)
    #expect(wrapped.lines.map(\.text) == ["ten", "20\u{a0}km"])
  }

  // A limit that an emulated processor, which takes an hour, can meet.
  @Test(.timeLimit(.minutes(120)))
  func `a hundred thousand characters and deep nesting take little time`() throws {
    for text in [
      String(repeating: "سلام ", count: 20_000), String(repeating: "a\u{301}", count: 50_000),
      String(repeating: "\u{202b}a\u{202a}ב", count: 25_000),
      String(repeating: "\u{2067}", count: 50_000) + String(repeating: "\u{2069}", count: 50_000),
    ] {
      let block = try block(text, box: Size(300, 60), lines: 3)
      #expect(block.lines.count <= 3)
    }
  }

  @Test func `clusters of any Unicode text are in order and complete`() throws {
    let library = try fontLibrary(dejaVu)
    var random = SeededGenerator(seed: 21)
    let kinds: [ClosedRange<UInt32>] = [
      0x20...0x7e, 0x300...0x36f, 0x5d0...0x5ea, 0x620...0x64a, 0x660...0x669, 0x900...0x97f,
      0xe01...0xe5b, 0x2000...0x206f, 0x4e00...0x4e20, 0x1f300...0x1f600, 0x1f1e6...0x1f1ff,
      0xfe00...0xfe0f, 0xfff0...0xffff, 0xe0020...0xe007f,
    ]
    for _ in 0..<600 {
      var text = ""
      for _ in 0..<Int.random(in: 1...25, using: &random) {
        let kind = kinds.randomElement(using: &random) ?? 0x20...0x7e
        if let scalar = Unicode.Scalar(UInt32.random(in: kind, using: &random)) {
          text.unicodeScalars.append(scalar)
        }
      }
      let shaped = ShapedText(text, Typesetting(fonts: library, font: dejaVu, size: 20))
      var next = 0
      for cluster in shaped.clusters {
        #expect(cluster.letters.lowerBound == next && cluster.width.isFinite)
        next = cluster.letters.upperBound
      }
      #expect(next == shaped.letters.count, "\(text.unicodeScalars.map(\.value))")
      for line in shaped.lines(within: { _ in 3 }) {
        let placed = shaped.line(line)
        #expect(placed.glyphs.allSatisfy { $0.x.isFinite && $0.y.isFinite })
      }
    }
  }
}

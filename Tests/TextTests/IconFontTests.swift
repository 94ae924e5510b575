// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import SystemFonts
import Testing

@testable import RoundelText

@Suite struct IconFontTests {
  private func library() throws -> FontLibrary {
    let loader = FontLoader()
    try loader.load(FaceName("Inter"))
    loader.loadFallback()
    return loader.library
  }

  @Test func `icons are known by the names of the font's ligatures`() throws {
    let icons = try #require(try library().icons)
    #expect(icons.names.count > 900)
    #expect(icons["lock"] != nil && icons["lock"] != icons["lock_open"])
    #expect(icons["lok"] == nil)
  }

  @Test func `an icon within a label is one symbol`() throws {
    let library = try library()
    let run = TextRun(
      "A" + IconText.text(of: "lock") + "B", font: Font("Inter"), size: 20, at: .zero)
    let line = try #require(library.layout(run)?.lines.first)
    #expect(line.glyphs.count == 3)
    #expect(line.width > 2 && line.width < 2.8)
  }

  @Test func `an unknown icon shows its name`() throws {
    let run = TextRun(
      IconText.text(of: "nonsense"), font: Font("Inter"), size: 20, at: .zero)
    #expect(try library().layout(run)?.lines.first?.text == "nonsense")
  }

  @Test func `damaged tables of ligatures have fewer names`() {
    #expect(IconFont([], [:]).names.isEmpty)
    var random = SystemRandomNumberGenerator()
    for length in [9, 10, 60, 400] {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = IconFont(bytes, [1: "a", 2: "b"])
    }
  }

  @Test func `a long word is hyphenated before it becomes smaller`() throws {
    let library = try library()
    var run = TextRun(
      "Rechtsschutzversicherung", font: Font("Inter", language: "de"), size: 20, at: .zero,
      box: Size(160, 80), lines: 3, minimumSize: 8)
    let german = try #require(library.layout(run))
    #expect(german.size == 20 && german.lines.count > 1 && !german.isCut)
    run.font.language = ""
    let plain = try #require(library.layout(run))
    #expect(plain.size < 20)
  }

  @Test func `a label that fits is not hyphenated`() throws {
    let library = try library()
    let run = TextRun(
      "Rechtsschutz jetzt", font: Font("Inter", language: "de"), size: 20, at: .zero,
      box: Size(160, 80), lines: 3, minimumSize: 8)
    #expect(library.layout(run)?.lines.map(\.text) == ["Rechtsschutz", "jetzt"])
  }
}

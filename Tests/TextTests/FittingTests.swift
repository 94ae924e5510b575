// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import TestSupport
import Testing
import RoundelText

@Suite struct FittingTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var text: String
    var box: Size?
    var lines = 1
    var expected: [String]
    /// Whether the text keeps its size, shrinks, or has the minimum size.
    var size: ExpectedSize
    enum ExpectedSize { case kept, shrunk, least }
    var testDescription: String { "\(text) in \(String(describing: box)), \(lines) lines" }
  }

  // DejaVu Sans at 20 px: "America" is 75.6 wide, "Good Morning America" 217; lines are 23.3 high.
  @Test(arguments: [
    Row(text: "America", expected: ["America"], size: .kept),
    Row(text: "America", box: Size(90, 30), expected: ["America"], size: .kept),
    // Wraps before it shrinks, and only if necessary.
    Row(
      text: "Good Morning America", box: Size(230, 60), lines: 2,
      expected: ["Good Morning America"], size: .kept),
    Row(
      text: "Good Morning America", box: Size(150, 60), lines: 2,
      expected: ["Good Morning", "America"], size: .kept),
    Row(
      text: "Good Morning America", box: Size(100, 80), lines: 3,
      expected: ["Good", "Morning", "America"], size: .kept),
    // Shrinks if another line isn't allowed, doesn't fit in height, or doesn't help.
    Row(
      text: "Good Morning America", box: Size(150, 60), expected: ["Good Morning America"],
      size: .shrunk),
    Row(
      text: "Good Morning America", box: Size(150, 40), lines: 2,
      expected: ["Good Morning", "America"], size: .shrunk),
    Row(text: "America", box: Size(60, 60), lines: 2, expected: ["America"], size: .shrunk),
    Row(text: "America", box: Size(200, 15), expected: ["America"], size: .shrunk),
    // Is truncated if the minimum size (half) is still too large.
    Row(text: "America", box: Size(32, 60), expected: ["Am…"], size: .least),
    Row(
      text: "Good Morning America", box: Size(60, 60), expected: ["Good Mor…"], size: .least),
    Row(
      text: "Good Morning America and more", box: Size(60, 24), lines: 2,
      expected: ["Good", "Morning…"], size: .least),
    // There is no space before the ellipsis.
    Row(text: "Good Morning", box: Size(40, 60), expected: ["Good…"], size: .least),
    // A box too small even for the ellipsis.
    Row(text: "America", box: Size(2, 60), expected: [""], size: .least),
    Row(text: "America", box: Size(0, 0), expected: [""], size: .least),
    // Explicit line breaks always break.
    Row(text: "a\nb", expected: ["a", "b"], size: .kept),
    Row(text: "a\nb\n", expected: ["a", "b"], size: .kept),
    Row(text: "a\n\n", expected: ["a", ""], size: .kept),
    Row(text: "a\r\n\nb", expected: ["a", "", "b"], size: .kept),
    Row(text: "a\nb\nc", box: Size(100, 100), expected: ["a", "b", "c"], size: .kept),
    Row(text: "a\nb\nc", box: Size(100, 40), expected: ["a", "b", "c"], size: .shrunk),
    Row(text: "a\nb\nc", box: Size(100, 24), expected: ["a", "b…"], size: .least),
    // Without a box there are no other breaks.
    Row(text: "Good Morning America", lines: 3, expected: ["Good Morning America"], size: .kept),
    // A no-break space.
    Row(
      text: "Good Morning\u{a0}America", box: Size(175, 60), lines: 2,
      expected: ["Good", "Morning\u{a0}America"], size: .kept),
    Row(text: "", box: Size(100, 100), expected: [""], size: .kept),
    Row(text: "   ", box: Size(100, 100), expected: [""], size: .kept),
  ])
  func `a text wraps before it shrinks and shrinks before it is truncated`(_ row: Row) throws {
    let run = TextRun(
      row.text, font: dejaVu, size: 20, at: .zero, box: row.box, lines: row.lines)
    let block = try #require(try fontLibrary(dejaVu).layout(run))
    #expect(block.lines.map(\.text) == row.expected)
    switch row.size {
    case .kept: #expect(block.size == 20)
    case .shrunk: #expect(block.size > 10 && block.size < 20)
    case .least: #expect(block.size == 10)
    }
  }

  @Test func `a text shrinks only as much as necessary`() throws {
    let library = try fontLibrary(dejaVu)
    let wide = try #require(library.layout(TextRun("America", font: dejaVu, size: 20, at: .zero)))
    let run = TextRun("America", font: dejaVu, size: 20, at: .zero, box: Size(60, 60))
    let block = try #require(library.layout(run))
    let most = 60 / wide.lines[0].width
    #expect(block.size <= most && block.size > most * 0.89)
  }

  @Test func `a box exactly as wide as its text fits`() throws {
    let library = try fontLibrary(dejaVu)
    for size in stride(from: 7.0, to: 60, by: 0.7) {
      var run = TextRun("Good Morning", font: dejaVu, size: size, at: .zero)
      let width = try #require(library.layout(run)).lines[0].width * size
      run.bounds = .box(Size(width, 100))
      run.lines = 2
      let block = try #require(library.layout(run))
      #expect(block.lines.count == 1 && block.size == size)
    }
  }

  @Test func `wrapped lines are as even as possible`() throws {
    let run = TextRun(
      "one two three four five six", font: dejaVu, size: 20, at: .zero, box: Size(220, 100),
      lines: 3)
    let block = try #require(try fontLibrary(dejaVu).layout(run))
    #expect(block.lines.map(\.text) == ["one two three", "four five six"])
  }

  @Test func `tabular figures have equal widths`() throws {
    let library = try fontLibrary(inter)
    func width(_ text: String, tabular: Bool) throws -> Double {
      let run = TextRun(
        text, font: inter, size: 20, at: .zero, tabularFigures: tabular)
      return try #require(library.layout(run)).lines[0].width
    }
    #expect(try width("1111", tabular: false) < width("0000", tabular: false))
    let zeros = try width("00:00", tabular: true)
    for text in ["11:11", "17:47", "23:59"] {
      #expect(abs(try width(text, tabular: true) - zeros) < 1e-12)
    }
  }

  @Test func `pairs are kerned by the font's table`() throws {
    let library = try fontLibrary(dejaVu)
    func width(_ text: String) throws -> Double {
      try #require(library.layout(TextRun(text, font: dejaVu, size: 20, at: .zero))).lines[0].width
    }
    #expect(try width("AV") < width("A") + width("V") - 0.01)
    #expect(try width("HH") == width("H") + width("H"))
  }

  @Test func `any text stays inside its box and loses words only to an ellipsis`() throws {
    let library = try fontLibrary(dejaVu)
    var random = SeededGenerator(seed: 7)
    let words = ["a", "Go", "Hello", "Wheel", "Fortune", "Donaudampfschiff", "漢字", "i i", "\n"]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 0...9, using: &random))
        .map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
      let box = Size(.random(in: 0...300, using: &random), .random(in: 0...120, using: &random))
      let run = TextRun(
        text, font: dejaVu, size: .random(in: 4...60, using: &random), at: .zero, box: box,
        lines: .random(in: 1...4, using: &random),
        minimumSize: .random(in: 1...40, using: &random))
      let block = try #require(library.layout(run))
      let least = min(run.size, run.minimumSize)
      #expect(block.size >= least && block.size <= run.size)
      for line in block.lines { #expect(line.width * block.size <= box.width * (1 + 1e-6)) }
      if block.size > least {
        let height = Double(block.lines.count) * block.lineHeight * block.size
        #expect(height <= box.height * (1 + 1e-6))
        #expect(block.lines.count <= max(run.lines, text.count { $0 == "\n" } + 1))
      }
      let shown = block.lines.map(\.text).joined(separator: " ")
      if !shown.contains("…"), box.width > 40 {
        // A line may also end between two ideographs.
        #expect(shown.filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
      }
    }
  }
}

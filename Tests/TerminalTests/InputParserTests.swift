// SPDX-License-Identifier: MIT

import RoundelControls
import TestSupport
import Testing

@testable import RoundelTerminal

@Suite struct InputParserTests {
  private typealias Input = InputParser.Input

  private func parse(_ text: String) -> [Input] {
    var parser = InputParser()
    return parser.parse(text.utf8)
  }

  @Test func `keys are bytes`() {
    #expect(parse("q\u{3}") == [.key(UInt8(ascii: "q")), .key(3)])
  }

  @Test func `arrows, Tab, Enter and Backspace are kiosk keys`() {
    #expect(
      parse("\u{1b}[A\u{1b}[B\u{1b}[C\u{1b}[D\t\u{1b}[Z\r \u{7f}\u{8}").map(\.keystroke) == [
        .up, .down, .right, .left, .next, .previous, .enter, .enter, .back, .back,
      ])
    // Keys with Control and Shift, letters and answers aren't.
    #expect(parse("\u{1b}[1;5Ca\u{1b}[0n").allSatisfy { $0.keystroke == nil })
  }

  @Test func `letters, digits and function keys have xkb names`() {
    var characters = TypedCharacters()
    let names = parse("a1é😀ф\u{1b}OP\u{1b}OS\u{1b}[15~\u{1b}[24~\u{1b}[5~\u{1b}[H \u{1}")
      .compactMap { characters.symbol(of: $0)?.name }
    #expect(
      names == [
        "a", "1", "eacute", "U1F600", "Cyrillic_ef", "F1", "F4", "F5", "F12", "Prior", "Home",
        "space",
      ])
    // An incomplete or invalid character is skipped.
    let rest = [0xc3, 0x61, 0x80, 0xff, 0x62].compactMap { characters.symbol(of: .key($0))?.name }
    #expect(rest == ["a", "b"])
  }

  @Test func `the mouse presses, moves and releases`() {
    #expect(
      parse("\u{1b}[<0;12;5M\u{1b}[<32;13;5M\u{1b}[<0;13;6m") == [
        .mouse(MouseReport(code: 0, column: 12, row: 5, isRelease: false)),
        .mouse(MouseReport(code: 32, column: 13, row: 5, isRelease: false)),
        .mouse(MouseReport(code: 0, column: 13, row: 6, isRelease: true)),
      ])
    let actions = [(0, false), (32, false), (0, true), (16, false), (48, false)].map {
      MouseReport(code: $0, column: 1, row: 1, isRelease: $1).action
    }
    #expect(actions == [.press, .move, .release, .press, .move])
  }

  @Test(arguments: [1, 2, 64, 65, 33, 128, 35])
  func `other buttons and the wheel aren't touches`(_ code: Int) {
    #expect(MouseReport(code: code, column: 1, row: 1, isRelease: false).action == .other)
  }

  @Test func `the old mouse protocol is understood, even if its bytes look like keys`() {
    // Column 81 is the letter q.
    #expect(
      parse("\u{1b}[M q!\u{1b}[M@q!\u{1b}[M#q!") == [
        .mouse(MouseReport(code: 0, column: 81, row: 1, isRelease: false)),
        .mouse(MouseReport(code: 32, column: 81, row: 1, isRelease: false)),
        .mouse(MouseReport(code: 0, column: 81, row: 1, isRelease: true)),
      ])
  }

  @Test func `answers are distinguished`() {
    #expect(
      parse("\u{1b}[?62;4;22c\u{1b}[?2026;2$y\u{1b}[0n\u{1b}[6;20;9t\u{1b}_Gi=31;OK\u{1b}\\") == [
        .control(
          mark: UInt8(ascii: "?"), parameters: [62, 4, 22], intermediates: [],
          final: UInt8(ascii: "c")),
        .control(
          mark: UInt8(ascii: "?"), parameters: [2026, 2], intermediates: [UInt8(ascii: "$")],
          final: UInt8(ascii: "y")),
        .control(mark: nil, parameters: [0], intermediates: [], final: UInt8(ascii: "n")),
        .control(mark: nil, parameters: [6, 20, 9], intermediates: [], final: UInt8(ascii: "t")),
        .command(Array("Gi=31;OK".utf8)),
      ])
  }

  @Test func `keys that send sequences are neither an escape nor a letter`() {
    #expect(
      parse("\u{1b}OP\u{1b}q\u{1b}[200~\u{1b}]0;q\u{7}\u{1b}Pq\u{1b}\\").allSatisfy {
        if case .key = $0 { false } else { $0 != .escape }
      })
  }

  @Test func `an escape is a key once nothing follows it`() {
    var parser = InputParser()
    #expect(parser.parse([0x1b]) == [] && parser.isEscapePending)
    #expect(parser.endEscape() == .escape)
    #expect(parser.endEscape() == nil)
    #expect(parser.parse([0x1b, 0x1b]) == [.escape] && parser.isEscapePending)
    // An incomplete sequence isn't a key.
    var other = InputParser()
    #expect(other.parse("\u{1b}[<0;1".utf8) == [] && !other.isEscapePending)
  }

  @Test func `any chunking gives the same result`() {
    let text = Array(
      ("q\u{1b}[<0;12;5M\u{1b}[?62;4c\u{1b}_Gi=31;OK\u{1b}\\\u{1b}[M q!x\u{1b}[<0;3;4m"
        + "\u{1b}P1+r\u{1b}\\z").utf8)
    var parser = InputParser()
    let whole = parser.parse(text)
    #expect(whole.count == 8)
    for first in 0...text.count {
      for second in first...text.count {
        var parser = InputParser()
        let pieces =
          parser.parse(text[..<first]) + parser.parse(text[first..<second])
          + parser.parse(text[second...])
        #expect(pieces == whole)
      }
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `the parser survives noise and understands the mouse afterwards`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let likely = Array("\u{1b}\u{1b}\u{1b}[[<;;0123456789MmPO_]\\\u{7}?$ct".utf8)
    var parser = InputParser()
    var abilities = Abilities()
    for _ in 0..<20_000 {
      let byte =
        Bool.random(using: &random)
        ? likely.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
      for input in parser.parse([byte]) { abilities.learn(input) }
    }
    // Ends any state, including the three bytes of the old mouse protocol.
    _ = parser.parse("\u{18}\u{18}\u{18}\u{1b}\\".utf8)
    #expect(
      parser.parse("\u{1b}[<0;7;8M".utf8) == [
        .mouse(MouseReport(code: 0, column: 7, row: 8, isRelease: false))
      ])
  }

  @Test func `numbers beyond the limits are ignored`() {
    var abilities = Abilities()
    var parser = InputParser()
    let digits = String(repeating: "9", count: 100_000)
    for input in parser.parse("\u{1b}[6;\(digits);\(digits)t\u{1b}[<\(digits);1;1M".utf8) {
      abilities.learn(input)
    }
    #expect(abilities.cell == nil)
  }
}

// SPDX-License-Identifier: MIT

import Testing

@testable import RoundelText

/// Compares the directions of characters with Unicode's tests.
@Suite struct DirectionTests {
  /// A character of each class.
  private let letters: [String: Unicode.Scalar] = [
    "L": "a", "R": "\u{5d0}", "AL": "\u{627}", "EN": "1", "ES": "+", "ET": "#", "AN": "\u{660}",
    "CS": ",", "B": "\u{2029}", "S": "\t", "WS": " ", "ON": "!", "BN": "\u{200b}",
    "NSM": "\u{300}", "LRE": "\u{202a}", "RLE": "\u{202b}", "PDF": "\u{202c}", "LRO": "\u{202d}",
    "RLO": "\u{202e}", "LRI": "\u{2066}", "RLI": "\u{2067}", "FSI": "\u{2068}", "PDI": "\u{2069}",
  ]

  /// The levels of characters, and their visual order. Characters without a level have no position.
  private struct Expectation {
    let places: [Int]
    let levels: [UInt8]
    let isWhole: Bool

    /// - Parameter levels: The levels, with nil for characters without one.
    init(_ levels: [Int?], _ order: [Int?]) {
      let places = levels.indices.filter { levels[$0] != nil }
      self.places = places
      self.levels = places.map { UInt8(levels[$0] ?? 0) }
      isWhole = places.count == levels.count
      #expect(TextDirections.visualOrder(self.levels).map { places[$0] } == order)
    }

    func isMet(by directions: TextDirections) -> Bool {
      levels == (isWhole ? directions.levels : places.map { directions.levels[$0] })
    }
  }

  @Test func `characters of all classes have the levels and order of Unicode's tests`() throws {
    var levels: [Int?] = []
    var wanted = Expectation([], [])
    var tests = 0
    for line in try UnicodeData("BidiTest.txt").lines {
      if line.fields.first == UInt8(ascii: "@") {
        let field = line.fields.drop { $0 != UInt8(ascii: ":") }.dropFirst()
        if line.fields.starts(with: "@Levels".utf8) { levels = field.numbers }
        if line.fields.starts(with: "@Reorder".utf8) { wanted = Expectation(levels, field.numbers) }
        continue
      }
      let fields = line.fields.parts(";")
      let text = fields[0].words.compactMap { letters[$0.text] }
      let bases = try #require(fields[1].words.first?.number(radix: 16))
      for (bit, base) in [(1, UInt8?.none), (2, 0), (4, 1)] where bases & bit != 0 {
        tests += 1
        guard !wanted.isMet(by: TextDirections(of: text, base: base)) else { continue }
        Issue.record("\(fields[0].text) from level \(base.map(String.init) ?? "auto")")
        return
      }
    }
    #expect(tests > 700_000)
  }

  @Test func `characters of all scripts have the levels and order of Unicode's tests`() throws {
    let lines = try UnicodeData("BidiCharacterTest.txt").lines
    #expect(lines.count > 90_000)
    for line in lines {
      let fields = line.fields.parts(";")
      let base = fields[1].number().flatMap { $0 == 2 ? nil : UInt8($0) }
      let directions = TextDirections(of: fields[0].scalars, base: base)
      guard
        Int(directions.base) != fields[2].number()
          || !Expectation(fields[3].numbers, fields[4].numbers).isMet(by: directions)
      else { continue }
      Issue.record("\(line.fields.text)")
      return
    }
  }
}

// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import RoundelText

/// Compares line break opportunities with Unicode's tests.
@Suite struct LineBreakTests {
  /// The known differences of libunibreak 1.1, which follows Unicode 6.2, from the rules of Unicode
  /// 15: the rule and the number of cases.
  private static let known = [
    // A combining mark after a space isn't a letter (LB 10), and rules don't look past it.
    "11.02": 15, "12.0": 15, "17.0": 2, "18.0": 279, "19.02": 15, "21.04": 12, "23.12": 2,
    "23.13": 3, "25.05": 2, "26.01": 4, "26.02": 4, "26.03": 2, "27.01": 5, "27.02": 5,
    "12.1": 1, "15.0": 2, "20.02": 17,
    // Small kana may start a line if no language sets the strictness (LB 1, 16, 21).
    "16.0": 10, "21.03": 101, "21.01": 7,
    // An object whose properties aren't known before layout (LB 20).
    "14.0": 8,
    // Rules since Unicode 6.2: joined emoji, Hebrew hyphens, ellipses, money, letters and brackets.
    "8.0": 2, "8.1": 15, "21.1": 1, "21.2": 1, "22.0": 16, "24.03": 42, "30.11": 1,
    // Pairs of classes that only the newer rules distinguish.
    "999.0": 264,
  ]

  @Test(.enabled(if: isDebian12, "what is known to be otherwise is that of libunibreak 1.1"))
  func `line breaks follow Unicode, except for rules newer than libunibreak`() throws {
    var wrong: [String: Int] = [:]
    var tests = 0
    for line in try UnicodeData("auxiliary/LineBreakTest.txt").lines {
      let letters = line.fields.scalars
      let marks = line.fields.words.map(\.text).filter { $0 == "÷" || $0 == "×" }
      // "× [0.3] NAME (CLASS) ÷ [rule] …": the rule before a character.
      let rules = line.comment.parts("[").dropFirst().map { $0.prefix { $0 != UInt8(ascii: "]") } }
      let breaks = LineBreaks(of: letters, language: "")
      for (letter, rule) in zip(letters.indices, rules).dropFirst() {
        tests += 1
        if breaks.mayBegin(at: letter) != (marks[letter] == "÷") {
          wrong[rule.text, default: 0] += 1
        }
      }
    }
    #expect(tests > 16_000)
    #expect(wrong == Self.known)
  }

  @Test(arguments: [
    ["ยินดี", "ต้อนรับ"], ["กรุณา", "เลือก", "ภาษา"], ["กาแฟ", "เย็น", " 2 ", "แก้ว"],
    ["ราคา", "(", "บาท", ")"],
  ])
  func `Thai lines break between words, never within one`(_ words: [String]) {
    let letters = words.flatMap { Array($0.unicodeScalars) }
    let breaks = LineBreaks(of: letters, language: "th")
    var starts: Set<Int> = []
    var start = 0
    for word in words {
      starts.insert(start)
      start += word.unicodeScalars.count
    }
    for letter in letters.indices.dropFirst() where breaks.mayBegin(at: letter) {
      #expect(starts.contains(letter) || letters[letter - 1] == " ", "\(letter)")
    }
    #expect(breaks.mayBegin(at: words[0].unicodeScalars.count) != (words[1] == "("))
  }

  @Test func `no text crashes, and flags and joined emoji are never broken`() {
    for text in ["🇩🇪🇫🇷", "a🇩", "🇩", "👩‍👩‍👧 👍🏽!", "\u{ffff}\u{ffff}a", "🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴‍☠️", "1️⃣2️⃣", "ก\0ข", "ก🇩🇪ข"] {
      let letters = Array(text.unicodeScalars)
      let breaks = LineBreaks(of: letters, language: "")
      var starts: Set<Int> = []
      var start = 0
      for character in text {
        starts.insert(start)
        start += character.unicodeScalars.count
      }
      for letter in letters.indices.dropFirst() where breaks.mayBegin(at: letter) {
        #expect(starts.contains(letter), "\(text)")
      }
    }
    let flags = LineBreaks(of: Array("🇩🇪🇫🇷".unicodeScalars), language: "")
    #expect(flags.mayBegin(at: 2))
  }

  @Test func `any character may be next to any kind of character`() {
    let kinds: [Unicode.Scalar] = [
      "a", " ", "1", "(", "你", "ก", "\u{300}", "\u{200b}", "\u{1f1e6}", "\u{fffc}", "\u{5d0}", "각",
    ]
    for value in UInt32(0)...0x10_ffff {
      guard let letter = Unicode.Scalar(value) else { continue }
      // Add them in sequence, so that each is next to each kind.
      var text: [Unicode.Scalar] = []
      guard value < 0x3400 || value % 0x100 >= 0xf0 || (0x1f000..<0x20000).contains(value) else {
        continue
      }
      for kind in kinds { text += [kind, letter] }
      _ = LineBreaks(of: text, language: "")
    }
  }
}

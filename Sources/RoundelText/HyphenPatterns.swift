// SPDX-License-Identifier: MIT

/// The breaks within the words of a language, as libhyphen finds them.
///
/// A pattern such as `1ver` or `h2t` has digits between letters, and a word breaks where the
/// highest digit of its patterns is odd (Liang's algorithm). At each letter, libhyphen looks only
/// for the longest end of the text that begins a pattern, and German patterns rely on that.
/// libhyphen takes seconds and 30 MB for 78 000 German patterns; these arrays take 2 MB.
package struct HyphenPatterns {
  /// The letters of all patterns, each with a terminating 0.
  private var letters: [UInt8] = []
  /// The digit before each of `letters`. The last digit of a pattern is at its end.
  private var digits: [UInt8] = []
  /// The start of each pattern, sorted by letters: those for the parts of compounds, if the language
  /// has them, then those within a part.
  private var levels: [[Int32]] = [[]]
  /// The minimum numbers of letters before and after a break.
  private var minimums = (before: 2, after: 2)

  /// Reads a file of the format that Debian's packages have, in UTF-8. Its first line is the name of
  /// an encoding.
  package init(_ text: [UInt8]) {
    letters.reserveCapacity(text.count)
    digits.reserveCapacity(text.count)
    var rest = text.drop { $0 != Self.newline }
    while let start = rest.firstIndex(where: { $0 != Self.newline }) {
      let line = rest[start...].prefix { $0 != Self.newline }
      read(line)
      rest = rest[line.endIndex...]
    }
    for index in levels.indices { levels[index] = sorted(levels[index]) }
  }

  private static let newline = UInt8(ascii: "\n")

  private mutating func read(_ line: ArraySlice<UInt8>) {
    switch line[line.startIndex] {
    case UInt8(ascii: "%"), UInt8(ascii: "#"): break
    case UInt8(ascii: "A")...UInt8(ascii: "Z"):
      let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      let number = words.last.flatMap { Int($0) }.map { min(max($0, 1), 100) }
      switch words[0] {
      case "LEFTHYPHENMIN": minimums.before = number ?? minimums.before
      case "RIGHTHYPHENMIN": minimums.after = number ?? minimums.after
      case "NEXTLEVEL": levels.append([])
      default: break
      }
    default: add(line)
    }
  }

  private mutating func add(_ line: ArraySlice<UInt8>) {
    guard let start = Int32(exactly: letters.count) else { return }
    let pattern = line.prefix { $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: "/") }
    // A slash precedes another spelling, as in the Hungarian `asz1sz/sz=,2,1`. Words don't break
    // there, because they keep their spelling.
    let isRespelled =
      pattern.endIndex < line.endIndex && line[pattern.endIndex] == UInt8(ascii: "/")
    var digit: UInt8 = 0
    for byte in pattern {
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        digit = byte - UInt8(ascii: "0")
        if isRespelled { digit += digit % 2 }
      } else {
        letters.append(byte)
        digits.append(digit)
        digit = 0
      }
    }
    guard letters.count > Int(start) else { return }
    letters.append(0)
    digits.append(digit)
    levels[levels.count - 1].append(start)
  }

  /// Returns the patterns sorted by letters. Their first letters are compared as one number.
  private func sorted(_ patterns: [Int32]) -> [Int32] {
    let entries = patterns.map { pattern in
      var key: UInt64 = 0
      var place = Int(pattern)
      for _ in 0..<UInt64.bitWidth / UInt8.bitWidth {
        key = key << 8 | UInt64(letters[place])
        if letters[place] != 0 { place += 1 }
      }
      return (key: key, pattern: pattern, rest: place)
    }
    return entries.sorted { a, b in
      a.key != b.key ? a.key < b.key : precedes(a.rest, b.rest)
    }.map(\.pattern)
  }

  private func precedes(_ a: Int, _ b: Int) -> Bool {
    var (a, b) = (a, b)
    while letters[a] == letters[b], letters[a] != 0 { (a, b) = (a + 1, b + 1) }
    return letters[a] < letters[b]
  }

  /// Returns the numbers of letters before the breaks, in increasing order.
  package func breaks(in word: [Unicode.Scalar]) -> [Int] {
    // Patterns have small letters.
    let small = word.map { scalar in
      let mapping = scalar.properties.lowercaseMapping.unicodeScalars
      return mapping.count == 1 ? mapping.first ?? scalar : scalar
    }
    return breaks(in: small[...], 0)
  }

  /// The parts between the breaks of compounds are words again.
  private func breaks(in part: ArraySlice<Unicode.Scalar>, _ level: Int) -> [Int] {
    guard part.count >= minimums.before + minimums.after else { return [] }
    let breaks = patternBreaks(in: part, levels[level])
    guard level + 1 < levels.count else { return breaks }
    guard !breaks.isEmpty else { return self.breaks(in: part, level + 1) }
    let parts = zip([part.startIndex] + breaks, breaks + [part.endIndex])
    return (breaks + parts.flatMap { self.breaks(in: part[$0..<$1], level) }).sorted()
  }

  private func patternBreaks(in part: ArraySlice<Unicode.Scalar>, _ level: [Int32]) -> [Int] {
    // Patterns have dots at the ends of words.
    var word = [UInt8(ascii: ".")]
    var starts: [Int] = []
    for letter in part {
      starts.append(word.count)
      word += UTF8.encode(letter) ?? UTF8.encodedReplacementCharacter
    }
    word.append(UInt8(ascii: "."))
    let values = values(in: word, level)
    return (minimums.before...part.count - minimums.after)
      .filter { values[starts[$0]] % 2 == 1 }.map { part.startIndex + $0 }
  }

  /// Returns the highest digit before each byte.
  private func values(in word: [UInt8], _ level: [Int32]) -> [UInt8] {
    var values = [UInt8](repeating: 0, count: word.count + 1)
    var start = 0
    for end in word.indices {
      while start <= end {
        guard let pattern = pattern(beginningWith: word[start...end], level) else {
          start += 1
          continue
        }
        let length = end + 1 - start
        // A pattern of only these letters is the first that begins with them.
        if letters[pattern + length] == 0 {
          for place in 0...length {
            values[start + place] = max(values[start + place], digits[pattern + place])
          }
        }
        break
      }
    }
    return values
  }

  /// Returns the first pattern that begins with the letters, or nil if there is none.
  private func pattern(beginningWith word: ArraySlice<UInt8>, _ level: [Int32]) -> Int? {
    var (low, high) = (0, level.count)
    while low < high {
      let middle = (low + high) / 2
      if order(ofPattern: Int(level[middle]), word) < 0 { low = middle + 1 } else { high = middle }
    }
    guard low < level.count, order(ofPattern: Int(level[low]), word) == 0 else { return nil }
    return Int(level[low])
  }

  /// Returns 0 if the pattern begins with the letters, less if it precedes, and more if it follows
  /// them.
  private func order(ofPattern pattern: Int, _ word: ArraySlice<UInt8>) -> Int {
    var place = pattern
    for byte in word {
      guard letters[place] == byte else { return Int(letters[place]) - Int(byte) }
      place += 1
    }
    return 0
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelExpressions

extension TextBounds {
  /// Estimated from typical character widths, because fonts aren't known outside of drawings.
  func holds(_ text: String, em: Double, lines: Int) -> Bool {
    (1...lines).contains { holds(text, em: em, inLines: $0) }
  }

  private func holds(_ text: String, em: Double, inLines count: Int) -> Bool {
    var words = Self.words(of: text)[...]
    for line in 0..<count {
      let middle = (Double(line) - Double(count - 1) / 2) * 1.2 * em
      guard
        let extent = extent(
          top: middle - 0.6 * em, bottom: middle + 0.6 * em, baseline: middle + 0.35 * em)
      else { return false }
      let space = 2 * min(-extent.lowerBound, extent.upperBound)
      var width = 0.0
      while let word = words.first {
        let more = ((width > 0 && word.isAfterSpace ? 0.3 : 0) + word.width) * em
        guard width + more <= space else { break }
        width += more
        words.removeFirst()
      }
    }
    return words.isEmpty
  }

  private struct Word {
    /// The width in ems.
    var width: Double
    var isAfterSpace: Bool
  }

  /// In scripts without spaces, each character is a word.
  private static func words(of text: String) -> [Word] {
    text.split(whereSeparator: \.isWhitespace).flatMap { part in
      var words: [Word] = []
      var endsAnywhere = true
      for letter in part.unicodeScalars {
        let isWide = letter.value >= wide
        if endsAnywhere || isWide { words.append(Word(width: 0, isAfterSpace: words.isEmpty)) }
        words[words.count - 1].width += width(of: letter)
        endsAnywhere = isWide
      }
      return words
    }
  }

  /// The first character of the scripts whose characters are as wide as high, with line breaks
  /// between them.
  private static let wide: UInt32 = 0x2E80

  /// Returns the estimated number of lines at a width in ems.
  static func lineCount(_ text: String, width: Double) -> Int {
    text.split(separator: "\n", omittingEmptySubsequences: false).reduce(0) { count, paragraph in
      var (lines, filled) = (1, 0.0)
      for word in paragraph.split(whereSeparator: \.isWhitespace) {
        let length = Self.width(of: word)
        if filled > 0, filled + 0.3 + length > width { (lines, filled) = (lines + 1, 0) }
        // Scripts without spaces break lines within words.
        let more = width > 0 ? (length / width).rounded(.down) : 0
        lines += Int(min(more, 10_000))
        filled += (filled > 0 ? 0.3 : 0) + length - more * width
      }
      return count + lines
    }
  }

  /// Returns the width in ems.
  static func wordWidth(_ text: String) -> Double {
    text.split(whereSeparator: \.isWhitespace).reduce(0) { max($0, width(of: $1)) }
  }

  /// The typical width, in ems.
  static func width(of word: some StringProtocol) -> Double {
    word.unicodeScalars.reduce(0) { $0 + width(of: $1) }
  }

  private static func width(of letter: Unicode.Scalar) -> Double {
    if IconText.isPart(letter) { return IconText.isEnd(letter) ? 1 : 0 }
    if letter.value >= wide { return 1.05 }
    let isCapital = letter.isASCII ? ("A"..."Z").contains(letter) : letter.properties.isUppercase
    return isCapital ? 0.7 : 0.56
  }
}

extension TextPeers {
  /// The widest wheel's labels, whose font size suits all wheels of the same width.
  init(ofWidest wheels: [[String]]) {
    let widths = wheels.map { $0.map(TextBounds.wordWidth).max() ?? 0 }
    let widest = widths.indices.max { widths[$0] < widths[$1] }
    self.init(withSharedBounds: widest.map { wheels[$0] } ?? [])
  }
}

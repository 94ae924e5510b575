// SPDX-License-Identifier: MIT

/// The glyphs of a text side by side on one endless baseline, in ems, and where it may be broken.
struct GlyphRow {
  struct Element {
    let glyph: Glyph
    let scalar: Unicode.Scalar
    /// False for marks that belong to the character before.
    let startsCharacter: Bool
    /// The cell that the glyph takes, and where in it the glyph's own origin lies.
    var start: Double
    var end: Double
    var origin: Double
  }

  struct Word {
    var elements: Range<Int>
    /// Whether a line break stands before it in the text.
    var startsLine: Bool
  }

  private(set) var elements: [Element] = []
  private(set) var words: [Word] = []

  /// More characters than a screen shows; what follows them is replaced by an ellipsis.
  static let maximumLength = 4096

  /// - Parameter glyph: the glyph for a character, nil for one that is not to be seen.
  init(_ text: String, tabularFigures: Bool, glyph: (Unicode.Scalar) -> TypesetGlyph?) {
    var text = text
    if text.utf8.count > Self.maximumLength,
      let cut = text.unicodeScalars.index(
        text.startIndex, offsetBy: Self.maximumLength, limitedBy: text.endIndex),
      cut < text.endIndex
    {
      text = String(text.unicodeScalars[..<cut]) + "…"
    }
    let figureAdvance =
      tabularFigures
      ? "0123456789".unicodeScalars.compactMap { glyph($0)?.glyph.advance }.max() : nil

    var pen = 0.0
    var previous: TypesetGlyph?
    // A line break ends a line: the last one begins no other, as in a YAML text after `|`.
    let whole = text.last?.isNewline == true ? text.dropLast() : text[...]
    for paragraph in whole.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      var startsLine = true
      var wordStart: Int?
      func endWord() {
        // A paragraph without a word is an empty line.
        let start = wordStart ?? elements.count
        words.append(Word(elements: start..<elements.count, startsLine: startsLine))
        startsLine = false
        wordStart = nil
      }
      for character in paragraph {
        var startsCharacter = true
        for scalar in character.unicodeScalars {
          guard let set = glyph(scalar) else { continue }
          if scalar.isBreakable {
            if wordStart != nil { endWord() }
          } else if wordStart == nil {
            wordStart = elements.count
          }
          let isFigure = figureAdvance != nil && ("0"..."9").contains(scalar)
          // Kerned figures would not stay in their columns.
          if !isFigure, let previous, previous.face === set.face {
            pen += set.face.kerning(previous.glyph.index, set.glyph.index)
          }
          let advance = isFigure ? figureAdvance ?? 0 : set.glyph.advance
          elements.append(
            Element(
              glyph: set.glyph, scalar: scalar, startsCharacter: startsCharacter, start: pen,
              end: pen + advance, origin: pen + (advance - set.glyph.advance) / 2))
          pen += advance
          previous = isFigure ? nil : set
          startsCharacter = false
        }
      }
      if wordStart != nil || startsLine { endWord() }
      previous = nil
    }
  }

  /// The number of lines that the text itself asks for.
  var paragraphs: Int { words.count(where: \.startsLine) }

  /// The width of the elements as one line.
  func width(_ range: Range<Int>) -> Double {
    range.isEmpty ? 0 : elements[range.upperBound - 1].end - elements[range.lowerBound].start
  }

  /// Each line filled with as many words as `width` has room for, and at least one.
  func lines(within width: Double) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    for word in words {
      if !word.startsLine, let last = lines.last {
        let joined = last.lowerBound..<word.elements.upperBound
        if self.width(joined) <= width {
          lines[lines.count - 1] = joined
          continue
        }
      }
      lines.append(word.elements)
    }
    return lines
  }

  func maximumWidth(_ lines: [Range<Int>]) -> Double { lines.map(width).max() ?? 0 }

  /// The most even way to break the text into as many lines as greedy filling of `width` makes.
  func evenLines(within width: Double) -> [Range<Int>] {
    var best = lines(within: width)
    guard best.count > paragraphs else { return best }
    // Lines filled within a lesser width are never fewer, so the least width that keeps the number
    // is found by halving.
    var low = 0.0
    var high = maximumWidth(best)
    while high - low > 1e-3 {
      let middle = (low + high) / 2
      let narrower = lines(within: middle)
      if narrower.count == best.count, maximumWidth(narrower) <= middle {
        best = narrower
        high = maximumWidth(narrower)
      } else {
        low = middle
      }
    }
    return best
  }
}

extension Unicode.Scalar {
  /// Whether a line may end here: white space, but for the spaces that are made to prevent it.
  var isBreakable: Bool {
    properties.isWhitespace && self != "\u{a0}" && self != "\u{2007}" && self != "\u{202f}"
  }
}

// SPDX-License-Identifier: MIT

internal import CRoundelHarfBuzz
internal import RoundelDrawing

struct PlacedGlyph {
  var glyph: Glyph
  /// The origin in ems, to the right and upwards.
  var x: Double
  var y: Double
}

/// Shaped text in ems, before it is broken into lines.
///
/// 1. The text is split at line breaks into paragraphs.
/// 2. The scalars of a paragraph get their direction (UAX #9), their script and a font that has
/// them.
/// 3. Each run of scalars with all three in common is shaped: HarfBuzz joins, kerns and stacks.
/// 4. Line breaks are allowed according to UAX #14.
struct ShapedText {
  /// Scalars displayed as a unit, such as a letter and its accents, or a ligature.
  struct Cluster {
    /// In logical order.
    var letters: Range<Int>
    /// From left to right, relative to the start of the cluster.
    var glyphs: Range<Int>
    var width: Double
    /// As defined by UAX #9: even is left to right, odd right to left.
    var level: UInt8
    /// Whether this is white space that allows a line break.
    var isSpace: Bool
    /// Whether a line break before the cluster would change its appearance.
    var isJoined: Bool
  }

  /// Clusters between two break opportunities, without the space there.
  struct Word {
    var clusters: Range<Int>
    var startsLine: Bool
    /// The level of the paragraph, 0 or 1.
    var base: UInt8
    /// Whether a hyphen is added if the line ends there.
    var isHyphenated: Bool
  }

  private(set) var letters: [Unicode.Scalar] = []
  private(set) var glyphs: [PlacedGlyph] = []
  /// In logical order.
  private(set) var clusters: [Cluster] = []
  private(set) var words: [Word] = []
  /// The start of each cluster if all were on one line, followed by the end of the last.
  private var starts = [0.0]
  private let typesetting: Typesetting
  private let hyphenWidth: Double

  /// More characters than fit on a screen. The rest is replaced by an ellipsis.
  static let maximumLength = 4096

  init(_ text: String, _ typesetting: Typesetting) {
    self.typesetting = typesetting
    hyphenWidth = text.unicodeScalars.contains("\u{ad}") ? typesetting.hyphenWidth : 0
    var text = text
    if text.utf8.count > Self.maximumLength,
      let cut = text.unicodeScalars.index(
        text.startIndex, offsetBy: Self.maximumLength, limitedBy: text.endIndex),
      cut < text.endIndex
    {
      text = String(text.unicodeScalars[..<cut]) + "…"
    }
    // A newline at the end of the text doesn't start another line, as in a YAML string after `|`.
    let whole = text.last?.isNewline == true ? text.dropLast() : text[...]
    for paragraph in whole.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      add(paragraph)
    }
  }

  /// Shapes part of a line separately, in the direction of its paragraph.
  private init(_ letters: some Sequence<Unicode.Scalar>, base: UInt8, _ typesetting: Typesetting) {
    self.typesetting = typesetting
    hyphenWidth = 0
    var text = Substring()
    text.unicodeScalars.append(contentsOf: letters)
    add(text, base: base)
  }

  // MARK: Shaping

  private mutating func add(_ paragraph: Substring, base: UInt8? = nil) {
    let (letters, faces) = typesetting.letters(of: paragraph)
    let directions = TextDirections(of: letters, base: base)
    let breaks = LineBreaks(of: letters, language: typesetting.font.language)
    let scripts = Script.resolved(of: letters)
    let codes = letters.map(\.value)
    let (first, offset) = (clusters.count, self.letters.count)
    self.letters += letters
    clusters.reserveCapacity(first + letters.count)
    starts.reserveCapacity(first + letters.count + 1)
    glyphs.reserveCapacity(glyphs.count + letters.count)
    var start = 0
    while start < letters.count {
      var end = start + 1
      while end < letters.count, directions.levels[end] == directions.levels[start],
        scripts[end] == scripts[start], faces[end] == faces[start]
      {
        end += 1
      }
      let level = directions.levels[start]
      let run = ShapingRun(
        letters: start..<end, isRightToLeft: level & 1 == 1, script: scripts[start],
        language: typesetting.font.language, tabularFigures: typesetting.tabularFigures)
      if let face = faces[start] {
        add(typesetting.shape(run, of: codes, in: face), of: run, level, face, offset)
      }
      start = end
    }
    addWords(from: first, base: directions.base) { breaks.mayBegin(at: $0 - offset) }
  }

  /// Adds a run's glyphs, which are in visual order, as clusters in logical order.
  private mutating func add(
    _ shaped: [ShapedGlyph], of run: ShapingRun, _ level: UInt8, _ face: TypesetFace, _ offset: Int
  ) {
    var groups: [Range<Int>] = []
    var start = 0
    for number in shaped.indices.dropFirst() where shaped[number].letter != shaped[start].letter {
      groups.append(start..<number)
      start = number
    }
    if start < shaped.count { groups.append(start..<shaped.count) }
    if run.isRightToLeft { groups.reverse() }
    for (number, group) in groups.enumerated() {
      let first = shaped[group.lowerBound].letter
      let next =
        number + 1 < groups.count
        ? shaped[groups[number + 1].lowerBound].letter : run.letters.upperBound
      let own = offset + first..<offset + max(next, first)
      let figure = typesetting.tabularFigures && own.count == 1 && letters[own.lowerBound].isFigure
      let begin = glyphs.count
      var pen = 0.0
      for shaped in shaped[group] {
        let glyph = face.glyph(shaped.index)
        if figure {
          // Digits are set in columns, centred.
          let width = face.figureWidth
          glyphs.append(PlacedGlyph(glyph: glyph, x: pen + (width - glyph.advance) / 2, y: 0))
          pen += width + typesetting.tracking(after: letters[own.lowerBound])
        } else {
          glyphs.append(
            PlacedGlyph(glyph: glyph, x: pen + shaped.offset.x, y: shaped.offset.y))
          pen += shaped.advance + face.growth(ofAdvance: shaped.advance)
          // A combining mark has no advance.
          if shaped.advance > 0 { pen += typesetting.tracking(after: letters[own.lowerBound]) }
        }
      }
      clusters.append(
        Cluster(
          letters: own, glyphs: begin..<glyphs.count, width: pen, level: level,
          isSpace: letters[own].allSatisfy(\.isBreakable),
          isJoined: number > 0 && shaped[group].contains(where: \.isUnsafeToBreak)))
      starts.append(starts[starts.count - 1] + pen)
    }
  }

  private mutating func addWords(
    from first: Int, base: UInt8, mayBegin: (_ letter: Int) -> Bool
  ) {
    var startsLine = true
    func trimmed(_ range: Range<Int>) -> Range<Int> {
      var range = range
      while let first = range.first, clusters[first].isSpace { range.removeFirst() }
      while let last = range.last, clusters[last].isSpace { range.removeLast() }
      return range
    }
    var start = first
    for end in (first + 1)...max(clusters.count, first + 1) {
      guard end >= clusters.count || mayBegin(clusters[end].letters.lowerBound) else { continue }
      let word = trimmed(start..<min(end, clusters.count))
      start = end
      // A paragraph without words is an empty line.
      guard !word.isEmpty || (startsLine && end >= clusters.count) else { continue }
      let isHyphenated = word.last.map { letters[clusters[$0].letters].last == "\u{ad}" } ?? false
      words.append(
        Word(clusters: word, startsLine: startsLine, base: base, isHyphenated: isHyphenated))
      startsLine = false
    }
  }

  // MARK: Lines

  struct LineRange: Equatable {
    var words: Range<Int>
    var clusters: Range<Int>
  }

  /// The number of lines required by the text's own line breaks.
  var paragraphs: Int { words.count(where: \.startsLine) }

  /// The clusters are on one line.
  func width(_ clusters: Range<Int>) -> Double {
    starts[clusters.upperBound] - starts[clusters.lowerBound]
  }

  func width(_ line: LineRange) -> Double {
    width(line.clusters)
      + (line.words.last.map { words[$0].isHyphenated } == true ? hyphenWidth : 0)
  }

  /// Fills each line with as many words as fit into `width`, at least one.
  func lines(within width: (_ line: Int) -> Double) -> [LineRange] {
    var lines: [LineRange] = []
    fill(&lines, within: width)
    return lines
  }

  /// Like `lines(within:)`, in the same memory.
  func fill(_ lines: inout [LineRange], within width: (_ line: Int) -> Double) {
    lines.removeAll(keepingCapacity: true)
    for (number, word) in words.enumerated() {
      if !word.startsLine, let last = lines.last {
        let joined = LineRange(
          words: last.words.lowerBound..<number + 1,
          clusters: last.clusters.lowerBound..<word.clusters.upperBound)
        if self.width(joined) <= width(lines.count - 1) {
          lines[lines.count - 1] = joined
          continue
        }
      }
      lines.append(LineRange(words: number..<number + 1, clusters: word.clusters))
    }
  }

  enum Ending: String {
    case nothing = ""
    case hyphen = "\u{2010}"
    case ellipsis = "…"
  }

  func line(_ range: LineRange) -> TextBlock.Line {
    let last = range.words.last.map { words[$0] }
    return line(
      range.clusters, base: last?.base ?? 0,
      ending: last?.isHyphenated == true ? .hyphen : .nothing)
  }

  /// - Parameter base: The level of the paragraph.
  func line(_ range: Range<Int>, base: UInt8, ending: Ending = .nothing) -> TextBlock.Line {
    let isCutOff =
      range.first.map { clusters[$0].isJoined } == true
      || (range.upperBound < clusters.count && !range.isEmpty
        && clusters[range.upperBound].isJoined)
    if ending != .nothing || isCutOff {
      let own =
        range.isEmpty
        ? []
        : letters[
          clusters[range.lowerBound].letters
            .lowerBound..<clusters[range.upperBound - 1].letters.upperBound]
      // The scalars at the ends no longer join neighbours on other lines.
      let alone = ShapedText(own + ending.rawValue.unicodeScalars, base: base, typesetting)
      return alone.placed(alone.clusters.indices, base: base)
    }
    return placed(range, base: base)
  }

  private func placed(_ range: Range<Int>, base: UInt8) -> TextBlock.Line {
    var line = TextBlock.Line(isRightToLeft: base & 1 == 1)
    guard let first = range.first, let last = range.last else { return line }
    line.letters = letters[clusters[first].letters.lowerBound..<clusters[last].letters.upperBound]
    line.glyphs.reserveCapacity(range.count)
    let levels = clusters[range].map(\.level)
    for number in TextDirections.visualOrder(levels) {
      let cluster = clusters[range.lowerBound + number]
      for glyph in glyphs[cluster.glyphs] {
        line.glyphs.append(
          PlacedGlyph(glyph: glyph.glyph, x: line.width + glyph.x, y: glyph.y))
      }
      line.width += cluster.width
    }
    return line
  }
}

extension Unicode.Scalar {
  /// White space that allows a line break, unlike the non-breaking spaces.
  var isBreakable: Bool {
    isSpace && self != "\u{a0}" && self != "\u{2007}" && self != "\u{202f}"
  }

  fileprivate var isFigure: Bool { ("0"..."9").contains(self) }
}

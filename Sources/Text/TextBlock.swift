// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry

/// A text that fits: its lines in ems and the size of the em.
package struct TextBlock {
  package struct Line {
    /// From left to right, their places counted from where the line begins on the left.
    var glyphs: [PlacedGlyph] = []
    /// In ems.
    package var width = 0.0
    /// What can be read in the line, in the order of reading.
    package var text = ""
    /// Whether its paragraph reads to the left.
    package var isRightToLeft: Bool
  }

  /// Em size in design pixels.
  package let size: Double
  package private(set) var lines: [Line]
  /// From one baseline to the next in ems.
  package let lineHeight: Double
  /// The height of a capital in ems.
  package let capHeight: Double
  /// Whether a part of the text is not shown, for there is no room.
  package private(set) var isCut = false

  /// The size below which nothing shrinks, in design pixels: it could not be read.
  private static let minimumSize = 1.0
  /// Takes up the rounding where a box is exactly as wide as its text.
  private static let slack = 1 + 1e-9

  /// Fits a run as `TextRun` describes it: wrapped before it shrinks, smaller before it is cut.
  init(
    fitting text: ShapedText, of run: TextRun, lineHeight: Double, capHeight: Double,
    ellipsisWidth: @autoclosure () -> Double
  ) {
    self.lineHeight = lineHeight
    self.capHeight = capHeight
    guard let box = run.box else {
      size = run.size
      lines = text.lines(within: .infinity).map(text.line)
      return
    }
    // A box that is no number holds nothing.
    let width = max(0, box.width.isNaN ? 0 : box.width) * Self.slack
    let height = max(0, box.height.isNaN ? 0 : box.height) * Self.slack
    let limit = max(run.lines, text.paragraphs)

    /// Whether the lines that the width makes at this size are few and narrow enough.
    func fits(_ size: Double) -> Bool {
      let lines = text.lines(within: width / size)
      return lines.count <= limit && Double(lines.count) * lineHeight * size <= height
        && text.maximumWidth(lines) <= width / size
    }

    let least = min(run.size, max(run.minimumSize.isNaN ? 0 : run.minimumSize, Self.minimumSize))
    if fits(run.size) {
      size = run.size
      lines = text.evenLines(within: width / size).map(text.line)
    } else if fits(least) {
      // A text that fits at one size fits at every smaller one: a binary search finds the maximum.
      var low = least
      var high = run.size
      for _ in 0..<24 {
        let middle = (low + high) / 2
        if fits(middle) { low = middle } else { high = middle }
      }
      size = low
      lines = text.evenLines(within: width / size).map(text.line)
    } else {
      size = least
      let room = Int(min(max(height / (lineHeight * least), 1), Double(limit)))
      (lines, isCut) = Self.cut(
        text, width: width / least, lines: max(room, 1), ellipsisWidth: ellipsisWidth())
    }
  }

  /// The text in at most `lines` lines; those that are too long, or not the end, end in an ellipsis.
  private static func cut(
    _ text: ShapedText, width: Double, lines limit: Int, ellipsisWidth: Double
  ) -> (lines: [Line], isCut: Bool) {
    let all = text.lines(within: width)
    var isCut = false
    let lines = all.prefix(limit).enumerated().map { number, range in
      let hasMore = number == limit - 1 && all.count > limit
      // The last line takes in the words that follow it, as far as there is room for a part.
      let next = hasMore ? text.words.dropFirst(range.words.upperBound).first : nil
      let end = next.map { $0.startsLine ? range.clusters.upperBound : $0.clusters.upperBound }
      let whole = range.clusters.lowerBound..<(end ?? range.clusters.upperBound)
      guard hasMore || text.width(range) > width else { return text.line(range) }
      isCut = true
      let base = text.words[range.words.lowerBound].base
      guard ellipsisWidth <= width else {
        return text.line(whole.lowerBound..<whole.lowerBound, base: base)
      }
      // The longest part that leaves room for the ellipsis, without the space before it.
      var cut = whole.upperBound
      while true {
        while cut > whole.lowerBound,
          text.width(whole.lowerBound..<cut) + ellipsisWidth > width
            || text.clusters[cut - 1].isSpace
        {
          cut -= 1
        }
        let line = text.line(whole.lowerBound..<cut, base: base, ending: .ellipsis)
        // Letters that no longer join others may take more room.
        if line.width <= width || cut == whole.lowerBound { return line }
        cut -= 1
      }
    }
    return (lines, isCut)
  }
}

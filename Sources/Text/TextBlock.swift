// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry

/// A text that fits: its lines in ems and the size of the em.
package struct TextBlock {
  package struct Line {
    var elements: ArraySlice<GlyphRow.Element>
    /// The ellipsis that ends a line which was cut.
    var ellipsis: ArraySlice<GlyphRow.Element> = []
    /// In ems.
    package var width: Double

    /// What can be read in the line.
    package var text: String {
      var text = ""
      for element in elements + ellipsis { text.unicodeScalars.append(element.scalar) }
      return text
    }
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
    fitting row: GlyphRow, of run: TextRun, ellipsis: GlyphRow, lineHeight: Double,
    capHeight: Double
  ) {
    self.lineHeight = lineHeight
    self.capHeight = capHeight
    guard let box = run.box else {
      size = run.size
      lines = row.lines(within: .infinity).map { Line(row, $0) }
      return
    }
    // A box that is no number holds nothing.
    let width = max(0, box.width.isNaN ? 0 : box.width) * Self.slack
    let height = max(0, box.height.isNaN ? 0 : box.height) * Self.slack
    let limit = max(run.lines, row.paragraphs)

    /// Whether the lines that the width makes at this size are few and narrow enough.
    func fits(_ size: Double) -> Bool {
      let lines = row.lines(within: width / size)
      return lines.count <= limit && Double(lines.count) * lineHeight * size <= height
        && row.maximumWidth(lines) <= width / size
    }

    let least = min(run.size, max(run.minimumSize.isNaN ? 0 : run.minimumSize, Self.minimumSize))
    if fits(run.size) {
      size = run.size
      lines = row.evenLines(within: width / size).map { Line(row, $0) }
    } else if fits(least) {
      // A text that fits at one size fits at every smaller one: a binary search finds the maximum.
      var low = least
      var high = run.size
      for _ in 0..<24 {
        let middle = (low + high) / 2
        if fits(middle) { low = middle } else { high = middle }
      }
      size = low
      lines = row.evenLines(within: width / size).map { Line(row, $0) }
    } else {
      size = least
      let room = Int(min(max(height / (lineHeight * least), 1), Double(limit)))
      lines = Self.cut(row, width: width / least, lines: max(room, 1), ellipsis: ellipsis)
      let shown = lines.reduce(0) { $0 + $1.elements.count { !$0.scalar.isBreakable } }
      isCut = shown < row.elements.count { !$0.scalar.isBreakable }
    }
  }

  /// The text in at most `lines` lines; those that are too long, or not the end, end in an ellipsis.
  private static func cut(
    _ row: GlyphRow, width: Double, lines limit: Int, ellipsis: GlyphRow
  ) -> [Line] {
    let all = row.lines(within: width)
    return all.prefix(limit).enumerated().map { number, range in
      let hasMore = number == limit - 1 && all.count > limit
      // The last line takes in the words that follow it, as far as there is room for a part.
      let next = hasMore ? row.words.first { $0.elements.lowerBound >= range.upperBound } : nil
      let end = next.map { $0.startsLine ? range.upperBound : $0.elements.upperBound }
      let whole = range.lowerBound..<(end ?? range.upperBound)
      guard hasMore || row.width(whole) > width else { return Line(row, whole) }
      let ellipsisWidth = ellipsis.width(ellipsis.elements.indices)
      guard ellipsisWidth <= width else { return Line(row, range.lowerBound..<range.lowerBound) }
      // The longest part that leaves room for the ellipsis, without the space before it.
      var cut = whole.upperBound
      while cut > whole.lowerBound,
        row.width(whole.lowerBound..<cut) + ellipsisWidth > width
          || (cut < whole.upperBound && !row.elements[cut].startsCharacter)
          || row.elements[cut - 1].scalar.isBreakable
      {
        cut -= 1
      }
      var line = Line(row, whole.lowerBound..<cut)
      line.ellipsis = ellipsis.elements[...]
      line.width += ellipsisWidth
      return line
    }
  }
}

extension TextBlock.Line {
  fileprivate init(_ row: GlyphRow, _ range: Range<Int>) {
    elements = row.elements[range]
    width = row.width(range)
  }
}

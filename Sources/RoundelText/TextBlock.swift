// SPDX-License-Identifier: MIT

package import RoundelDrawing
internal import RoundelGeometry

/// Text fitted to its room: its lines in ems, and the em size.
package struct TextBlock {
  package struct Line {
    /// From left to right, relative to the left end of the line.
    var glyphs: [PlacedGlyph] = []
    /// In ems.
    package var width = 0.0
    /// The centre of the available space, in ems to the right of the anchor.
    package var middle = 0.0
    /// In logical order.
    var letters: ArraySlice<Unicode.Scalar> = []
    package var isRightToLeft: Bool

    package var text: String { letters.reduce(into: "") { $0.unicodeScalars.append($1) } }

    /// The vertical extent of the glyphs above the baseline, in ems, or nil if they are empty.
    fileprivate var ink: ClosedRange<Double>? {
      let inks = glyphs.compactMap { placed in placed.glyph.ink.map { (placed.y, $0) } }
      guard let bottom = inks.map({ $0 + $1.lowerBound }).min(),
        let top = inks.map({ $0 + $1.upperBound }).max()
      else { return nil }
      return bottom...top
    }
  }

  /// The em size in design pixels.
  package let size: Double
  package private(set) var lines: [Line]
  /// The distance between baselines, in ems.
  package let lineHeight: Double
  /// The height of a capital letter, in ems.
  package private(set) var capHeight: Double
  /// Whether part of the text is missing for lack of space.
  package private(set) var isCut = false

  /// In design pixels. Smaller text is unreadable.
  private static let minimumSize = 1.0

  /// Fits a run as described by `TextRun`: first wraps, then shrinks, then truncates.
  ///
  /// - Parameter sizes: The maximum size, at most the run's, and the next one.
  init(
    fitting text: ShapedText, of run: TextRun, sizes: TypeScale.Shared, lineHeight: Double,
    capHeight: Double, ellipsisWidth: @autoclosure () -> Double
  ) {
    let size = sizes.size
    self.lineHeight = lineHeight
    self.capHeight = capHeight
    guard let bounds = run.bounds else {
      self.size = size
      lines = text.lines { _ in .infinity }.map(text.line)
      return
    }
    let fitting = TextFitting(
      text, in: bounds, lines: run.lines, lineHeight: lineHeight, capHeight: capHeight)
    let minimum = Self.minimumSize(run.minimumSize, of: run.size)
    if let fit = fitting.maximumFit(from: size, to: size)
      ?? fitting.maximumFit(from: min(minimum, sizes.smaller), to: sizes.smaller)
    {
      self.size = fit.size
      let even = fit.evened(text)
      lines = zip(even.lines, even.middles(text)).map { range, middle in
        var line = text.line(range)
        line.middle = middle
        return line
      }
    } else {
      self.size = min(minimum, size)
      let extents = fitting.mostExtents(at: self.size)
      (lines, isCut) = Self.cut(text, extents, ellipsisWidth: ellipsisWidth())
    }
    if run.isCenteredByInk, let ink = lines.first?.ink {
      self.capHeight = ink.lowerBound + ink.upperBound
    }
  }

  /// Returns the distance from the anchor to the start of a line, in ems to the right.
  package func shift(of line: Line, _ run: TextRun) -> Double {
    let share = run.alignment.share(
      isRightToLeft: run.font.isRightToLeft ?? line.isRightToLeft)
    let start = line.middle - line.width * share
    guard let frame = run.bounds?.frame, frame.width.isFinite else { return start }
    return start + (share - 0.5) * frame.width / size
  }

  /// Returns the distance from the anchor down to the centre of the lines, in ems.
  package func drop(_ run: TextRun) -> Double {
    var bounds = 0.0
    if let frame = run.bounds?.frame, frame.height.isFinite { bounds = frame.height / size }
    let rest = (Double(lines.count) * lineHeight - bounds) / 2
    if case .column(_, let scrolled) = run.bounds, rest > 0 { return rest * (1 - 2 * scrolled) }
    return switch run.verticalAlignment {
    case .top: rest
    case .middle: 0
    case .bottom: -rest
    }
  }

  /// Returns the minimum size before text of `size` is truncated.
  static func minimumSize(_ minimum: Double, of size: Double) -> Double {
    min(size, max(minimum.isNaN ? 0 : minimum, minimumSize))
  }

  /// One line per extent, in ems. Too long lines, and the last one before more text, end in an
  /// ellipsis.
  private static func cut(
    _ text: ShapedText, _ extents: [ClosedRange<Double>], ellipsisWidth: Double
  ) -> (lines: [Line], isCut: Bool) {
    func width(_ line: Int) -> Double { extents[min(line, extents.count - 1)].width }
    let all = text.lines(within: width)
    let limit = extents.count
    var isCut = false
    let lines = all.prefix(limit).enumerated().map { number, range in
      var line = line(number, range)
      line.middle = extents[number].middle
      return line
    }
    return (lines, isCut)

    func line(_ number: Int, _ range: ShapedText.LineRange) -> Line {
      let width = width(number)
      let hasMore = number == limit - 1 && all.count > limit
      // The last line includes part of the following words if there is space.
      let next = hasMore ? text.words.dropFirst(range.words.upperBound).first : nil
      let end = next.map { $0.startsLine ? range.clusters.upperBound : $0.clusters.upperBound }
      let whole = range.clusters.lowerBound..<(end ?? range.clusters.upperBound)
      guard hasMore || text.width(range) > width else { return text.line(range) }
      isCut = true
      let base = text.words[range.words.lowerBound].base
      guard ellipsisWidth <= width else {
        return text.line(whole.lowerBound..<whole.lowerBound, base: base)
      }
      // The longest part that leaves space for the ellipsis, without trailing space.
      var cut = whole.upperBound
      while true {
        while cut > whole.lowerBound,
          text.width(whole.lowerBound..<cut) + ellipsisWidth > width
            || text.clusters[cut - 1].isSpace
        {
          cut -= 1
        }
        let line = text.line(whole.lowerBound..<cut, base: base, ending: .ellipsis)
        // Characters that no longer join their neighbours may be wider.
        if line.width <= width || cut == whole.lowerBound { return line }
        cut -= 1
      }
    }
  }
}

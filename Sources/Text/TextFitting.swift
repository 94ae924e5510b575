// SPDX-License-Identifier: MIT

internal import Drawing

/// Finds the size and the lines in which a text fits its room.
struct TextFitting {
  /// A size at which the text fits, and how.
  struct Fit {
    var size: Double
    var lines: [ShapedText.LineRange]
    /// The room of each line, in ems to the right of the anchor.
    fileprivate var extents: [ClosedRange<Double>]

    /// Whether each line has room.
    fileprivate func holds(_ text: ShapedText, within share: Double = 1) -> Bool {
      lines.count == extents.count
        && lines.indices.allSatisfy { text.width(lines[$0]) <= extents[$0].width * share }
    }

    /// Where the middles of the lines stand: on one line across them, if the room allows it.
    func middles(_ text: ShapedText) -> [Double] {
      let slack = zip(lines, extents).map { line, extent in
        let free = max(extent.width - text.width(line), 0) / 2
        return free.isFinite ? extent.middle - free...extent.middle + free : 0...0
      }
      let low = slack.map(\.lowerBound).max() ?? 0
      let high = slack.map(\.upperBound).min() ?? 0
      let mean = slack.map(\.middle).reduce(0, +) / Double(max(slack.count, 1))
      // Where there is no such line, each comes as near to it as it can.
      let common = low <= high ? min(max(mean, low), high) : (low + high) / 2
      return slack.map { min(max(common, $0.lowerBound), $0.upperBound) }
    }

    /// The same number of lines, broken in the most even way.
    func evened(_ text: ShapedText) -> Fit {
      guard lines.count > text.paragraphs else { return self }
      var (even, narrower) = (self, self)
      // Lines filled within a smaller part of the room are never fewer, so the smallest part that keeps
      // the number is found by halving.
      var (low, high) = (0.0, 1.0)
      while high - low > 1e-4 {
        let middle = (low + high) / 2
        text.fill(&narrower.lines) { extents[min($0, extents.count - 1)].width * middle }
        if narrower.holds(text, within: middle) {
          swap(&even.lines, &narrower.lines)
          high = middle
        } else {
          low = middle
        }
      }
      return even
    }
  }

  private let text: ShapedText
  /// The number of lines that the text itself asks for, and at least one.
  private let paragraphs: Int
  private let room: TextRoom
  private let limit: Int
  private let lineHeight: Double
  private let capHeight: Double

  /// - Parameter lines: the maximum number of lines; a text with more line breaks has as many as it asks for.
  init(
    _ text: ShapedText, in room: TextRoom, lines: Int, lineHeight: Double, capHeight: Double
  ) {
    self.text = text
    self.room = room
    paragraphs = max(text.paragraphs, 1)
    limit = max(lines, paragraphs)
    self.lineHeight = lineHeight
    self.capHeight = capHeight
  }

  /// How a text fits at the largest size of a scale; nil where it does not even fit at `minimum`. O(n) in the
  /// words for each size of the scale.
  func maximumFit(from minimum: Double, to maximum: Double) -> Fit? {
    var fit = Fit(size: 0, lines: [], extents: [])
    for size in TypeScale(from: maximum, to: minimum) where find(&fit, at: size) { return fit }
    return nil
  }

  /// As few lines as the room needs at a size, in place of an earlier fit; false where they have no room.
  private func find(_ fit: inout Fit, at size: Double) -> Bool {
    fit.size = size
    var count = paragraphs
    while count <= limit {
      guard find(&fit.extents, count, at: size) else { return false }
      text.fill(&fit.lines) { fit.extents[min($0, count - 1)].width }
      if fit.holds(text) { return true }
      // Where all lines have the same room their number does not depend on it.
      switch room {
      case .box, .frame, .column:
        guard fit.lines.count > count else { return false }
        count = fit.lines.count
      case .sector, .arc: count += 1
      }
    }
    return false
  }

  /// The rooms of the lines of a text that does not fit at a size: of as many as there can be, and at least
  /// of one.
  func mostExtents(at size: Double) -> [ClosedRange<Double>] {
    var (most, more): ([ClosedRange<Double>], [ClosedRange<Double>]) = ([], [])
    // A line takes space, so that this ends.
    while most.count < min(limit, ShapedText.maximumLength),
      find(&more, most.count + 1, at: size)
    {
      swap(&most, &more)
    }
    if !most.isEmpty { return most }
    let line = room.extent(top: 0, bottom: 0, baseline: 0).map { $0.scaled(by: 1 / size) }
    return [line ?? 0...0]
  }

  /// The rooms of `count` lines, in ems; false where there is none for one of them.
  private func find(
    _ extents: inout [ClosedRange<Double>], _ count: Int, at size: Double
  ) -> Bool {
    let height = lineHeight * size
    extents.removeAll(keepingCapacity: true)
    // A room without space for one of the lines is not asked for the others.
    for number in 0..<count {
      let middle = (Double(number) - Double(count - 1) / 2) * height
      guard
        let extent = room.extent(
          top: middle - height / 2, bottom: middle + height / 2,
          baseline: middle + capHeight / 2 * size)
      else { return false }
      extents.append(extent.scaled(by: 1 / size))
    }
    return true
  }
}

extension ClosedRange<Double> {
  var width: Double { upperBound - lowerBound }
  /// 0 where it has no bounds.
  var middle: Double { width.isFinite ? (lowerBound + upperBound) / 2 : 0 }

  fileprivate func scaled(by factor: Double) -> ClosedRange<Double> {
    lowerBound * factor...upperBound * factor
  }
}

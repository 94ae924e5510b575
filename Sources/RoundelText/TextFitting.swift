// SPDX-License-Identifier: MIT

internal import RoundelDrawing

/// Finds the size and the lines that fit a room.
struct TextFitting {
  struct Fit {
    var size: Double
    var lines: [ShapedText.LineRange]
    /// The available space for each line, in ems to the right of the anchor.
    fileprivate var extents: [ClosedRange<Double>]

    fileprivate func holds(_ text: ShapedText, within share: Double = 1) -> Bool {
      lines.count == extents.count
        && lines.indices.allSatisfy { text.width(lines[$0]) <= extents[$0].width * share }
    }

    /// Returns the centres of the lines, aligned vertically if the room allows it.
    func middles(_ text: ShapedText) -> [Double] {
      let slack = zip(lines, extents).map { line, extent in
        let free = max(extent.width - text.width(line), 0) / 2
        return free.isFinite ? extent.middle - free...extent.middle + free : 0...0
      }
      let low = slack.map(\.lowerBound).max() ?? 0
      let high = slack.map(\.upperBound).min() ?? 0
      let mean = slack.map(\.middle).reduce(0, +) / Double(max(slack.count, 1))
      // Otherwise, each is as close to the alignment as possible.
      let common = low <= high ? min(max(mean, low), high) : (low + high) / 2
      return slack.map { min(max(common, $0.lowerBound), $0.upperBound) }
    }

    /// Returns the text in the same number of lines, broken as evenly as possible.
    func evened(_ text: ShapedText) -> Fit {
      guard lines.count > text.paragraphs else { return self }
      var (even, narrower) = (self, self)
      // A smaller fraction never results in fewer lines, so bisection finds the smallest that keeps
      // the number.
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
  /// Lines required by the text's own line breaks, at least one.
  private let paragraphs: Int
  private let bounds: TextBounds
  private let limit: Int
  private let lineHeight: Double
  private let capHeight: Double

  /// - Parameter lines: The maximum number of lines. Text with more line breaks has one line for
  ///   each.
  init(
    _ text: ShapedText, in bounds: TextBounds, lines: Int, lineHeight: Double, capHeight: Double
  ) {
    self.text = text
    self.bounds = bounds
    paragraphs = max(text.paragraphs, 1)
    limit = max(lines, paragraphs)
    self.lineHeight = lineHeight
    self.capHeight = capHeight
  }

  /// Returns nil if the text doesn't fit even at `minimum`. O(n) in the words for each size.
  func maximumFit(from minimum: Double, to maximum: Double) -> Fit? {
    var fit = Fit(size: 0, lines: [], extents: [])
    for size in TypeScale(from: maximum, to: minimum) where find(&fit, at: size) { return fit }
    return nil
  }

  /// Finds the smallest number of lines that fit. Returns false if there isn't one.
  private func find(_ fit: inout Fit, at size: Double) -> Bool {
    fit.size = size
    var count = paragraphs
    while count <= limit {
      guard find(&fit.extents, count, at: size) else { return false }
      text.fill(&fit.lines) { fit.extents[min($0, count - 1)].width }
      if fit.holds(text) { return true }
      // If all lines have the same space, it doesn't depend on their number.
      switch bounds {
      case .box, .frame, .column:
        guard fit.lines.count > count else { return false }
        count = fit.lines.count
      case .sector, .arc: count += 1
      }
    }
    return false
  }

  /// Returns the space for as many lines as possible, at least one.
  func mostExtents(at size: Double) -> [ClosedRange<Double>] {
    var (most, more): ([ClosedRange<Double>], [ClosedRange<Double>]) = ([], [])
    // Every line takes space, so the loop ends.
    while most.count < min(limit, ShapedText.maximumLength),
      find(&more, most.count + 1, at: size)
    {
      swap(&most, &more)
    }
    if !most.isEmpty { return most }
    let line = bounds.extent(top: 0, bottom: 0, baseline: 0).map { $0.scaled(by: 1 / size) }
    return [line ?? 0...0]
  }

  /// Returns false if there isn't any space for one of the lines.
  private func find(
    _ extents: inout [ClosedRange<Double>], _ count: Int, at size: Double
  ) -> Bool {
    let height = lineHeight * size
    extents.removeAll(keepingCapacity: true)
    for number in 0..<count {
      let middle = (Double(number) - Double(count - 1) / 2) * height
      guard
        let extent = bounds.extent(
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
  /// 0 if the range is infinite.
  var middle: Double { width.isFinite ? (lowerBound + upperBound) / 2 : 0 }

  fileprivate func scaled(by factor: Double) -> ClosedRange<Double> {
    lowerBound * factor...upperBound * factor
  }
}

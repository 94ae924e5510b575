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
      var even = self
      // Lines filled within a smaller part of the room are never fewer, so the smallest part that keeps
      // the number is found by halving.
      var (low, high) = (0.0, 1.0)
      while high - low > 1e-4 {
        let middle = (low + high) / 2
        let narrower = text.lines { extents[min($0, extents.count - 1)].width * middle }
        let fits =
          narrower.count == lines.count
          && zip(narrower, extents).allSatisfy { text.width($0) <= $1.width * middle }
        if fits {
          even.lines = narrower
          high = middle
        } else {
          low = middle
        }
      }
      return even
    }
  }

  private let text: ShapedText
  private let room: TextRoom
  private let limit: Int
  private let lineHeight: Double
  private let capHeight: Double

  /// - Parameter lines: the maximum number of lines; those that the text asks for count in any case.
  init(
    _ text: ShapedText, in room: TextRoom, lines: Int, lineHeight: Double, capHeight: Double
  ) {
    self.text = text
    self.room = room
    limit = max(lines, text.paragraphs, 1)
    self.lineHeight = lineHeight
    self.capHeight = capHeight
  }

  /// The largest size at which the text fits; nil where it does not even fit at `minimum`.
  func maximumFit(from minimum: Double, to maximum: Double) -> Fit? {
    if let fit = fit(at: maximum) { return fit }
    guard var best = fit(at: minimum) else { return nil }
    // A text that fits at one size fits at every smaller one: a binary search finds the maximum.
    var (low, high) = (minimum, maximum)
    for _ in 0..<24 {
      let middle = (low + high) / 2
      if let fit = fit(at: middle) {
        best = fit
        low = middle
      } else {
        high = middle
      }
    }
    return best
  }

  /// As few lines as the room needs at a size.
  private func fit(at size: Double) -> Fit? {
    var count = max(text.paragraphs, 1)
    while count <= limit {
      guard let extents = extents(count, at: size) else { return nil }
      let lines = text.lines { extents[min($0, count - 1)].width }
      if lines.count == count, zip(lines, extents).allSatisfy({ text.width($0) <= $1.width }) {
        return Fit(size: size, lines: lines, extents: extents)
      }
      // Where all lines have the same room their number does not depend on it.
      switch room {
      case .box, .frame:
        guard lines.count > count else { return nil }
        count = lines.count
      case .sector, .arc: count += 1
      }
    }
    return nil
  }

  /// The rooms of the lines of a text that does not fit at a size: of as many as there can be, and at least
  /// of one.
  func mostExtents(at size: Double) -> [ClosedRange<Double>] {
    var most: [ClosedRange<Double>] = []
    // A line takes space, so that this ends.
    while most.count < min(limit, ShapedText.maximumLength),
      let more = extents(most.count + 1, at: size)
    {
      most = more
    }
    if !most.isEmpty { return most }
    let line = room.extent(top: 0, bottom: 0, baseline: 0).map { $0.scaled(by: 1 / size) }
    return [line ?? 0...0]
  }

  /// The rooms of `count` lines, in ems; nil where there is none for one of them.
  private func extents(_ count: Int, at size: Double) -> [ClosedRange<Double>]? {
    let height = lineHeight * size
    // What does not even hold its first line is not asked for all.
    var extents: [ClosedRange<Double>] = []
    for number in 0..<count {
      let middle = (Double(number) - Double(count - 1) / 2) * height
      guard
        let extent = room.extent(
          top: middle - height / 2, bottom: middle + height / 2,
          baseline: middle + capHeight / 2 * size)
      else { return nil }
      extents.append(extent.scaled(by: 1 / size))
    }
    return extents
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

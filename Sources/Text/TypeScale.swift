// SPDX-License-Identifier: MIT

/// The sizes that a text may have, in equal steps from a maximum down to a minimum: so that texts which
/// shrink for want of room have few sizes on a page, and sizes that can be told from each other.
struct TypeScale: Sequence, IteratorProtocol {
  /// From one size to the next: six of them halve a text.
  static let step = 0.8908987181403393

  private var size: Double?
  private let minimum: Double

  /// - Parameters:
  ///   - maximum: the first size, above 0.
  ///   - minimum: the last one; where it is higher than the maximum, that is the only size.
  init(from maximum: Double, to minimum: Double) {
    size = maximum
    self.minimum = minimum
  }

  mutating func next() -> Double? {
    defer { size = size.flatMap { $0 > minimum ? Swift.max($0 * Self.step, minimum) : nil } }
    return size
  }

  /// Sizes that texts have in common.
  struct Shared {
    /// The largest size at which all texts fit but the quarter with the least room, or one text of three. Where
    /// that makes the others much smaller than half of them need to be, it is the size at which half of them
    /// fit. Where it makes the shortest texts much smaller than they need to be, and a quarter of them or fewer
    /// can be half an octave larger, it is that larger size. One or two texts must all fit.
    let size: Double
    /// The largest size that fits the texts for which `size` is too large, so that there are two sizes and not
    /// one for each text. A text for which this is too large, too, shrinks by itself.
    let smaller: Double

    /// One size for all.
    init(_ size: Double) {
      self.size = size
      smaller = size
    }

    /// - Parameter fits: the largest size of the scale at which each text fits; at least one.
    init(_ fits: [Double]) {
      let sorted = fits.sorted()
      let most = sorted.count < 3 ? sorted[0] : sorted[Swift.max(sorted.count / 4, 1)]
      let half = sorted.count < 3 ? most : sorted[sorted.count / 2]
      let largest = sorted[sorted.count - 1]
      let enlarged = most / (TypeScale.step * TypeScale.step * TypeScale.step)
      if most < half * Shared.lowest {
        (size, smaller) = (half, most)
      } else if sorted.count > 2, most < largest * Shared.shortest,
        sorted.count(where: { $0 >= enlarged }) <= Swift.max(sorted.count / 4, 1)
      {
        (size, smaller) = (enlarged, most)
      } else {
        (size, smaller) = (most, sorted.first { $0 >= most * Shared.lowest } ?? most)
      }
    }

    /// The share of the size that it could have, below which the shortest text is enlarged.
    private static let shortest = 0.4
    /// The least share of the size that others have.
    private static let lowest = 0.55
  }
}

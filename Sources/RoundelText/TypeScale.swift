// SPDX-License-Identifier: MIT

/// Text sizes in equal steps, so that shrunken text on a page has few, distinguishable sizes.
struct TypeScale: Sequence, IteratorProtocol {
  /// Six steps halve the size.
  static let step = 0.8908987181403393

  private var size: Double?
  private let minimum: Double

  /// - Parameters:
  ///   - maximum: The first size, above 0.
  ///   - minimum: The last size. If it is higher than the maximum, it isn't used.
  init(from maximum: Double, to minimum: Double) {
    size = maximum
    self.minimum = minimum
  }

  mutating func next() -> Double? {
    defer { size = size.flatMap { $0 > minimum ? Swift.max($0 * Self.step, minimum) : nil } }
    return size
  }

  /// Sizes shared by several elements.
  struct Shared {
    /// The largest size that fits three quarters of the elements, or two of three, or a half that
    /// could be much larger. If the shortest could be much larger, and at most a quarter can be
    /// half an octave larger, it is half an octave larger. One or two elements must all fit.
    let size: Double
    /// The common size of elements that don't fit at `size`. Those too large for it shrink
    /// separately.
    let smaller: Double

    init(_ size: Double) {
      self.size = size
      smaller = size
    }

    /// - Parameter fits: The largest size of the scale that fits each element, at least one.
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

    /// If the shortest element would have a smaller fraction of its possible size, it is enlarged.
    private static let shortest = 0.4
    /// The minimum ratio between the two sizes.
    private static let lowest = 0.55
  }
}

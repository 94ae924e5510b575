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

  /// The size that texts have in common: the largest at which all fit but a quarter with the least room, of
  /// three texts one, which shrink for themselves. Of one or two texts, each has to fit.
  ///
  /// - Parameter fits: the largest size of the scale at which each of them fits.
  static func common(_ fits: [Double]) -> Double? {
    let sorted = fits.sorted()
    guard let least = sorted.first else { return nil }
    return sorted.count < 3 ? least : sorted[Swift.max(sorted.count / 4, 1)]
  }
}

// SPDX-License-Identifier: MIT

/// The resting positions of a wheel.
///
/// Detents are numbered without bounds: …, -1, 0, 1, 2 …. If the wheel wraps, the index is the
/// number modulo `count`. Otherwise there are stops at 0 and `count - 1`.
public struct Detents: Hashable, Sendable {
  /// The number of detents, at least 1.
  public let count: Int
  /// Whether the first detent follows the last. Otherwise both are stops.
  public let wraps: Bool

  /// Creates detents with the indices `0 ..< count`.
  public init(count: Int, wraps: Bool) {
    precondition(count > 0, "a wheel needs a detent")
    self.count = count
    self.wraps = wraps
  }

  /// Returns the detent nearest to `position`. Halfway, this is the higher one. NaN counts as 0.
  public func nearest(to position: Double) -> Int {
    guard !position.isNaN else { return 0 }
    // Beyond 2⁵² there are no fractions.
    let position = min(max(position, -0x1p52), 0x1p52)
    let detent = Int(position.rounded(.down))
    let isAhead = position - Double(detent) >= 0.5
    return clamped(isAhead ? detent + 1 : detent)
  }

  /// Returns `detent`, clamped to the stops, if any.
  public func clamped(_ detent: Int) -> Int {
    wraps ? detent : min(max(detent, 0), count - 1)
  }

  /// Returns the index of a detent, in `0 ..< count`.
  public func index(of detent: Int) -> Int {
    let rest = clamped(detent) % count
    return rest < 0 ? rest + count : rest
  }

  /// Returns the detent with this index closest to `position`, the shortest way round if the wheel
  /// wraps. The higher one wins a tie.
  public func detent(of index: Int, closestTo position: Double) -> Int {
    let index = min(max(index, 0), count - 1)
    guard wraps else { return index }
    let turns = Detents(count: 1, wraps: true)
      .nearest(to: (position - Double(index)) / Double(count))
    let candidates = [turns - 1, turns, turns + 1].map { index + $0 * count }
    return candidates.reduce(candidates[0]) { best, next in
      abs(Double(next) - position) <= abs(Double(best) - position) ? next : best
    }
  }

  /// The positions of the stops, or nil if the wheel wraps.
  public var stops: ClosedRange<Double>? { wraps ? nil : 0...Double(count - 1) }
}

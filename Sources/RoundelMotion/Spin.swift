// SPDX-License-Identifier: MIT

/// Motion that reaches a target at a set time, slowing down without turning back, from any initial
/// speed.
///
/// With w = 1 at the start and 0 at the end, τ the duration and R the distance, the remaining
/// distance is
///
///     A w⁴ + B w¹²,   A + B = R,   4A + 12B = v₀τ
///
/// so position and velocity are continuous at the start. The velocity (4A + 12B w⁸) w³/τ is between
/// 4A w³/τ and (4A + 12B) w³/τ = v₀ w³. Neither is negative if A isn't, that is, for R ≥ v₀τ/12.
/// From rest, A = 3R/2 and B = −R/2: it reaches its top speed within the first sixth, then slows
/// down.
///
/// The formula uses only sums and products, so all machines compute the same bits.
package struct Spin: Hashable, Sendable {
  package let from: Double
  package let to: Double
  package let start: Instant
  package let end: Instant
  /// In units per second, in the direction of the motion.
  private let speed: Double
  private let distance: Double

  /// - Parameter velocity: 0 or towards `to`. The distance must be at least its `minimumDistance`.
  package init(from: Double, velocity: Double = 0, to: Double, start: Instant, end: Instant) {
    self.from = from
    self.to = to
    self.start = start
    self.end = max(end, start)
    distance = abs(to - from)
    speed = abs(velocity)
  }

  /// Returns the minimum distance for a motion of `seconds` that doesn't turn back.
  package static func minimumDistance(velocity: Double, seconds: Double) -> Double {
    abs(velocity) * max(0, seconds) / 12
  }

  /// Returns `from` before the start, and exactly `to` after the end.
  package func position(at now: Instant) -> Double {
    if isSettled(at: now) { return to }
    let w = remainingTime(at: now)
    let (a, b) = coefficients
    let w4 = w * w * w * w
    return to - direction * (a + b * (w4 * w4)) * w4
  }

  /// In units per second, with the sign of the direction.
  package func velocity(at now: Instant) -> Double {
    if isSettled(at: now) || now < start { return 0 }
    let w = remainingTime(at: now)
    let (a, b) = coefficients
    let w4 = w * w * w * w
    return direction * (4 * a + 12 * b * (w4 * w4)) * (w * w * w) / (end - start)
  }

  package func isSettled(at now: Instant) -> Bool { now >= end }

  private var direction: Double { to < from ? -1 : 1 }

  private var coefficients: (a: Double, b: Double) {
    let whole = speed * (end - start)
    let a = (12 * distance - whole) / 8
    return (a, distance - a)
  }

  /// The remaining fraction, 1 … 0.
  private func remainingTime(at now: Instant) -> Double {
    min((end - now) / (end - start), 1)
  }
}

// SPDX-License-Identifier: MIT

/// Motion to a target in a given time, from any velocity to rest.
///
/// This is minimum-jerk motion (Flash and Hogan, "The coordination of arm movements", 1985): with u
/// = t/T, w = x₁ − x₀ and the velocity v₀ at the start,
///
///     x = x₀ + w (10u³ − 15u⁴ + 6u⁵) + v₀T (u − 6u³ + 8u⁴ − 3u⁵)
///
/// which ends with velocity 0, and has no acceleration at either end.
package struct Approach: Hashable, Sendable {
  package let start: Instant
  package let target: Double
  package let end: Instant
  private let origin: Double
  private let initialVelocity: Double
  private let duration: Double

  /// - Parameter duration: In seconds, above 0.
  package init(
    from position: Double, velocity: Double = 0, to target: Double, at start: Instant,
    duration: Double
  ) {
    precondition(duration > 0, "a move needs a duration")
    origin = position
    initialVelocity = velocity
    self.target = target
    self.start = start
    self.duration = duration
    end = start + duration
  }

  /// The position before the start is the initial position.
  package func position(at now: Instant) -> Double {
    now >= end ? target : position(after: max(0, now - start))
  }

  /// In units per second. Zero before the start and after the end.
  package func velocity(at now: Instant) -> Double {
    if now < start || now >= end { return 0 }
    let u = (now - start) / duration
    let v = 1 - u
    return (target - origin) / duration * 30 * u * u * v * v
      + initialVelocity * (1 + u * u * (-18 + u * (32 - u * 15)))
  }

  /// Returns nil if `position` isn't between the start and the target. A motion that starts away from
  /// its target reverses once, then passes each position in between once.
  package func reaches(_ position: Double) -> Instant? {
    guard (position - origin) * (position - target) <= 0 else { return nil }
    var (low, high) = (0.0, duration)
    while high - low > 1e-9 {
      let middle = (low + high) / 2
      let isBefore = (self.position(after: middle) - position) * (target - origin) < 0
      if isBefore { low = middle } else { high = middle }
    }
    return min(start + high, end)
  }

  private func position(after t: Double) -> Double {
    let u = t / duration
    let cubed = u * u * u
    return origin + (target - origin) * cubed * (10 + u * (-15 + u * 6))
      + initialVelocity * duration * (u + cubed * (-6 + u * (8 - u * 3)))
  }
}

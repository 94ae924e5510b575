// SPDX-License-Identifier: MIT

internal import Glibc

/// Motion slowed by friction that stops exactly at its target.
///
/// With the friction k < 0, in 1/s, speed falls as v = v₀ e^(kt), so
///
///     x(t) = x₀ + v₀ (e^(kt) − 1) / k      v = v₀ + k (x − x₀)      t(x) = ln(1 + k (x − x₀)/v₀) / k
///
/// approaching x₀ − v₀/k without reaching it. (The "deceleration rate" d of a scroll view is the
/// fraction of the speed left after a millisecond: k = 1000 ln d.) By the second equation, a target
/// and the velocity left there determine k, so a glide lands exactly on a detent without a final
/// correction.
///
/// Results are rounded to 2⁻³²: C libraries differ in the last bits of an exponential.
public struct Glide: Hashable, Sendable {
  /// The decay rate of the speed.
  public struct Friction: Hashable, Sendable {
    /// k, in 1/s, below 0.
    public let rate: Double

    /// Creates the friction that leaves the fraction `rate`, between 0 and 1, of the speed after a
    /// millisecond.
    public init(decelerationRate rate: Double) {
      precondition(rate > 0 && rate < 1, "friction must keep some of the speed")
      self.rate = (1000 * log(rate) * 0x1p32).rounded() * 0x1p-32
    }

    /// A scroll view's normal deceleration.
    public static let normal = Friction(decelerationRate: 0.998)
    /// A scroll view's fast deceleration.
    public static let fast = Friction(decelerationRate: 0.99)

    /// Returns the resting position of motion from `position` at `velocity`.
    public func projection(from position: Double, velocity: Double) -> Double {
      position - velocity / rate
    }
  }

  /// The start of the motion.
  public let start: Instant
  /// The final position.
  public let target: Double
  /// The time of arrival.
  public let end: Instant
  private let origin: Double
  private let initialVelocity: Double
  private let rate: Double

  /// Creates a glide that reaches `target` with the velocity `finalVelocity`, above 0 and too slow
  /// to be noticed. Returns nil if `velocity` points away from the target or isn't above
  /// `finalVelocity`.
  public init?(
    from position: Double, velocity: Double, landingOn target: Double, finalVelocity: Double,
    at start: Instant
  ) {
    let distance = target - position
    guard distance * velocity > 0, abs(velocity) > finalVelocity else { return nil }
    let last = velocity < 0 ? -finalVelocity : finalVelocity
    self.init(
      from: position, velocity: velocity, to: target, rate: (last - velocity) / distance, at: start)
  }

  /// Creates a glide that hits `stop` at speed. Returns nil if friction stops it first.
  public init?(
    from position: Double, velocity: Double, against stop: Double, friction: Friction,
    at start: Instant
  ) {
    let distance = stop - position
    let far = friction.projection(from: position, velocity: velocity) - position
    guard distance * velocity > 0, abs(far) > abs(distance) else { return nil }
    self.init(from: position, velocity: velocity, to: stop, rate: friction.rate, at: start)
  }

  private init(
    from position: Double, velocity: Double, to target: Double, rate: Double, at start: Instant
  ) {
    origin = position
    initialVelocity = velocity
    self.target = target
    self.rate = rate
    self.start = start
    end = start + log(1 + rate * (target - position) / velocity) / rate
  }

  /// Whether the motion has reached its target.
  public func isSettled(at now: Instant) -> Bool { now >= end }

  /// Returns the position. Before `start`, this is the initial position.
  public func position(at now: Instant) -> Double {
    if now >= end { return target }
    let t = max(0, now - start)
    return ((origin + initialVelocity * expm1(rate * t) / rate) * 0x1p32).rounded() * 0x1p-32
  }

  /// Returns the velocity in units per second. Zero before the start and after the end.
  public func velocity(at now: Instant) -> Double {
    if now < start || now >= end { return 0 }
    return (initialVelocity * exp(rate * (now - start)) * 0x1p32).rounded() * 0x1p-32
  }

  /// The velocity left at the target.
  public var finalVelocity: Double { initialVelocity + rate * (target - origin) }

  /// Returns the time at `position`, or nil if that isn't between the start and the target.
  public func reaches(_ position: Double) -> Instant? {
    let distance = (position - origin) / (target - origin)
    guard distance >= 0, distance <= 1 else { return nil }
    return min(start + log(1 + rate * (position - origin) / initialVelocity) / rate, end)
  }
}

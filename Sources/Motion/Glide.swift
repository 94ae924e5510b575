// SPDX-License-Identifier: MIT

internal import Glibc

/// Motion slowed by friction that stops exactly at a target.
///
/// With the friction k < 0, in 1/s, speed falls as v = v₀ e^(kt), so
///
///     x(t) = x₀ + v₀ (e^(kt) − 1) / k      v = v₀ + k (x − x₀)      t(x) = ln(1 + k (x − x₀)/v₀) / k
///
/// and it approaches x₀ − v₀/k without reaching it. (A scroll view's "deceleration rate" d is the
/// fraction of the speed left after a millisecond: k = 1000 ln d.) By the second form a target and the
/// velocity left there determine k, so a glide lands exactly on a detent, visibly at rest, without
/// rolling back or a correction at the end.
///
/// Results are rounded to 2⁻³²: C libraries differ in the last bits of an exponential.
public struct Glide: Hashable, Sendable {
  /// The rate at which speed decays.
  public struct Friction: Hashable, Sendable {
    /// k, in 1/s; below 0.
    public let rate: Double

    /// The friction that leaves the fraction `rate` (between 0 and 1) of the speed after a millisecond.
    public init(decelerationRate rate: Double) {
      precondition(rate > 0 && rate < 1, "friction leaves a part of the speed")
      self.rate = (1000 * log(rate) * 0x1p32).rounded() * 0x1p-32
    }

    /// A scroll view's normal deceleration: 0.998 of the speed is left after a millisecond.
    public static let normal = Friction(decelerationRate: 0.998)
    /// A scroll view's fast deceleration: 0.99.
    public static let fast = Friction(decelerationRate: 0.99)

    /// The position at which motion from `position` at `velocity` would come to rest.
    public func projection(from position: Double, velocity: Double) -> Double {
      position - velocity / rate
    }
  }

  /// When the motion begins.
  public let start: Instant
  /// Where it stops.
  public let target: Double
  /// When the target is reached.
  public let end: Instant
  private let origin: Double
  private let initialVelocity: Double
  private let rate: Double

  /// A glide that ends at `target` with the velocity `finalVelocity`, above 0, which is too slow to be
  /// seen. Nil where the velocity points away from the target or is not above that already.
  public init?(
    from position: Double, velocity: Double, landingOn target: Double, finalVelocity: Double,
    at start: Instant
  ) {
    let way = target - position
    guard way * velocity > 0, abs(velocity) > finalVelocity else { return nil }
    let last = velocity < 0 ? -finalVelocity : finalVelocity
    self.init(
      from: position, velocity: velocity, to: target, rate: (last - velocity) / way, at: start)
  }

  /// A glide that hits `stop` at speed. Nil where friction ends it before.
  public init?(
    from position: Double, velocity: Double, against stop: Double, friction: Friction,
    at start: Instant
  ) {
    let way = stop - position
    let far = friction.projection(from: position, velocity: velocity) - position
    guard way * velocity > 0, abs(far) > abs(way) else { return nil }
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

  /// Whether the target has been reached, from `end` on.
  public func isSettled(at now: Instant) -> Bool { now >= end }

  /// The position; before `start` the initial one.
  public func position(at now: Instant) -> Double {
    if now >= end { return target }
    let t = max(0, now - start)
    return ((origin + initialVelocity * expm1(rate * t) / rate) * 0x1p32).rounded() * 0x1p-32
  }

  /// Units a second; 0 before its start and after its end.
  public func velocity(at now: Instant) -> Double {
    if now < start || now >= end { return 0 }
    return (initialVelocity * exp(rate * (now - start)) * 0x1p32).rounded() * 0x1p-32
  }

  /// The velocity left at the target.
  public var finalVelocity: Double { initialVelocity + rate * (target - origin) }

  /// When it passes `position`; nil where that is not between start and target.
  public func reaches(_ position: Double) -> Instant? {
    let way = (position - origin) / (target - origin)
    guard way >= 0, way <= 1 else { return nil }
    return min(start + log(1 + rate * (position - origin) / initialVelocity) / rate, end)
  }
}

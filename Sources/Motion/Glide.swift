// SPDX-License-Identifier: MIT

internal import Glibc

/// Something that was let go with a velocity and slows down by friction, until it stands where it was
/// told to.
///
/// With the friction k < 0, in 1/s, speed falls as v = v₀ e^(kt), so
///
///     x(t) = x₀ + v₀ (e^(kt) − 1) / k      v = v₀ + k (x − x₀)      t(x) = ln(1 + k (x − x₀)/v₀) / k
///
/// and it would come to rest at x₀ − v₀/k, which it never reaches. (A scroll view's "deceleration
/// rate" d is what is left of the speed after a millisecond: k = 1000 ln d.) The second form says that
/// a place and the velocity left there fix k, so a glide lands on a detent exactly and at rest to the
/// eye: never a roll back, never a correction at the end.
///
/// Results are rounded to 2⁻³²: the last bits of one C library's exponential are not another's.
public struct Glide: Hashable, Sendable {
  /// How fast something slows down by itself.
  public struct Friction: Hashable, Sendable {
    /// k, in 1/s; below 0.
    public let rate: Double

    /// The friction that leaves `rate` (between 0 and 1) of the speed after a millisecond.
    public init(decelerationRate rate: Double) {
      precondition(rate > 0 && rate < 1, "friction leaves a part of the speed")
      self.rate = (1000 * log(rate) * 0x1p32).rounded() * 0x1p-32
    }

    /// What a scroll view calls normal: 0.998 of the speed is left after a millisecond.
    public static let normal = Friction(decelerationRate: 0.998)
    /// What a scroll view calls fast: 0.99.
    public static let fast = Friction(decelerationRate: 0.99)

    /// Where something that leaves `position` at `velocity` would come to rest.
    public func projection(from position: Double, velocity: Double) -> Double {
      position - velocity / rate
    }
  }

  /// When it is let go.
  public let start: Instant
  /// Where it stops.
  public let target: Double
  /// When it stands at `target`.
  public let end: Instant
  private let origin: Double
  private let initialVelocity: Double
  private let rate: Double

  /// Lets something go that comes to rest at `target`, with no more than `finalVelocity` (above 0)
  /// left when it gets there. Nil where it moves the other way or is slower than that already.
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

  /// Lets something go that runs against a stop at `stop`, with the velocity that it has there. Nil
  /// where it would not get so far.
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

  /// Whether it has reached `target`, `end` included.
  public func isSettled(at now: Instant) -> Bool { now >= end }

  /// Where it is; before its start where it was let go.
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

  /// The velocity that it has left when it gets to `target`.
  public var finalVelocity: Double { initialVelocity + rate * (target - origin) }

  /// The moment at which it passes `position`; nil where its way does not lead there.
  public func reaches(_ position: Double) -> Instant? {
    let way = (position - origin) / (target - origin)
    guard way >= 0, way <= 1 else { return nil }
    return min(start + log(1 + rate * (position - origin) / initialVelocity) / rate, end)
  }
}

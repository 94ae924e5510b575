// SPDX-License-Identifier: MIT

internal import Glibc

/// A mass on a damped spring that moves to its target.
///
/// Position and velocity are functions of time and can be read for any time, in any order. An
/// interrupted spring is replaced by a new spring with its position and velocity. With the damping
/// ratio ζ, the undamped angular frequency ω, β = ζω and the displacement y from the target:
///
///     ζ < 1   y = e^(−βt) (y₀ cos ω't + (v₀ + βy₀)/ω' sin ω't),  ω' = ω √(1 − ζ²)
///     ζ = 1   y = e^(−βt) (y₀ + (v₀ + βy₀) t)
///     ζ > 1   the first form with cosh and sinh,                 ω' = ω √(ζ² − 1)
///
/// Results are rounded to 2⁻³²: C libraries differ in the last bits of an exponential.
public struct Spring: Hashable, Sendable {
  /// The character of a spring.
  public struct Tuning: Hashable, Sendable {
    /// The damping ratio: below 1 it overshoots, 1 is the fastest without overshoot, above 1 it is
    /// slower.
    public let damping: Double
    /// The undamped angular frequency, in radians per second.
    public let frequency: Double

    /// Creates a tuning. Both arguments must be above 0.
    public init(damping: Double, frequency: Double) {
      precondition(damping > 0 && frequency > 0, "a spring needs damping and stiffness")
      self.damping = damping
      self.frequency = frequency
    }

    /// Creates a tuning that, released at rest, is within a thousandth of its distance after
    /// `duration` seconds. Both arguments must be above 0.
    ///
    /// For ζ < 1 the envelope e^(−ζωt)/√(1 − ζ²) has fallen to a thousandth, for ζ ≥ 1 the motion
    /// itself.
    public init(damping: Double, duration: Double) {
      precondition(damping > 0 && duration > 0, "a spring needs damping and a duration")
      // Time and frequency occur only as their product, so a spring of frequency 1 is sufficient.
      let unit = Spring(
        from: 1, to: 0, at: .zero, tuning: Tuning(damping: damping, frequency: 1))
      self.init(damping: damping, frequency: unit.timeToSettle / duration)
    }
  }

  /// The damping and the frequency.
  public let tuning: Tuning
  /// The rest position.
  public let target: Double
  /// The start of the motion.
  public let start: Instant
  /// The distance from `target` below which the mass counts as settled.
  public let tolerance: Double
  /// The settling time. Afterwards the mass is exactly at `target`.
  public private(set) var end: Instant
  private let displacement: Double
  private let initialVelocity: Double

  /// Releases the mass. `velocity` is in units per second.
  public init(
    from position: Double, velocity: Double = 0, to target: Double, at start: Instant,
    tuning: Tuning, tolerance: Double = 0.001
  ) {
    self.tuning = tuning
    self.target = target
    self.start = start
    self.tolerance = tolerance
    displacement = position - target
    initialVelocity = velocity
    end = start
    end = start + timeToSettle
  }

  /// Returns a spring that continues with this one's position and velocity to another target.
  public func retargeted(to target: Double, at now: Instant, tuning: Tuning? = nil) -> Spring {
    Spring(
      from: position(at: now), velocity: velocity(at: now), to: target, at: now,
      tuning: tuning ?? self.tuning, tolerance: tolerance)
  }

  /// Returns the position. Before `start`, this is the initial position.
  public func position(at now: Instant) -> Double {
    isSettled(at: now)
      ? target : rounded(target + motion(at: max(0, now - start)).displacement)
  }

  /// Returns the velocity in units per second. Zero before the start and at rest.
  public func velocity(at now: Instant) -> Double {
    if isSettled(at: now) { return 0 }
    return now < start ? 0 : rounded(motion(at: now - start).velocity)
  }

  /// Whether the mass has settled.
  public func isSettled(at now: Instant) -> Bool { now >= end }

  /// Returns the first time when the motion passes `position`, at or after `now` or the start, or
  /// nil if it never does. O(n) in the oscillations.
  public func reaches(_ position: Double, from now: Instant? = nil) -> Instant? {
    let now = max(now ?? start, start)
    let sought = position - target
    let settled = end - start
    var from = min(now - start, settled)
    // Between two turning points the motion is monotonic.
    while from < settled {
      let to = min(turningPoint(after: from) ?? settled, settled)
      let near = motion(at: from).displacement - sought
      let far = motion(at: to).displacement - sought
      if near == 0 { return start + from }
      if near * far <= 0 {
        let time = crossing(of: sought, from: from, to: to)
        // Rounded to a microsecond, the crossing may be just before `now`, when the mass has
        // already passed.
        return max(start + time, now)
      }
      from = to
    }
    return sought == 0 && now <= end ? end : nil
  }

  // MARK: Mathematics, in seconds since the start

  private struct Motion {
    var displacement: Double
    var velocity: Double
  }

  /// β and ω'. The latter is 0 at critical damping.
  private var decay: Double { tuning.damping * tuning.frequency }
  private var ringing: Double {
    tuning.frequency * abs(1 - tuning.damping * tuning.damping).squareRoot()
  }

  /// The even and the odd solution: (cos ω't, sin ω't / ω') below critical damping, (1, t) at it,
  /// (cosh ω't, sinh ω't / ω') above it, each times e^(−βt).
  private func solutions(at t: Double) -> (even: Double, odd: Double) {
    let w = ringing
    if w * t < 1e-8 { return (exp(-decay * t), t * exp(-decay * t)) }
    if tuning.damping < 1 {
      return (exp(-decay * t) * cos(w * t), exp(-decay * t) * sin(w * t) / w)
    }
    // The growing half alone would overflow.
    let slow = exp((w - decay) * t) / 2
    let fast = exp((-w - decay) * t) / 2
    return (slow + fast, (slow - fast) / w)
  }

  private func motion(at t: Double) -> Motion {
    let (even, odd) = solutions(at: t)
    let push = initialVelocity + decay * displacement
    // y = y₀ E + (v₀ + βy₀) O with E' = −βE ∓ ω'²O and O' = E − βO, and ω² = β² ± ω'².
    return Motion(
      displacement: displacement * even + push * odd,
      velocity: initialVelocity * even
        - (decay * initialVelocity + tuning.frequency * tuning.frequency * displacement) * odd)
  }

  /// The velocity is v₀E − (βv₀ + ω²y₀)O, which is zero if O/E = v₀/(βv₀ + ω²y₀). O/E is
  /// tan(ω't)/ω', t, or tanh(ω't)/ω'.
  private func turningPoint(after t: Double) -> Double? {
    let w = ringing
    let pull =
      decay * initialVelocity + tuning.frequency * tuning.frequency * displacement
    if tuning.damping < 1, w > 0 {
      let first = atan2(w * initialVelocity, pull) / w
      let half = .pi / w
      // If `t` was rounded from a turning point, don't find that one again.
      let steps = ((t - first) / half + 1e-9).rounded(.down) + 1
      return first + steps * half
    }
    guard pull != 0 else { return nil }
    let ratio = initialVelocity / pull
    let turn = w > 0 ? (abs(w * ratio) < 1 ? atanh(w * ratio) / w : -1) : ratio
    return turn > t ? turn : nil
  }

  /// Seconds until the displacement stays within the tolerance.
  private var timeToSettle: Double {
    let push = initialVelocity + decay * displacement
    if tuning.damping < 1, ringing > 1e-8 * tuning.frequency {
      let odd = push / ringing
      let amplitude = (displacement * displacement + odd * odd).squareRoot()
      return amplitude <= tolerance ? 0 : log(amplitude / tolerance) / decay
    }
    // Without oscillation, the displacement only shrinks after the only turning point, if any.
    let turn = turningPoint(after: 0) ?? 0
    guard abs(motion(at: turn).displacement) > tolerance else {
      guard abs(displacement) > tolerance else { return 0 }
      return crossing(of: displacement < 0 ? -tolerance : tolerance, from: 0, to: turn)
    }
    var late = turn + 1 / decay
    while abs(motion(at: late).displacement) > tolerance { late = turn + (late - turn) * 2 }
    let side = motion(at: turn).displacement < 0 ? -tolerance : tolerance
    return crossing(of: side, from: turn, to: late)
  }

  /// Returns the time when a monotonic section passes `sought`, to a nanosecond.
  private func crossing(of sought: Double, from: Double, to: Double) -> Double {
    var (low, high) = (from, to)
    let rises = motion(at: to).displacement >= motion(at: from).displacement
    while high - low > 1e-9 * max(1, high) {
      let middle = low + (high - low) / 2
      if (motion(at: middle).displacement < sought) == rises { low = middle } else { high = middle }
    }
    return high
  }

  private func rounded(_ value: Double) -> Double { (value * 0x1p32).rounded() * 0x1p-32 }
}

// SPDX-License-Identifier: MIT

/// A surface that a finger scrolls between two stops, with inertia and without detents: a list.
///
/// Calls must be in order of time. Positions are in design pixels from the first stop, 0, to the last.
///
///     resting ──grab──► held ──release──► moving ──────► resting
///                        ▲                  │ │
///                        └──────grab────────┘ └ against a stop: beyond it, and back
public struct Scroll: Hashable, Sendable {
  /// The last stop, 0 or more.
  public let length: Double
  private let band: RubberBand
  private var state = State.resting(0)

  private enum State: Hashable {
    case resting(Double)
    case held(Hold)
    case moving(Course)
  }

  private struct Hold: Hashable {
    /// Where the finger has pulled it, as if there were no stops.
    var pull: Double
    var tracker = VelocityTracker()
  }

  /// The maximum speed, in design pixels a second.
  private static let topSpeed = 30_000.0
  /// The minimum speed of a fling, in design pixels a second.
  private static let minimumFlingSpeed = 50.0
  /// The pixels that a glide may skip at its end.
  private static let unseen = 0.5
  private static let friction = Glide.Friction.normal
  /// The spring to a stop, the same as that of a wheel's detents.
  private static let stopSpring = Spring.Tuning(damping: 1, frequency: 20)

  /// Something at rest at its first stop. It gives by less than `reach`, above 0, beyond its stops.
  public init(length: Double, reach: Double) {
    self.length = max(length.isFinite ? length : 0, 0)
    band = RubberBand(reach: reach)
  }

  /// Whether a finger holds it.
  public var isHeld: Bool {
    if case .held = state { true } else { false }
  }

  /// Whether it moves by itself.
  public var isMoving: Bool {
    if case .moving = state { true } else { false }
  }

  /// Seconds until it rests; infinite while that is not known, under a finger or before it meets a stop.
  public func secondsToRest(at now: Instant) -> Double {
    switch state {
    case .resting: 0
    case .held, .moving(.caught): .infinity
    case .moving(let course): max(course.end - now, 0)
    }
  }

  /// Where it is.
  public func position(at now: Instant) -> Double {
    switch state {
    case .resting(let position): position
    case .held(let hold): shown(hold.pull)
    case .moving(let course): course.position(at: now)
    }
  }

  /// Stops it under a finger. `reported` is when the device reported the touch.
  public mutating func grab(at now: Instant, reported: Instant? = nil) {
    let position = position(at: now)
    var hold = Hold(pull: pulled(position))
    hold.tracker.add(position, at: reported ?? now)
    state = .held(hold)
  }

  /// Moves it with the finger.
  public mutating func drag(by way: Double, at now: Instant, reported: Instant? = nil) {
    guard case .held(var hold) = state, way.isFinite else { return }
    hold.pull += way
    hold.tracker.add(shown(hold.pull), at: reported ?? now)
    state = .held(hold)
  }

  /// Moves it for a picture: its speed stays.
  public mutating func shift(by way: Double) {
    guard case .held(var hold) = state, way.isFinite else { return }
    hold.pull += way
    state = .held(hold)
  }

  /// Releases it. Without momentum it stays where it is, or goes back to its stop.
  public mutating func release(at now: Instant, reported: Instant? = nil, hasMomentum: Bool = true)
  {
    guard case .held(let hold) = state else { return }
    let velocity = hasMomentum ? hold.tracker.velocity(at: reported ?? now) : 0
    move(
      from: shown(hold.pull), velocity: min(max(velocity, -Self.topSpeed), Self.topSpeed), at: now)
  }

  /// Goes on by itself, unless that is over at once: a stop may be too near for a motion.
  private mutating func move(from position: Double, velocity: Double, at now: Instant) {
    start(from: position, velocity: velocity, at: now)
    advance(to: now)
  }

  private mutating func start(from position: Double, velocity: Double, at now: Instant) {
    let stop = min(max(position, 0), length)
    guard position == stop else {
      state = .moving(.spring(spring(from: position, velocity: velocity, to: stop, at: now)))
      return
    }
    state = .resting(position)
    guard abs(velocity) >= Self.minimumFlingSpeed else { return }
    let rate = Self.friction.rate
    let end = Self.friction.projection(from: position, velocity: velocity)
    let near = velocity < 0 ? 0 : length
    if end < 0 || end > length {
      if let glide = Glide(
        from: position, velocity: velocity, against: near, friction: Self.friction, at: now)
      {
        state = .moving(.caught(glide, by: near))
      } else {
        // It is at the stop already.
        state = .moving(.spring(spring(from: position, velocity: velocity, to: near, at: now)))
      }
      return
    }
    // Where friction has left a speed that is not seen.
    let last = -rate * Self.unseen
    let target = end + (velocity < 0 ? Self.unseen : -Self.unseen)
    if let glide = Glide(
      from: position, velocity: velocity, landingOn: target, finalVelocity: last, at: now)
    {
      state = .moving(.glide(glide))
    }
  }

  /// A spring to a stop. It moves no farther beyond it than the rubber band: a critically damped spring
  /// with the displacement y and the velocity v gets no farther than y + v/(eω).
  private func spring(
    from position: Double, velocity: Double, to stop: Double, at now: Instant
  ) -> Spring {
    let limit = 0.9 * 2.718 * Self.stopSpring.frequency
    let slowest = min(0, (-band.reach - position) * limit)
    let fastest = max(0, (length + band.reach - position) * limit)
    return Spring(
      from: position, velocity: min(max(velocity, slowest), fastest), to: stop, at: now,
      tuning: Self.stopSpring, tolerance: 0.25)
  }

  /// Goes to a position in `duration` seconds, and away from fingers.
  public mutating func turn(to position: Double, duration: Double, at now: Instant) {
    let target = min(max(position, 0), length)
    let (start, velocity) =
      if case .moving(let course) = state {
        (course.position(at: now), course.velocity(at: now))
      } else { (self.position(at: now), 0.0) }
    state =
      start == target && velocity == 0
      ? .resting(target)
      : .moving(
        .approach(
          Approach(
            from: start, velocity: velocity, to: target, at: now, duration: duration)))
  }

  /// Ends its motion immediately: at the target of a turn, else where it is or at the nearest stop.
  public mutating func finish(at now: Instant) {
    if case .moving(.approach(let approach)) = state {
      state = .resting(approach.target)
    } else {
      state = .resting(min(max(position(at: now), 0), length))
    }
  }

  /// When its motion ends or changes its law; nil while it rests or is held.
  public var nextChange: Instant? {
    if case .moving(let course) = state { course.end } else { nil }
  }

  /// Advances to `now`.
  public mutating func advance(to now: Instant) {
    while case .moving(let course) = state, course.end <= now {
      if case .caught(let glide, let stop) = course {
        state = .moving(
          .spring(
            spring(
              from: glide.target, velocity: glide.finalVelocity, to: stop, at: glide.end)))
      } else {
        state = .resting(course.target)
      }
    }
  }

  /// Takes over the state of another one, as far as its own stops allow.
  public mutating func resume(_ old: Scroll, at now: Instant) {
    guard length != old.length || band != old.band else {
      state = old.state
      return
    }
    switch old.state {
    case .resting(let position): state = .resting(min(position, length))
    case .held(let hold):
      state = .held(Hold(pull: pulled(shown(hold.pull)), tracker: hold.tracker))
    case .moving(.approach(let approach)):
      state = .moving(.approach(approach))
      turn(to: approach.target, duration: max(approach.end - now, 1e-3), at: now)
    case .moving(let course):
      let velocity = min(max(course.velocity(at: now), -Self.topSpeed), Self.topSpeed)
      move(from: course.position(at: now), velocity: velocity, at: now)
    }
  }

  /// The position shown for a pull, beyond a stop by the rubber band.
  private func shown(_ pull: Double) -> Double {
    let inside = min(max(pull, 0), length)
    return inside + band.stretch(for: pull - inside)
  }

  /// The pull that is shown at a position.
  private func pulled(_ position: Double) -> Double {
    let inside = min(max(position, 0), length)
    return inside + band.pull(for: position - inside)
  }
}

// SPDX-License-Identifier: MIT

/// A scrollable surface between two stops, with inertia and without detents, such as a list.
///
/// Calls must be in order of time. Positions are in design pixels, from 0 at the first stop to
/// `length` at the last.
///
///     resting ──grab──► held ──release──► moving ──────► resting
///                        ▲                  │ │
///                        └──────grab────────┘ └ against a stop: beyond it, and back
public struct Scroll: Hashable, Sendable {
  /// The position of the last stop.
  public let length: Double
  private let band: RubberBand
  private var state = State.resting(0)

  private enum State: Hashable {
    case resting(Double)
    case held(Hold)
    case moving(Trajectory)
  }

  private struct Hold: Hashable {
    /// Ignores the stops.
    var pull: Double
    var tracker = VelocityTracker()
  }

  /// In design pixels per second.
  private static let topSpeed = 30_000.0
  /// In design pixels per second.
  private static let minimumFlingSpeed = 50.0
  /// The distance that a glide may skip at its end, in design pixels.
  private static let unseen = 0.5
  private static let friction = Glide.Friction.normal
  /// Like a wheel's detents.
  private static let stopSpring = Spring.Tuning(damping: 1, frequency: 20)

  /// Creates a surface at rest at its first stop. Beyond its stops, it stretches by less than
  /// `reach`, which is above 0.
  public init(length: Double, reach: Double) {
    self.length = max(length.isFinite ? length : 0, 0)
    band = RubberBand(reach: reach)
  }

  /// Whether a finger holds the surface.
  public var isHeld: Bool {
    if case .held = state { true } else { false }
  }

  /// Whether the surface moves without a finger.
  public var isMoving: Bool {
    if case .moving = state { true } else { false }
  }

  /// Returns the seconds until the surface rests. Infinite while that is unknown: under a finger,
  /// or before it hits a stop.
  public func secondsToRest(at now: Instant) -> Double {
    switch state {
    case .resting: 0
    case .held, .moving(.caught): .infinity
    case .moving(let trajectory): max(trajectory.end - now, 0)
    }
  }

  /// Returns the position.
  public func position(at now: Instant) -> Double {
    switch state {
    case .resting(let position): position
    case .held(let hold): shown(hold.pull)
    case .moving(let trajectory): trajectory.position(at: now)
    }
  }

  /// Returns the target of a turn, otherwise the position.
  public func target(at now: Instant) -> Double {
    if case .moving(.approach(let approach)) = state { approach.target } else { position(at: now) }
  }

  /// Stops the surface under a finger. `reported` is the device's timestamp.
  public mutating func grab(at now: Instant, reported: Instant? = nil) {
    let position = position(at: now)
    var hold = Hold(pull: pulled(position))
    hold.tracker.add(position, at: reported ?? now)
    state = .held(hold)
  }

  /// Moves the surface with the finger.
  public mutating func drag(by distance: Double, at now: Instant, reported: Instant? = nil) {
    guard case .held(var hold) = state, distance.isFinite else { return }
    hold.pull += distance
    hold.tracker.add(shown(hold.pull), at: reported ?? now)
    state = .held(hold)
  }

  /// Moves a held surface without affecting its speed.
  public mutating func shift(by distance: Double) {
    guard case .held(var hold) = state, distance.isFinite else { return }
    hold.pull += distance
    state = .held(hold)
  }

  /// Releases the surface. Without momentum it stays, or returns to its stop.
  public mutating func release(at now: Instant, reported: Instant? = nil, hasMomentum: Bool = true)
  {
    guard case .held(let hold) = state else { return }
    let velocity = hasMomentum ? hold.tracker.velocity(at: reported ?? now) : 0
    move(
      from: shown(hold.pull), velocity: min(max(velocity, -Self.topSpeed), Self.topSpeed), at: now)
  }

  /// The motion may end at once if a stop is too near.
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
        // The surface is already at the stop.
        state = .moving(.spring(spring(from: position, velocity: velocity, to: near, at: now)))
      }
      return
    }
    // The glide ends when the remaining speed is no longer visible.
    let last = -rate * Self.unseen
    let target = end + (velocity < 0 ? Self.unseen : -Self.unseen)
    if let glide = Glide(
      from: position, velocity: velocity, landingOn: target, finalVelocity: last, at: now)
    {
      state = .moving(.glide(glide))
    }
  }

  /// Overshoots the stop no farther than the rubber band, like a wheel's spring.
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

  /// Moves to a position in `duration` seconds, even if a finger holds the surface.
  public mutating func turn(to position: Double, duration: Double, at now: Instant) {
    let target = min(max(position, 0), length)
    let (start, velocity) =
      if case .moving(let trajectory) = state {
        (trajectory.position(at: now), trajectory.velocity(at: now))
      } else { (self.position(at: now), 0.0) }
    state =
      start == target && velocity == 0
      ? .resting(target)
      : .moving(
        .approach(
          Approach(
            from: start, velocity: velocity, to: target, at: now, duration: duration)))
  }

  /// Ends the motion immediately: at the target of a turn, otherwise at the current position or the
  /// nearest stop.
  public mutating func finish(at now: Instant) {
    if case .moving(.approach(let approach)) = state {
      state = .resting(approach.target)
    } else {
      state = .resting(min(max(position(at: now), 0), length))
    }
  }

  /// The time when the motion ends or continues as another one, or nil at rest or while held.
  public var nextChange: Instant? {
    if case .moving(let trajectory) = state { trajectory.end } else { nil }
  }

  /// Advances to `now`.
  public mutating func advance(to now: Instant) {
    while case .moving(let trajectory) = state, trajectory.end <= now {
      if case .caught(let glide, let stop) = trajectory {
        state = .moving(
          .spring(
            spring(
              from: glide.target, velocity: glide.finalVelocity, to: stop, at: glide.end)))
      } else {
        state = .resting(trajectory.target)
      }
    }
  }

  /// Adopts the state of another surface within this one's stops.
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
    case .moving(let trajectory):
      let velocity = min(max(trajectory.velocity(at: now), -Self.topSpeed), Self.topSpeed)
      move(from: trajectory.position(at: now), velocity: velocity, at: now)
    }
  }

  private func shown(_ pull: Double) -> Double {
    let inside = min(max(pull, 0), length)
    return inside + band.stretch(for: pull - inside)
  }

  private func pulled(_ position: Double) -> Double {
    let inside = min(max(position, 0), length)
    return inside + band.pull(for: position - inside)
  }
}

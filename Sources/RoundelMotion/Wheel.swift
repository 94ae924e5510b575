// SPDX-License-Identifier: MIT

/// A wheel that a finger turns, with inertia, that comes to rest on a detent: a dial's face, a
/// picker's wheel.
///
/// Calls must be in order of time. Positions are in detents (see `Detents`).
///
///     resting ──grab──► held ──release──► moving ──────► resting   reported: settled
///        │               ▲                  │ │
///        │               └──────grab────────┘ └ against a stop: moving back to it
///        └──turn──► moving
///
/// A caught wheel stops immediately. Each motion starts with the current position and velocity.
public struct Wheel: Hashable, Sendable {
  /// How a released wheel slows down. With `none` it moves to the nearest detent.
  public enum Inertia: String, CaseIterable, Sendable {
    case normal, fast, none

    fileprivate var friction: Glide.Friction? {
      switch self {
      case .normal: .normal
      case .fast: .fast
      case .none: nil
      }
    }
  }

  /// A change that a wheel reports.
  public enum Change: Hashable, Sendable {
    /// A finger or momentum moved the wheel to another detent. Reported for each detent passed, but
    /// not for motion by command.
    case passing(index: Int, at: Instant)
    /// The wheel came to rest. Reported once per rest.
    case settled(index: Int, at: Instant)
  }

  /// The resting positions.
  public let detents: Detents
  /// How the wheel slows down when released.
  public let inertia: Inertia
  /// Design pixels between detents at the finger, to recognise invisible motions.
  private let pitch: Double
  /// In detents per second.
  private let topSpeed: Double
  private let band: RubberBand
  /// The last reported detent.
  private var detent: Int
  private var state = State.resting

  private enum State: Hashable {
    case resting
    case held(Hold)
    case moving(Trajectory, isSilent: Bool)
  }

  private struct Hold: Hashable {
    /// Ignores the stops.
    var pull: Double
    var tracker = VelocityTracker()
  }

  /// Creates a wheel at rest at `index`. `pitch` is in design pixels, `topSpeed` in pixels per
  /// second, and `reach`, the limit of its travel beyond the stops, in detents.
  public init(
    detents: Detents, index: Int = 0, inertia: Inertia = .normal, pitch: Double,
    topSpeed: Double = 30_000, reach: Double = 0.5
  ) {
    self.detents = detents
    self.inertia = inertia
    self.pitch = max(pitch, 0.01)
    self.topSpeed = topSpeed / self.pitch
    band = RubberBand(reach: reach)
    detent = min(max(index, 0), detents.count - 1)
  }

  /// The index of the current or nearest detent.
  public var index: Int { detents.index(of: detent) }

  /// The index of the detent where the wheel will rest, unless it is touched.
  public var destination: Int {
    if case .moving(let trajectory, _) = state { return detents.index(of: Int(trajectory.target)) }
    return index
  }

  /// Whether a finger holds the wheel.
  public var isHeld: Bool {
    if case .held = state { true } else { false }
  }

  /// Whether the wheel moves without a finger.
  public var isMoving: Bool {
    if case .moving = state { true } else { false }
  }

  /// Returns the position in detents.
  public func position(at now: Instant) -> Double {
    switch state {
    case .resting: Double(detent)
    case .held(let hold): shown(hold.pull)
    case .moving(let trajectory, _): trajectory.position(at: now)
    }
  }

  /// Returns the velocity in detents per second.
  public func velocity(at now: Instant) -> Double {
    switch state {
    case .resting: 0
    case .held(let hold): min(max(hold.tracker.velocity(at: now), -topSpeed), topSpeed)
    case .moving(let trajectory, _): trajectory.velocity(at: now)
    }
  }

  // MARK: Fingers

  /// Stops the wheel under a finger. `reported` is the device's timestamp.
  public mutating func grab(at now: Instant, reported: Instant? = nil) {
    let position = position(at: now)
    if case .moving(_, isSilent: true) = state { detent = detents.nearest(to: position) }
    var hold = Hold(pull: pulled(position))
    hold.tracker.add(position, at: reported ?? now)
    state = .held(hold)
  }

  /// Moves the wheel by `distance` detents with the finger, in O(n) in their number. `reported` is
  /// the device's timestamp, which determines the speed.
  public mutating func drag(
    by distance: Double, at now: Instant, reported: Instant? = nil, changes: inout [Change]
  ) {
    guard case .held(var hold) = state, distance.isFinite else { return }
    hold.pull += distance
    hold.tracker.add(shown(hold.pull), at: reported ?? now)
    state = .held(hold)
    pass(to: detents.nearest(to: shown(hold.pull)), at: now, &changes)
  }

  /// Moves a held wheel by `distance` detents. Nothing is reported, and the speed doesn't change.
  public mutating func shift(by distance: Double) {
    guard case .held(var hold) = state, distance.isFinite else { return }
    hold.pull += distance
    state = .held(hold)
  }

  /// Releases the wheel. After a cancelled touch it has no momentum.
  public mutating func release(
    at now: Instant, reported: Instant? = nil, isCancelled: Bool = false, changes: inout [Change]
  ) {
    guard isHeld else { return }
    let velocity = isCancelled || inertia == .none ? 0 : velocity(at: reported ?? now)
    move(along: trajectory(from: position(at: now), velocity: velocity, at: now), changes: &changes)
  }

  /// The motion to the detent nearest to a free glide's end: a spring if the velocity is too small
  /// for a glide.
  private func trajectory(from position: Double, velocity: Double, at now: Instant) -> Trajectory {
    let friction = inertia.friction ?? .fast
    let projection = friction.projection(from: position, velocity: velocity)
    if let stops = detents.stops, stops.contains(position), !stops.contains(projection) {
      let stop = projection < stops.lowerBound ? stops.lowerBound : stops.upperBound
      if let glide = Glide(
        from: position, velocity: velocity, against: stop, friction: friction, at: now)
      {
        return .caught(glide, by: stop)
      }
    }
    let target = Double(detents.nearest(to: projection))
    let carries = abs(target - position) <= 1.5 * abs(projection - position)
    if carries, abs(velocity) * pitch >= Self.minimumFlingSpeed,
      detents.nearest(to: position) != Int(target),
      let glide = Glide(
        from: position, velocity: velocity, landingOn: target - (target > position ? 0.5 : -0.5),
        finalVelocity: min(Self.catchingSpeed, 0.9 * abs(velocity)), at: now)
    {
      // Friction alone would take a second for the last half.
      return .caught(glide, by: target)
    }
    return spring(from: position, velocity: velocity, to: target, at: now)
  }

  /// Overshoots a stop no farther than the rubber band: a critically damped spring with the
  /// displacement y and the velocity v gets no farther than y + v/(eω).
  private func spring(
    from position: Double, velocity: Double, to target: Double, at now: Instant
  ) -> Trajectory {
    var velocity = velocity
    if let stops = detents.stops {
      let limit = 2.718 * Self.detentSpring.frequency
      let below = stops.lowerBound - band.reach
      let above = stops.upperBound + band.reach
      velocity = min(
        max(velocity, min(0, (below - position) * 0.9 * limit)),
        max(0, (above - position) * 0.9 * limit))
    }
    return .spring(
      Spring(
        from: position, velocity: velocity, to: target, at: now, tuning: Self.detentSpring,
        tolerance: min(0.25 / pitch, 0.05)))
  }

  /// In design pixels per second.
  private static let minimumFlingSpeed = 50.0
  /// In detents per second. At this speed, half a detent before a glide's end, the detent's spring
  /// replaces it.
  private static let catchingSpeed = 4.0
  private static let detentSpring = Spring.Tuning(damping: 1, frequency: 20)

  // MARK: Commands

  /// Turns to `index` in `duration` seconds the shortest way, without reporting detents.
  public mutating func turn(
    to index: Int, duration: Double, at now: Instant, changes: inout [Change]
  ) {
    let position = position(at: now)
    detent = detents.nearest(to: position)
    turn(
      from: position, velocity: velocity(at: now),
      to: detents.detent(of: index, closestTo: position), duration: duration, isSilent: true,
      at: now, &changes)
  }

  /// Turns by `distance` detents, clamped to the stops, reporting each. Ignored while the wheel moves.
  public mutating func send(
    by distance: Int, duration: Double, at now: Instant, changes: inout [Change]
  ) {
    guard !isMoving else { return }
    turn(
      from: position(at: now), velocity: 0, to: detents.clamped(detent + distance),
      duration: duration, isSilent: false, at: now, &changes)
  }

  /// The duration of a turn by one detent with a key, in seconds.
  public static let stepDuration = 0.2

  /// Turns by `distance` detents from the wheel's destination, clamped to the stops, reporting
  /// each. Returns false if the wheel is held or at a stop.
  ///
  /// Repeated steps add up. A step in the direction of motion takes the motion's remaining time,
  /// unless it would overshoot: over the distance w in the duration T with the velocity v, if vT >
  /// 2.5w.
  public mutating func step(
    by distance: Int, duration: Double, at now: Instant, changes: inout [Change]
  ) -> Bool {
    guard !isHeld else { return false }
    let (position, velocity) = (position(at: now), velocity(at: now))
    var (aim, duration) = (detent, duration)
    if case .moving(let trajectory, let isSilent) = state {
      aim = Int(trajectory.target)
      if isSilent { detent = detents.nearest(to: position) }
      let rest = Double(detents.clamped(aim + distance)) - position
      if velocity * rest > 0 {
        duration = max(duration, min(trajectory.end - now, 2.5 * rest / velocity))
      }
    }
    let target = detents.clamped(aim + distance)
    guard target != detents.clamped(aim) else { return false }
    turn(
      from: position, velocity: velocity, to: target, duration: duration, isSilent: false, at: now,
      &changes)
    return true
  }

  private mutating func turn(
    from position: Double, velocity: Double, to detent: Int, duration: Double, isSilent: Bool,
    at now: Instant, _ changes: inout [Change]
  ) {
    let target = Double(detent)
    if case .resting = state, target == position { return }
    guard target != position || velocity != 0 else { return settle(at: now, &changes) }
    let approach = Approach(
      from: position, velocity: velocity, to: target, at: now, duration: duration)
    move(along: .approach(approach), isSilent: isSilent, changes: &changes)
  }

  /// Moves the wheel immediately to its destination.
  public mutating func finish(at now: Instant, changes: inout [Change]) {
    release(at: now, isCancelled: true, changes: &changes)
    guard case .moving(let trajectory, let isSilent) = state else { return }
    arrive(Int(trajectory.target), isSilent: isSilent, at: now, &changes)
  }

  /// Adopts the state of `old`. Index i becomes `successor(i)`, clamped. From another position,
  /// motion continues with the same velocity.
  public mutating func resume(_ old: Wheel, at now: Instant, successor: (Int) -> Int) {
    func index(_ old: Int) -> Int { min(max(successor(old), 0), detents.count - 1) }
    let here = index(old.index)
    let destination = index(old.destination)
    if detents == old.detents, here == old.index, destination == old.destination {
      detent = old.detent
      state = old.state
      return
    }
    detent = here
    let position = Double(here) + old.position(at: now) - Double(old.detent)
    switch old.state {
    case .resting: state = .resting
    case .held:
      state = .held(Hold(pull: pulled(position)))
    case .moving(let trajectory, let isSilent):
      let velocity = min(max(trajectory.velocity(at: now), -topSpeed), topSpeed)
      if case .approach = trajectory {
        state = .moving(
          .approach(
            Approach(
              from: position, velocity: velocity,
              to: Double(detents.detent(of: destination, closestTo: position)), at: now,
              duration: max(trajectory.end - now, 1e-3))), isSilent: isSilent)
      } else {
        state = .moving(
          self.trajectory(from: position, velocity: velocity, at: now), isSilent: isSilent)
      }
    }
  }

  // MARK: Time

  /// Advances to `now` and reports each change with its exact time. O(n) in the changes.
  public mutating func advance(to now: Instant, changes: inout [Change]) {
    while case .moving(let trajectory, let isSilent) = state {
      if !isSilent, let (next, time) = nextPassing(on: trajectory), time <= now {
        pass(to: next, at: time, &changes)
      } else if trajectory.end > now {
        if isSilent { detent = detents.nearest(to: trajectory.position(at: now)) }
        return
      } else if case .caught(let glide, let target) = trajectory {
        pass(to: Int(target), at: glide.end, &changes)
        state = .moving(
          spring(from: glide.target, velocity: glide.finalVelocity, to: target, at: glide.end),
          isSilent: false)
      } else {
        arrive(Int(trajectory.target), isSilent: isSilent, at: trajectory.end, &changes)
      }
    }
  }

  /// The time of the next change, or nil at rest or while held.
  public var nextChange: Instant? {
    guard case .moving(let trajectory, let isSilent) = state else { return nil }
    return isSilent ? trajectory.end : nextPassing(on: trajectory)?.time ?? trajectory.end
  }

  /// Returns the next detent, and the time when it is reported.
  private func nextPassing(on trajectory: Trajectory) -> (detent: Int, time: Instant)? {
    let target = detents.clamped(Int(trajectory.target))
    guard target != detent else { return nil }
    let step = target > detent ? 1 : -1
    let time = trajectory.reaches(Double(detent) + 0.5 * Double(step)) ?? trajectory.start
    return (detent + step, time)
  }

  // MARK: Changes

  private mutating func move(
    along trajectory: Trajectory, isSilent: Bool = false, changes: inout [Change]
  ) {
    state = .moving(trajectory, isSilent: isSilent)
    advance(to: trajectory.start, changes: &changes)
  }

  private mutating func pass(to next: Int, at time: Instant, _ changes: inout [Change]) {
    while detent != next {
      detent += next > detent ? 1 : -1
      changes.append(.passing(index: index, at: time))
    }
  }

  private mutating func arrive(
    _ target: Int, isSilent: Bool, at time: Instant, _ changes: inout [Change]
  ) {
    if isSilent { detent = target } else { pass(to: target, at: time, &changes) }
    settle(at: time, &changes)
  }

  private mutating func settle(at time: Instant, _ changes: inout [Change]) {
    // Full turns are dropped to keep positions small.
    detent = index
    state = .resting
    changes.append(.settled(index: index, at: time))
  }

  /// Returns the displayed position, which the rubber band reduces beyond a stop.
  private func shown(_ pull: Double) -> Double {
    guard let stops = detents.stops else { return pull }
    let inside = min(max(pull, stops.lowerBound), stops.upperBound)
    return inside + band.stretch(for: pull - inside)
  }

  private func pulled(_ position: Double) -> Double {
    guard let stops = detents.stops else { return position }
    let inside = min(max(position, stops.lowerBound), stops.upperBound)
    return inside + band.pull(for: position - inside)
  }
}

// SPDX-License-Identifier: MIT

/// A wheel that a finger turns, that has inertia, and that comes to rest on a detent: a dial's face, a
/// picker's wheel.
///
/// Calls must be in order of time. Positions are in detents (see `Detents`).
///
///     resting ──grab──► held ──release──► moving ──────► resting   reported: settled
///        │               ▲                  │ │
///        │               └──────grab────────┘ └ against a stop: moving back to it
///        └──turn──► moving
///
/// A wheel that is caught stops where it is. Each motion starts with the present position and velocity.
public struct Wheel: Hashable, Sendable {
  /// How a released wheel slows down; `none` goes to the nearest detent.
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
    /// A finger or its momentum has moved the wheel to another detent. Reported for each detent on the
    /// way; motion by command is silent.
    case passing(index: Int, at: Instant)
    /// It has come to rest. Reported once for everything since the last rest.
    case settled(index: Int, at: Instant)
  }

  /// The places at which it may rest.
  public let detents: Detents
  /// How it slows down when released.
  public let inertia: Inertia
  /// Design pixels between two detents at the finger, by which motions too small to be seen are known.
  private let pitch: Double
  /// Detents a second.
  private let topSpeed: Double
  private let band: RubberBand
  /// The last detent that was reported.
  private var detent: Int
  private var state = State.resting

  private enum State: Hashable {
    case resting
    case held(Hold)
    case moving(Course, isSilent: Bool)
  }

  private struct Hold: Hashable {
    /// The finger's position, as if there were no stops.
    var pull: Double
    var tracker = VelocityTracker()
  }

  /// A wheel at rest at `index`. `pitch` is in design pixels, `topSpeed` in pixels a second, and
  /// `reach`, how far it gives beyond its stops, in detents.
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

  /// The index of the detent that it is at, or nearest to.
  public var index: Int { detents.index(of: detent) }

  /// The index at which it will rest unless it is touched.
  public var destination: Int {
    if case .moving(let course, _) = state { return detents.index(of: Int(course.target)) }
    return index
  }

  /// Whether a finger holds it.
  public var isHeld: Bool {
    if case .held = state { true } else { false }
  }

  /// Whether it moves by itself.
  public var isMoving: Bool {
    if case .moving = state { true } else { false }
  }

  /// The position in detents.
  public func position(at now: Instant) -> Double {
    switch state {
    case .resting: Double(detent)
    case .held(let hold): shown(hold.pull)
    case .moving(let course, _): course.position(at: now)
    }
  }

  /// Detents a second.
  public func velocity(at now: Instant) -> Double {
    switch state {
    case .resting: 0
    case .held(let hold): min(max(hold.tracker.velocity(at: now), -topSpeed), topSpeed)
    case .moving(let course, _): course.velocity(at: now)
    }
  }

  // MARK: Fingers

  /// Stops the wheel under a finger. `reported` is when the device reported the touch.
  public mutating func grab(at now: Instant, reported: Instant? = nil) {
    let position = position(at: now)
    if case .moving(_, isSilent: true) = state { detent = detents.nearest(to: position) }
    var hold = Hold(pull: pulled(position))
    hold.tracker.add(position, at: reported ?? now)
    state = .held(hold)
  }

  /// Moves the wheel with the finger, by `way` detents, in O(n) of these. `reported` is when the device
  /// reported the movement, which determines the speed.
  public mutating func drag(
    by way: Double, at now: Instant, reported: Instant? = nil, changes: inout [Change]
  ) {
    guard case .held(var hold) = state, way.isFinite else { return }
    hold.pull += way
    hold.tracker.add(shown(hold.pull), at: reported ?? now)
    state = .held(hold)
    pass(to: detents.nearest(to: shown(hold.pull)), at: now, &changes)
  }

  /// Moves a held wheel by `way` detents for a picture: nothing is reported, and its speed stays.
  public mutating func shift(by way: Double) {
    guard case .held(var hold) = state, way.isFinite else { return }
    hold.pull += way
    state = .held(hold)
  }

  /// Releases the wheel. A cancelled touch leaves it no momentum.
  public mutating func release(
    at now: Instant, reported: Instant? = nil, isCancelled: Bool = false, changes: inout [Change]
  ) {
    guard isHeld else { return }
    let velocity = isCancelled || inertia == .none ? 0 : velocity(at: reported ?? now)
    move(along: course(from: position(at: now), velocity: velocity, at: now), changes: &changes)
  }

  /// The motion from a position and a velocity to the detent nearest to where friction alone would
  /// end; a spring where the velocity is too small to carry it there.
  private func course(from position: Double, velocity: Double, at now: Instant) -> Course {
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

  /// A spring to a detent. Beyond a stop it moves no farther than the rubber band: a critically damped
  /// spring with the displacement y and the velocity v gets no farther than y + v/(eω).
  private func spring(
    from position: Double, velocity: Double, to target: Double, at now: Instant
  ) -> Course {
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

  /// The minimum speed of a fling, in design pixels a second.
  private static let minimumFlingSpeed = 50.0
  /// The speed, in detents a second, at which the detent's spring takes a glide over, half of one before its end:
  /// that at which the spring hardly changes it at first.
  private static let catchingSpeed = 4.0
  private static let detentSpring = Spring.Tuning(damping: 1, frequency: 20)

  // MARK: Commands

  /// Turns to `index` in `duration` seconds by the shortest way, without reporting detents.
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

  /// Turns by `way` detents, clamped to the stops, reporting each. Ignored while it moves.
  public mutating func send(
    by way: Int, duration: Double, at now: Instant, changes: inout [Change]
  ) {
    guard !isMoving else { return }
    turn(
      from: position(at: now), velocity: 0, to: detents.clamped(detent + way),
      duration: duration, isSilent: false, at: now, &changes)
  }

  /// Seconds in which a key turns a wheel by a detent.
  public static let stepDuration = 0.2

  /// Turns by `way` detents from where it is about to rest, clamped to the stops, reporting each. Returns
  /// false where it does not: it is held, or at a stop.
  ///
  /// Further steps on the way add up. One that is thrown takes as long as its motion would have, or less:
  /// an approach with a velocity v of the distance w and the duration T overshoots where vT > 2.5w.
  public mutating func step(
    by way: Int, duration: Double, at now: Instant, changes: inout [Change]
  ) -> Bool {
    guard !isHeld else { return false }
    let (position, velocity) = (position(at: now), velocity(at: now))
    var (aim, duration) = (detent, duration)
    if case .moving(let course, let isSilent) = state {
      aim = Int(course.target)
      if isSilent { detent = detents.nearest(to: position) }
      let rest = Double(detents.clamped(aim + way)) - position
      if velocity * rest > 0 {
        duration = max(duration, min(course.end - now, 2.5 * rest / velocity))
      }
    }
    let target = detents.clamped(aim + way)
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

  /// Moves it immediately to the detent at which it would have come to rest.
  public mutating func finish(at now: Instant, changes: inout [Change]) {
    release(at: now, isCancelled: true, changes: &changes)
    guard case .moving(let course, let isSilent) = state else { return }
    arrive(Int(course.target), isSilent: isSilent, at: now, &changes)
  }

  /// Takes over the state of `old`. Index i of `old` becomes `successor(i)`, clamped to the indices.
  /// Where that is another position, motion continues from there with the same velocity.
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
    case .moving(let course, let isSilent):
      let velocity = min(max(course.velocity(at: now), -topSpeed), topSpeed)
      if case .approach = course {
        state = .moving(
          .approach(
            Approach(
              from: position, velocity: velocity,
              to: Double(detents.detent(of: destination, closestTo: position)), at: now,
              duration: max(course.end - now, 1e-3))), isSilent: isSilent)
      } else {
        state = .moving(
          self.course(from: position, velocity: velocity, at: now), isSilent: isSilent)
      }
    }
  }

  // MARK: Time

  /// Advances to `now`, in O(n) of the changes, each of which has its exact moment.
  public mutating func advance(to now: Instant, changes: inout [Change]) {
    while case .moving(let course, let isSilent) = state {
      if !isSilent, let (next, time) = nextPassing(on: course), time <= now {
        pass(to: next, at: time, &changes)
      } else if course.end > now {
        if isSilent { detent = detents.nearest(to: course.position(at: now)) }
        return
      } else if case .caught(let glide, let target) = course {
        pass(to: Int(target), at: glide.end, &changes)
        state = .moving(
          spring(from: glide.target, velocity: glide.finalVelocity, to: target, at: glide.end),
          isSilent: false)
      } else {
        arrive(Int(course.target), isSilent: isSilent, at: course.end, &changes)
      }
    }
  }

  /// The next moment of a change; nil while it rests or is held.
  public var nextChange: Instant? {
    guard case .moving(let course, let isSilent) = state else { return nil }
    return isSilent ? course.end : nextPassing(on: course)?.time ?? course.end
  }

  /// The next detent on the way, and when it is reached.
  private func nextPassing(on course: Course) -> (detent: Int, time: Instant)? {
    let target = detents.clamped(Int(course.target))
    guard target != detent else { return nil }
    let step = target > detent ? 1 : -1
    let time = course.reaches(Double(detent) + 0.5 * Double(step)) ?? course.start
    return (detent + step, time)
  }

  // MARK: Changes

  private mutating func move(along course: Course, isSilent: Bool = false, changes: inout [Change])
  {
    state = .moving(course, isSilent: isSilent)
    advance(to: course.start, changes: &changes)
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

  /// The position shown for a pull, beyond a stop by the rubber band.
  private func shown(_ pull: Double) -> Double {
    guard let stops = detents.stops else { return pull }
    let inside = min(max(pull, stops.lowerBound), stops.upperBound)
    return inside + band.stretch(for: pull - inside)
  }

  /// The pull that is shown at a position.
  private func pulled(_ position: Double) -> Double {
    guard let stops = detents.stops else { return position }
    let inside = min(max(position, stops.lowerBound), stops.upperBound)
    return inside + band.pull(for: position - inside)
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelMotion

/// A number that a finger drags along a track.
///
///     resting ──down──► held ──up──► moving to the nearest step, or where it was tapped ──► resting
///        │               ▲              │                                           reported: settled
///        │               └─────down─────┘
///        └──set──► moving
struct Knob: Hashable {
  /// The last number that was passed, set, or reached at rest.
  private(set) var value: Double
  /// Whether a number was given, set or chosen.
  private(set) var hasValue: Bool
  private var state = State.resting
  private var waiting: Waiting?

  private enum State: Hashable {
    case resting
    case held(Grip)
    /// The spring's unit is steps.
    case moving(Spring, target: Double, isSilent: Bool)
  }

  /// A finger that hasn't grabbed the value, but may grab it or tap.
  private struct Waiting: Hashable {
    var finger: Int
    var start: Point
    var position: Point
    /// The deadline, or nil if the touch isn't a tap.
    var tapEnd: Instant?
    /// The time of the grab, or nil if the finger doesn't grab the value.
    var holdEnd: Instant?
  }

  private struct Grip: Hashable {
    var finger: Int
    var start: Point
    var tapEnd: Instant
    var hasMoved = false
    /// The movement before the value follows, or nil once the value follows.
    var slack: Double?
    /// The finger's coordinate, or nil if it has none.
    var coordinate: Double?
    /// The value's place without the track's ends, in the unit of its length.
    var pull: Double
  }

  /// The surroundings of a knob.
  struct Rail<Path: Track> {
    var path: Path
    var scale: Scale
    /// The steps that a finger can reach.
    var limits: ClosedRange<Double>
    /// The knob's name in events, or nil for an only knob.
    var item: String?
    var takesTaps: Bool
    /// Seconds before the value follows a finger.
    var hold: Double

    /// The steps that a spring may skip at its end: a quarter of a pixel.
    var tolerance: Double { min(0.25 * scale.span / max(path.pixels, 1e-6), 0.4) }
    var isPaired: Bool { item != nil }

    /// Clamps to a pair's limits.
    func number(nearest index: Int) -> Double {
      guard isPaired else { return scale.value(at: index) }
      return scale.value(
        at: Int(min(max(Double(index), limits.lowerBound), limits.upperBound)))
    }

    func position(of pull: Double) -> Double {
      min(max(pull / path.length * scale.span, limits.lowerBound), limits.upperBound)
    }
  }

  /// The movement after the grab, in design pixels.
  private static let restingSlack = 12.0
  /// The spring doesn't overshoot, which would show a wrong value.
  private static let spring = Spring.Tuning(damping: 1, duration: 0.35)

  init(at value: Double, hasValue: Bool = false) {
    self.value = value
    self.hasValue = hasValue
  }

  // MARK: Position

  /// The shown number, in steps.
  func position<Path>(on rail: Rail<Path>, at now: Instant) -> Double {
    switch state {
    case .resting: rail.scale.position(of: value)
    case .held(let grip):
      grip.hasMoved ? rail.position(of: grip.pull) : rail.scale.position(of: value)
    case .moving(let spring, _, _): min(max(spring.position(at: now), 0), rail.scale.span)
    }
  }

  var isHeld: Bool {
    if case .held = state { true } else { false }
  }

  var isMoving: Bool {
    if case .moving = state { true } else { false }
  }

  var isResting: Bool { state == .resting }

  /// The finger that holds the knob, or may grab it.
  var finger: Int? {
    if case .held(let grip) = state { grip.finger } else { waiting?.finger }
  }

  /// The number where the knob comes to rest if nothing happens.
  var destination: Double {
    if case .moving(_, let target, _) = state { target } else { value }
  }

  /// The start of a grab whose finger hasn't moved the value, or nil.
  var unmovedStart: Point? {
    if case .held(let grip) = state, !grip.hasMoved { grip.start } else { nil }
  }

  private func pull<Path>(of grip: Grip, to coordinate: Double?, _ rail: Rail<Path>) -> Double {
    guard let coordinate, let last = grip.coordinate else { return grip.pull }
    return rail.path.unwound(grip.pull + rail.path.movement(from: last, to: coordinate))
  }

  // MARK: Touch

  /// Handles a finger that comes down. `grabs` is whether it may grab the value.
  mutating func handleDown<Path>(
    _ touch: Touch, grabs: Bool, on rail: Rail<Path>, at now: Instant,
    events: inout [ControlEvent]
  ) {
    waiting = nil
    if grabs, rail.hold <= 0 {
      take(touch.finger, at: touch.position, on: rail, now, &events)
    } else if grabs || rail.takesTaps {
      waiting = Waiting(
        finger: touch.finger, start: touch.position, position: touch.position,
        tapEnd: rail.takesTaps ? now + Touch.tapDuration : nil,
        holdEnd: grabs ? now + rail.hold : nil)
    }
  }

  mutating func take<Path>(
    _ finger: Int, at point: Point, slack: Double? = nil, on rail: Rail<Path>, _ now: Instant,
    _ events: inout [ControlEvent]
  ) {
    let position = position(on: rail, at: now)
    catchSilentMotion(on: rail, at: now)
    let isBetween = state != .resting
    let isTap = rail.takesTaps && slack == nil
    state = .held(
      Grip(
        finger: finger, start: point,
        tapEnd: isTap ? now + Touch.tapDuration : Instant(microseconds: .min),
        // A value caught in motion stays at its current position.
        hasMoved: isBetween, slack: slack, coordinate: rail.path.coordinate(of: point),
        pull: position / rail.scale.span * rail.path.length))
    events.append(event("pressed", on: rail, at: now))
  }

  /// Takes the number at its current position.
  private mutating func catchSilentMotion<Path>(on rail: Rail<Path>, at now: Instant) {
    guard case .moving(_, _, isSilent: true) = state else { return }
    value = rail.number(nearest: rail.scale.index(at: position(on: rail, at: now)))
  }

  mutating func move<Path>(
    to point: Point, on rail: Rail<Path>, at now: Instant, events: inout [ControlEvent]
  ) {
    if waiting != nil {
      waiting?.position = point
      if let start = waiting?.start, !(point.distance(to: start) <= Touch.slop) {
        waiting?.tapEnd = nil
        waiting?.holdEnd = nil
      }
    }
    guard case .held(var grip) = state else { return }
    let coordinate = rail.path.coordinate(of: point)
    if let slack = grip.slack, point.distance(to: grip.start) <= slack {
      grip.coordinate = coordinate
      state = .held(grip)
      return
    }
    grip.slack = nil
    grip.pull = pull(of: grip, to: coordinate, rail)
    grip.coordinate = coordinate
    if point != grip.start { grip.hasMoved = true }
    if point.distance(to: grip.start) > Touch.slop { grip.tapEnd = Instant(microseconds: .min) }
    state = .held(grip)
    followLimits(on: rail, at: now, events: &events)
  }

  /// Moves a held number to its finger, up to the limits.
  mutating func followLimits<Path>(
    on rail: Rail<Path>, at now: Instant, events: inout [ControlEvent]
  ) {
    guard case .held(let grip) = state, grip.hasMoved else { return }
    pass(to: rail.position(of: grip.pull), on: rail, at: now, &events)
  }

  mutating func release<Path>(
    _ touch: Touch, on rail: Rail<Path>, at now: Instant, events: inout [ControlEvent]
  ) {
    if let waiting {
      self.waiting = nil
      if touch.phase == .up, let end = waiting.tapEnd, now <= end,
        let target = number(at: touch.position, on: rail)
      {
        catchSilentMotion(on: rail, at: now)
        events.append(event("pressed", on: rail, at: now))
        move(to: target, isSilent: false, on: rail, at: now, &events)
      }
    }
    guard case .held(let grip) = state else { return }
    if touch.phase == .up, now <= grip.tapEnd, let target = number(at: touch.position, on: rail) {
      move(to: target, isSilent: false, on: rail, at: now, &events)
    } else if grip.hasMoved {
      let target = rail.number(nearest: rail.scale.index(of: value))
      move(to: target, isSilent: false, on: rail, at: now, &events)
    } else {
      settle(at: value, on: rail, at: now, &events)
    }
  }

  /// Returns nil if the finger has no coordinate.
  private func number<Path>(at point: Point, on rail: Rail<Path>) -> Double? {
    rail.path.coordinate(of: point).map { coordinate in
      let position = rail.path.place(of: coordinate) / rail.path.length * rail.scale.span
      return rail.number(nearest: rail.scale.index(at: position))
    }
  }

  /// Counts from the current motion's destination. No effect while a finger holds the value.
  mutating func step<Path>(
    by offset: Int, on rail: Rail<Path>, at now: Instant, events: inout [ControlEvent]
  ) {
    let scale = rail.scale
    guard !isHeld else { return }
    let index = scale.index(of: destination)
    let (low, high) = (Int(rail.limits.lowerBound), Int(rail.limits.upperBound))
    let next = offset > 0 ? min(index + offset, high) : max(index + offset, low)
    guard offset > 0 ? next > index : next < index else { return }
    catchSilentMotion(on: rail, at: now)
    if state == .resting { events.append(event("pressed", on: rail, at: now)) }
    move(to: scale.value(at: next), isSilent: false, on: rail, at: now, &events)
  }

  mutating func follow<Path>(
    _ position: (_ finger: Int) -> Point?, on path: Path, _ scale: Scale
  ) where Path: Track {
    guard case .held(var grip) = state, grip.hasMoved, grip.slack == nil,
      let place = position(grip.finger)
    else { return }
    if let coordinate = path.coordinate(of: place), let last = grip.coordinate {
      grip.pull = path.unwound(grip.pull + path.movement(from: last, to: coordinate))
    }
    state = .held(grip)
  }

  mutating func letGo<Path>(on rail: Rail<Path>, at now: Instant, events: inout [ControlEvent]) {
    waiting = nil
    switch state {
    case .resting: break
    case .held: settle(at: value, on: rail, at: now, &events)
    case .moving(_, let target, let isSilent):
      if !isSilent { pass(to: rail.scale.position(of: target), on: rail, at: now, &events) }
      settle(at: target, on: rail, at: now, &events)
    }
  }

  // MARK: Changes

  private mutating func pass<Path>(
    to position: Double, on rail: Rail<Path>, at now: Instant, _ events: inout [ControlEvent]
  ) {
    let next = rail.scale.index(at: position)
    var index = rail.scale.index(of: value)
    while index != next {
      index += next > index ? 1 : -1
      value = rail.scale.value(at: index)
      events.append(event("passing", on: rail, at: now))
    }
  }

  mutating func settle<Path>(
    at target: Double, on rail: Rail<Path>, at now: Instant, _ events: inout [ControlEvent]
  ) {
    value = target
    hasValue = true
    state = .resting
    events.append(event("settled", on: rail, at: now))
  }

  /// Sets a number of the scale, reached by a spring. If a finger held the value, it no longer does.
  mutating func set<Path>(
    _ target: Double, isPushed: Bool = false, on rail: Rail<Path>, at now: Instant,
    events: inout [ControlEvent]
  ) {
    hasValue = true
    if state == .resting, target == value { return }
    move(
      to: target, isSilent: true, keepsVelocity: !isPushed, on: rail, at: now, &events)
  }

  /// Moves from the current position and velocity. A knob of a pair doesn't overshoot.
  private mutating func move<Path>(
    to target: Double, isSilent: Bool, keepsVelocity: Bool = true, on rail: Rail<Path>,
    at now: Instant, _ events: inout [ControlEvent]
  ) {
    var velocity = 0.0
    if keepsVelocity, case .moving(let spring, _, _) = state { velocity = spring.velocity(at: now) }
    let start = position(on: rail, at: now)
    let end = rail.scale.position(of: target)
    if rail.isPaired {
      let limit = Self.spring.frequency * (end - start)
      velocity = min(max(velocity, min(limit, 0)), max(limit, 0))
    }
    let spring = Spring(
      from: start, velocity: velocity, to: end, at: now, tuning: Self.spring,
      tolerance: rail.tolerance)
    // Of two numbers, the intermediate ones might be too close.
    if isSilent, rail.isPaired { value = target }
    state = .moving(spring, target: target, isSilent: isSilent)
    goOn(on: rail, to: now, &events)
  }

  /// Reports a motion's remaining steps at once.
  mutating func passRest<Path>(
    on rail: Rail<Path>, at now: Instant, events: inout [ControlEvent]
  ) {
    if case .moving(_, let target, isSilent: false) = state {
      pass(to: rail.scale.position(of: target), on: rail, at: now, &events)
    }
    skipRest()
  }

  /// Makes the number its destination, without a report. The knob still moves there.
  mutating func skipRest() { value = destination }

  /// Puts a knob at a number, without a report, or changes the end of its motion.
  mutating func place(at value: Double, position: Double, _ now: Instant) {
    switch state {
    case .resting, .held: self.value = value
    case .moving(let spring, _, let isSilent):
      if isSilent { self.value = value }
      state = .moving(
        spring.retargeted(to: position, at: now), target: value, isSilent: isSilent)
    }
  }

  private func event<Path>(_ name: String, on rail: Rail<Path>, at time: Instant) -> ControlEvent {
    ControlEvent(
      name, at: time, item: rail.item,
      fields: [
        Field("index", .integer(rail.scale.index(of: value))),
        Field("label", .text(Value.number(value).display)), Field("value", .number(value)),
      ], targets: [])
  }

  // MARK: Time

  /// Reports `passing` and `settled` during a motion, and lets a resting finger grab the value.
  mutating func advance<Path>(
    on rail: Rail<Path>, to now: Instant, events: inout [ControlEvent]
  ) {
    if let waiting, let end = waiting.holdEnd, end <= now {
      goOn(on: rail, to: end, &events)
      self.waiting = nil
      take(
        waiting.finger, at: waiting.position, slack: Self.restingSlack, on: rail, end, &events)
    }
    goOn(on: rail, to: now, &events)
  }

  private mutating func goOn<Path>(
    on rail: Rail<Path>, to now: Instant, _ events: inout [ControlEvent]
  ) {
    guard case .moving(let spring, let target, let isSilent) = state else { return }
    let scale = rail.scale
    if !isSilent {
      while let time = nextPassing(on: scale), time <= now {
        let index = scale.index(of: value)
        value = scale.value(at: index + (scale.position(of: target) > Double(index) ? 1 : -1))
        events.append(event("passing", on: rail, at: time))
      }
    }
    if spring.isSettled(at: now) {
      if !isSilent { pass(to: scale.position(of: target), on: rail, at: spring.end, &events) }
      settle(at: target, on: rail, at: spring.end, &events)
    } else if isSilent, !rail.isPaired {
      value = scale.value(at: scale.index(at: position(on: rail, at: now)))
    }
  }

  /// The time of the next step, or nil if the motion passes no more steps.
  private func nextPassing(on scale: Scale) -> Instant? {
    guard case .moving(let spring, let target, isSilent: false) = state else { return nil }
    let index = scale.index(of: value)
    let last = scale.index(of: target)
    guard index != last else { return nil }
    return spring.reaches(Double(index) + (last > index ? 0.5 : -0.5)) ?? spring.end
  }

  /// The next step, rest, or grab by a resting finger.
  func nextChange(on scale: Scale) -> Instant? {
    guard case .moving(let spring, _, _) = state else { return waiting?.holdEnd }
    let next = nextPassing(on: scale) ?? spring.end
    return waiting?.holdEnd.map { min($0, next) } ?? next
  }

  // MARK: Reload

  /// `fitted` returns the nearest number of the new scale. `isSameScale` and `isSameLength` compare
  /// with the former track.
  mutating func resume<Path>(
    _ old: Knob, from oldScale: Scale, on rail: Rail<Path>, isSameScale: Bool, isSameLength: Bool,
    fitted: (Double) -> Double, at now: Instant
  ) {
    waiting = old.waiting
    value = isSameScale ? old.value : fitted(old.value)
    hasValue = hasValue || old.hasValue
    let scale = rail.scale
    switch old.state {
    case .resting: state = .resting
    case .held(var grip):
      // A finger keeps its grip if the track changed.
      if !isSameScale || !isSameLength {
        grip.pull = scale.position(of: value) / scale.span * rail.path.length
      }
      state = .held(grip)
    case .moving(let spring, let target, let isSilent):
      guard !isSameScale else {
        state = old.state
        return
      }
      let (end, tolerance) = (scale.position(of: fitted(target)), rail.tolerance)
      var start = scale.position(of: oldScale.minimum + spring.position(at: now) * oldScale.step)
      // The motion must not end now, when its end can't be reported.
      if abs(start - end) <= tolerance { start = end + 2 * tolerance * (end > 0 ? -1 : 1) }
      state = .moving(
        Spring(from: start, to: end, at: now, tuning: Self.spring, tolerance: tolerance),
        target: fitted(target), isSilent: isSilent)
    }
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
public import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// A number on an arc: a gauge, a progress indicator, or a slider that a finger drags along the arc.
///
///     resting ──down──► held ──up──► moving to the nearest step, or where it was tapped ──► resting
///        │               ▲              │                                           reported: settled
///        │               └─────down─────┘
///        └──set──► moving
///
/// The value follows the finger's direction. It stops at the ends of the arc: a finger that crosses
/// the gap between them must return.
///
/// `grab`, `takesTaps` and `hold` guard a ring against accidental touches. An ignored touch reports
/// nothing, and controls behind the arc don't receive it.
public struct Ring: TurnedControl, Hashable {
  /// A section of the scale with its own colour.
  public struct Band: Hashable, Sendable {
    /// The end of the band. It begins at the end of the previous band, or at the minimum.
    public var end: Double
    /// The colour.
    public var color: ThemeColor

    /// Creates a band up to `end`.
    public init(to end: Double, color: ThemeColor) {
      self.end = end
      self.color = color
    }
  }

  /// Lines along the inside of the arc.
  public struct Ticks: Hashable, Sendable {
    /// The distance between two lines, in units of the value.
    public var every: Double
    /// The distance between two labelled lines, or nil for no labels.
    public var labelEvery: Double?

    /// Creates ticks. A distance is ignored if it isn't above 0, or needs more than `maximumCount`
    /// lines.
    public init(every: Double, labelEvery: Double? = nil) {
      self.every = every
      self.labelEvery = labelEvery
    }

    /// The maximum number of lines or labels.
    public static let maximumCount = 1_000

    /// Returns the multiples of a distance on a scale, as factors of the distance, or nil if the
    /// distance is ignored.
    static func multiples(of distance: Double, on scale: Scale) -> ClosedRange<Int>? {
      guard distance > 0, distance.isFinite else { return nil }
      let first = Scale.count(from: 0, by: distance, to: scale.minimum).rounded(.up)
      let last = Scale.count(from: 0, by: distance, to: scale.maximum).rounded(.down)
      guard first <= last, last - first <= Double(maximumCount), max(abs(first), abs(last)) < 0x1p53
      else { return nil }
      return Int(first)...Int(last)
    }
  }

  /// The area that lets a finger grab the value.
  public enum Grab: String, Hashable, Sendable, CaseIterable {
    case arc
    case knob
  }

  /// The centre of the arc, in design pixels.
  public package(set) var center: Point
  /// The outer radius, in design pixels.
  public let radius: Double
  /// The width of the arc, at most the radius.
  public let thickness: Double
  /// The direction of the minimum.
  public package(set) var from: Angle
  /// The direction of the maximum: clockwise from `from`, or counterclockwise if it is less.
  public package(set) var to: Angle
  /// The numbers that a finger can choose.
  public private(set) var scale: Scale
  /// Whether a `value` may be set to a number between two steps.
  public private(set) var isContinuous: Bool
  /// The defaults are 0, 100, and a step derived from the range.
  package var minimum: Double? {
    get { ends.low }
    set { ends.low = newValue ?? Ends().low }
  }
  package var maximum: Double? {
    get { ends.high }
    set { ends.high = newValue ?? Ends().high }
  }
  var numberStep: Double?
  private var ends = Ends()
  private struct Ends: Hashable {
    var low = 0.0
    var high = 100.0
  }
  /// The number, or nil to use the minimum.
  package var firstValue: Double?
  /// Whether fingers can drag the value. Otherwise, touches pass through.
  public package(set) var isInteractive: Bool
  /// The area that lets a finger grab the value.
  public package(set) var grab = Grab.arc
  /// Whether a tap on the arc moves the value there.
  public package(set) var takesTaps = true
  /// The rest time before the value follows a finger, in seconds.
  public package(set) var hold = 0.0
  /// Whether the ring is a spinner without a value. Touches pass through.
  public package(set) var isSpinning: Bool
  /// Whether a needle points at the value.
  public package(set) var hasNeedle: Bool
  /// The bands in ascending order.
  public package(set) var bands: [Band]
  var explicitBands: [Band]? {
    get { bands.isEmpty ? nil : bands }
    set { bands = newValue ?? [] }
  }
  /// The ticks, or nil for no ticks.
  public package(set) var ticks: Ticks?
  /// The colour of the filled part.
  public package(set) var color: ThemeColor
  /// The colour of the rest of the arc.
  public package(set) var track: ThemeColor
  /// The maximum em size of the text, or nil to derive it from the radius.
  public package(set) var fontSize: Double?
  /// The colour of the text, or nil for contrast with the background.
  public package(set) var textColor: ThemeColor?
  /// The current text in the centre.
  public private(set) var text: String
  private let initialText: String
  private(set) var tickLabels: [String] = []
  private(set) var longestTickLabel = 0

  /// The last number that was passed, set, or reached at rest.
  private var value: Double
  /// Until a number is given, set or chosen, the ring shows only its scale.
  private(set) var hasValue: Bool
  private var state = State.resting

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
  private var waiting: Waiting?

  private struct Grip: Hashable {
    var finger: Int
    var start: Point
    var tapEnd: Instant
    var hasMoved = false
    /// The movement before the value follows, or nil once the value follows.
    var slack: Double?
    /// The direction, or nil near the centre.
    var direction: Angle?
    /// The position of the value if the arc had no ends, in radians along the arc.
    var pull: Double
  }

  /// Creates a ring at rest, by default 14 % of the radius thick. `from` and `to` must not be
  /// equal.
  public init(
    center: Point, radius: Double, thickness: Double? = nil, from: Angle = .degrees(-135),
    to: Angle = .degrees(135), scale: Scale, isContinuous: Bool = false, value: Double? = nil,
    isInteractive: Bool = true, isSpinning: Bool = false, hasNeedle: Bool = false,
    bands: [Band] = [], ticks: Ticks? = nil, color: ThemeColor = .accent,
    track: ThemeColor = .surface, text: String = "", fontSize: Double? = nil,
    textColor: ThemeColor? = nil
  ) {
    precondition(from != to, "an arc needs two ends")
    self.center = center
    self.radius = radius
    self.thickness = min(thickness ?? radius * Self.standardThickness, radius)
    self.from = from
    self.to = to
    self.scale = scale
    self.isContinuous = isContinuous
    self.isInteractive = isInteractive
    self.isSpinning = isSpinning
    self.hasNeedle = hasNeedle
    self.bands = bands
    self.ticks = ticks
    self.color = color
    self.track = track
    self.fontSize = fontSize
    self.textColor = textColor
    initialText = text
    self.text = text
    ends = Ends(low: scale.minimum, high: scale.maximum)
    numberStep = isContinuous ? nil : scale.step
    firstValue = value
    self.value = scale.minimum
    hasValue = value != nil
    labelTicks()
    self.value = fitted(value ?? scale.minimum)
  }

  private mutating func labelTicks() {
    tickLabels =
      ticks?.labelEvery.map { every in
        Ticks.multiples(of: every, on: scale).map { multiples in
          multiples.map { Value.number(Scale.value(0, every, Double($0))).display }
        } ?? []
      } ?? []
    longestTickLabel = tickLabels.reduce(0) { max($0, $1.count) }
  }

  package mutating func keysChanged(since old: Ring?, at now: Instant) {
    if ends != old?.ends || numberStep != old?.numberStep {
      let (low, high) = (ends.low, ends.high)
      let other =
        numberStep.map { Scale(from: low, to: high, step: $0) } ?? Scale(from: low, to: high)
      scale = other ?? scale
      isContinuous = numberStep == nil
    }
    if ticks != old?.ticks || scale != old?.scale { labelTicks() }
    guard let old else {
      value = fitted(firstValue ?? scale.minimum)
      hasValue = firstValue != nil
      return
    }
    resume(old, at: now)
  }

  /// A continuous ring also allows numbers between steps.
  private func fitted(_ value: Double) -> Double {
    let clamped = scale.clamped(value)
    return isContinuous ? clamped : scale.value(at: scale.index(of: clamped))
  }

  /// A fraction of the radius.
  static let standardThickness = 0.14
  /// The movement after the grab, in design pixels.
  private static let restingSlack = 12.0
  /// The spring doesn't overshoot, which would show a wrong value.
  private static let spring = Spring.Tuning(damping: 1, duration: 0.35)

  // MARK: Geometry

  /// The length of the arc, as an angle above 0.
  private var sweep: Double { abs((to - from).radians) }
  /// 1 if the arc goes clockwise, otherwise −1.
  private var sense: Double { to > from ? 1 : -1 }
  var isClosed: Bool { sweep > 2 * .pi - 1e-9 }
  var middleRadius: Double { radius - thickness / 2 }
  /// The number of steps that a spring may skip at its end: a quarter of a pixel.
  private var tolerance: Double { min(0.25 * scale.span / max(sweep * middleRadius, 1e-6), 0.4) }
  /// The distance in design pixels.
  private var margin: Double { max(thickness / 2, radius * 0.08) }
  /// Radians along the arc.
  private var lastPull: Double { sweep * Double(scale.lastIndex) / scale.span }

  /// The direction of a position in steps.
  func angle(of position: Double) -> Angle { from + (to - from) * (position / scale.span) }

  func pointOnArc(of position: Double) -> Point { center + angle(of: position).unit * middleRadius }

  /// Returns radians along the arc, in the gap the nearer end.
  private func along(_ direction: Angle) -> Double {
    let offset = (Angle(radians: sense * (direction - from).radians)).normalized.radians
    guard offset > sweep else { return offset }
    return offset - sweep < 2 * .pi - offset ? sweep : 0
  }

  /// Whether `point` is on the arc or its round ends.
  public func contains(_ point: Point, at now: Instant) -> Bool {
    distance(to: point, at: now) == 0
  }

  /// Returns the distance of a finger from the arc, or nil if it is too far.
  public func distance(to point: Point, at now: Instant) -> Double? {
    guard isInteractive, !isSpinning else { return nil }
    let offset = point.distance(to: center)
    guard offset.isFinite else { return nil }
    let half = thickness / 2
    var distance = abs(offset - middleRadius)
    if !isClosed {
      let offset = Angle(radians: sense * (Angle(of: point - center) - from).radians).normalized
      if offset.radians > sweep {
        distance = min(
          point.distance(to: pointOnArc(of: 0)), point.distance(to: pointOnArc(of: scale.span)))
      }
    }
    let outside = max(distance - half, 0)
    return outside <= margin ? outside : nil
  }

  private func grabs(_ point: Point, at now: Instant) -> Bool {
    grab == .arc || point.distance(to: pointOnArc(of: position(at: now))) <= knobReach
  }

  var knobReach: Double { thickness / 2 + margin }

  /// Whether a finger at `point` could grab the value or tap.
  public func answers(_ point: Point, at now: Instant) -> Bool {
    takesTaps || grabs(point, at: now)
  }

  // MARK: Position

  /// The shown number, in steps.
  func position(at now: Instant) -> Double {
    switch state {
    case .resting: scale.position(of: value)
    case .held(let grip): grip.hasMoved ? position(of: grip.pull) : scale.position(of: value)
    case .moving(let spring, _, _): min(max(spring.position(at: now), 0), scale.span)
    }
  }

  private func position(of pull: Double) -> Double {
    min(max(pull, 0), lastPull) / sweep * scale.span
  }

  var isHeld: Bool {
    if case .held = state { true } else { false }
  }

  /// A full turn beyond an end is dropped, because the finger is at that end again.
  private func pull(of grip: Grip, to direction: Angle?) -> Double {
    guard let direction, let last = grip.direction else { return grip.pull }
    var pull = grip.pull + sense * direction.turn(from: last).radians
    if pull > sweep + 2 * .pi { pull -= 2 * .pi }
    if pull < -2 * .pi { pull += 2 * .pi }
    return pull
  }

  // MARK: Touch

  /// Reports `pressed` when a finger grabs the value or taps, then `passing` for each step.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    if case .held(let grip) = state, grip.finger != touch.finger { return }
    if let waiting, waiting.finger != touch.finger { return }
    switch touch.phase {
    case .down:
      waiting = nil
      let grabs = grabs(touch.position, at: now)
      if grabs, hold <= 0 {
        take(touch.finger, at: touch.position, now, &events)
      } else if grabs || takesTaps {
        waiting = Waiting(
          finger: touch.finger, start: touch.position, position: touch.position,
          tapEnd: takesTaps ? now + Touch.tapDuration : nil, holdEnd: grabs ? now + hold : nil)
      }
    case .move: move(to: touch.position, at: now, &events)
    case .up, .cancel: release(touch, at: now, &events)
    }
  }

  private mutating func take(
    _ finger: Int, at point: Point, slack: Double? = nil, _ now: Instant,
    _ events: inout [ControlEvent]
  ) {
    let position = position(at: now)
    if case .moving(_, _, isSilent: true) = state {
      value = scale.value(at: scale.index(at: position))
    }
    let isBetween = state != .resting
    let isTap = takesTaps && slack == nil
    state = .held(
      Grip(
        finger: finger, start: point,
        tapEnd: isTap ? now + Touch.tapDuration : Instant(microseconds: .min),
        // A value caught in motion stays at its current position.
        hasMoved: isBetween, slack: slack, direction: direction(of: point),
        pull: position / scale.span * sweep))
    events.append(event("pressed", at: now))
  }

  private mutating func move(to point: Point, at now: Instant, _ events: inout [ControlEvent]) {
    if waiting != nil {
      waiting?.position = point
      if let start = waiting?.start, !(point.distance(to: start) <= Touch.slop) {
        waiting?.tapEnd = nil
        waiting?.holdEnd = nil
      }
    }
    guard case .held(var grip) = state else { return }
    let direction = direction(of: point)
    if let slack = grip.slack, point.distance(to: grip.start) <= slack {
      grip.direction = direction
      state = .held(grip)
      return
    }
    grip.slack = nil
    grip.pull = pull(of: grip, to: direction)
    grip.direction = direction
    if point != grip.start { grip.hasMoved = true }
    if point.distance(to: grip.start) > Touch.slop { grip.tapEnd = Instant(microseconds: .min) }
    state = .held(grip)
    if grip.hasMoved { pass(to: position(of: grip.pull), at: now, &events) }
  }

  private mutating func release(_ touch: Touch, at now: Instant, _ events: inout [ControlEvent]) {
    if let waiting {
      self.waiting = nil
      if touch.phase == .up, let end = waiting.tapEnd, now <= end { tap(touch, at: now, &events) }
    }
    guard case .held(let grip) = state else { return }
    if touch.phase == .up, now <= grip.tapEnd, let target = number(at: touch.position) {
      move(to: target, isSilent: false, at: now, &events)
    } else if grip.hasMoved {
      move(to: scale.value(at: scale.index(of: value)), isSilent: false, at: now, &events)
    } else {
      settle(at: value, at: now, &events)
    }
  }

  private mutating func tap(_ touch: Touch, at now: Instant, _ events: inout [ControlEvent]) {
    guard let target = number(at: touch.position) else { return }
    if case .moving(_, _, isSilent: true) = state {
      value = scale.value(at: scale.index(at: position(at: now)))
    }
    events.append(event("pressed", at: now))
    move(to: target, isSilent: false, at: now, &events)
  }

  /// Returns the number, or nil if the finger is too close to the centre.
  private func number(at point: Point) -> Double? {
    direction(of: point).map { direction in
      scale.value(at: scale.index(at: along(direction) / sweep * scale.span))
    }
  }

  /// Moves by `offset` steps from the destination of the current motion, unless a finger holds the
  /// value.
  mutating func step(by offset: Int, at now: Instant, events: inout [ControlEvent]) {
    var index = scale.index(of: value)
    switch state {
    case .held: return
    case .moving(_, let target, isSilent: false): index = scale.index(of: target)
    case .moving(_, let target, isSilent: true):
      value = scale.value(at: scale.index(at: position(at: now)))
      index = scale.index(of: target)
    case .resting: break
    }
    let next = min(max(index + offset, 0), scale.lastIndex)
    guard next != index else { return }
    if state == .resting { events.append(event("pressed", at: now)) }
    move(to: scale.value(at: next), isSilent: false, at: now, &events)
  }

  /// Moves the value with its finger.
  public mutating func follow(_ position: (_ finger: Int) -> Point?, at now: Instant) {
    guard case .held(var grip) = state, grip.hasMoved, grip.slack == nil,
      let place = position(grip.finger)
    else { return }
    grip.pull = pull(of: grip, to: direction(of: place))
    state = .held(grip)
  }

  /// Releases the value and stops it immediately.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {
    waiting = nil
    switch state {
    case .resting: break
    case .held: settle(at: value, at: now, &events)
    case .moving(_, let target, let isSilent):
      if !isSilent { pass(to: scale.position(of: target), at: now, &events) }
      settle(at: target, at: now, &events)
    }
  }

  // MARK: Changes

  private mutating func pass(to position: Double, at now: Instant, _ events: inout [ControlEvent]) {
    let next = scale.index(at: position)
    var index = scale.index(of: value)
    while index != next {
      index += next > index ? 1 : -1
      value = scale.value(at: index)
      events.append(event("passing", at: now))
    }
  }

  private mutating func settle(at target: Double, at now: Instant, _ events: inout [ControlEvent]) {
    value = target
    hasValue = true
    state = .resting
    events.append(event("settled", at: now))
  }

  /// Moves from the current position and velocity.
  private mutating func move(
    to target: Double, isSilent: Bool, at now: Instant, _ events: inout [ControlEvent]
  ) {
    var velocity = 0.0
    if case .moving(let spring, _, _) = state { velocity = spring.velocity(at: now) }
    let spring = Spring(
      from: position(at: now), velocity: velocity, to: scale.position(of: target), at: now,
      tuning: Self.spring, tolerance: tolerance)
    state = .moving(spring, target: target, isSilent: isSilent)
    advance(to: now, events: &events)
  }

  private func event(_ name: String, at time: Instant) -> ControlEvent {
    ControlEvent(
      name, at: time,
      fields: [
        Field("index", .integer(scale.index(of: value))), Field("label", .text(label)),
        Field("value", .number(value)),
      ])
  }

  var label: String { Value.number(value).display }

  // MARK: Time

  /// Reports `passing` and `settled` during a motion, and lets a resting finger grab the value.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    if let waiting, let end = waiting.holdEnd, end <= now {
      goOn(to: end, &events)
      self.waiting = nil
      take(waiting.finger, at: waiting.position, slack: Self.restingSlack, end, &events)
    }
    goOn(to: now, &events)
  }

  private mutating func goOn(to now: Instant, _ events: inout [ControlEvent]) {
    guard case .moving(let spring, let target, let isSilent) = state else { return }
    if !isSilent {
      while let time = nextPassing, time <= now {
        let index = scale.index(of: value)
        value = scale.value(at: index + (scale.position(of: target) > Double(index) ? 1 : -1))
        events.append(event("passing", at: time))
      }
    }
    if spring.isSettled(at: now) {
      if !isSilent { pass(to: scale.position(of: target), at: spring.end, &events) }
      settle(at: target, at: spring.end, &events)
    } else if isSilent {
      value = scale.value(at: scale.index(at: position(at: now)))
    }
  }

  /// The time of the next step, or nil if the motion passes no more steps.
  private var nextPassing: Instant? {
    guard case .moving(let spring, let target, isSilent: false) = state else { return nil }
    let index = scale.index(of: value)
    let last = scale.index(of: target)
    guard index != last else { return nil }
    return spring.reaches(Double(index) + (last > index ? 0.5 : -0.5)) ?? spring.end
  }

  /// The time of the next step or rest, or when a resting finger grabs the value.
  public func nextChange(after now: Instant) -> Instant? {
    guard case .moving(let spring, _, _) = state else { return waiting?.holdEnd }
    let next = nextPassing ?? spring.end
    return waiting?.holdEnd.map { min($0, next) } ?? next
  }

  /// Whether the ring moves without a finger.
  public func isMoving(at now: Instant) -> Bool {
    if case .moving = state { return true }
    return isSpinning
  }

  // MARK: State

  /// A set value is clamped to the scale, rounded to a step unless the ring is continuous, and
  /// reached by a spring.
  package static let interface = Interface<Ring>(
    properties: [
      Property("value") { ring, _ in
        ring.value
      } set: { (ring, number: Double, at, events) throws(InvalidValueError) in
        guard number.isFinite else { throw InvalidValueError("a finite number") }
        let clamped = ring.scale.clamped(number)
        let target =
          ring.isContinuous ? clamped : ring.scale.value(at: ring.scale.index(of: clamped))
        ring.hasValue = true
        // If a finger held the value, it no longer does.
        if ring.state == .resting, target == ring.value { return }
        ring.move(to: target, isSilent: true, at: at.now, &events)
      },
      Property("text") { ring, _ in
        ring.text
      } set: { (ring, value: Value, _, _) throws(InvalidValueError) in
        ring.text = try Label.shown(value)
      }.free(),
    ],
    events: EventType.turning([.index, .label, .value.of(.number)]))

  /// Continues the state of `old`. The value is fitted to the new scale.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Ring else { return }
    if initialText == old.initialText { text = old.text }
    waiting = old.waiting
    let isSame = scale == old.scale && isContinuous == old.isContinuous
    value = isSame ? old.value : fitted(old.value)
    hasValue = hasValue || old.hasValue
    switch old.state {
    case .resting: state = .resting
    case .held(var grip):
      // A finger keeps its grip if the arc changed.
      if !isSame || sweep != old.sweep {
        grip.pull = scale.position(of: value) / scale.span * sweep
      }
      state = .held(grip)
    case .moving(let spring, let target, let isSilent):
      if isSame {
        state = old.state
      } else {
        let end = scale.position(of: fitted(target))
        var start = scale.position(
          of: old.scale.minimum + spring.position(at: now) * old.scale.step)
        // The motion must not end now, when its end can't be reported.
        if abs(start - end) <= tolerance { start = end + 2 * tolerance * (end > 0 ? -1 : 1) }
        state = .moving(
          Spring(from: start, to: end, at: now, tuning: Self.spring, tolerance: tolerance),
          target: fitted(target), isSilent: isSilent)
      }
    }
  }
}

extension Ring {
  /// The centre, or the point of the value for `knob`, or the point of a number.
  public func place(of item: String?, at now: Instant) -> Point? {
    guard let item else { return center }
    if item == "knob" { return pointOnArc(of: position(at: now)) }
    guard let number = Double(item), number.isFinite, scale.clamped(number) == number else {
      return nil
    }
    return pointOnArc(of: scale.position(of: number))
  }

  /// Whether fingers can drag the value.
  public var takesKeys: Bool { isInteractive && !isSpinning }

  /// The text in the centre, otherwise the value.
  public func wording(of item: String?, at now: Instant) -> Wording {
    isSpinning ? Wording(label: text) : Wording(value: text.isEmpty ? label : text)
  }

  /// The knob, if fingers can drag it.
  public func items(at now: Instant) -> [ControlItem] {
    takesKeys ? [ControlItem("knob", at: pointOnArc(of: position(at: now)))] : []
  }
}

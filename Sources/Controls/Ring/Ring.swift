// SPDX-License-Identifier: MIT

internal import Declarations
public import Drawing
internal import Expressions
public import Geometry
public import Motion

/// A number on an arc: a gauge, the progress of something, or a slider that a finger drags along the arc.
///
///     resting ──down──► held ──up──► moving to the nearest step, or where it was tapped ──► resting
///        │               ▲              │                                           reported: settled
///        │               └─────down─────┘
///        └──set──► moving
///
/// The finger grabs the arc wherever it is, and the value follows its direction about the centre. It stops
/// at the ends of the arc: a finger that crosses the gap between them has to come back.
///
/// A ring can be guarded against stray hands by `grab`, `takesTaps` and `hold`. A touch that it does not
/// take reports nothing and does not reach what lies behind the arc.
public struct Ring: KeyedControl, Hashable {
  /// A part of the scale in a colour of its own.
  public struct Band: Hashable, Sendable {
    /// Where it ends. It begins where the one before it ends, or at the minimum.
    public var end: Double
    /// Its colour.
    public var color: ThemeColor

    /// A band up to `end`.
    public init(to end: Double, color: ThemeColor) {
      self.end = end
      self.color = color
    }
  }

  /// Lines along the inside of the arc.
  public struct Ticks: Hashable, Sendable {
    /// The distance of two lines, in the unit of the value.
    public var every: Double
    /// The same of the lines that have their number beside them; nil for none.
    public var labelEvery: Double?

    /// Lines at the multiples of `every`, and numbers at the multiples of `labelEvery`. A distance is ignored
    /// if it isn't above 0, or if it would need more than `maximumCount` lines.
    public init(every: Double, labelEvery: Double? = nil) {
      self.every = every
      self.labelEvery = labelEvery
    }

    /// The maximum number of lines or labels.
    public static let maximumCount = 1_000

    /// The multiples of a distance on a scale, as factors of the distance, or nil if the distance is ignored or
    /// the scale has no multiple of it.
    static func multiples(of distance: Double, on scale: Scale) -> ClosedRange<Int>? {
      guard distance > 0, distance.isFinite else { return nil }
      let first = Scale.count(from: 0, by: distance, to: scale.minimum).rounded(.up)
      let last = Scale.count(from: 0, by: distance, to: scale.maximum).rounded(.down)
      guard first <= last, last - first <= Double(maximumCount), max(abs(first), abs(last)) < 0x1p53
      else { return nil }
      return Int(first)...Int(last)
    }
  }

  /// Where a finger can take hold of the value.
  public enum Grab: String, Hashable, Sendable, CaseIterable {
    /// Anywhere on the arc.
    case arc
    /// Near the place of the value.
    case knob
  }

  /// The centre of the arc, in design pixels.
  public package(set) var center: Point
  /// The outer radius, in design pixels.
  public let radius: Double
  /// The width of the arc, in design pixels; at most the radius.
  public let thickness: Double
  /// The direction of the minimum.
  public package(set) var from: Angle
  /// The direction of the maximum: clockwise of `from`, or counterclockwise where it is less.
  public package(set) var to: Angle
  /// The numbers that a finger can choose.
  public private(set) var scale: Scale
  /// Whether a `value` that is set may lie between two steps.
  public private(set) var isContinuous: Bool
  /// The keys of the scale; nil for 0 and 100, and for a step by the range.
  package var minimum: Double? {
    get { ends.low }
    set { ends.low = newValue ?? Ends().low }
  }
  package var maximum: Double? {
    get { ends.high }
    set { ends.high = newValue ?? Ends().high }
  }
  package var numberStep: Double?
  private var ends = Ends()
  private struct Ends: Hashable {
    var low = 0.0
    var high = 100.0
  }
  /// The number at first; nil for the minimum.
  package var firstValue: Double?
  /// Whether fingers can drag it. Otherwise they pass through.
  public package(set) var isInteractive: Bool
  /// Where a finger can take hold of the value.
  public package(set) var grab = Grab.arc
  /// Whether the value goes to where the arc is tapped.
  public package(set) var takesTaps = true
  /// Seconds for which a finger has to rest before the value follows it.
  public package(set) var hold = 0.0
  /// Whether it turns without a value. Fingers pass through.
  public package(set) var isSpinning: Bool
  /// Whether a needle points at the value.
  public package(set) var hasNeedle: Bool
  /// From the minimum on.
  public package(set) var bands: [Band]
  /// The same; nil for none.
  package var ownBands: [Band]? {
    get { bands.isEmpty ? nil : bands }
    set { bands = newValue ?? [] }
  }
  /// Nil for none.
  public package(set) var ticks: Ticks?
  /// The part that the value fills.
  public package(set) var color: ThemeColor
  /// The rest of the arc.
  public package(set) var track: ThemeColor
  /// The maximum em size of the text, in design pixels; nil for one by the radius.
  public package(set) var fontSize: Double?
  /// Nil for one that can be read on the background.
  public package(set) var textColor: ThemeColor?
  /// The text in the middle, as shown.
  public private(set) var text: String
  private let initialText: String
  /// The numbers beside ticks.
  private(set) var tickLabels: [String] = []
  /// The characters of the longest of them.
  private(set) var longestTickLabel = 0

  /// The last number that was passed, set, or rested at.
  private var value: Double
  /// Whether that number was given, set or chosen. Until then the ring only shows its scale.
  private(set) var hasValue: Bool
  private var state = State.resting

  private enum State: Hashable {
    case resting
    case held(Grip)
    /// The spring is in steps and ends at `target`.
    case moving(Spring, target: Double, isSilent: Bool)
  }

  /// A finger that has not taken hold of the value, and may do so or tap.
  private struct Waiting: Hashable {
    var finger: Int
    var start: Point
    var position: Point
    /// Until then a finger that has not moved is a tap; nil where it is none.
    var tapEnd: Instant?
    /// When it takes hold of the value; nil for never.
    var holdEnd: Instant?
  }
  private var waiting: Waiting?

  private struct Grip: Hashable {
    var finger: Int
    /// Where it came down.
    var start: Point
    /// Until then a finger that has not moved is a tap.
    var tapEnd: Instant
    var hasMoved = false
    /// How far it may move from its start before the value follows; nil once the value follows.
    var slack: Double?
    /// The finger's last direction; nil while it is too close to the centre to have one.
    var direction: Angle?
    /// Where the value would be if the arc had no ends, in radians along the arc.
    var pull: Double
  }

  /// A ring at rest. Its directions `from` and `to` are not equal. The default step is by the range of the
  /// scale.
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

  /// Scales it again where its numbers or its lines have changed.
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

  /// The number of the scale that is nearest to another, or between two of its steps where it may be.
  private func fitted(_ value: Double) -> Double {
    let clamped = scale.clamped(value)
    return isContinuous ? clamped : scale.value(at: scale.index(of: clamped))
  }

  /// The default thickness, as a share of the radius.
  static let standardThickness = 0.14
  /// The maximum movement of a tap, in design pixels.
  private static let slop = 8.0
  /// The movement of a finger that rests, after it has taken hold of the value.
  private static let restingSlack = 12.0
  /// Seconds within which a touch is a tap.
  private static let tapDuration = 0.3
  /// The spring of all motions of the ring itself, without overshoot, which would show a wrong value.
  private static let spring = Spring.Tuning(damping: 1, duration: 0.35)

  // MARK: Geometry

  /// The length of the arc, as an angle above 0.
  private var sweep: Double { abs((to - from).radians) }
  /// 1 where the arc goes clockwise, otherwise −1.
  private var sense: Double { to > from ? 1 : -1 }
  /// Whether the arc has no gap.
  var isClosed: Bool { sweep > 2 * .pi - 1e-9 }
  /// The radius of the arc's middle line.
  var middleRadius: Double { radius - thickness / 2 }
  /// The steps that a spring may skip at its end: a quarter of a pixel.
  private var tolerance: Double {
    min(0.25 * scale.span / max(sweep * middleRadius, 1e-6), 0.4)
  }
  /// How far a finger may be beside the arc.
  private var margin: Double { max(thickness / 2, radius * 0.08) }
  /// The last step, in radians along the arc.
  private var lastPull: Double { sweep * Double(scale.lastIndex) / scale.span }

  /// The direction of a position in steps.
  func angle(of position: Double) -> Angle { from + (to - from) * (position / scale.span) }

  /// The place of a position in steps, on the arc's middle line.
  func place(of position: Double) -> Point { center + angle(of: position).unit * middleRadius }

  /// The direction of a finger about the centre; nil closer than a tenth of the radius, where a
  /// trembling finger would turn at random.
  private func direction(of point: Point) -> Angle? {
    let v = point - center
    guard v.length >= min(radius / 10, 12), v.length.isFinite else { return nil }
    // C libraries differ in the last bit of an arc tangent.
    return Angle(radians: (Angle(of: v).radians * 0x1p32).rounded() * 0x1p-32)
  }

  /// A direction as a place on the arc, in radians along it; in the gap, the nearer end.
  private func along(_ direction: Angle) -> Double {
    let way = (Angle(radians: sense * (direction - from).radians)).normalized.radians
    guard way > sweep else { return way }
    return way - sweep < 2 * .pi - way ? sweep : 0
  }

  /// Whether `point` is on the arc or its round ends.
  public func contains(_ point: Point, at now: Instant) -> Bool {
    distance(to: point, at: now) == 0
  }

  /// As far as a finger may be beside the arc; nil elsewhere.
  public func distance(to point: Point, at now: Instant) -> Double? {
    guard isInteractive, !isSpinning else { return nil }
    let way = point.distance(to: center)
    guard way.isFinite else { return nil }
    let half = thickness / 2
    var distance = abs(way - middleRadius)
    if !isClosed {
      let way = Angle(radians: sense * (Angle(of: point - center) - from).radians).normalized
      if way.radians > sweep {
        distance = min(
          point.distance(to: place(of: 0)), point.distance(to: place(of: scale.span)))
      }
    }
    let outside = max(distance - half, 0)
    return outside <= margin ? outside : nil
  }

  /// Whether a finger at `point` of the arc takes hold of the value.
  private func grabs(_ point: Point, at now: Instant) -> Bool {
    grab == .arc || point.distance(to: place(of: position(at: now))) <= knobReach
  }

  /// The maximum distance from the value's place of a finger that is near it.
  var knobReach: Double { thickness / 2 + margin }

  /// Whether a finger there could take hold of the value or tap.
  public func answers(_ point: Point, at now: Instant) -> Bool {
    takesTaps || grabs(point, at: now)
  }

  // MARK: Position

  /// The number that is shown, in steps.
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

  /// Whether a finger holds it.
  var isHeld: Bool {
    if case .held = state { true } else { false }
  }

  /// The finger's next pull, for its direction `direction`. A pull of a full turn beyond an end counts as none:
  /// the finger is at that end again.
  private func pull(of grip: Grip, to direction: Angle?) -> Double {
    guard let direction, let last = grip.direction else { return grip.pull }
    var pull = grip.pull + sense * direction.turn(from: last).radians
    if pull > sweep + 2 * .pi { pull -= 2 * .pi }
    if pull < -2 * .pi { pull += 2 * .pi }
    return pull
  }

  // MARK: Touch

  /// Reports `pressed`, and `passing` for each step on the way; one finger drags it at a time. `pressed` is
  /// reported when the finger takes hold of the value, or taps.
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
          tapEnd: takesTaps ? now + Self.tapDuration : nil, holdEnd: grabs ? now + hold : nil)
      }
    case .move: move(to: touch.position, at: now, &events)
    case .up, .cancel: release(touch, at: now, &events)
    }
  }

  /// Lets a finger take hold of the value.
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
        tapEnd: isTap ? now + Self.tapDuration : Instant(microseconds: .min),
        // A value that was caught on its way stays there.
        hasMoved: isBetween, slack: slack, direction: direction(of: point),
        pull: position / scale.span * sweep))
    events.append(event("pressed", at: now))
  }

  private mutating func move(
    to point: Point, at now: Instant, _ events: inout [ControlEvent]
  ) {
    if waiting != nil {
      waiting?.position = point
      if let start = waiting?.start, !(point.distance(to: start) <= Self.slop) {
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
    if point.distance(to: grip.start) > Self.slop {
      grip.tapEnd = Instant(microseconds: .min)
    }
    state = .held(grip)
    if grip.hasMoved { pass(to: position(of: grip.pull), at: now, &events) }
  }

  private mutating func release(
    _ touch: Touch, at now: Instant, _ events: inout [ControlEvent]
  ) {
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

  /// Moves the value to the place of a tap by a finger that has not taken hold of it.
  private mutating func tap(_ touch: Touch, at now: Instant, _ events: inout [ControlEvent]) {
    guard let target = number(at: touch.position) else { return }
    if case .moving(_, _, isSilent: true) = state {
      value = scale.value(at: scale.index(at: position(at: now)))
    }
    events.append(event("pressed", at: now))
    move(to: target, isSilent: false, at: now, &events)
  }

  /// The number of the scale in the direction of a finger; nil where that is too close to the centre.
  private func number(at point: Point) -> Double? {
    direction(of: point).map { direction in
      scale.value(at: scale.index(at: along(direction) / sweep * scale.span))
    }
  }

  /// Goes on by a step, from where it is going, unless a finger holds it or it is at the end of its arc.
  mutating func step(by way: Int, at now: Instant, events: inout [ControlEvent]) {
    var index = scale.index(of: value)
    switch state {
    case .held: return
    case .moving(_, let target, isSilent: false): index = scale.index(of: target)
    case .moving(_, let target, isSilent: true):
      value = scale.value(at: scale.index(at: position(at: now)))
      index = scale.index(of: target)
    case .resting: break
    }
    let next = min(max(index + way, 0), scale.lastIndex)
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

  /// Stops immediately.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {
    letGo(at: now, events: &events)
  }

  // MARK: Changes

  /// Reports each step on the way to a position.
  private mutating func pass(
    to position: Double, at now: Instant, _ events: inout [ControlEvent]
  ) {
    let next = scale.index(at: position)
    var index = scale.index(of: value)
    while index != next {
      index += next > index ? 1 : -1
      value = scale.value(at: index)
      events.append(event("passing", at: now))
    }
  }

  private mutating func settle(
    at target: Double, at now: Instant, _ events: inout [ControlEvent]
  ) {
    value = target
    hasValue = true
    state = .resting
    events.append(event("settled", at: now))
  }

  /// Springs to a number of the scale, from where it is and as fast as it is.
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

  /// The value as a text.
  var label: String { Value.number(value).display }

  // MARK: Time

  /// Reports `passing` and `settled` on the way to where it was sent, and lets a finger that has rested take
  /// hold of it.
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

  /// When the next step is passed; nil for none before it comes to rest.
  private var nextPassing: Instant? {
    guard case .moving(let spring, let target, isSilent: false) = state else { return nil }
    let index = scale.index(of: value)
    let last = scale.index(of: target)
    guard index != last else { return nil }
    return spring.reaches(Double(index) + (last > index ? 0.5 : -0.5)) ?? spring.end
  }

  /// When it next passes a step by itself, comes to rest, or is taken hold of.
  public func nextChange(after now: Instant) -> Instant? {
    guard case .moving(let spring, _, _) = state else { return waiting?.holdEnd }
    let next = nextPassing ?? spring.end
    return waiting?.holdEnd.map { min($0, next) } ?? next
  }

  /// Whether it moves by itself.
  public func isMoving(at now: Instant) -> Bool {
    if case .moving = state { return true }
    return isSpinning
  }

  // MARK: State

  /// The number of the step that is shown, or one between two that was set, and the text. It springs to a
  /// number, which is clamped to the scale and rounded to a step.
  package static let interface = Interface<Ring>(
    properties: [
      Property("value") { ring, _ in
        ring.value
      } set: { (ring, number: Double, at, events) throws(Unsuitable) in
        guard number.isFinite else { throw Unsuitable("a finite number") }
        let clamped = ring.scale.clamped(number)
        let target =
          ring.isContinuous ? clamped : ring.scale.value(at: ring.scale.index(of: clamped))
        ring.hasValue = true
        // The finger no longer holds it.
        if ring.state == .resting, target == ring.value { return }
        ring.move(to: target, isSilent: true, at: at.now, &events)
      },
      // The text follows the value, not the finger.
      Property("text") { ring, _ in
        ring.text
      } set: { (ring, value: Value, _, _) throws(Unsuitable) in
        ring.text = try Label.shown(value)
      }.free(),
    ],
    events: EventType.turning([.index, .label, .value.of(.number)]))

  /// Keeps the number, clamped to the new scale, the finger, and the motion where the scale is the same.
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
      // A finger keeps hold of the number if the arc has changed.
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
        // It comes to rest later, when that can be reported.
        if abs(start - end) <= tolerance { start = end + 2 * tolerance * (end > 0 ? -1 : 1) }
        state = .moving(
          Spring(
            from: start, to: end, at: now, tuning: Self.spring, tolerance: tolerance),
          target: fitted(target), isSilent: isSilent)
      }
    }
  }
}

extension Ring {
  /// The centre; `knob`, the place of the value; or that of a number.
  public func place(of item: String?, at now: Instant) -> Point? {
    guard let item else { return center }
    if item == "knob" { return place(of: position(at: now)) }
    guard let number = Double(item), number.isFinite, scale.clamped(number) == number else {
      return nil
    }
    return place(of: scale.position(of: number))
  }

  /// The knob, where fingers can drag it. Numbers of the scale are places, too.
  public func items(at now: Instant) -> [ControlItem] {
    isInteractive && !isSpinning
      ? [ControlItem("knob", at: place(of: position(at: now)))] : []
  }

  /// The square around the circle of which it is an arc.
  public var extent: Rect? { Rect(around: center, radius) }
}

// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
public import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
internal import Glibc
public import RoundelMotion

/// A round face with labels along its rim, turned by a finger. The label under the pointer is
/// selected.
///
/// The face stays held when the finger leaves it. A clockwise turn by one step selects the previous
/// index.
///
/// An endless dial has no labels. It counts its steps, positive clockwise, and reports `turned`.
public struct Dial: TurnedControl, Hashable {
  /// The effect of a touch before the finger moves.
  public enum Drag: String, CaseIterable, Sendable {
    case relative
    /// The face turns until its first label is at the finger.
    case absolute
  }

  /// A background that turns with the face.
  public enum Background: Hashable, Sendable {
    case color(ThemeColor)
    /// An image stretched over the square around the face.
    case image(String)
  }

  /// The centre of the face, in design pixels.
  public package(set) var center: Point
  /// Always bold.
  public var fontWeight: Int { FaceName.bold }
  /// The radius of the face, in design pixels.
  public let radius: Double
  /// The labels, clockwise from the pointer at index 0.
  public private(set) var labels: [String]
  /// The scale of the numbers, or nil for strings, whose `value` is the index.
  public private(set) var scale: Scale?
  /// The unit after the selected label, such as ` km`.
  public package(set) var unit: String
  /// The distance between two shown labels, in labels, or nil to derive it from the space.
  public private(set) var labelStride: Int?
  /// Whether labels stay level while the face turns.
  public package(set) var isUpright: Bool
  /// The distance from the rim to the labels' centres, or nil to leave space for lines.
  public package(set) var labelOffset: Double?
  /// The em size of the labels, or nil to derive it from the radius and their number.
  public package(set) var fontSize: Double?
  /// The colour of the labels, or nil for contrast with the face.
  public package(set) var textColor: ThemeColor?
  /// The colour of the face.
  public package(set) var color: ThemeColor
  /// The background between face and labels, or nil.
  public package(set) var background: Background?
  /// The effect of a touch before the finger moves.
  public package(set) var drag: Drag
  /// The direction in which a label is selected.
  public package(set) var pointer: Angle
  /// The automatic ticking, or nil if the dial doesn't tick.
  public package(set) var ticks: Ticks?
  package var inertia: Wheel.Inertia
  /// Whether a tap turns the dial one step, up on the right half and down on the left.
  var stepsByTap = false
  /// Whether the dial wraps around. By default, strings do and numbers don't.
  var explicitWrap: Bool?
  /// Nil if the labels are the numbers of a scale.
  package var texts: [String]?
  package var minimum: Double?
  package var maximum: Double?
  var numberStep: Double?
  /// The distance between two numbers, or nil to derive it from the space.
  package var labelEvery: Double?
  /// The initial index or number, or nil to use the first label.
  package var firstValue: Double?

  /// The actual number or label index, shown at the rim, or nil for no mark.
  package var marker: Double?
  /// Whether home automation knows the number as the target of a thermostat.
  package var isClimate = false

  /// Whether the dial has no labels and counts its steps.
  public package(set) var isEndless = false
  /// The number of steps per turn of an endless dial.
  var stepsPerTurn = 24
  /// The sum of all steps since the start, positive clockwise.
  private(set) var steps = 0
  /// The detent at the last counted step.
  private var lastDetent = 0

  var face: Wheel
  /// The time of the next step, or nil if the dial doesn't tick.
  var nextTick: Instant?
  /// Empty if there isn't a unit.
  private(set) var labelsWithUnit: [String] = []
  private(set) var longest = 0
  private(set) var labelPeers = TextPeers()
  private(set) var valuePeers = TextPeers()
  /// The distance to the next control or the screen's edge, or 0 if unknown.
  private(set) var clearance = 0.0
  /// Labels that read like another label when upside down, such as 6 and 9.
  private(set) var mistakableLabels: Set<Int> = []
  /// The finger that turns the face. Other fingers are ignored.
  private var grip: Grip?

  var isHeld: Bool { grip != nil }

  private struct Grip: Hashable {
    var finger: Int
    /// The finger's direction, or nil if it is too close to the centre.
    var direction: Angle?
    var start: Point
    /// The face's index before the touch.
    var index: Int
    /// The deadline for a tap by an unmoved finger. In the past if the face was moving.
    var tapEnd: Instant
  }

  /// Creates a dial with at least one label, at rest at index `value`.
  public init(
    center: Point, radius: Double, labels: [String], value: Int = 0, labelOffset: Double? = nil,
    fontSize: Double? = nil, textColor: ThemeColor? = nil, color: ThemeColor = .surface,
    background: Background? = nil, drag: Drag = .relative, inertia: Wheel.Inertia = .normal,
    wraps: Bool = true, pointer: Angle = .zero, ticks: Ticks? = nil, unit: String = "",
    labelStride: Int? = nil, isUpright: Bool = false
  ) {
    precondition(!labels.isEmpty, "a dial needs a label")
    texts = labels
    self.unit = unit
    self.labelStride = labelStride.map { min(max($0, 1), Scale.maximumSteps) }
    self.isUpright = isUpright
    self.center = center
    self.radius = radius
    self.labels = labels
    self.labelOffset = labelOffset
    self.fontSize = fontSize
    self.textColor = textColor
    self.color = color
    self.background = background
    self.drag = drag
    self.pointer = pointer
    self.ticks = ticks
    self.inertia = inertia
    explicitWrap = wraps ? nil : false
    firstValue = value == 0 ? nil : Double(value)
    face = Self.face(labels.count, radius: radius, index: value, inertia: inertia, wraps: wraps)
    measureLabels()
  }

  /// Creates a dial with the numbers of a scale, at rest at the number nearest to `value`.
  public init(
    center: Point, radius: Double, scale: Scale, value: Double? = nil, labelOffset: Double? = nil,
    fontSize: Double? = nil, textColor: ThemeColor? = nil, color: ThemeColor = .surface,
    background: Background? = nil, drag: Drag = .relative, inertia: Wheel.Inertia = .normal,
    wraps: Bool = false, pointer: Angle = .zero, ticks: Ticks? = nil, unit: String = "",
    labelStride: Int? = nil, isUpright: Bool = false
  ) {
    self.init(
      center: center, radius: radius, labels: (0...scale.lastIndex).map(scale.text),
      value: value.map { scale.index(of: $0) } ?? 0, labelOffset: labelOffset, fontSize: fontSize,
      textColor: textColor, color: color, background: background, drag: drag, inertia: inertia,
      wraps: wraps, pointer: pointer, ticks: ticks, unit: unit, labelStride: labelStride,
      isUpright: isUpright)
    self.scale = scale
    texts = nil
    (minimum, maximum, numberStep) = (scale.minimum, scale.maximum, scale.step)
    explicitWrap = wraps ? true : nil
    firstValue = value
    labelEvery = self.labelStride.map { Double($0) * scale.step }
  }

  private static func face(
    _ count: Int, radius: Double, index: Int, inertia: Wheel.Inertia, wraps: Bool
  ) -> Wheel {
    let step = 2 * Double.pi / Double(count)
    return Wheel(
      detents: Detents(count: count, wraps: wraps), index: index, inertia: inertia,
      pitch: radius * step, topSpeed: radius * Self.topSpeed,
      // If the face could be pulled half a step beyond a stop, it would point between two labels.
      reach: min(0.45, Self.reach / step))
  }

  private mutating func measureLabels() {
    labelsWithUnit = unit.isEmpty ? [] : labels.map { $0 + unit }
    longest = labels.reduce(0) { max($0, $1.count) }
    labelPeers = TextPeers(withSharedBounds: labels)
    valuePeers = unit.isEmpty ? labelPeers : TextPeers(withSharedBounds: labelsWithUnit)
    let all = Set(labels)
    mistakableLabels = Set(
      labels.indices.filter { index in
        Self.upsideDown(labels[index]).map { $0 != labels[index] && all.contains($0) } ?? false
      })
  }

  /// Returns the digits as they read upside down, if readable.
  private static func upsideDown(_ figures: String) -> String? {
    let digits = figures.utf8
    guard !digits.isEmpty, digits.allSatisfy({ "01689".utf8.contains($0) }) else { return nil }
    return String(
      figures.reversed().map { (figure: Character) in
        figure == "6" ? "9" : figure == "9" ? "6" : figure
      })
  }

  package mutating func keysChanged(since old: Dial?, at now: Instant) {
    if isEndless != old?.isEndless || stepsPerTurn != old?.stepsPerTurn || texts != old?.texts
      || minimum != old?.minimum || maximum != old?.maximum || numberStep != old?.numberStep
    {
      scale =
        texts == nil && !isEndless
        ? Scale(from: minimum ?? 0, to: maximum ?? 100, step: numberStep ?? 1) ?? scale : nil
      labels =
        isEndless
        ? Array(repeating: "", count: stepsPerTurn)
        : texts ?? scale.map { (0...$0.lastIndex).map($0.text) } ?? labels
    }
    if unit != old?.unit || labels != old?.labels { measureLabels() }
    labelStride = scale.flatMap { scale in
      labelEvery.map { Int(($0 / scale.step).rounded().within(1...Double(Scale.maximumSteps))) }
    }
    let wraps = explicitWrap ?? (scale == nil)
    guard let old else {
      let first = scale.map { scale in firstValue.map { scale.index(of: $0) } ?? 0 }
      face = Self.face(
        labels.count, radius: radius, index: first ?? Int(firstValue ?? 0), inertia: inertia,
        wraps: wraps)
      return
    }
    if labels.count != old.labels.count || wraps != face.detents.wraps || inertia != old.inertia {
      face = Self.face(labels.count, radius: radius, index: 0, inertia: inertia, wraps: wraps)
    }
    resume(old, at: now)
  }

  /// Returns the labels "0" to "n − 1", or an empty array if `count` is negative.
  public static func numbers(_ count: Int) -> [String] { (0..<max(count, 0)).map(String.init) }

  /// Radians per second, faster than any fling by hand.
  private static let topSpeed = 60.0
  private static let turnDuration = 0.3
  /// The displacement beyond the stops, in radians.
  private static let reach = Double.pi / 6

  // MARK: Geometry

  /// The em size, by default about 6 % of the diameter, but smaller if many labels must fit.
  var em: Double {
    if let fontSize { return fontSize }
    let most = Theme.labelSize(onRadius: radius)
    let space = radius * 0.8 * step.radians * Double(labelStride ?? 1)
    return max(
      Theme.step(min(most, space / labelWidthInEm), .down), min(Theme.standardFontSize, most))
  }

  /// The space in ems. Long words may be set smaller, but four characters may not.
  var labelWidthInEm: Double { 0.6 * Double(min(longest, 4)) + 0.8 }

  var offset: Double { labelOffset ?? min(max(em * 1.5, levelOffset), radius * 0.35) }

  /// Upright labels need space next to the lines.
  private var levelOffset: Double { isUpright ? em * (0.31 * Double(longest) + 0.85) : 0 }

  package var step: Angle { .fullTurn / Double(labels.count) }

  /// The clockwise rotation relative to index 0, unbounded.
  package func turn(at now: Instant) -> Angle { -(step * face.position(at: now)) }

  /// Whether `point` is on the face.
  public func contains(_ point: Point, at now: Instant) -> Bool {
    point.distance(to: center) < radius
  }

  /// The number of detents by the shortest path.
  private func offset(to direction: Angle, at now: Instant) -> Double {
    let shortest = -((direction - pointer).turn(from: turn(at: now)) / step.radians).radians
    guard !face.detents.wraps else { return shortest }
    let count = Double(labels.count)
    let place = face.position(at: now) + shortest
    return shortest - count * ((place + 0.5) / count).rounded(.down)
  }

  private func offset(to label: Int) -> Int {
    let offset = label - face.index
    guard face.detents.wraps else { return offset }
    return Int(remainder(Double(offset), Double(labels.count)))
  }

  private func offset(with direction: Angle?) -> Double {
    guard let direction, let last = grip?.direction else { return 0 }
    return -(direction.turn(from: last).radians / step.radians)
  }

  // MARK: Touch

  /// Reports `pressed`, then `passing` for each label passed.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    guard grip == nil || grip?.finger == touch.finger else { return }
    var changes: [Wheel.Change] = []
    switch touch.phase {
    case .down:
      grip = Grip(
        finger: touch.finger, direction: direction(of: touch.position), start: touch.position,
        index: face.index,
        tapEnd: face.isMoving ? Instant(microseconds: .min) : now + Touch.tapDuration)
      face.grab(at: now, reported: touch.time)
      events.append(event("pressed", face.index, at: now))
      if drag == .absolute, let direction = grip?.direction {
        face.drag(
          by: offset(to: direction, at: now), at: now, reported: touch.time, changes: &changes)
      }
    case .move:
      guard grip != nil else { return }
      let direction = direction(of: touch.position)
      face.drag(by: offset(with: direction), at: now, reported: touch.time, changes: &changes)
      grip?.direction = direction
      if let start = grip?.start, touch.position.distance(to: start) > Touch.slop {
        grip?.tapEnd = Instant(microseconds: .min)
      }
    case .up, .cancel:
      guard let ended = grip else { return }
      grip = nil
      if touch.phase == .up, stepsByTap, now <= ended.tapEnd {
        let step = ended.start.x >= center.x ? 1 : -1
        face.send(
          by: offset(to: ended.index) + (isEndless ? -step : step), duration: Self.turnDuration,
          at: now, changes: &changes)
      } else if touch.phase == .up, !isEndless, now <= ended.tapEnd,
        let label = label(at: ended.start, onFaceAt: ended.index)
      {
        face.send(by: offset(to: label), duration: Self.turnDuration, at: now, changes: &changes)
      } else {
        face.release(
          at: now, reported: touch.time, isCancelled: touch.phase == .cancel, changes: &changes)
      }
    }
    report(changes, &events)
  }

  mutating func step(by offset: Int, at now: Instant, events: inout [ControlEvent]) {
    let (index, isMoving) = (face.index, face.isMoving)
    var changes: [Wheel.Change] = []
    // The next label comes from the right, but an endless face turns to the right.
    guard
      face.step(
        by: isEndless ? -offset : offset, duration: Wheel.stepDuration, at: now, changes: &changes)
    else { return }
    if !isMoving { events.append(event("pressed", index, at: now)) }
    report(changes, &events)
  }

  /// Turns the face with its finger.
  public mutating func follow(_ position: (_ finger: Int) -> Point?, at now: Instant) {
    guard let grip, let place = position(grip.finger) else { return }
    face.shift(by: offset(with: direction(of: place)))
  }

  /// Releases the face and stops it immediately, unless it ticks.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {
    grip = nil
    guard nextTick == nil || face.isHeld else { return }
    update(&events) { $0.finish(at: now, changes: &$1) }
  }

  /// Stops immediately on a label, and stops ticking.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {
    stopTicking(at: now, events: &events)
    letGo(at: now, events: &events)
  }

  private mutating func update(
    _ events: inout [ControlEvent], _ change: (inout Wheel, inout [Wheel.Change]) -> Void
  ) {
    var changes: [Wheel.Change] = []
    change(&face, &changes)
    report(changes, &events)
  }

  private mutating func report(_ changes: [Wheel.Change], _ events: inout [ControlEvent]) {
    var index = 0
    while index < changes.count {
      defer { index += 1 }
      switch changes[index] {
      case .passing(let label, let time) where isEndless:
        var offset = offsetFromLast(to: label)
        // Simultaneous steps are reported together.
        while index + 1 < changes.count, case .passing(let label, time) = changes[index + 1] {
          offset += offsetFromLast(to: label)
          index += 1
        }
        if offset != 0 { events.append(turned(by: offset, at: time)) }
      case .passing(let index, let time): events.append(event("passing", index, at: time))
      case .settled(let index, let time):
        // A ticking face is at rest only after its last tick.
        if !ticksOn(from: time) { events.append(event("settled", index, at: time)) }
      }
    }
  }

  /// Returns 1 for clockwise or -1 for counterclockwise.
  private mutating func offsetFromLast(to index: Int) -> Int {
    let offset = -Int(remainder(Double(index - lastDetent), Double(labels.count)))
    lastDetent = index
    steps &+= offset
    return offset
  }

  private func turned(by offset: Int, at time: Instant) -> ControlEvent {
    ControlEvent(
      "turned", at: time,
      fields: [Field("steps", .integer(offset)), Field("turns", .number(turns))])
  }

  private var turns: Double { Double(steps) / Double(labels.count) }

  func event(_ name: String, _ index: Int, at time: Instant) -> ControlEvent {
    ControlEvent(
      name, at: time,
      fields: [
        Field("index", .integer(index)), Field("label", .text(labels[index])),
        Field("value", scale.map { .number($0.value(at: index)) } ?? .integer(index)),
      ],
      targets: [String(index)])
  }

  // MARK: Time

  /// Reports `passing` and `settled`, and performs due ticks.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    update(&events) { $0.advance(to: now, changes: &$1) }
    while let tick = dueTick, tick <= now {
      // Changed keys may have put a stop here.
      guard canTick else { return stopTicking(at: tick, events: &events) }
      var changes = beginTick(at: tick)
      face.advance(to: now, changes: &changes)
      report(changes, &events)
    }
  }

  /// The time of the next label, rest or tick.
  public func nextChange(after now: Instant) -> Instant? { face.nextChange ?? dueTick }

  /// Whether the face is moving on its own.
  public func isMoving(at now: Instant) -> Bool { face.isMoving }

  // MARK: State

  package var home: HomeEntity {
    isEndless ? .measurement("turns", isTurned: true) : Self.keys.home.asClimate(isClimate)
  }

  package static let interface = Interface<Dial>(
    properties: [
      Property("value") { dial, _ in
        dial.scale.map { $0.value(at: dial.face.index) } ?? Double(dial.face.index)
      } set: { (dial, number: Double, at, events) throws(InvalidValueError) in
        if dial.isEndless { throw InvalidValueError("no value, because the dial is endless") }
        dial.turn(to: try dial.index(of: number), at: at.now, &events)
      },
      Property("label") { dial, _ in
        dial.labels[dial.face.index]
      } set: { (dial, label: String, at, events) throws(InvalidValueError) in
        if dial.isEndless { throw InvalidValueError("no value, because the dial is endless") }
        guard let index = dial.labels.firstIndex(of: label) else {
          throw InvalidValueError("one of the dial's labels")
        }
        dial.turn(to: index, at: at.now, &events)
      },
      // Rounded to the significant digits.
      Property("angle") { dial, at in
        (dial.turn(at: at.now).normalized.degrees * 1e6).rounded() / 1e6 + 0
      },
      Property("turns") { dial, _ in dial.turns }.present { $0.isEndless },
      Property("ticking") { dial, _ in
        dial.nextTick != nil
      } set: { dial, isOn, at, events in
        isOn ? dial.startTicking(at: at.now) : dial.stopTicking(at: at.now, events: &events)
      }.present { $0.ticks != nil },
    ],
    events: EventType.turning([.index, .label, .value.of(.number)])
      + [
        EventType(
          "turned",
          "The dial was turned by `steps`, positive clockwise. `turns` is the number of turns since the start.",
          [.steps, .turns])
      ])

  private func index(of number: Double) throws(InvalidValueError) -> Int {
    if let scale {
      guard number.isFinite else { throw InvalidValueError("a finite number") }
      return scale.index(of: number)
    }
    return try labels.index(number)
  }

  private mutating func turn(to index: Int, at now: Instant, _ events: inout [ControlEvent]) {
    grip = nil
    update(&events) { $0.turn(to: index, duration: Self.turnDuration, at: now, changes: &$1) }
  }

  /// Continues `old`. Labels are matched by their strings.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Dial else { return }
    let labels = labels
    func successor(of index: Int) -> Int {
      isEndless ? index : labels.successor(of: index, in: old.labels) ?? index
    }
    face.resume(old.face, at: now, successor: successor)
    steps = old.steps
    lastDetent = isEndless ? face.index : 0
    grip = old.grip
    if let index = grip?.index { grip?.index = min(successor(of: index), labels.count - 1) }
    nextTick = resumedTick(old, at: now)
  }
}

extension Dial {
  /// The selected label with its unit.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard !isEndless else { return Wording() }
    return Wording(
      value: labels[face.index] + unit,
      position: scale == nil ? .init(face.index, of: labels.count) : nil)
  }

  /// Measures the space for the value in the hub.
  public mutating func notice(places: [Point], on screen: Rect, isReflected: Bool) {
    let others = places.map { [center] in $0.distance(to: center) }.sorted()
    let edges = [
      center.x - screen.x0, screen.x1 - center.x, center.y - screen.y0, screen.y1 - center.y,
    ]
    // The nearest place is the dial itself.
    clearance = min(others.dropFirst().first ?? .infinity, edges.min() ?? 0)
  }

  /// The labels at their current positions.
  public func items(at now: Instant) -> [ControlItem] {
    if isEndless { return [] }
    let distance = max(radius - offset, radius / 2)
    return labels.indices.map { index in
      let direction = pointer + turn(at: now) + step * Double(index)
      return ControlItem(labels[index], at: center + direction.unit * distance)
    }
  }
}

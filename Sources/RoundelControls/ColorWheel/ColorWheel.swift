// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
public import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// A wheel of hues, whose saturation grows outwards, or a scale of colour temperatures, around a
/// swatch of the chosen colour.
///
///     resting ──down──► held ──up──► resting        reported: pressed, passing …, settled
///     resting ──set, key──► moving ──► resting
public struct ColorWheel: RoundControl, Hashable {
  /// The centre, in design pixels.
  public package(set) var center: Point
  /// The outer radius, in design pixels.
  public let radius: Double
  /// The range of a scale of colour temperatures in kelvin, or nil for a wheel of hues.
  public let temperatures: ClosedRange<Double>?
  /// The initial colour, or nil for white or the middle of the scale.
  package var firstColor: Color?

  private(set) var choice = HueSaturation(hue: 0, saturation: 0)
  private(set) var kelvin = 0.0
  private var state = State.resting

  private enum State: Hashable {
    case resting
    case held(finger: Int)
    /// The knob's way from a place to the chosen one. The spring goes from 0 to 1.
    case moving(Spring, from: Point)
  }

  private static let spring = Spring.Tuning(damping: 1, duration: 0.3)
  /// The steps of a finger and of a key.
  private static let temperatureStep = (finger: 10.0, key: 100.0)
  private static let keyStep = 5.0

  /// Creates a wheel, or a scale of `temperatures`.
  public init(
    center: Point, radius: Double, temperatures: ClosedRange<Double>? = nil, color: Color? = nil
  ) {
    self.center = center
    self.radius = radius
    self.temperatures = temperatures
    firstColor = color
    keysChanged(since: nil, at: .zero)
  }

  package mutating func keysChanged(since old: ColorWheel?, at now: Instant) {
    guard let old else { return begin() }
    resume(old, at: now)
  }

  private mutating func begin() {
    choice = firstColor.map { HueSaturation($0) } ?? HueSaturation(hue: 0, saturation: 0)
    if let temperatures {
      let middle = (temperatures.lowerBound + temperatures.upperBound) / 2
      kelvin = firstColor.map { nearest(to: $0) } ?? rounded(middle)
    }
  }

  var color: Color { temperatures == nil ? choice.color : Color(kelvin: kelvin) }

  // MARK: Geometry

  /// The radii as fractions of the wheel's radius.
  private static let (knobPart, swatchPart, holePart) = (0.085, 0.3, 0.36)

  var knobRadius: Double { radius * Self.knobPart }
  var outerRadius: Double { radius - knobRadius * 0.8 }
  var swatchRadius: Double { radius * (temperatures == nil ? Self.swatchPart : 0.5) }
  var innerRadius: Double {
    temperatures == nil ? radius * Self.holePart : outerRadius - radius * 0.24
  }
  /// Half of the scale of temperatures, around 12 o'clock.
  static let halfSweep = Angle.degrees(135)

  private func point(of choice: HueSaturation) -> Point {
    let distance = innerRadius + (outerRadius - innerRadius) * choice.saturation / 100
    return center + Angle.degrees(choice.hue).unit * distance
  }

  func direction(of kelvin: Double) -> Angle {
    guard let temperatures else { return .zero }
    let share =
      (kelvin - temperatures.lowerBound) / (temperatures.upperBound - temperatures.lowerBound)
    return Self.halfSweep * (2 * share.within(0...1) - 1)
  }

  private func point(of kelvin: Double) -> Point {
    center + direction(of: kelvin).unit * ((innerRadius + outerRadius) / 2)
  }

  private var target: Point { temperatures == nil ? point(of: choice) : point(of: kelvin) }

  func knob(at now: Instant) -> Point {
    guard case .moving(let spring, let start) = state else { return target }
    return start + (target - start) * spring.position(at: now).within(0...1)
  }

  /// Whether `point` is on the wheel or the scale, outside the swatch.
  public func contains(_ point: Point, at now: Instant) -> Bool {
    let distance = point.distance(to: center)
    guard distance.isFinite, distance <= radius, distance > swatchRadius else { return false }
    guard temperatures != nil else { return true }
    return abs(Angle(of: point - center).radians) <= Self.halfSweep.radians + 0.25
  }

  /// The circle, or the outline of the knob.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    part == nil
      ? .sector(Sector(center: center, radius: radius))
      : .sector(Sector(center: knob(at: now), radius: knobRadius))
  }

  // MARK: Touch

  /// Reports `pressed`, `passing` for each colour, and `settled`.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    switch (touch.phase, state) {
    case (.down, .held): break
    case (.down, _):
      state = .held(finger: touch.finger)
      events.append(event("pressed", at: now))
      choose(at: touch.position, now, &events)
    case (.move, .held(touch.finger)): choose(at: touch.position, now, &events)
    case (.up, .held(touch.finger)), (.cancel, .held(touch.finger)): settle(at: now, &events)
    default: break
    }
  }

  var isHeld: Bool {
    if case .held = state { true } else { false }
  }

  private mutating func choose(at point: Point, _ now: Instant, _ events: inout [ControlEvent]) {
    let offset = point - center
    guard offset.length.isFinite else { return }
    guard temperatures != nil else {
      let reach = outerRadius - innerRadius
      let saturation = ((offset.length - innerRadius) / reach * 100).within(0...100).rounded()
      let hue = saturation > 0 ? Angle(of: offset).degrees.rounded() : choice.hue
      return pass(to: HueSaturation(hue: hue, saturation: saturation), now, &events)
    }
    guard let angle = Angle.direction(of: offset, outOf: radius) else { return }
    let share = (angle.radians / Self.halfSweep.radians + 1) / 2
    pass(to: number(at: share), now, &events)
  }

  private func number(at share: Double) -> Double {
    guard let temperatures else { return 0 }
    let span = temperatures.upperBound - temperatures.lowerBound
    return rounded(temperatures.lowerBound + span * share.within(0...1))
  }

  private func rounded(_ kelvin: Double) -> Double {
    guard let temperatures else { return kelvin }
    let step = Self.temperatureStep.finger
    return ((kelvin / step).rounded() * step).within(temperatures)
  }

  private mutating func pass(
    to next: HueSaturation, _ now: Instant, _ events: inout [ControlEvent]
  ) {
    guard next != choice else { return }
    choice = next
    events.append(event("passing", at: now))
  }

  private mutating func pass(to next: Double, _ now: Instant, _ events: inout [ControlEvent]) {
    guard next != kelvin else { return }
    kelvin = next
    events.append(event("passing", at: now))
  }

  private mutating func settle(at now: Instant, _ events: inout [ControlEvent]) {
    state = .resting
    events.append(event("settled", at: now))
  }

  private mutating func move(from start: Point, at now: Instant) {
    let way = max(target.distance(to: start), 1)
    state = .moving(
      Spring(from: 0, to: 1, at: now, tuning: Self.spring, tolerance: min(0.25 / way, 0.4)),
      from: start)
  }

  private func event(_ name: String, at time: Instant) -> ControlEvent {
    let color = color
    let white = HueSaturation(color)
    let (hue, saturation) =
      temperatures == nil
      ? (choice.hue, choice.saturation) : (white.hue.rounded(), white.saturation.rounded())
    return ControlEvent(
      name, at: time,
      fields: [
        Field("value", .text(color.notation)), Field("hue", .number(hue)),
        Field("saturation", .number(saturation)), Field("kelvin", .number(kelvin)),
      ])
  }

  /// Draws the knob at its finger.
  public mutating func follow(_ position: (_ finger: Int) -> Point?, at now: Instant) {
    guard case .held(let finger) = state, let point = position(finger) else { return }
    var events: [ControlEvent] = []
    choose(at: point, now, &events)
  }

  /// Releases the knob and stops it immediately.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {
    if state != .resting { settle(at: now, &events) }
  }

  // MARK: Time

  /// Reports `settled` after a motion.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    if case .moving(let spring, _) = state, spring.isSettled(at: now) {
      settle(at: spring.end, &events)
    }
  }

  /// The end of a motion.
  public func nextChange(after now: Instant) -> Instant? {
    if case .moving(let spring, _) = state { spring.end } else { nil }
  }

  /// Whether the knob moves without a finger.
  public func isMoving(at now: Instant) -> Bool {
    if case .moving = state { true } else { false }
  }

  // MARK: State

  /// A set colour has full brightness.
  package static let interface = Interface<ColorWheel>(
    properties: [
      Property("value") { wheel, _ in
        wheel.color.notation
      } set: { (wheel, text: String, at, _) throws(InvalidValueError) in
        guard let color = Color(css: text), color.isOpaque else {
          throw InvalidValueError("a colour: #rgb, #rrggbb or a CSS name")
        }
        guard color != wheel.color else { return }
        if wheel.temperatures != nil {
          wheel.set(kelvin: wheel.nearest(to: color), at: at.now)
        } else {
          wheel.set(HueSaturation(color, orHue: wheel.choice.hue), at: at.now)
        }
      },
      Property("hue") { wheel, _ in
        wheel.choice.hue
      } set: { (wheel, hue: Double, at, _) throws(InvalidValueError) in
        guard (0...360).contains(hue) else { throw InvalidValueError("a number from 0 to 360") }
        wheel.set(
          HueSaturation(hue: hue, saturation: wheel.choice.saturation), at: at.now)
      }.present { $0.temperatures == nil },
      Property("saturation") { wheel, _ in
        wheel.choice.saturation
      } set: { (wheel, saturation: Double, at, _) throws(InvalidValueError) in
        guard (0...100).contains(saturation) else {
          throw InvalidValueError("a number from 0 to 100")
        }
        wheel.set(HueSaturation(hue: wheel.choice.hue, saturation: saturation), at: at.now)
      }.present { $0.temperatures == nil },
      Property("kelvin") { wheel, _ in
        wheel.kelvin
      } set: { (wheel, kelvin: Double, at, _) throws(InvalidValueError) in
        guard let range = wheel.temperatures, kelvin.isFinite else {
          throw InvalidValueError("a finite number")
        }
        wheel.set(kelvin: kelvin.within(range), at: at.now)
      }.present { $0.temperatures != nil },
    ],
    events: EventType.turning([.value.of(.text), .hue, .saturation, .kelvin]))

  private mutating func set(_ next: HueSaturation, at now: Instant) {
    guard next != choice else { return }
    let start = knob(at: now)
    choice = next
    move(from: start, at: now)
  }

  private mutating func set(kelvin next: Double, at now: Instant) {
    guard next != kelvin else { return }
    let start = knob(at: now)
    kelvin = next
    move(from: start, at: now)
  }

  /// Returns the temperature of the most similar white. Blue minus red grows with it.
  private func nearest(to color: Color) -> Double {
    guard let temperatures else { return 0 }
    func cold(_ color: Color) -> Int { Int(color.blue) - Int(color.red) }
    var (low, high) = (temperatures.lowerBound, temperatures.upperBound)
    for _ in 0..<24 {
      let middle = (low + high) / 2
      if cold(Color(kelvin: middle)) < cold(color) { low = middle } else { high = middle }
    }
    return rounded(high)
  }

  /// Keeps the colour unless the file's changed.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? ColorWheel, (temperatures == nil) == (old.temperatures == nil) else {
      return
    }
    choice = old.choice
    state = old.state
    kelvin = temperatures.map { old.kelvin.within($0) } ?? 0
  }

  /// The centre, the point of the knob, or the point of a colour or temperature.
  public func place(of item: String?, at now: Instant) -> Point? {
    guard let item else { return center }
    if item == "knob" { return knob(at: now) }
    if let temperatures {
      return Double(item).flatMap { temperatures.contains($0) ? point(of: $0) : nil }
    }
    return Color(css: item).map { point(of: HueSaturation($0)) }
  }

  /// The knob.
  public func items(at now: Instant) -> [ControlItem] { [ControlItem("knob", at: knob(at: now))] }

  // MARK: Keys

  /// Always true.
  public var takesKeys: Bool { true }

  /// Changes the hue, then the saturation, or the temperature: right and up forwards, left and down
  /// backwards. Enter goes to the saturation, and leaves the wheel after it.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let index = part else {
      guard key == .enter else { return false }
      part = 0
      return true
    }
    let hasNext = index == 0 && temperatures == nil
    switch key {
    case .right, .up: step(index, by: 1, at: now, &events)
    case .left, .down: step(index, by: -1, at: now, &events)
    case .enter: part = hasNext ? 1 : nil
    case .back: part = nil
    case .next where hasNext: part = 1
    case .previous where index > 0: part = 0
    default: return false
    }
    return true
  }

  private mutating func step(
    _ part: Int, by sign: Double, at now: Instant, _ events: inout [ControlEvent]
  ) {
    guard !isHeld else { return }
    let (start, before) = (knob(at: now), self)
    if let temperatures {
      kelvin = (kelvin + sign * Self.temperatureStep.key).within(temperatures)
    } else {
      choice = HueSaturation(
        hue: choice.hue + (part == 0 ? sign * Self.keyStep : 0),
        saturation: choice.saturation + (part == 0 ? 0 : sign * Self.keyStep))
    }
    guard self != before else { return }
    if before.state == .resting { events.append(before.event("pressed", at: now)) }
    events.append(event("passing", at: now))
    move(from: start, at: now)
  }

  /// The name of the hue or the saturation.
  public func item(ofPart part: Int, at now: Instant) -> String? {
    temperatures == nil ? (part == 0 ? "hue" : "saturation") : nil
  }

  /// Always nil, because exploration reads the control as a whole.
  public func item(under point: Point, at now: Instant) -> String? { nil }

  /// The name of the colour, and the temperature.
  public func wording(of item: String?, at now: Instant) -> Wording {
    var words = Wording()
    if temperatures != nil {
      words.value = "\(Value.number(kelvin.rounded()).display) K"
      words.terms = [kelvin < 3_300 ? "warm_white" : kelvin < 5_300 ? "white" : "daylight"]
      return words
    }
    switch item {
    case "saturation":
      words.labelTerm = "saturation"
      words.value = "\(Value.number(choice.saturation.rounded()).display) %"
    default:
      if item == "hue" { words.labelTerm = "hue" }
      words.terms = choice.isPale ? ["pale", choice.word] : [choice.word]
    }
    return words
  }
}

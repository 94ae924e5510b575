// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelMotion

/// A control whose numbers fingers drag along a track: a ring or a bar.
protocol SliderControl: KeyedControl {
  associatedtype Path: Track
  var slider: Slider { get set }
  var path: Path { get }
  /// Whether fingers and keys may change the numbers.
  var isUsable: Bool { get }
  /// The radius of a knob, in design pixels.
  var knobRadius: Double { get }
  var text: String { get set }
  /// The width of the track, in design pixels.
  var thickness: Double { get }
  var color: ThemeColor { get }
  var track: ThemeColor { get }
  /// Whether the track has no ends.
  var isClosed: Bool { get }

  /// Returns the part of the track between two positions in steps.
  func stretch(_ start: Double, _ end: Double) -> Shape
  /// Returns the direction of a growing value at a position in steps.
  func heading(at position: Double) -> Angle
}

extension SliderControl {
  /// Whether a finger at `point` could grab a number or tap.
  public func answers(_ point: Point, at now: Instant) -> Bool {
    slider.answers(point, on: path, at: now)
  }

  /// Reports `pressed` when a finger grabs a number or taps, then `passing` for each step.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    slider.handle(touch, on: path, at: now, events: &events)
  }

  /// Moves the numbers with their fingers.
  public mutating func follow(_ position: (_ finger: Int) -> Point?, at now: Instant) {
    slider.follow(position, on: path)
  }

  /// Releases the numbers and stops them immediately.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {
    slider.letGo(on: path, at: now, events: &events)
  }

  /// Reports `passing` and `settled` during a motion, and lets a resting finger grab a number.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    slider.advance(on: path, to: now, events: &events)
  }

  /// The next step, rest, or grab by a resting finger.
  public func nextChange(after now: Instant) -> Instant? { slider.nextChange() }

  /// The centre, or the point of a knob: `knob`, or `low` or `high` of two, or the point of a
  /// number.
  public func place(of item: String?, at now: Instant) -> Point? {
    guard let item else { return center }
    if let index = index(of: item) { return slider.place(of: index, on: path, at: now) }
    let scale = slider.scale
    guard let number = Double(item), number.isFinite, scale.clamped(number) == number else {
      return nil
    }
    return path.point(at: scale.position(of: number) / scale.span)
  }

  private func index(of item: String) -> Int? {
    slider.isPair ? Slider.names.firstIndex(of: item) : item == "knob" ? 0 : nil
  }

  /// The knobs, if fingers can drag them.
  public func items(at now: Instant) -> [ControlItem] {
    guard isUsable else { return [] }
    return slider.knobs.map {
      ControlItem(slider.name(of: $0) ?? "knob", at: slider.place(of: $0, on: path, at: now))
    }
  }

  // MARK: Keys

  /// Whether fingers can drag a number.
  public var takesKeys: Bool { isUsable }

  /// Turns one number at a time: right and up forwards, left and down backwards. Enter moves to the
  /// next number, and leaves the control after the last.
  public mutating func handle(
    _ key: Keystroke, on part: inout Int?, at now: Instant, events: inout [ControlEvent]
  ) -> Bool {
    guard let index = part, slider.knobs.contains(index) else {
      guard key == .enter else { return false }
      part = 0
      return true
    }
    let isLast = index + 1 == slider.knobs.count
    switch key {
    case .right, .up: slider.step(index, by: 1, on: path, at: now, events: &events)
    case .left, .down: slider.step(index, by: -1, on: path, at: now, events: &events)
    case .enter: part = isLast ? nil : index + 1
    case .back: part = nil
    case .next where !isLast: part = index + 1
    case .previous where index > 0: part = index - 1
    default: return false
    }
    return true
  }

  /// The outline of a knob of two, or nil for the control.
  func knobOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    guard slider.isPair, let part, slider.knobs.contains(part) else { return nil }
    return .sector(Sector(center: slider.place(of: part, on: path, at: now), radius: knobRadius))
  }

  // MARK: Speech

  /// The text, otherwise the number. Two numbers are spoken as a range.
  func sliderWording(of item: String?) -> Wording {
    func label(_ index: Int) -> String { Value.number(slider.value(of: index)).display }
    if let item, slider.isPair, let index = index(of: item) {
      var words = Wording(value: label(index))
      words.labelTerm = item
      return words
    }
    guard slider.isPair else { return Wording(value: text.isEmpty ? label(0) : text) }
    return Wording(range: .init(low: label(0), high: label(1)))
  }

  /// The name of a knob of two.
  public func item(ofPart part: Int, at now: Instant) -> String? {
    slider.knobs.contains(part) ? slider.name(of: part) : nil
  }

  /// The nearer knob of two. Nil for an only one, because exploration reads the control as a whole.
  public func item(under point: Point, at now: Instant) -> String? {
    guard slider.isPair, isUsable else { return nil }
    let distances = slider.knobs.map {
      slider.place(of: $0, on: path, at: now).distance(to: point)
    }
    return distances.min().flatMap(distances.firstIndex).flatMap(slider.name)
  }

  // MARK: Properties

  /// A set number is clamped to the scale, rounded to a step unless the scale is continuous, and
  /// reached by a spring.
  static var sliderProperties: [Property<Self>] {
    [
      number("value", 0).present { !$0.slider.isPair },
      number("low", 0).present { $0.slider.isPair },
      number("high", 1).present { $0.slider.isPair },
      Property("text") { control, _ in
        control.text
      } set: { (control, value: Value, _, _) throws(InvalidValueError) in
        control.text = try Label.shown(value)
      }.free(),
    ]
  }

  private static func number(_ name: String, _ index: Int) -> Property<Self> {
    Property(name) { control, _ in
      control.slider.value(of: index)
    } set: { (control, number: Double, at, events) throws(InvalidValueError) in
      try control.slider.set(index, to: number, on: control.path, at: at.now, events: &events)
    }
  }

  static var sliderEvents: [EventType] {
    EventType.turning([.item, .index, .label, .value.of(.number)])
  }

  /// A number to set, two, or only a measurement.
  package var home: HomeEntity { numbers }

  var numbers: HomeEntity { slider.isPair ? .range("low", "high") : Self.keys.home }
}

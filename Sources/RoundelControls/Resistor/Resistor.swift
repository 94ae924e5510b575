// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
public import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// A calculator for the colour code of resistors, with a picker's wheel for each band.
public struct Resistor: BoxControl, Hashable {
  /// The centre, in design pixels.
  public package(set) var center: Point
  /// Width and height, in design pixels.
  public let size: Size
  /// The edition of the standard that defines the tolerances of the colours.
  public package(set) var edition: ResistorColor.Edition
  /// The number, from 3 to 6.
  var bandCount: Int
  /// The initial bands, or nil for 1 kΩ.
  var firstBands: [ResistorColor]?
  /// The opacity, from 0 to 1.
  package var mute: Double
  package var muteColor: ThemeColor?
  package private(set) var roles: [ResistorColor.Role]
  private let rows: Int
  private(set) var picker: Picker { didSet { read() } }
  private(set) var reading: ResistorReading

  /// Creates a calculator that initially shows `code`, which must have 3 to 6 bands.
  public init(
    center: Point, size: Size, code: ResistorCode, rows: Int = 5, mute: Double = 0.6,
    muteColor: ThemeColor? = nil
  ) {
    guard let roles = ResistorCode.roles(of: code.bands.count) else {
      preconditionFailure("a calculator has 3 to 6 wheels, one per band")
    }
    self.center = center
    self.size = size
    self.roles = roles
    self.rows = rows
    self.mute = mute
    self.muteColor = muteColor
    edition = code.edition
    bandCount = code.bands.count
    firstBands = code.bands
    picker = Self.picker(
      center: center, size: size, code, roles, rows: rows, mute: mute, muteColor: muteColor)
    reading = ResistorReading(code, on: picker.wheels.map(\.index))
  }

  package mutating func keysChanged(since old: Resistor?, at now: Instant) {
    if bandCount != old?.bandCount || edition != old?.edition || firstBands != old?.firstBands
      || center != old?.center
    {
      makeWheels()
      if let old { resume(old, at: now) }
    }
    picker.mute = mute
    picker.muteColor = muteColor
  }

  private mutating func makeWheels() {
    let first = firstBands.flatMap { ResistorCode($0, edition: edition) }
    guard let code = first ?? Self.standard(bands: bandCount, edition: edition) else { return }
    let made = Resistor(
      center: center, size: size, code: code, rows: rows, mute: mute, muteColor: muteColor)
    (roles, picker, reading) = (made.roles, made.picker, made.reading)
  }

  private static func picker(
    center: Point, size: Size, _ code: ResistorCode, _ roles: [ResistorColor.Role], rows: Int,
    mute: Double, muteColor: ThemeColor?
  ) -> Picker {
    let frame = Rect(center: center, size: size)
    let wheels = Rect(
      x0: frame.x0, y0: frame.y1 - size.height * wheelShare, x1: frame.x1, y1: frame.y1)
    return Picker(
      center: wheels.center, size: wheels.size, rows: rows, mute: mute, muteColor: muteColor,
      fontSize: Theme.step(
        min(
          wheels.size.height / Double(rows) * 0.52, wheels.size.width / Double(roles.count) * 0.21)),
      columns: zip(roles, code.bands).enumerated().map { index, band in
        let choices = ResistorColor.choices(for: band.0, in: code.edition)
        return Picker.Column(
          id: String(index),
          items: choices.map {
            Picker.Item(label: label($0, band.0, code.edition), color: .fixed($0.color))
          },
          value: choices.firstIndex(of: band.1) ?? 0)
      })
  }

  static let wheelShare = 0.56

  /// Returns the code of 1 kΩ with 3 to 6 bands, or nil for other numbers.
  public static func standard(bands: Int, edition: ResistorColor.Edition = .year2016)
    -> ResistorCode?
  {
    let bands: [ResistorColor]? =
      switch bands {
      case 3: [.brown, .black, .red]
      case 4: [.brown, .black, .red, .gold]
      case 5: [.brown, .black, .black, .brown, .brown]
      case 6: [.brown, .black, .black, .brown, .brown, .brown]
      default: nil
      }
    return bands.flatMap { ResistorCode($0, edition: edition) }
  }

  private static func label(
    _ color: ResistorColor, _ role: ResistorColor.Role, _ edition: ResistorColor.Edition
  ) -> String {
    switch role {
    case .digit: String(color.digit ?? 0)
    case .multiplier: "×" + Resistance(1, exponent: color.exponent(in: edition) ?? 0).factor
    // Non-breaking spaces, because two lines would look like two values.
    case .tolerance: "±\(ResistorCode.percent(color.tolerance(in: edition) ?? 0))\u{a0}%"
    case .temperature: "\(color.temperatureCoefficient ?? 0)\u{a0}ppm"
    }
  }

  // MARK: The code

  /// The code selected on the wheels.
  public var code: ResistorCode { reading.code }

  private mutating func read() {
    guard zip(picker.wheels, reading.indexes).contains(where: { $0.index != $1 }) else { return }
    let indexes = picker.wheels.map(\.index)
    reading = ResistorReading(code(indexes), on: indexes)
  }

  private func code(_ indexes: [Int]) -> ResistorCode {
    let bands = zip(roles, indexes).map { role, index in
      ResistorColor.choices(for: role, in: edition)[index]
    }
    guard let code = ResistorCode(bands, edition: edition) else {
      preconditionFailure("each wheel contains the valid colours of its band")
    }
    return code
  }

  // MARK: Touch and time

  /// Whether `point` is on a wheel.
  public func contains(_ point: Point, at now: Instant) -> Bool { picker.contains(point, at: now) }

  /// Turns a wheel. Reports `settled` when all wheels rest.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    report(&events) { $0.turned(by: touch, at: now) }
  }

  /// Turns the held wheels with their fingers.
  public mutating func follow(_ position: (_ finger: Int) -> Point?, at now: Instant) {
    picker.follow(position, at: now)
  }

  /// Reports `passing` and `settled` as wheels slow down.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    report(&events) { $0.turned(until: now) }
  }

  /// The time when a wheel next passes a row or comes to rest.
  public func nextChange(after now: Instant) -> Instant? { picker.nextChange(after: now) }

  /// Whether a wheel moves without a finger.
  public func isMoving(at now: Instant) -> Bool { picker.isMoving(at: now) }

  /// Stops the wheels immediately, each on a row.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {
    report(&events) { $0.stopped(at: now) }
  }

  mutating func report(
    _ events: inout [ControlEvent], _ change: (inout Picker) -> [Picker.WheelEvent]
  ) {
    var indexes = picker.wheels.map(\.index)
    let happened = change(&picker)
    let rests = !picker.wheels.contains { $0.isMoving || $0.isHeld }
    for (place, wheelEvent) in happened.enumerated() {
      indexes[wheelEvent.wheel] = wheelEvent.index
      if wheelEvent.name == "settled", !rests || place < happened.count - 1 { continue }
      events.append(
        ControlEvent(wheelEvent.name, at: wheelEvent.time, fields: fields(of: code(indexes))))
    }
  }

  private func fields(of code: ResistorCode) -> [Field] {
    [
      Field("bands", code.names), Field("ohms", .number(code.resistance.ohms)),
      Field("tolerance", .number(code.percent)), Field("text", .text(code.text)),
    ]
  }

  // MARK: State

  /// The wheels turn to set bands, to a tolerance, or to the nearest resistance.
  package static let interface = Interface<Resistor>(
    properties: [
      Property("bands") { resistor, _ in
        resistor.code.names
      } set: { (resistor, bands: Value, at, events) throws(InvalidValueError) in
        guard case .list(let values) = bands else { throw InvalidValueError("a list of colours") }
        let colors = values.compactMap { ResistorColor(rawValue: $0.display) }
        let count = resistor.roles.count
        let isWhole = colors.count == values.count && colors.count == count
        try resistor.turn(
          to: isWhole ? ResistorCode(colors, edition: resistor.edition) : nil,
          "\(count) valid colours for the bands", at: at.now, &events)
      },
      Property("ohms") { resistor, _ in
        resistor.code.resistance.ohms
      } set: { (resistor, ohms: Double, at, events) throws(InvalidValueError) in
        try resistor.turn(
          to: resistor.code.with(ohms: ohms), "a resistance that the bands can represent",
          at: at.now,
          &events)
      },
      Property("tolerance") { resistor, _ in
        resistor.code.percent
      } set: { (resistor, percent: Double, at, events) throws(InvalidValueError) in
        try resistor.turn(
          to: resistor.with(tolerance: percent),
          "a tolerance, in percent, that a band can represent", at: at.now, &events)
      },
      Property("text") { resistor, _ in resistor.code.text },
      Property("minimum") { resistor, _ in resistor.code.minimum.ohms },
      Property("maximum") { resistor, _ in resistor.code.maximum.ohms },
      Property("series") { resistor, _ in resistor.code.series.name },
      Property("nearest") { resistor, _ in
        resistor.code.series.nearest(to: resistor.code.resistance)?.ohms ?? 0
      },
    ],
    events: EventType.turning([.bands, .ohms, .tolerance, .text]))

  private mutating func turn(
    to wanted: ResistorCode?, _ expected: String, at now: Instant, _ events: inout [ControlEvent]
  ) throws(InvalidValueError) {
    guard let wanted else { throw InvalidValueError(expected) }
    let indexes = indexes(of: wanted)
    report(&events) { picker in indexes.enumerated().flatMap { picker.turned($0, to: $1, at: now) }
    }
  }

  private func with(tolerance percent: Double) -> ResistorCode? {
    guard let index = roles.firstIndex(of: .tolerance) else { return nil }
    let choices = ResistorColor.choices(for: .tolerance, in: edition)
    var bands = code.bands
    guard
      let color = choices.first(where: {
        abs(Double($0.tolerance(in: edition) ?? 0) / 100 - percent) < 1e-9
      })
    else { return nil }
    bands[index] = color
    return ResistorCode(bands, edition: edition)
  }

  private func indexes(of code: ResistorCode) -> [Int] {
    zip(roles, code.bands).map { role, band in
      ResistorColor.choices(for: role, in: edition).firstIndex(of: band) ?? 0
    }
  }

  /// Continues `old`, if it has the same number of bands.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Resistor else { return }
    let isSame = roles == old.roles
    picker.resume(
      old.picker, at: now, wheel: { isSame ? $0 : nil }, rows: { $0.items.map(\.color) })
  }
}

extension Resistor {
  /// The wheels of the bands, from left to right, and their rows.
  public func items(at now: Instant) -> [ControlItem] { picker.items(at: now) }
}

extension ResistorCode {
  fileprivate var names: Value { .list(bands.map { .text($0.rawValue) }) }

  fileprivate var percent: Double { Double(tolerance) / 100 }
}

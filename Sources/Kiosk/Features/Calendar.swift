// SPDX-License-Identifier: MIT

internal import RoundelExpressions
internal import RoundelMotion

/// Resets daily values at midnight, even if the kiosk wasn't running then.
struct Calendar: Feature {
  /// The day of the current values, or nil before the start.
  private var day: Int?
  private var isUsed: Bool

  /// The name of the day among persistent values. Names of values don't contain @.
  private static let name = "@day"

  init(_ description: Description) { isUsed = description.values.contains(where: \.isDaily) }

  func nextChange(in engine: Engine) -> Instant? {
    isUsed ? engine.clock.next(.day).flatMap { engine.time.instant($0) } : nil
  }

  mutating func advance(_ engine: inout Engine, _ turn: inout Turn) {
    guard let last = day, engine.clock.days > last else { return }
    day = engine.clock.days
    guard isUsed else { return }
    for value in engine.description.values where value.isDaily { engine.restore(value, &turn) }
  }

  mutating func recordClock(since former: CivilTime, _ engine: inout Engine, _ turn: inout Turn) {
    // A clock that is set back was ahead before.
    if engine.clock.days < former.days { day = day.map { _ in engine.clock.days } }
    advance(&engine, &turn)
  }

  var past: [String: Value] {
    guard isUsed, let day else { return [:] }
    return [Self.name: .number(Double(day))]
  }

  mutating func restore(
    _ persistentValues: inout [String: Value], _ description: Description, at clock: CivilTime
  ) {
    // The clock may be behind at boot, until the machine has synchronized it.
    var day = clock.days
    let last = persistentValues.removeValue(forKey: Self.name)
    if case .number(let last)? = last, (0...1e9).contains(last) { day = max(day, Int(last)) }
    self.day = day
    guard let last, last != .number(Double(day)) else { return }
    for value in description.values where value.isDaily { persistentValues[value.name] = nil }
  }

  mutating func adopt(_ mapping: PlanMapping) { restart(mapping.next.description) }

  mutating func restart(_ description: Description) { isUsed = Self(description).isUsed }
}

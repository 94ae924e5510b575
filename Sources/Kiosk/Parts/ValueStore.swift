// SPDX-License-Identifier: MIT

internal import RoundelExpressions
internal import RoundelMotion

/// Values of the kiosk, and the theme's name. An undefined value has no entry.
struct ValueStore: Sendable {
  private(set) var all: [String: Value] = [:]
  /// The time when each defined value with a time limit was last set.
  private var settingTimes: [String: Instant] = [:]
  private(set) var revision: UInt64 = 0

  /// Sets initial values, or the valid values from `old`.
  init(_ description: Description, _ old: [String: Value], at now: Instant) {
    for declaration in description.values where declaration.template == nil {
      let first = declaration.staleAfter == nil ? declaration.initial : nil
      all[declaration.name] = old[declaration.name].flatMap(declaration.fitted) ?? first
      if declaration.staleAfter != nil, all[declaration.name] != nil {
        settingTimes[declaration.name] = now
      }
    }
    if description.scalesTexts { all[Description.textScaleValue] = .number(1) }
    if description.namesTheme { all[Description.themeValue] = .text(description.themeName) }
  }

  subscript(name: String) -> Value? { all[name] }

  mutating func set(_ name: String, to value: Value?) {
    all[name] = value
    revision &+= 1
  }

  mutating func recordSetting(of name: String, at now: Instant) { settingTimes[name] = now }

  /// Records that all defined values with a time limit are set now.
  mutating func recordSettings(at now: Instant) {
    settingTimes = settingTimes.mapValues { _ in now }
  }

  /// Returns stale times in file order.
  func staleTimes(_ description: Description) -> [(value: ValueDeclaration, time: Instant)] {
    guard !settingTimes.isEmpty else { return [] }
    return description.values.compactMap { value in
      guard let after = value.staleAfter, let last = settingTimes[value.name] else { return nil }
      return (value, last + after)
    }
  }

  mutating func expire(_ name: String) {
    settingTimes[name] = nil
    set(name, to: nil)
  }

  /// Keeps common values that are valid in the next plan.
  mutating func adopt(_ mapping: PlanMapping, at now: Instant) {
    let (former, next) = (mapping.former.description, mapping.next.description)
    // The theme's name isn't one of the kiosk's values.
    var new = ValueStore(next, all.filter { former.isSettable($0.key) }, at: now)
    if next.scalesTexts, former.scalesTexts {
      new.all[Description.textScaleValue] = all[Description.textScaleValue]
    }
    new.settingTimes.merge(settingTimes) { now, former in min(now, former) }
    new.settingTimes = new.settingTimes.filter { new.all[$0.key] != nil }
    new.revision = revision &+ 1
    self = new
  }
}

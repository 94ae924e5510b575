// SPDX-License-Identifier: MIT

internal import Expressions
internal import Motion

/// The kiosk's own values, and the name of the theme, by name. An undefined value has no entry.
struct ValueStore: Sendable {
  private(set) var all: [String: Value] = [:]
  /// The time of the last setting of each defined value with a time limit.
  private var settingTimes: [String: Instant] = [:]
  /// Increases with each visible change.
  private(set) var revision: UInt64 = 0

  /// The first values of a kiosk, or the suitable values of `old`.
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

  /// Notes that a value that grows stale is set now.
  mutating func noteSetting(of name: String, at now: Instant) { settingTimes[name] = now }

  /// When values that have been set grow stale, in the order of the file.
  func staleTimes(
    _ description: Description
  ) -> [(value: ValueDeclaration, time: Instant)] {
    guard !settingTimes.isEmpty else { return [] }
    return description.values.compactMap { value in
      guard let after = value.staleAfter, let last = settingTimes[value.name] else { return nil }
      return (value, last + after)
    }
  }

  /// Leaves a value undefined that has grown stale.
  mutating func expire(_ name: String) {
    settingTimes[name] = nil
    set(name, to: nil)
  }

  /// Continues with the values of the next plan. Those that the former has, too, keep their suitable values.
  mutating func follow(_ succession: Succession, at now: Instant) {
    let (former, next) = (succession.former.description, succession.next.description)
    // The name of the theme is not a value of the kiosk's own.
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

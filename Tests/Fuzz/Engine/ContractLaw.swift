// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import Kiosk

/// The law that every start has an end: if the actions of a start ran, the actions of its end also
/// run, whatever ends it.
///
/// Each start sets a flag, which survives restarts, and each end clears it. So a set flag belongs to something in
/// progress.
enum ContractLaw {
  private static let starts = ["pressed", "opened", "started", "shown", "slept"]
  private static let ends = [
    "selected", "cancelled", "settled", "changed", "closed", "hidden", "woken",
  ]

  /// Returns the flag of a control, a page or the kiosk.
  static func flag(of name: String) -> String { "\(name)_is_on" }

  /// Returns the flag for presses of a page's background.
  static func groundFlag(of page: String) -> String { "\(page)_is_pressed" }

  private static let sleepFlag = flag(of: "sleep")

  /// Adds the flags of all `ids` and of the kiosk's pages, and the actions that set and clear them.
  static func impose(on description: inout Description, ids: [String]) {
    description.actions = adding(sleepFlag, to: description.actions, ["slept", "woken"])
    var names = [sleepFlag] + ids.map(flag)
    for page in description.pages.indices {
      let name = description.pages[page].name
      names += [flag(of: name), groundFlag(of: name)]
      let actions = adding(
        flag(of: name), to: description.pages[page].actions, ["shown", "hidden"])
      description.pages[page].actions = adding(
        groundFlag(of: name), to: actions, ["pressed", "selected", "cancelled"])
      for control in description.pages[page].controls.indices {
        let entry = description.pages[page].controls[control]
        description.pages[page].controls[control].actions = adding(
          flag(of: entry.id), to: entry.actions, starts + ends)
      }
    }
    for name in names {
      var value = ValueDeclaration(name: name, initial: .flag(false))
      value.isPersistent = true
      description.values.append(value)
    }
  }

  private static func adding(
    _ flag: String, to actions: [String: [Action]], _ events: [String]
  ) -> [String: [Action]] {
    var actions = actions
    for event in events where starts.contains(event) || ends.contains(event) {
      let isStart = starts.contains(event)
      actions[event, default: []].insert(
        Action(.set(.value(flag), .flag(isStart))), at: 0)
    }
    return actions
  }

  /// Returns a message about the first flag that is set although nothing is in progress, or nil.
  static func violation(in engine: Engine, _ isInProgress: (_ control: String) -> Bool) -> String? {
    func isSet(_ flag: String) -> Bool { engine.value(of: .value(flag)) == .flag(true) }
    if isSet(sleepFlag), !engine.isBlank { return "the actions of waking did not run" }
    for (index, page) in engine.pages.enumerated() {
      if isSet(flag(of: page.name)), index != engine.shownPage, index != engine.overlay {
        return "the actions of hiding \(page.name) did not run"
      }
      if isSet(groundFlag(of: page.name)), index != engine.activePage || engine.fingers.isEmpty {
        return "the actions of the end of a press of \(page.name) did not run"
      }
      for entry in page.controls where isSet(flag(of: entry.id)) && !isInProgress(entry.id) {
        return "the actions of an end of the \(entry.kind) \(entry.id) did not run"
      }
    }
    return nil
  }

  /// Whether a turn has dropped actions because of its work limit.
  static func isExcused(by events: [Event]) -> Bool {
    events.contains { event in
      event.name == "failed" && event.fields.contains { $0.value.display.contains("dropped") }
    }
  }

  /// Returns a message about the first flag that is still set after the end of the process, or nil.
  static func violationAtEnd(of engine: Engine) -> String? {
    var last = engine
    last.finish()
    guard !isExcused(by: last.takeEvents()) else { return nil }
    let set = last.persistentValues.filter { $0.value == .flag(true) }.keys.sorted()
    return set.first.map { "\($0) is still set after the end of the process" }
  }
}

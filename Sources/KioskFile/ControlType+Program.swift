// SPDX-License-Identifier: MIT

package import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk

extension ControlType {
  package init<Own: FileControl>(own: Own.Type) {
    let fields = Own.eventFields.map { EventField($0, .any, "") }
    self.init(Own.type, events: Own.events.map { EventType($0, "", fields) }) {
      Table(Own.type, Own.summary) { keys in
        keys.allowTemplates()
        let id = keys.required(Own.type, .id, "The control's id, unique in the file.")
        let at = keys.required("at", .point, "The centre, in design pixels.")
        let values = Own.keys.map { (name: $0.name, read: $0.declare(in: &keys)) }
        let (enabled, visible) = keys.states()
        let always = keys.always()
        keys.spoken()
        if !Own.events.isEmpty { keys.on(Own.events) }
        return { fields in
          var known: [String: Value] = [:]
          for (name, read) in values { known[name] = read(fields) }
          return PlacedControl(
            id: fields[id], kind: Own.type, control: Own(at: fields[at], known),
            isEnabled: fields[enabled], isVisible: fields[visible],
            isAlwaysAvailable: fields[always])
        }
      }
    }
  }

  /// A type for one control that a program has made.
  ///
  /// - Parameter name: The first key, whose value is the control's id.
  package init(_ name: String, of control: any Control) {
    self.init(name, events: []) {
      Table(name, "A control of the program.") { keys in
        keys.allowTemplates()
        let id = keys.required(name, .id, "The control's id, unique in the kiosk.")
        let (enabled, visible) = keys.states()
        let always = keys.always()
        keys.spoken()
        return { fields in
          PlacedControl(
            id: fields[id], kind: name, control: control, isEnabled: fields[enabled],
            isVisible: fields[visible], isAlwaysAvailable: fields[always])
        }
      }
    }
  }
}

extension ControlKey {
  /// Adds the key to a table, and returns a closure that reads its value.
  fileprivate func declare(in keys: inout Keys) -> @Sendable (Fields) -> Value {
    switch (kind, initial) {
    case (.number(let range), .number(let number)?):
      let key = keys.optional(name, .number(range).as(.fixed), default: .number(number), summary)
      return { .number($0[key]) }
    case (.number(let range), _):
      let key = keys.required(name, .number(range).as(.fixed), summary)
      return { .number($0[key]) }
    case (.text, .text(let text)?):
      let key = keys.optional(name, .text.as(.fixed), default: .string(text), summary)
      return { .text($0[key]) }
    case (.text, _):
      let key = keys.required(name, .text.as(.fixed), summary)
      return { .text($0[key]) }
    case (.flag, .flag(let flag)?):
      let key = keys.optional(name, .flag.as(.fixed), default: .bool(flag), summary)
      return { .flag($0[key]) }
    case (.flag, _):
      let key = keys.required(name, .flag.as(.fixed), summary)
      return { .flag($0[key]) }
    }
  }
}

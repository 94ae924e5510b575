// SPDX-License-Identifier: MIT

package import Controls
internal import Expressions
package import JSON
package import Kiosk
package import Remote

/// What a request has that asks for a command: which parameters is said by what the command's kind
/// takes.
package protocol CommandParameters: JSONRecord {
  /// Nil where a command of this kind is asked for otherwise.
  init?(_ command: Command)

  /// The commands that it asks for, of a kind; nil where a value is none that a kiosk knows.
  func commands(of kind: CommandKind) -> [Command]?
}

extension CommandKind {
  /// The method that does commands of this kind.
  package func method<Parameters: CommandParameters>(
    taking: Parameters.Type, called name: String? = nil
  ) -> Method<Parameters, CommandAnswer> {
    let result =
      argument == .page
      ? "true; {blank: true} where the panel sleeps, and shows the page once it wakes" : "true"
    return Method(name ?? self.name, summary, result: result)
  }

  /// What a request for it has; nil for what no client may do.
  package var parameters: (any CommandParameters.Type)? {
    guard isRemote else { return nil }
    return switch argument {
    case .setting: SettingParameters.self
    case .page: PageParameters.self
    case .control: ControlParameters.self
    case .controlOrAll: OptionalControlParameters.self
    case .event: EventParameters.self
    case .flag: FlagParameters.self
    case .constant: NoParameters.self
    case .program, .sound: nil
    case .key: KeyParameters.self
    }
  }
}

extension Command {
  /// What asks for it; nil for what no client may do.
  package var request: (any CommandParameters)? {
    CommandKind.named(name)?.parameters.flatMap { $0.init(self) }
  }
}

/// What became of a command.
package struct CommandAnswer: JSONConvertible {
  /// Whether it can be seen once the panel wakes only.
  package var isUnseen: Bool

  package init(isUnseen: Bool = false) {
    self.isUnseen = isUnseen
  }

  package init(_ json: JSONValue) {
    isUnseen = json["blank"]?.bool == true
  }

  package var json: JSONValue {
    isUnseen ? .object([.init("blank", .bool(true))]) : .bool(true)
  }
}

package struct SettingParameters: CommandParameters {
  package var property: Reference
  package var value: JSONValue = .null
  package init() { property = .page }

  package static let members: [Member<SettingParameters>] = [
    .required("property", \.property, .property, "Which one."),
    .required("value", \.value, .any, "Its new value."),
  ]

  package init?(_ command: Command) {
    guard case .set(let property, let value) = command else { return nil }
    self.property = property
    self.value = JSONValue(value)
  }

  package func commands(of kind: CommandKind) -> [Command]? {
    Value(value).map { [.set(property, $0)] }
  }
}

package struct PageParameters: CommandParameters {
  package var page = ""
  package var wakes = false
  package init() {}

  package static let members: [Member<PageParameters>] = [
    .required("page", \.page, .text, "Its name."),
    .optional("wake", \.wakes, .flag, "Whether to wake the panel."),
  ]

  package init?(_ command: Command) {
    guard case .go(let page) = command else { return nil }
    self.page = page
  }

  package func commands(of kind: CommandKind) -> [Command]? {
    (wakes ? [.blank(false)] : []) + [.go(page: page)]
  }
}

package struct ControlParameters: CommandParameters {
  package var control = ""
  package init() {}

  package static let members: [Member<ControlParameters>] = [
    .required("control", \.control, .text, "Its id.")
  ]

  package init?(_ command: Command) {
    guard case .perform(_, let control) = command else { return nil }
    self.control = control
  }

  package func commands(of kind: CommandKind) -> [Command]? {
    [.perform(kind.name, control: control)]
  }
}

package struct OptionalControlParameters: CommandParameters {
  package var control: String?
  package init() {}

  package static let members: [Member<OptionalControlParameters>] = [
    .optional("control", \.control, .text, "Its id; all controls.")
  ]

  package init?(_ command: Command) {
    guard case .reset(let control) = command else { return nil }
    self.control = control
  }

  package func commands(of kind: CommandKind) -> [Command]? {
    [.reset(control == CommandKind.everything ? nil : control)]
  }
}

package struct EventParameters: CommandParameters {
  package var name = ""
  package var fields: JSONValue?
  package init() {}

  package static let members: [Member<EventParameters>] = [
    .required("name", \.name, .text, "The event's name."),
    .optional("fields", \.fields, .any, "{FIELD: value}."),
  ]

  package init?(_ command: Command) {
    guard case .emit(let name, let fields) = command else { return nil }
    self.name = name
    self.fields = .object(fields.map { .init($0.name, JSONValue($0.value)) })
  }

  package func commands(of kind: CommandKind) -> [Command]? {
    guard let fields else { return [.emit(name, [])] }
    guard case .object(let members) = fields else { return nil }
    return [
      .emit(
        name,
        members.compactMap { member in Value(member.value).map { Field(member.name, $0) } })
    ]
  }
}

package struct FlagParameters: CommandParameters {
  package var on = true
  package init() {}

  package static let members: [Member<FlagParameters>] = [
    .optional("on", \.on, .flag, "False wakes it.")
  ]

  package init?(_ command: Command) {
    guard case .blank(let on) = command else { return nil }
    self.on = on
  }

  package func commands(of kind: CommandKind) -> [Command]? { [.blank(on)] }
}

package struct KeyParameters: CommandParameters {
  package var key = Keystroke.enter
  package init() {}

  package static let members: [Member<KeyParameters>] = [
    .required("key", \.key, .key, "Which one.")
  ]

  package init?(_ command: Command) {
    guard case .key(let key) = command else { return nil }
    self.key = key
  }

  package func commands(of kind: CommandKind) -> [Command]? { [.key(key)] }
}

extension NoParameters: CommandParameters {
  package init?(_ command: Command) { self.init() }

  package func commands(of kind: CommandKind) -> [Command]? {
    if case .constant(let command) = kind.argument { [command] } else { nil }
  }
}

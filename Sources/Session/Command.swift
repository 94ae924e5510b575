// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
package import JSON
package import Kiosk

extension Command {
  /// As a recording has it: `"set": {"minutes.value": 3}`.
  package var json: JSONValue.Member { .init(name, argument) }

  private var argument: JSONValue {
    switch self {
    case .set(let target, let value): .object([.init("\(target)", JSONValue(value))])
    case .go(let page): .string(page)
    case .perform(_, let control): .string(control)
    case .emit(let name, let fields):
      fields.isEmpty
        ? .string(name)
        : .object(
          [.init("name", .string(name))] + fields.map { .init($0.name, JSONValue($0.value)) })
    case .blank, .shake: .bool(true)
    case .key(let key): .string(key.rawValue)
    case .reset(let control): .string(control ?? CommandKind.everything)
    case .play(let file): .string(file)
    case .run(let program): .array(program.map { .string($0) })
    }
  }
}

extension CommandKind {
  /// The commands of this kind that a recording writes so, of which only a `set` has several; nil where
  /// those are none.
  func commands(_ json: JSONValue) -> [Command]? {
    guard argument == .setting else { return command(json).map { [$0] } }
    guard case .object(let members) = json, !members.isEmpty else { return nil }
    let commands = members.compactMap { member -> Command? in
      guard let target = Reference(member.name), let value = Value(member.value) else { return nil }
      return .set(target, value)
    }
    return commands.count == members.count ? commands : nil
  }

  private func command(_ json: JSONValue) -> Command? {
    switch (argument, json) {
    case (.page, .string(let page)): return .go(page: page)
    case (.control, .string(let id)): return .perform(name, control: id)
    case (.controlOrAll, .string(let id)): return .reset(id == Self.everything ? nil : id)
    case (.event, .string(let name)): return .emit(name, [])
    case (.event, .object(let members)):
      guard let name = json["name"]?.string else { return nil }
      return .emit(
        name,
        members.filter { $0.name != "name" }.compactMap { member in
          Value(member.value).map { Field(member.name, $0) }
        })
    case (.flag, .bool(let flag)): return .blank(flag)
    case (.constant(let command), .bool(true)): return command
    case (.key, .string(let name)): return Keystroke(rawValue: name).map { .key($0) }
    default: return nil
    }
  }

  /// What `commands(_:)` takes.
  var expected: String {
    switch argument {
    case .setting: "{\"name\": value, …}"
    case .page: "the name of a page"
    case .event: "the name of an event, or {\"name\": NAME, \"FIELD\": value}"
    case .flag: "true or false"
    case .constant: "true"
    case .controlOrAll: "the id of a control, or \"\(Self.everything)\""
    case .control: "the id of a control"
    case .program: "a program and its arguments"
    case .sound: "the name of a sound file"
    case .key: "one of " + Keystroke.allCases.map(\.rawValue).joined(separator: ", ")
    }
  }
}

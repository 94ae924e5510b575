// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
package import JSON
package import Kiosk

extension GivenCommand {
  /// The command in a recording: `"set": {"minutes.value": 3}`.
  package var json: JSONValue.Member {
    let values = zip(kind.parameters, arguments).map { parameter, argument in
      JSONValue.Member(parameter.name, argument.json)
    }
    let argument: JSONValue =
      switch values.count {
      case 0: .bool(true)
      case 1: values[0].value
      default: .object(values)
      }
    return .init(kind.name, argument)
  }
}

extension CommandKind {
  /// The commands of this kind with the argument that a recording has; nil for an argument that does not
  /// fit. Only a `set` may have several.
  func commands(_ json: JSONValue) -> [GivenCommand]? {
    guard case .setting = parameters.first?.kind else { return command(json).map { [$0] } }
    guard case .object(let members) = json, !members.isEmpty else { return nil }
    let commands = members.compactMap { command(.object([$0])) }
    return commands.count == members.count ? commands : nil
  }

  private func command(_ json: JSONValue) -> GivenCommand? {
    guard parameters.count != 1 else {
      return parameters[0].argument(json).map { GivenCommand(self, [$0]) }
    }
    if parameters.isEmpty { return json == .bool(true) ? GivenCommand(self) : nil }
    guard case .object(let members) = json, members.count <= parameters.count else { return nil }
    let arguments = parameters.compactMap { parameter in
      json[parameter.name].flatMap { parameter.argument($0) }
    }
    return arguments.count == parameters.count ? GivenCommand(self, arguments) : nil
  }

  /// The argument that a recording has, in words.
  var expected: String {
    if parameters.isEmpty { return "true" }
    guard parameters.count > 1 else { return parameters[0].expected }
    return "{" + parameters.map { "\"\($0.name)\": \($0.expected)" }.joined(separator: ", ") + "}"
  }
}

extension CommandArgument<String, Value> {
  fileprivate var json: JSONValue {
    switch self {
    case .setting(let target, let value): .object([.init("\(target)", JSONValue(value))])
    case .page(let page): .string(page)
    case .control(let id): .string(id)
    case .controlOrAll(let id): .string(id ?? CommandKind.everything)
    case .event(let name, let fields):
      fields.isEmpty
        ? .string(name)
        : .object(
          [.init("name", .string(name))] + fields.map { .init($0.name, JSONValue($0.value)) })
    case .flag(let flag): .bool(flag)
    case .word(let word): .string(word)
    case .number(let number): .number(number)
    case .program(let words): .array(words.map { .string($0) })
    case .sound(let file, _): .string(file)
    case .key(let key): .string(key.rawValue)
    }
  }
}

extension CommandParameter {
  fileprivate func argument(_ json: JSONValue) -> CommandArgument<String, Value>? {
    switch (kind, json) {
    case (.setting, .object(let members)):
      guard members.count == 1, let target = Reference(members[0].name),
        let value = Value(members[0].value)
      else { return nil }
      return .setting(target, value)
    case (.page, .string(let page)): return .page(page)
    case (.control, .string(let id)): return .control(id)
    case (.controlOrAll, .string(let id)):
      return .controlOrAll(id == CommandKind.everything ? nil : id)
    case (.event, .string(let name)): return .event(name, [])
    case (.event, .object(let members)):
      guard let name = json["name"]?.string else { return nil }
      return .event(
        name,
        members.filter { $0.name != "name" }.compactMap { member in
          Value(member.value).map { CommandField(member.name, $0) }
        })
    case (.flag, .bool(let flag)): return .flag(flag)
    case (.flag(_, let word?), .string(let given)): return given == word ? .word(word) : nil
    case (.number(let range, _), .number(let number)):
      return range.contains(number) ? .number(number) : nil
    case (.key, .string(let name)): return Keystroke(rawValue: name).map { .key($0) }
    default: return nil
    }
  }

  fileprivate var expected: String {
    switch kind {
    case .setting: "{\"name\": value, …}"
    case .page: "the name of a page"
    case .event: "the name of an event, or {\"name\": NAME, \"FIELD\": value}"
    case .flag(_, let word): "true or false" + (word.map { " or \"\($0)\"" } ?? "")
    case .number(let range, let unit):
      "a number from \(Value.number(range.lowerBound).display) to "
        + Value.number(range.upperBound).display + (unit.isEmpty ? "" : " \(unit)")
    case .controlOrAll: "the id of a control, or \"\(CommandKind.everything)\""
    case .control: "the id of a control"
    case .program: "a program and its arguments"
    case .sound: "the name of a sound file"
    case .key: "one of " + Keystroke.allCases.map(\.rawValue).joined(separator: ", ")
    }
  }
}

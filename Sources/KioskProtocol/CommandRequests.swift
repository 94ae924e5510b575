// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
package import JSON
package import Kiosk
package import JSONRPC

/// A request for a command: its parameters as JSON, by their names. The command's kind says which it
/// has.
package struct CommandRequest: JSONRecord {
  package fileprivate(set) var values: [String: JSONValue] = [:]
  package init() {}
  package static let members: [Member<CommandRequest>] = []
}

extension CommandKind {
  /// The method for commands of this kind; nil where no client may give one.
  package func method(called name: String? = nil) -> Method<CommandRequest, CommandAnswer>? {
    guard traits.contains(.remote) else { return nil }
    let result =
      mayWake
      ? "true; {blank: true} where the panel sleeps, and shows the page once it wakes" : "true"
    return Method(
      name ?? self.name, summary, result: result,
      members: parameters.flatMap(\.members) + (mayWake ? [Self.wakeMember] : []))
  }

  /// Whether requests may wake the panel before.
  package var mayWake: Bool { traits.contains(.mayWake) }

  fileprivate static let wake = "wake"
  private static let wakeMember = Member<CommandRequest>.optional(
    wake, at: \.values[wake], .flag, default: .bool(false), "Whether to wake the panel.")

  /// The commands that a request asks for; nil where a value is none that a kiosk knows.
  package func commands(of request: CommandRequest) -> [GivenCommand]? {
    let arguments = parameters.compactMap { $0.argument(in: request.values) }
    guard arguments.count == parameters.count else { return nil }
    let wakes = request.values[Self.wake] == .bool(true)
    return (wakes ? [.blank(false)] : []) + [GivenCommand(self, arguments)]
  }

  /// The methods of all commands that clients may give.
  package static var methods: [(kind: CommandKind, method: Method<CommandRequest, CommandAnswer>)] {
    // `unblank` is the older name of `wake`.
    let older = named("wake").flatMap { kind in kind.method(called: "unblank").map { (kind, $0) } }
    return remote.compactMap { kind in kind.method().map { (kind, $0) } }
      + [older].compactMap(\.self)
  }
}

extension GivenCommand {
  /// The request for it, which may wake the panel before; nil for a command that no client may give.
  package func request(waking: Bool = false) -> CommandRequest? {
    guard kind.traits.contains(.remote) else { return nil }
    var request = CommandRequest()
    for (parameter, argument) in zip(kind.parameters, arguments) {
      parameter.write(argument, to: &request.values)
    }
    if waking { request.values[CommandKind.wake] = .bool(true) }
    return request
  }

  /// The call of its method, as it is sent; nil for a command that no client may give.
  package func call(
    waking: Bool = false
  ) -> (method: String, parameters: [JSONValue.Member])? {
    guard let method = kind.method(), let request = request(waking: waking) else { return nil }
    return (method.name, method.jsonMembers(of: request))
  }
}

extension CommandParameter {
  /// The members of a request: two for an argument that a recording writes as a map with the author's
  /// names.
  fileprivate var members: [Member<CommandRequest>] {
    switch kind {
    case .setting:
      [
        .required(name, at: \.values[name], .property, about),
        .required(Self.value, at: \.values[Self.value], .any, "Its new value."),
      ]
    case .page, .control: [.required(name, at: \.values[name], .text, about)]
    case .controlOrAll: [.optional(name, at: \.values[name], .text, about)]
    case .event:
      [
        .required(name, at: \.values[name], .text, about),
        .optional(Self.fields, at: \.values[Self.fields], .any, "{FIELD: value}."),
      ]
    case .flag(let value, nil):
      [.optional(name, at: \.values[name], .flag, default: .bool(value), about)]
    case .flag(_, _?): [.optional(name, at: \.values[name], .any, about)]
    case .number(let range, let unit):
      [.required(name, at: \.values[name], .number(range, unit), about)]
    case .key: [.required(name, at: \.values[name], .key, about)]
    case .program, .sound: []
    }
  }

  private static let value = "value"
  private static let fields = "fields"

  fileprivate func argument(
    in values: [String: JSONValue]
  ) -> CommandArgument<String, Value>? {
    let given = values[name]
    switch kind {
    case .setting:
      guard let target = given?.string.flatMap({ Reference($0) }),
        let value = values[Self.value].flatMap({ Value($0) })
      else { return nil }
      return .setting(target, value)
    case .page: return given?.string.map { .page($0) }
    case .control: return given?.string.map { .control($0) }
    case .controlOrAll:
      let id = given?.string
      return .controlOrAll(id == CommandKind.everything ? nil : id)
    case .event:
      guard let name = given?.string else { return nil }
      guard let fields = values[Self.fields] else { return .event(name, []) }
      guard case .object(let members) = fields else { return nil }
      return .event(
        name,
        members.compactMap { member in
          Value(member.value).map { CommandField(member.name, $0) }
        })
    case .flag(let standard, let word):
      guard let given else { return .flag(standard) }
      if let word, given.string == word { return .word(word) }
      return given.bool.map { .flag($0) }
    case .number: return given?.number.map { .number($0) }
    case .key: return given?.string.flatMap { Keystroke(rawValue: $0) }.map { .key($0) }
    case .program, .sound: return nil
    }
  }

  fileprivate func write(
    _ argument: CommandArgument<String, Value>, to values: inout [String: JSONValue]
  ) {
    switch argument {
    case .setting(let target, let value):
      values[name] = .string("\(target)")
      values[Self.value] = JSONValue(value)
    case .page(let text), .control(let text): values[name] = .string(text)
    case .controlOrAll(let id): values[name] = id.map { .string($0) }
    case .event(let text, let fields):
      values[name] = .string(text)
      values[Self.fields] = .object(fields.map { .init($0.name, JSONValue($0.value)) })
    case .flag(let flag): values[name] = .bool(flag)
    case .word(let word): values[name] = .string(word)
    case .number(let number): values[name] = .number(number)
    case .key(let key): values[name] = .string(key.rawValue)
    case .program, .sound: break
    }
  }
}

/// The outcome of a command.
package struct CommandAnswer: JSONConvertible {
  /// Whether its effect can be seen only once the panel wakes.
  package var isUnseen: Bool
  /// The refusals of bound values by their properties.
  package var refusals: [String]

  package init(isUnseen: Bool = false, refusals: [String] = []) {
    self.isUnseen = isUnseen
    self.refusals = refusals
  }

  package init(_ json: JSONValue) {
    isUnseen = json["blank"]?.bool == true
    refusals = if case .array(let all)? = json["refused"] { all.compactMap(\.string) } else { [] }
  }

  package var json: JSONValue {
    var members: [JSONValue.Member] = []
    if isUnseen { members.append(.init("blank", .bool(true))) }
    if !refusals.isEmpty { members.append(.init("refused", .array(refusals.map { .string($0) }))) }
    return members.isEmpty ? .bool(true) : .object(members)
  }
}

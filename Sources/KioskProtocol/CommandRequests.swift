// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelExpressions
package import RoundelJSON
package import Kiosk
package import JSONRPC

/// JSON parameters by name, determined by the kind of command.
package struct CommandRequest: JSONRecord {
  package fileprivate(set) var values: [String: JSONValue] = [:]
  package init() {}
  package static let members: [Member<CommandRequest>] = []
}

extension CommandKind {
  /// Returns nil if clients can't send the commands.
  package func method(called name: String? = nil) -> Method<CommandRequest, CommandAnswer>? {
    guard traits.contains(.remote) else { return nil }
    let result =
      mayWake
      ? "true, or {blank: true} if the panel sleeps and shows the page after it wakes" : "true"
    return Method(
      name ?? self.name, summary, result: result,
      members: parameters.map(\.member) + (mayWake ? [Self.wakeMember] : []))
  }

  /// Whether a request may wake the panel first.
  package var mayWake: Bool { traits.contains(.mayWake) }

  fileprivate static let wake = "wake"
  private static let wakeMember = Member<CommandRequest>.optional(
    wake, at: \.values[wake], .flag, default: .bool(false), "Whether to wake the panel.")

  /// Returns nil if a value is missing or invalid.
  package func commands(of request: CommandRequest) -> [Command]? {
    var arguments: [Value] = []
    for parameter in parameters {
      let given = request.values[parameter.name]
      guard let value = given.map({ Value($0) }) ?? parameter.standard, parameter.accepts(value)
      else { return nil }
      arguments.append(value)
    }
    let wakes = request.values[Self.wake] == .bool(true)
    return (wakes ? [.blank(false)] : []) + [Command(self, arguments)]
  }

  package static var methods: [(kind: CommandKind, method: Method<CommandRequest, CommandAnswer>)] {
    // `unblank` is the older name of `wake`.
    let older = named("wake").flatMap { kind in kind.method(called: "unblank").map { (kind, $0) } }
    return remote.compactMap { kind in kind.method().map { (kind, $0) } }
      + [older].compactMap(\.self)
  }
}

extension Command {
  /// Returns nil if clients can't send the command. `waking` wakes the panel first.
  package func request(waking: Bool = false) -> CommandRequest? {
    guard kind.traits.contains(.remote) else { return nil }
    var request = CommandRequest()
    for (parameter, argument) in zip(kind.parameters, arguments)
    where argument != parameter.standard {
      request.values[parameter.name] = JSONValue(argument)
    }
    if waking { request.values[CommandKind.wake] = .bool(true) }
    return request
  }

  package func call(
    waking: Bool = false
  ) -> (method: String, parameters: [JSONValue.Member])? {
    guard let method = kind.method(), let request = request(waking: waking) else { return nil }
    return (method.name, method.jsonMembers(of: request))
  }
}

extension CommandParameter {
  fileprivate var member: Member<CommandRequest> {
    guard let standard else { return .required(name, at: \.values[name], type, about) }
    return .optional(
      name, at: \.values[name], type, default: kind == .flag ? JSONValue(standard) : nil, about)
  }

  /// Parameters of several kinds are validated when the command is created.
  private var type: JSONType<JSONValue> {
    let (words, schema): (String, JSONValue) =
      switch kind {
      case .text: ("a string", .schema("string"))
      case .flag: ("true or false", self.schema)
      case .number: ("a number", self.schema)
      case .any where requested != nil: ("", self.schema)
      case .any, .list, .record, .time: ("any value", .object([]))
      }
    let takesAll = schema == .object([])
    return JSONType(requested ?? words, schema) { json in
      takesAll || Value(json).map(accepts) == true ? json : nil
    } write: {
      $0
    }
  }
}

package struct CommandAnswer: JSONConvertible {
  /// Whether the effect is visible only after the panel wakes.
  package var isUnseen: Bool
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

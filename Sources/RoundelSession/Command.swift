// SPDX-License-Identifier: MIT

internal import RoundelExpressions
package import RoundelJSON
package import Kiosk

extension Command {
  /// The command in a recording: `"set": {"minutes.value": 3}`.
  package var json: JSONValue.Member {
    // Members with default values are omitted, unless the notation has no names.
    let isSingle = kind.parameters.count == 1
    let values = zip(kind.parameters, arguments).compactMap { parameter, argument in
      !isSingle && argument == parameter.standard
        ? nil : JSONValue.Member(parameter.member, JSONValue(argument))
    }
    let argument: JSONValue =
      switch (kind.notation, arguments.first, arguments.last) {
      case (.pairs, .text(let name)?, let value?): .object([.init(name, JSONValue(value))])
      case (.fields, _, .record(let fields)?):
        fields.isEmpty
          ? values[0].value
          : .object([values[0]] + fields.map { .init($0.name, JSONValue($0.value)) })
      case (_, nil, _): .bool(true)
      default: values.count == 1 ? values[0].value : .object(values)
      }
    return .init(kind.name, argument)
  }
}

extension CommandKind {
  /// Returns nil for an invalid argument. Only a `set` may have several commands.
  package func commands(_ json: JSONValue) -> [Command]? {
    guard notation == .pairs else { return command(arguments(json)).map { [$0] } }
    guard case .object(let members) = json, !members.isEmpty else { return nil }
    let commands = members.compactMap { command([.string($0.name), $0.value]) }
    return commands.count == members.count ? commands : nil
  }

  /// Returns nil if the names differ from the parameters' names.
  private func arguments(_ json: JSONValue) -> [JSONValue]? {
    let names = parameters.map(\.member)
    switch (notation, json) {
    case (.fields, .object(let members)):
      return json[names[0]].map { [$0, .object(members.filter { $0.name != names[0] })] }
    case (.fields, _): return [json, .object([])]
    case (_, .object(let members)) where names.count > 1:
      guard members.allSatisfy({ names.contains($0.name) }) else { return nil }
      return parameters.compactMap { json[$0.member] ?? $0.standard.map { JSONValue($0) } }
    case (_, .bool(true)) where names.isEmpty: return []
    default:
      return names.isEmpty
        ? nil : [json] + parameters.dropFirst().compactMap { $0.standard.map { JSONValue($0) } }
    }
  }

  private func command(_ arguments: [JSONValue]?) -> Command? {
    guard let values = arguments?.compactMap({ Value($0) }), values.count == parameters.count,
      zip(parameters, values).allSatisfy({ $0.accepts($1) })
    else { return nil }
    return Command(self, values)
  }

  /// Whether the first parameter may be written alone.
  private var mayBeAlone: Bool { parameters.dropFirst().allSatisfy { $0.standard != nil } }

  private var expectedMembers: String {
    "{" + parameters.map { "\"\($0.member)\": \($0.expected)" }.joined(separator: ", ") + "}"
  }

  /// The accepted argument in a recording, in words.
  package var expected: String {
    switch (notation, parameters.count) {
    case (.pairs, _): "{\"name\": value, …}"
    case (.fields, _):
      "\(parameters[0].expected), or {\"\(parameters[0].member)\": NAME, \"FIELD\": value}"
    case (.plain, 0): "true"
    case (.plain, 1): parameters[0].expected
    case (.plain, _): (mayBeAlone ? "\(parameters[0].expected), or " : "") + expectedMembers
    }
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelExpressions
package import RoundelJSON
internal import JSONRPC
package import Kiosk
internal import KioskProtocol
internal import RoundelSession

/// A value with a source topic, a target topic, or both.
package struct TopicValue: Hashable, Sendable {
  package let name: String
  package let source: TopicSource?
  package let target: TopicTarget?
  /// The target's message when the kiosk no longer runs.
  package let gone: String?
  /// A message's maximum age in seconds, or nil.
  package let staleAfter: Double?
  private let declaration: ValueDeclaration

  /// Returns nil without topics.
  package init?(_ name: String, _ json: JSONValue) {
    guard let range = ValueRange(json), range.source != nil || range.target != nil,
      let kind = range.kind
    else { return nil }
    self.name = name
    (source, target, staleAfter) = (range.source, range.target, range.staleAfter)
    gone = range.gone
    declaration = ValueDeclaration(
      name: name, initial: kind.sample, minimum: range.minimum, maximum: range.maximum,
      step: range.step, options: range.options)
  }

  package var expression: String { NamePath(name).description }

  // MARK: From the topic

  /// The longest list fits, even as a member of an object.
  package static let maximumBytes = Limits().maximumLineBytes
  /// A limit with room for the rest of a request's line.
  private static let maximumParameterBytes = Limits().maximumLineBytes - 256

  package func value(in payload: [UInt8]) throws(MessageError) -> JSONValue {
    guard payload.count <= Self.maximumBytes else {
      throw MessageError(
        description: "the message is too long (expected at most \(Self.maximumBytes) bytes)")
    }
    guard let text = String(validating: payload, as: UTF8.self) else {
      throw MessageError(description: "the message is not UTF-8")
    }
    guard let path = source?.path, !path.isEmpty else { return try value(.string(text)) }
    var json: JSONValue
    do throws(JSONValue.SyntaxError) {
      json = try JSONValue(parsing: payload)
    } catch {
      // The message isn't JSON.
      throw MessageError(description: "\(text.quoted): \(error.description)")
    }
    for (depth, name) in path.enumerated() {
      guard let member = json[member: name] else {
        let prefix = path[...depth].joined(separator: ".")
        throw MessageError(description: "\(text.quoted) has no \(prefix.quoted)")
      }
      json = member
    }
    return try value(json)
  }

  /// Converts a member to the kind of the kiosk's value.
  private func value(_ json: JSONValue) throws(MessageError) -> JSONValue {
    let kind = declaration.initial.kind
    let text = json.string ?? json.text
    var value: Value?
    switch kind {
    case _ where json == .null: break
    case .text: value = .text(text)
    case .flag: value = text.switchState.map { .flag($0) }
    case .number:
      let words = text.split(whereSeparator: \.isWhitespace)
      value = words.count == 1 ? Value(text: String(words[0]), as: .number) : nil
    default: value = json.string.map { Value(text: $0, as: kind) } ?? Value(json)
    }
    guard let fitted = value.flatMap(declaration.fitted) else {
      let expected = value.map { declaration.expected(insteadOf: $0) } ?? declaration.expected
      throw MessageError(description: "\(text.quoted) is not \(expected)")
    }
    let given = JSONValue(fitted)
    // Some characters need more bytes in JSON than in the message.
    guard let call = command(given)?.call,
      JSONValue.object(call.parameters).text.utf8.count <= Self.maximumParameterBytes
    else {
      throw MessageError(
        description:
          "the value is too long for a request to the kiosk (expected at most \(Self.maximumParameterBytes) bytes)"
      )
    }
    return given
  }

  package func command(_ value: JSONValue) -> IncomingCommand? {
    Value(value).map { .command(.set(.value(name), $0)) }
  }
}

extension TopicTarget {
  /// A JSON payload contains the value in JSON.
  package func message(of value: JSONValue) -> String {
    let plain = value.string ?? value.text
    guard let payload, payload != "{value}" else { return plain }
    func filled(_ text: String) -> String { payload.replacing("{value}", with: text) }
    func isJSON(_ text: String) -> Bool { (try? JSONValue(parsing: text.utf8)) != nil }
    if isJSON(filled("0")), !isJSON(filled("x")) { return filled(value.text) }
    if isJSON(filled("x")) {
      return filled(String(JSONValue.string(plain).text.dropFirst().dropLast()))
    }
    return filled(plain)
  }
}

extension Value.Kind {
  var sample: Value {
    switch self {
    case .number: .number(0)
    case .flag: .flag(false)
    case .list: .list([])
    case .text, .record, .time, .any: .text("")
    }
  }
}

extension JSONValue {
  fileprivate subscript(member name: String) -> JSONValue? {
    guard case .array(let items) = self else { return self[name] }
    guard let index = Int(name), "\(index)" == name, items.indices.contains(index) else {
      return nil
    }
    return items[index]
  }
}

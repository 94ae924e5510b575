// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
package import RoundelExpressions
package import RoundelJSON
internal import JSONRPC
package import Kiosk
internal import KioskProtocol
internal import RoundelSession

/// A value with a source, a target, or both at a service.
package struct ExchangedValue: Hashable, Sendable {
  package let name: String
  package let source: ValueSource?
  package let target: ValueTarget?
  package let gone: String?
  /// A message's maximum age in seconds, or nil.
  package let staleAfter: Double?
  package let echoSeconds: Double?
  private let isImage: Bool
  private let declaration: ValueDeclaration

  /// Returns nil without a source or a target at the service.
  package init?(_ name: String, _ json: JSONValue, of service: Service) {
    guard let range = ValueRange(json), let kind = range.kind else { return nil }
    self.name = name
    source = range.source.flatMap { $0.service == service ? $0 : nil }
    target = range.target.flatMap { $0.service == service ? $0 : nil }
    guard source != nil || target != nil else { return nil }
    (staleAfter, echoSeconds) = (range.staleAfter, range.echoSeconds)
    gone = target == nil ? nil : range.gone
    isImage = range.isImage
    declaration = ValueDeclaration(
      name: name, initial: kind.sample, minimum: range.minimum, maximum: range.maximum,
      step: range.step, options: range.options)
  }

  package var expression: String { NamePath(name).description }

  // MARK: From the source

  /// The longest list fits, even as a member of an object.
  package static let maximumBytes = Limits().maximumLineBytes
  /// A limit with room for the rest of a request's line.
  private static let maximumParameterBytes = Limits().maximumLineBytes - 256

  /// The maximum size of a message, in bytes.
  package var maximumBytes: Int { isImage ? ImageFolder.maximumBytes : Self.maximumBytes }

  /// Returns nil if an optional member is missing. Stores an image by `keepImage`.
  package func value(
    in content: MessageContent,
    keepImage: ImageKeeper
  ) throws(MessageError) -> JSONValue? {
    switch content {
    case .json(let json): try value(json)
    case .bytes(let bytes) where isImage && bytes.count <= maximumBytes:
      .string(try keepImage(name, bytes))
    case .bytes(let bytes): try value(in: bytes)
    }
  }

  package func value(in payload: [UInt8]) throws(MessageError) -> JSONValue? {
    guard payload.count <= maximumBytes else {
      throw MessageError(
        description: "the message is too long (expected at most \(maximumBytes) bytes)")
    }
    guard let text = String(validating: payload, as: UTF8.self) else {
      throw MessageError(description: "the message is not UTF-8")
    }
    guard let source, !source.path.isEmpty else { return try value(.string(text)) }
    var json: JSONValue
    do throws(JSONValue.SyntaxError) {
      json = try JSONValue(parsing: payload)
    } catch {
      // The message isn't JSON.
      throw MessageError(description: "\(text.quoted): \(error.description)")
    }
    for (depth, name) in source.path.enumerated() {
      guard let member = json[member: name] else {
        if source.isOptional { return nil }
        let prefix = source.path[...depth].joined(separator: ".")
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
    guard let call = call(given),
      JSONValue.object(call.parameters).text.utf8.count <= Self.maximumParameterBytes
    else {
      throw MessageError(
        description:
          "the value is too long for a request to the kiosk (expected at most \(Self.maximumParameterBytes) bytes)"
      )
    }
    return given
  }

  /// Returns nil if it isn't a value.
  package func call(
    _ value: JSONValue
  ) -> (method: String, parameters: [JSONValue.Member])? {
    Value(value).flatMap { Command.set(.value(name), $0).call() }
  }
}

extension Value.Kind {
  /// An arbitrary value of this kind.
  package var sample: Value {
    switch self {
    case .number: .number(0)
    case .flag: .flag(false)
    case .list: .list([])
    case .record: .record([])
    case .text, .time, .any: .text("")
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

extension String {
  /// The state of a switch, or nil for other messages.
  package var switchState: Bool? {
    switch lowercased() {
    case "on", "true", "1": true
    case "off", "false", "0": false
    default: nil
    }
  }
}

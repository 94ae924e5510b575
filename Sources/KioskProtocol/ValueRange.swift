// SPDX-License-Identifier: MIT

package import RoundelExpressions
internal import RoundelJSON
package import JSONRPC
package import Kiosk

/// The declaration of a value in the file, without its initial value.
package struct ValueRange: JSONRecord {
  /// The kind, if the value may be undefined or has topics.
  package var kind: Value.Kind?
  package var minimum: Double?
  package var maximum: Double?
  package var step: Double?
  package var staleAfter: Double?
  package var unit = ""
  package var options: [String] = []
  package var source: ValueSource?
  package var target: ValueTarget?
  package var echoSeconds: Double?
  package var isImage = false
  package var gone: String?
  package var isPrivate = false
  package init() {}

  package static let kinds: KeyValuePairs<String, Value.Kind> = [
    "number": .number, "text": .text, "flag": .flag, "list": .list, "map": .record,
  ]

  package static let members: [Member<ValueRange>] = [
    .optional("kind", \.kind, .valueKind), .optional("min", \.minimum, .number),
    .optional("max", \.maximum, .number), .optional("step", \.step, .number),
    .optional("stale", \.staleAfter, .number), .optional("unit", \.unit, .text),
    .optional("options", \.options, .list(of: .text)), .optional("from", \.source, .nested),
    .optional("echo", \.echoSeconds, .number), .optional("to", \.target, .nested),
    .optional("gone", \.gone, .text),
    .optional("image", \.isImage, .flag), .optional("private", \.isPrivate, .flag),
  ]
}

extension ValueSource: JSONRecord {
  package init() { self.init(.mqtt, "") }

  package static let members: [Member<ValueSource>] = [
    .optional("mqtt", \.topic, .text), .optional("home", \.homeEntity, .text),
    .optional("path", \.path, .list(of: .text)), .optional("attribute", \.attribute, .text),
    .optional("optional", \.isOptional, .flag),
  ]

  private var topic: String? {
    get { name(at: .mqtt) }
    set { setName(newValue, at: .mqtt) }
  }

  private var homeEntity: String? {
    get { name(at: .home) }
    set { setName(newValue, at: .home) }
  }
}

extension ValueTarget: JSONRecord {
  package init() { self.init(.mqtt, "") }

  package static let members: [Member<ValueTarget>] = [
    .optional("mqtt", \.topic, .text), .optional("home", \.homeService, .text),
    .optional("entity", \.entity, .text), .optional("field", \.field, .text),
    .optional("payload", \.payload, .text),
    .optional("retain", \.isRetained, .flag), .optional("when", \.timing, .timing),
    .optional("every", \.interval, .number),
  ]

  private var topic: String? {
    get { name(at: .mqtt) }
    set { setName(newValue, at: .mqtt) }
  }

  private var homeService: String? {
    get { name(at: .home) }
    set { setName(newValue, at: .home) }
  }
}

/// A name at one of several services.
private protocol ServiceName {
  var service: Service { get set }
  var name: String { get set }
}

extension ValueSource: ServiceName {}
extension ValueTarget: ServiceName {}

extension ServiceName {
  fileprivate func name(at service: Service) -> String? {
    service == self.service ? name : nil
  }

  fileprivate mutating func setName(_ name: String?, at service: Service) {
    guard let name else { return }
    (self.service, self.name) = (service, name)
  }
}

extension JSONType where Value == ValueTarget.Timing {
  fileprivate static let timing = JSONType(
    ValueTarget.Timing.allCases.map(\.rawValue).joined(separator: ", "), .schema("string")
  ) { json in
    json.string.flatMap { ValueTarget.Timing(rawValue: $0) }
  } write: { timing in
    .string(timing.rawValue)
  }
}

extension JSONType where Value == RoundelExpressions.Value.Kind {
  fileprivate static let valueKind = JSONType(
    ValueRange.kinds.map(\.key).joined(separator: ", "), .schema("string")
  ) { json in
    ValueRange.kinds.first { $0.key == json.string }?.value
  } write: { kind in
    .string(ValueRange.kinds.first { $0.value == kind }?.key ?? "")
  }
}

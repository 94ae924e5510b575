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
  /// Seconds until the value is undefined.
  package var staleAfter: Double?
  package var unit = ""
  /// The permitted strings, or an empty list for any.
  package var options: [String] = []
  package var source: TopicSource?
  package var target: TopicTarget?
  /// The target's message when the kiosk no longer runs.
  package var gone: String?
  package init() {}

  package static let kinds: KeyValuePairs<String, Value.Kind> = [
    "number": .number, "text": .text, "flag": .flag, "list": .list,
  ]

  package static let members: [Member<ValueRange>] = [
    .optional("kind", \.kind, .valueKind), .optional("min", \.minimum, .number),
    .optional("max", \.maximum, .number), .optional("step", \.step, .number),
    .optional("stale", \.staleAfter, .number), .optional("unit", \.unit, .text),
    .optional("options", \.options, .list(of: .text)), .optional("from", \.source, .nested),
    .optional("to", \.target, .nested), .optional("gone", \.gone, .text),
  ]
}

extension TopicSource: JSONRecord {
  package init() { self.init(topic: "") }

  package static let members: [Member<TopicSource>] = [
    .required("mqtt", \.topic, .text), .optional("path", \.path, .list(of: .text)),
  ]
}

extension TopicTarget: JSONRecord {
  package init() { self.init(topic: "") }

  package static let members: [Member<TopicTarget>] = [
    .required("mqtt", \.topic, .text), .optional("payload", \.payload, .text),
    .optional("retain", \.isRetained, .flag),
  ]
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

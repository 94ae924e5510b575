// SPDX-License-Identifier: MIT

package import Expressions

extension Value {
  /// The shape that a file gives it.
  package var shape: Node.Kind {
    switch self {
    case .number(let number) where !number.isFinite: .nothing
    case .text, .number, .flag, .time: .scalar
    case .list: .list
    case .record: .map
    }
  }

  /// The text that a file has for it; empty for a list and a record.
  package var scalarText: String {
    switch self {
    case .text(let text): text
    case .number(let number): number.brief
    case .flag, .time: display
    case .list, .record: ""
    }
  }

  /// The items of a list; none of another value.
  var items: [Value] { if case .list(let items) = self { items } else { [] } }

  /// Its description, for people.
  package var summary: String {
    switch self {
    case .list(let items): items.isEmpty ? "an empty list" : "a list"
    case .record: "a map"
    case .number(let number): number.isFinite ? scalarText.shortened : "nothing"
    case .text, .flag, .time: scalarText.quoted
    }
  }

  /// The fields of a record; none of another value.
  var fields: [Field] { if case .record(let fields) = self { fields } else { [] } }

  /// The value of a field; nil where it is no record or has no such field.
  package subscript(name: String) -> Value? { fields.first { $0.name == name }?.value }
}

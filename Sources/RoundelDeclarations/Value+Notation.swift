// SPDX-License-Identifier: MIT

package import RoundelExpressions

extension Value {
  /// The kind of node that represents the value in a file.
  package var shape: Node.Kind {
    switch self {
    case .number(let number) where !number.isFinite: .nothing
    case .text, .number, .flag, .time: .scalar
    case .list: .list
    case .record: .map
    }
  }

  /// The notation of a scalar in a file, or an empty string for a list or a record.
  package var scalarText: String {
    switch self {
    case .text(let text): text
    case .number(let number): number.brief
    case .flag, .time: display
    case .list, .record: ""
    }
  }

  var items: [Value] { if case .list(let items) = self { items } else { [] } }

  package var summary: String {
    switch self {
    case .list(let items): items.isEmpty ? "an empty list" : "a list"
    case .record: "a map"
    case .number(let number): number.isFinite ? scalarText.shortened : "nothing"
    case .text, .flag, .time: scalarText.quoted
    }
  }

  var fields: [Field] { if case .record(let fields) = self { fields } else { [] } }

  package subscript(name: String) -> Value? { fields.first { $0.name == name }?.value }
}

// SPDX-License-Identifier: MIT

package import Expressions

extension JSONValue {
  /// A value of an expression or a property; a time as its text.
  package init(_ value: Value) {
    switch value {
    case .text(let text): self = .string(text)
    case .time: self = .string(value.display)
    case .number(let number): self = .number(number)
    case .flag(let flag): self = .bool(flag)
    case .list(let values): self = .array(values.map { JSONValue($0) })
    case .record(let fields): self = .object(fields.map { Member($0.name, JSONValue($0.value)) })
    }
  }
}

extension Value {
  /// Nil for `null`, which no property takes.
  package init?(_ json: JSONValue) {
    switch json {
    case .null: return nil
    case .bool(let bool): self = .flag(bool)
    case .number(let number): self = .number(number)
    case .string(let string): self = .text(string)
    case .array(let values): self = .list(values.compactMap { Value($0) })
    case .object(let members):
      self = .record(
        members.compactMap { member in
          Value(member.value).map { Field(member.name, $0) }
        })
    }
  }
}

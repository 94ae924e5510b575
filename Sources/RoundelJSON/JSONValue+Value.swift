// SPDX-License-Identifier: MIT

package import RoundelExpressions

extension JSONValue {
  /// A value of an expression or a property. A time becomes a string.
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
  package func memoryBytes(upTo maximum: Int) -> Int? {
    var left = maximum
    return take(from: &left) ? maximum - left : nil
  }

  private func take(from left: inout Int) -> Bool {
    left -= MemoryLayout<JSONValue>.stride
    switch self {
    case .number, .flag, .time: return left >= 0
    case .text(let text):
      left -= JSONValue.memoryBytes(of: text)
      return left >= 0
    case .list(let values):
      if !values.isEmpty { left -= 32 }
      return left >= 0 && values.allSatisfy { $0.take(from: &left) }
    case .record(let fields):
      if !fields.isEmpty { left -= 32 }
      return left >= 0
        && fields.allSatisfy {
          left -= MemoryLayout<String>.stride + JSONValue.memoryBytes(of: $0.name)
          return left >= 0 && $0.value.take(from: &left)
        }
    }
  }

  /// An upper limit, computed without reading strings. O(n) in the values.
  package var maximumJSONBytes: Int {
    switch self {
    case .text(let text): 2 + 6 * text.utf8.count
    case .number, .flag, .time: 32
    case .list(let values): values.reduce(2) { $0 + $1.maximumJSONBytes + 1 }
    case .record(let fields):
      fields.reduce(2) { $0 + 2 + 6 * $1.name.utf8.count + $1.value.maximumJSONBytes + 2 }
    }
  }

  /// The size of the JSON without spaces, in bytes. O(n).
  package var jsonBytes: Int {
    switch self {
    case .text(let text): JSONValue.bytes(of: text)
    case .number(let number): JSONValue.bytes(of: number)
    case .flag(let flag): flag ? 4 : 5
    case .time: JSONValue.bytes(of: display)
    case .list(let values):
      values.reduce(values.isEmpty ? 2 : 1) { $0 + $1.jsonBytes + 1 }
    case .record(let fields):
      fields.reduce(fields.isEmpty ? 2 : 1) {
        $0 + JSONValue.bytes(of: $1.name) + $1.value.jsonBytes + 2
      }
    }
  }

  /// Returns nil for `null`, which no property accepts.
  package init?(_ json: JSONValue) {
    switch json {
    case .null: return nil
    case .bool(let bool): self = .flag(bool)
    case .number(let number): self = .number(number)
    case .string(let string): self = .text(string)
    case .array(let values):
      // A list may have a hundred thousand rows.
      var list: [Value] = []
      list.reserveCapacity(values.count)
      for value in values {
        if let value = Value(value) { list.append(value) }
      }
      self = .list(list)
    case .object(let members):
      var fields: [Field] = []
      fields.reserveCapacity(members.count)
      for member in members {
        if let value = Value(member.value) { fields.append(Field(member.name, value)) }
      }
      self = .record(fields)
    }
  }
}

// SPDX-License-Identifier: MIT

package import RoundelJSON

package protocol JSONConvertible: Sendable {
  /// Returns nil if `json` doesn't have the right form.
  init?(_ json: JSONValue)
  var json: JSONValue { get }
  static var schema: JSONValue { get }
}

extension JSONConvertible {
  package static var schema: JSONValue { .object([]) }
}

extension JSONValue {
  package static func schema(_ type: String, _ rules: Member...) -> JSONValue {
    .object([Member("type", .string(type))] + rules)
  }

  var orNull: JSONValue { .object([Member("anyOf", .array([self, .schema("null")]))]) }
}

extension JSONValue: JSONConvertible {
  package init(_ json: JSONValue) { self = json }
  package var json: JSONValue { self }
}

package struct JSONType<Value>: Sendable {
  /// A name such as `a text` or `[x, y]`.
  package let name: String
  /// A closure, because the schema is rarely needed.
  private let makeSchema: @Sendable () -> JSONValue
  package let read: @Sendable (JSONValue) -> Value?
  package let write: @Sendable (Value) -> JSONValue

  package init(
    _ name: String, _ schema: @escaping @autoclosure @Sendable () -> JSONValue,
    read: @escaping @Sendable (JSONValue) -> Value?, write: @escaping @Sendable (Value) -> JSONValue
  ) {
    self.name = name
    makeSchema = schema
    self.read = read
    self.write = write
  }

  package var schema: JSONValue { makeSchema() }
}

extension JSONType where Value == String {
  package static let text = JSONType("a string", .schema("string"), read: \.string) { .string($0) }
}

extension JSONType where Value == Bool {
  package static let flag = JSONType("true or false", .schema("boolean"), read: \.bool) {
    .bool($0)
  }
}

extension JSONType where Value == Int {
  package static let integer = JSONType("a whole number", .schema("integer"), read: \.integer) {
    .number(Double($0))
  }
}

extension JSONType where Value == JSONValue {
  package static let any = JSONType("any value", .object([])) {
    $0
  } write: {
    $0
  }
}

extension JSONType where Value == [JSONValue.Member] {
  package static let members = JSONType("{NAME: value}", .schema("object")) {
    if case .object(let members) = $0 { members } else { nil }
  } write: {
    .object($0)
  }
}

extension JSONType where Value == Double {
  package static let number = JSONType("a number", .schema("number"), read: \.number) {
    .number($0)
  }

  package static func number(_ range: ClosedRange<Double>, _ unit: String = "") -> Self {
    let (low, high) = (JSONValue.number(range.lowerBound), JSONValue.number(range.upperBound))
    return Self(
      "a number, \(low.text) … \(high.text)" + (unit.isEmpty ? "" : " \(unit)"),
      .schema("number", .init("minimum", low), .init("maximum", high))
    ) {
      $0.number.flatMap { range.contains($0) ? $0 : nil }
    } write: {
      .number($0)
    }
  }
}

extension JSONType {
  package static func list<Item>(of type: JSONType<Item>) -> Self where Value == [Item] {
    Self("a list: \(type.name)", .schema("array", .init("items", type.schema))) { json in
      guard case .array(let values) = json else { return nil }
      let items = values.compactMap(type.read)
      return items.count == values.count ? items : nil
    } write: {
      .array($0.map(type.write))
    }
  }

  package static func list<Item>(ofOptional type: JSONType<Item>) -> Self where Value == [Item?] {
    Self(
      "a list: \(type.name), or null",
      .schema("array", .init("items", type.schema.orNull))
    ) { json in
      guard case .array(let values) = json else { return nil }
      let items = values.map { $0 == .null ? .some(nil) : type.read($0).map(Optional.some) }
      return items.contains { $0 == nil } ? nil : items.map { $0 ?? nil }
    } write: {
      .array($0.map { $0.map(type.write) ?? .null })
    }
  }
}

extension JSONType where Value: JSONConvertible {
  package static var nested: Self {
    Self("an object", Value.schema) {
      Value($0)
    } write: {
      $0.json
    }
  }
}

// SPDX-License-Identifier: MIT

package import JSON

/// What a parameter may be, and how it is read.
package struct ParameterType<Value>: Sendable {
  /// For people: `a text`, `[x, y]`.
  package let name: String
  let read: @Sendable (JSONValue) -> Value?

  package init(_ name: String, read: @escaping @Sendable (JSONValue) -> Value?) {
    self.name = name
    self.read = read
  }
}

extension ParameterType where Value == String {
  package static let text = ParameterType("a text") { $0.string }
}

extension ParameterType where Value == Bool {
  package static let flag = ParameterType("true or false") { $0.bool }
}

extension ParameterType where Value == JSONValue {
  package static let any = ParameterType("any value") { $0 }
}

extension ParameterType where Value == [JSONValue] {
  package static let list = ParameterType("a list") {
    if case .array(let values) = $0 { values } else { nil }
  }
}

extension ParameterType where Value == Double {
  package static func number(_ range: ClosedRange<Double>, _ unit: String = "") -> Self {
    let (low, high) = (JSONValue.number(range.lowerBound), JSONValue.number(range.upperBound))
    return Self("a number, \(low.text) … \(high.text)" + (unit.isEmpty ? "" : " \(unit)")) {
      $0.number.flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ParameterType
where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  package static var choice: Self {
    Self("one of " + Value.allCases.map(\.rawValue).joined(separator: ", ")) {
      $0.string.flatMap { Value(rawValue: $0) }
    }
  }
}

/// The parameters that a method declares.
package struct Parameters {
  struct Entry: Sendable {
    let name: String
    let typeName: String
    let isRequired: Bool
    let defaultValue: JSONValue?
    let about: String
    let accepts: @Sendable (JSONValue) -> Bool
  }

  /// A declared parameter, by which its argument is asked for.
  package struct Key<Value>: Sendable {
    fileprivate let index: Int
    fileprivate let read: @Sendable (JSONValue?) -> Value
  }

  private(set) var entries: [Entry] = []

  /// One that must be given.
  package mutating func required<Value>(
    _ name: String, _ type: ParameterType<Value>, _ about: String
  ) -> Key<Value> {
    add(name, type, isRequired: true, default: nil, about) { given in
      guard let value = given.flatMap(type.read) else {
        preconditionFailure("arguments are checked before a method sees them")
      }
      return value
    }
  }

  /// One that may be left out.
  package mutating func optional<Value>(
    _ name: String, _ type: ParameterType<Value>, _ about: String
  ) -> Key<Value?> {
    add(name, type, isRequired: false, default: nil, about) { $0.flatMap(type.read) }
  }

  /// One that stands for `value` where it is left out.
  package mutating func optional<Value: Sendable>(
    _ name: String, _ type: ParameterType<Value>, default value: JSONValue, _ about: String
  ) -> Key<Value> {
    guard let fallback = type.read(value) else {
      preconditionFailure("\(name)'s default is not \(type.name)")
    }
    return add(name, type, isRequired: false, default: value, about) {
      $0.flatMap(type.read) ?? fallback
    }
  }

  private mutating func add<Value, Result>(
    _ name: String, _ type: ParameterType<Value>, isRequired: Bool, default value: JSONValue?,
    _ about: String, read: @escaping @Sendable (JSONValue?) -> Result
  ) -> Key<Result> {
    entries.append(
      Entry(
        name: name, typeName: type.name, isRequired: isRequired, defaultValue: value,
        about: about, accepts: { type.read($0) != nil }))
    return Key(index: entries.count - 1, read: read)
  }
}

/// What a request gives for a method's parameters, checked.
package struct Arguments {
  private var values: [JSONValue?]

  package subscript<Value>(key: Parameters.Key<Value>) -> Value { key.read(values[key.index]) }

  /// Takes the arguments by name from an object, or by place from an array.
  init(_ given: JSONValue?, for parameters: Parameters) throws(RemoteError) {
    func invalid(_ what: String) -> RemoteError { RemoteError(.invalidParameters, what) }
    let entries = parameters.entries
    values = entries.map { _ in nil }
    switch given {
    case .array(let list)?:
      guard list.count <= entries.count else {
        throw invalid("\(list.count) parameters (expected \(entries.count) at most)")
      }
      for (index, value) in list.enumerated() { values[index] = value }
    case .object(let members)?:
      for member in members {
        guard let index = entries.firstIndex(where: { $0.name == member.name }) else {
          let known = entries.map { "\"\($0.name)\"" }.joined(separator: ", ")
          throw invalid(
            "unknown parameter \"\(member.name)\" "
              + (known.isEmpty ? "(expected none)" : "(expected \(known))"))
        }
        values[index] = member.value
      }
    default: break
    }
    for (index, entry) in entries.enumerated() {
      switch values[index] {
      case .some(.null) where !entry.isRequired && !entry.accepts(.null): values[index] = nil
      case .some(let value):
        guard entry.accepts(value) else {
          throw invalid("\"\(entry.name)\" takes \(entry.typeName)")
        }
      case nil:
        if entry.isRequired {
          throw invalid("\"\(entry.name)\" is missing (expected \(entry.typeName))")
        }
      }
    }
  }
}

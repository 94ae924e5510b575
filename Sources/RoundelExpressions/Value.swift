// SPDX-License-Identifier: MIT

/// A value of a property, of an event's field, or of an expression.
public enum Value: Hashable, Sendable {
  /// Text of any length.
  case text(String)
  /// A number, always a double.
  case number(Double)
  /// True or false.
  case flag(Bool)
  /// A list of values.
  case list([Value])
  /// Named values in order.
  case record([Field])
  /// A date and a time of day.
  case time(CivilTime)

  /// A whole number.
  public static func integer(_ value: Int) -> Value { .number(Double(value)) }

  /// The kind of a value. Expressions are checked with kinds before they are evaluated with values.
  public enum Kind: Hashable, Sendable, CaseIterable {
    case number, text, flag, list, record, time
    /// Unknown until the value is read, like CEL's `dyn`. Every check succeeds, and evaluation reports a value that
    /// doesn't fit.
    case any
  }

  /// The kind of this value, which is never `any`.
  public var kind: Kind {
    switch self {
    case .text: .text
    case .number: .number
    case .flag: .flag
    case .list: .list
    case .record: .record
    case .time: .time
    }
  }

  /// The value as text without a format: numbers with at most 15 significant digits, lists with commas, times to the
  /// second.
  public var display: String {
    switch self {
    case .text(let text): text
    case .number(let number): number.display
    case .flag(let flag): flag ? "true" : "false"
    case .list(let values): values.map(\.display).joined(separator: ", ")
    case .record(let fields):
      fields.map { "\($0.name) \($0.value.display)" }.joined(separator: ", ")
    case .time(let time): time.display
    }
  }
}

extension Value.Kind: CustomStringConvertible {
  /// The kind with its article, for messages.
  public var description: String {
    switch self {
    case .number: "a number"
    case .text: "a string"
    case .flag: "a flag"
    case .list: "a list"
    case .record: "a record"
    case .time: "a time"
    case .any: "a value of any kind"
    }
  }
}

/// A name and its value. Records keep their fields in order.
public struct Field: Hashable, Sendable {
  /// The name of the field.
  public var name: String
  /// The value of the field.
  public var value: Value

  /// A field with a name and a value.
  public init(_ name: String, _ value: Value) {
    self.name = name
    self.value = value
  }
}

// SPDX-License-Identifier: MIT

/// A value: of a property, of a field of an event, of an expression.
public enum Value: Hashable, Sendable {
  /// A text of any length.
  case text(String)
  /// A number; there is one kind of them.
  case number(Double)
  /// True or false.
  case flag(Bool)
  /// Values in order.
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
    /// Not known before the value is read: CEL's `dyn`. It passes every check, and evaluation
    /// reports a value that does not fit.
    case any
  }

  /// The kind of this value; never `any`.
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

  /// The value as a text without a format: numbers with at most 15 significant digits, lists with
  /// commas, times to the second.
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
  /// The kind with its article, as messages name it.
  public var description: String {
    switch self {
    case .number: "a number"
    case .text: "a text"
    case .flag: "a flag"
    case .list: "a list"
    case .record: "a record"
    case .time: "a time"
    case .any: "a value of any kind"
    }
  }
}

/// A name and its value; records keep their fields in order.
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

// SPDX-License-Identifier: MIT

/// What a property holds and an event's field says.
public indirect enum Value: Hashable, Sendable {
  case text(String)
  case number(Double)
  case flag(Bool)
  case list([Value])
  case record([Field])

  /// A whole number.
  public static func integer(_ value: Int) -> Value { .number(Double(value)) }

  /// How the value reads inside a label: numbers without a needless `.0`, lists with commas.
  public var display: String {
    switch self {
    case .text(let text): text
    case .number(let number): Self.display(number)
    case .flag(let flag): flag ? "true" : "false"
    case .list(let values): values.map(\.display).joined(separator: ", ")
    case .record(let fields):
      fields.map { "\($0.name) \($0.value.display)" }.joined(separator: ", ")
    }
  }

  private static func display(_ number: Double) -> String {
    if let whole = Int(exactly: number) { return String(whole) }
    return "\(number)"
  }
}

/// A name and its value; records keep their fields in order.
public struct Field: Hashable, Sendable {
  public var name: String
  public var value: Value

  public init(_ name: String, _ value: Value) {
    self.name = name
    self.value = value
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelExpressions
internal import RoundelJSON

/// A value of a key, a property, or an event's field.
public enum KioskValue: Hashable, Sendable {
  /// A number, always a double.
  case number(Double)
  /// A string of any length.
  case text(String)
  /// True or false.
  case flag(Bool)
  /// A list of values.
  case list([KioskValue])
  /// Named values in order.
  case map([Member])

  /// A name and its value in a map.
  public struct Member: Hashable, Sendable {
    /// The name, unique in the map.
    public var name: String
    /// The member's value.
    public var value: KioskValue

    /// Creates a member of a map.
    public init(_ name: String, _ value: KioskValue) {
      self.name = name
      self.value = value
    }
  }

  /// The value of a map's first member with this name, or nil if there is none.
  public subscript(name: String) -> KioskValue? {
    if case .map(let members) = self { members.first { $0.name == name }?.value } else { nil }
  }

  /// The number, or nil for another kind.
  public var number: Double? { if case .number(let number) = self { number } else { nil } }

  /// The string, or nil for another kind.
  public var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The flag, or nil for another kind.
  public var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }

  /// The list's values, or nil for another kind.
  public var list: [KioskValue]? { if case .list(let list) = self { list } else { nil } }
}

extension KioskValue: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByStringInterpolation
{
  /// Creates a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Creates a number.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Creates a flag.
  public init(booleanLiteral value: Bool) { self = .flag(value) }
  /// Creates a list.
  public init(arrayLiteral values: KioskValue...) { self = .list(values) }
  /// Creates a map.
  public init(dictionaryLiteral members: (String, KioskValue)...) {
    self = .map(members.map { Member($0.0, $0.1) })
  }
}

/// A type whose values a kiosk's keys accept.
///
/// A string with braces is a template: `"{cups}"` follows the value `cups`.
public protocol Setting {
  /// The value in a kiosk.
  var kioskValue: KioskValue { get }
}

extension KioskValue: Setting {
  /// The value in a kiosk.
  public var kioskValue: KioskValue { self }
}

extension Double: Setting {
  /// The value in a kiosk.
  public var kioskValue: KioskValue { .number(self) }
}

extension Int: Setting {
  /// The value in a kiosk.
  public var kioskValue: KioskValue { .number(Double(self)) }
}

extension Bool: Setting {
  /// The value in a kiosk.
  public var kioskValue: KioskValue { .flag(self) }
}

extension String: Setting {
  /// The value in a kiosk.
  public var kioskValue: KioskValue { .text(self) }
}

extension Point: Setting {
  /// The value in a kiosk.
  public var kioskValue: KioskValue { [.number(x), .number(y)] }
}

extension Size: Setting {
  /// The value in a kiosk.
  public var kioskValue: KioskValue { [.number(width), .number(height)] }
}

extension Array: Setting where Element: Setting {
  /// The value in a kiosk.
  public var kioskValue: KioskValue { .list(map(\.kioskValue)) }
}

extension Dictionary: Setting where Key == String, Value: Setting {
  /// The members in the order of their names.
  public var kioskValue: KioskValue {
    .map(keys.sorted().map { .init($0, self[$0].map(\.kioskValue) ?? "") })
  }
}

/// Named values of different kinds, in order: `["mqtt": "lamp/set", "retain": true]`.
public struct Map: Setting, ExpressibleByDictionaryLiteral {
  /// The map as a value.
  public let kioskValue: KioskValue

  /// Creates a map with these members.
  public init(dictionaryLiteral members: (String, any Setting)...) {
    kioskValue = .map(members.map { .init($0.0, $0.1.kioskValue) })
  }
}

extension KioskValue {
  init(_ value: RoundelExpressions.Value) {
    self =
      switch value {
      case .text(let text): .text(text)
      case .number(let number): .number(number)
      case .flag(let flag): .flag(flag)
      case .list(let values): .list(values.map { KioskValue($0) })
      case .record(let fields): .map(fields.map { Member($0.name, KioskValue($0.value)) })
      case .time: .text(value.display)
      }
  }

  /// Returns nil for `null`.
  init?(_ json: JSONValue) {
    guard let value = RoundelExpressions.Value(json) else { return nil }
    self.init(value)
  }

  var json: JSONValue {
    switch self {
    case .number(let number): .number(number)
    case .text(let text): .string(text)
    case .flag(let flag): .bool(flag)
    case .list(let values): .array(values.map(\.json))
    case .map(let members): .object(members.map { .init($0.name, $0.value.json) })
    }
  }
}

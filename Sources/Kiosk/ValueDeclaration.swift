// SPDX-License-Identifier: MIT

internal import Controls
public import Expressions
internal import JSON

/// One of the kiosk's own values, besides the properties of its controls.
public struct ValueDeclaration: Hashable, Sendable {
  /// Unique among the kiosk's values.
  public var name: String
  /// A number, a text, a flag or a list, which determines the kind of the value.
  public var initial: Value
  /// The lower bound of a number, from which steps are counted. Numbers are clamped and rounded, never
  /// refused.
  public var minimum: Double?
  /// The upper bound of a number; nil for none.
  public var maximum: Double?
  /// The distance between the numbers that the value may take; nil for any number.
  public var step: Double?
  /// The unit of a number, for programs; empty for none.
  public var unit: String
  /// The only texts that a text may be; empty where it may be any.
  public var options: [String]
  /// Whether it is kept when the process ends.
  public var isKept: Bool
  /// The template that a computed value follows; nil for one that is set. `initial` then only has its kind.
  package var template: TextTemplate?
  /// Whether it goes back to its first value at midnight.
  public var isDaily: Bool
  /// Where it comes from by MQTT; nil for nowhere.
  package var source: TopicSource?
  /// Where its changes go by MQTT; nil for nowhere.
  package var target: TopicTarget?
  /// The message for the target's topic when the kiosk no longer runs, or nil if there isn't one.
  package var gone: String?
  /// The seconds after which it becomes undefined unless it is set again; it is also undefined until it is
  /// first set. Nil for never.
  package var staleAfter: Double?

  /// A value that starts as `initial`. Bounds, step and unit apply to numbers only, options to texts only.
  public init(
    name: String, initial: Value, minimum: Double? = nil, maximum: Double? = nil,
    step: Double? = nil, unit: String = "", options: [String] = [], isKept: Bool = false,
    isDaily: Bool = false
  ) {
    self.name = name
    self.initial = initial
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.unit = unit
    self.options = options
    self.isKept = isKept
    self.isDaily = isDaily
  }

  /// The value that scales texts, in each kiosk that has no value of this name.
  package static let textScale = ValueDeclaration(
    name: Description.textScaleValue, initial: .number(1), minimum: 1, maximum: 2)

  /// Whether it reports the state of something elsewhere, which no guest changes.
  var isForeign: Bool { source != nil || staleAfter != nil }

  /// The kind of its values.
  package var kind: Value.Kind { template?.kind ?? initial.kind }

  /// The values that it takes, in words.
  package var expected: String {
    options.isEmpty ? "\(initial.kind)" : "one of " + options.joined(separator: ", ")
  }

  /// The accepted values in words, for a refused value. Names the limit that the value exceeds.
  package func expected(insteadOf value: Value) -> String {
    value.kind == initial.kind ? value.exceededLimit ?? expected : expected
  }

  /// `value`, clamped and rounded; nil where it is of another kind, or none of the options. A numeric
  /// text is not a number.
  package func fitted(_ value: Value) -> Value? {
    guard value.kind == initial.kind else { return nil }
    switch value {
    case .number(let number):
      guard number.isFinite else { return nil }
      let fitted =
        step.map { step in
          Scale.nearest(to: number, from: minimum ?? 0, by: step, upTo: maximum)
        } ?? number
      return .number(min(max(fitted, minimum ?? -.infinity), maximum ?? .infinity))
    case .text(let text):
      guard options.isEmpty || options.contains(text) else { return nil }
      return text.utf8.count <= Value.maximumTextBytes ? value : nil
    case .list: return value.exceededLimit == nil ? value : nil
    default: return value
    }
  }
}

extension Value {
  /// The maximum size of a string in bytes.
  package static let maximumTextBytes = 65_536
  /// The maximum size of a list as JSON without spaces, in bytes.
  package static let maximumListBytes = 1 << 20
  /// The maximum number of rows of a list.
  package static let maximumRows = List.maximumItems

  /// The exceeded limit of a string or a list in words, or nil if the value is within all limits. O(n).
  package var exceededLimit: String? {
    switch self {
    case .text(let text):
      let bytes = text.utf8.count
      return bytes > Self.maximumTextBytes
        ? "a text of at most \(Self.maximumTextBytes) bytes, not \(bytes)" : nil
    case .list(let rows):
      if rows.count > Self.maximumRows {
        return "a list of at most \(Self.maximumRows) rows, not \(rows.count)"
      }
      guard maximumJSONBytes > Self.maximumListBytes else { return nil }
      let bytes = jsonBytes
      return bytes > Self.maximumListBytes
        ? "a list of at most \(Self.maximumListBytes) bytes as JSON, not \(bytes)" : nil
    case .number, .flag, .record, .time: return nil
    }
  }
}

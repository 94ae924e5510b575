// SPDX-License-Identifier: MIT

internal import RoundelControls
public import RoundelExpressions
internal import RoundelJSON

/// A value of the kiosk.
public struct ValueDeclaration: Hashable, Sendable {
  /// The name, unique among the kiosk's values.
  public var name: String
  /// The initial value: a number, a string, a flag or a list. Determines the kind.
  public var initial: Value
  /// The lower bound of a number, and the origin of steps. Numbers are clamped and rounded, never refused.
  public var minimum: Double?
  /// The upper bound of a number, or nil if it is unbounded.
  public var maximum: Double?
  /// The step between allowed numbers, or nil to allow any number.
  public var step: Double?
  /// The unit of a number, for programs, or an empty string.
  public var unit: String
  /// The allowed strings, or an empty array for any string.
  public var options: [String]
  /// Whether the value persists when the process ends.
  public var isPersistent: Bool
  /// The template of a computed value, or nil for a settable value. A computed value takes only its
  /// kind from `initial`.
  package var template: TextTemplate?
  /// Whether the value is reset at midnight.
  public var isDaily: Bool
  /// The MQTT topic that provides the value, or nil.
  package var source: TopicSource?
  /// The MQTT topic that receives changes, or nil.
  package var target: TopicTarget?
  /// The message for the target's topic when the kiosk no longer runs, or nil.
  package var gone: String?
  /// The seconds until the value becomes undefined unless it is set again, or nil for never. With a
  /// limit, it is also initially undefined.
  package var staleAfter: Double?

  /// A value that starts as `initial`. Bounds, step and unit apply only to numbers, options only to strings.
  public init(
    name: String, initial: Value, minimum: Double? = nil, maximum: Double? = nil,
    step: Double? = nil, unit: String = "", options: [String] = [], isPersistent: Bool = false,
    isDaily: Bool = false
  ) {
    self.name = name
    self.initial = initial
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.unit = unit
    self.options = options
    self.isPersistent = isPersistent
    self.isDaily = isDaily
  }

  /// The built-in value that scales text.
  package static let textScale = ValueDeclaration(
    name: Description.textScaleValue, initial: .number(1), minimum: 1, maximum: 2)

  /// Whether an external state provides the value, which users don't change.
  var isForeign: Bool { source != nil || staleAfter != nil }

  package var kind: Value.Kind { template?.kind ?? initial.kind }

  /// The accepted values in words.
  package var expected: String {
    options.isEmpty ? "\(initial.kind)" : "one of " + options.joined(separator: ", ")
  }

  /// The accepted values, or the limit that a refused value exceeds, in words.
  package func expected(insteadOf value: Value) -> String {
    value.kind == initial.kind ? value.exceededLimit ?? expected : expected
  }

  /// Returns `value` clamped and rounded, or nil if it isn't accepted. A numeric string isn't a number.
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
  package static let maximumRows = List.maximumItems

  /// The exceeded limit in words, or nil if the value is within all limits. O(n).
  package var exceededLimit: String? {
    switch self {
    case .text(let text):
      let bytes = text.utf8.count
      return bytes > Self.maximumTextBytes
        ? "a string of at most \(Self.maximumTextBytes) bytes, not \(bytes)" : nil
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

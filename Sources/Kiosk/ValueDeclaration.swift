// SPDX-License-Identifier: MIT

public import Expressions

/// A value that the kiosk knows besides its controls' properties.
public struct ValueDeclaration: Hashable, Sendable {
  /// Unique among the kiosk's values.
  public var name: String
  /// A number, a text or a flag; its kind is the value's for ever.
  public var initial: Value
  /// Numbers are brought into these bounds and to whole steps from the lower one; never refused.
  public var minimum: Double?
  /// The upper bound of a number; nil for none.
  public var maximum: Double?
  /// The distance between the numbers that the value may take; nil for any number.
  public var step: Double?
  /// Whether it outlives the process.
  public var isKept: Bool

  /// A value that starts as `initial`. Bounds and step apply to numbers only.
  public init(
    name: String, initial: Value, minimum: Double? = nil, maximum: Double? = nil,
    step: Double? = nil, isKept: Bool = false
  ) {
    self.name = name
    self.initial = initial
    self.minimum = minimum
    self.maximum = maximum
    self.step = step
    self.isKept = isKept
  }

  /// The longest text that a value holds, in bytes.
  package static let maximumBytes = 65_536

  /// What the value becomes where `value` is written to it; nil where that is of another kind. A text
  /// that reads like a number is no number.
  package func fitted(_ value: Value) -> Value? {
    guard value.kind == initial.kind else { return nil }
    switch value {
    case .number(let number):
      guard number.isFinite else { return nil }
      var fitted = number
      if let step, step > 0 {
        let origin = minimum ?? 0
        fitted = origin + ((fitted - origin) / step).rounded() * step
        if let maximum, fitted > maximum {
          fitted = origin + ((maximum - origin) / step).rounded(.down) * step
        }
      }
      return .number(min(max(fitted, minimum ?? -.infinity), maximum ?? .infinity))
    case .text(let text):
      return text.utf8.count <= Self.maximumBytes ? value : nil
    default: return value
    }
  }
}

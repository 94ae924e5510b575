// SPDX-License-Identifier: MIT

/// The reason why an expression has no value.
public enum EvaluationError: Error, Hashable, Sendable {
  /// There is no such value, for instance after a division by zero. The text is the reason.
  case undefined(String)
  /// The work budget is used up.
  case overBudget
}

extension EvaluationError: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .undefined(let reason): reason
    case .overBudget: "too much work at once"
    }
  }
}

/// The work that evaluation may still do. A turn of the kiosk has one budget for all its expressions.
public struct WorkBudget: Hashable, Sendable {
  /// The units that are left. A unit is one operation, or one byte of text that is read or made.
  public private(set) var remaining: Int

  /// A budget of some units.
  public init(_ units: Int) { remaining = max(units, 0) }

  /// Takes units away. Where there are too few, none are left afterwards.
  public mutating func spend(_ units: Int) throws(EvaluationError) {
    guard units <= remaining else {
      remaining = 0
      throw .overBudget
    }
    remaining -= max(units, 0)
  }
}

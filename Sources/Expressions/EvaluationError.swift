// SPDX-License-Identifier: MIT

/// The reason why an expression has no value.
package enum EvaluationError: Error, Hashable, Sendable {
  /// There is no such value, for instance after a division by zero. The text is the reason.
  case undefined(String)
  /// The work budget is used up.
  case overBudget
}

extension EvaluationError: CustomStringConvertible {
  /// The reason in words.
  package var description: String {
    switch self {
    case .undefined(let reason): reason
    case .overBudget: "too much work at once"
    }
  }
}

/// The work that evaluation may still do. A turn of the kiosk has one budget for all its expressions.
package struct WorkBudget: Hashable, Sendable {
  /// The units that are left. A unit is one operation, or one byte of text that is read or made.
  package private(set) var remaining: Int

  /// A budget of some units.
  package init(_ units: Int) { remaining = max(units, 0) }

  /// Takes units away. Where there are too few, none are left afterwards.
  package mutating func spend(_ units: Int) throws(EvaluationError) {
    guard units <= remaining else {
      remaining = 0
      throw .overBudget
    }
    remaining -= max(units, 0)
  }
}

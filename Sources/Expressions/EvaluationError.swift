// SPDX-License-Identifier: MIT

/// An error that occurs when an expression is evaluated.
package enum EvaluationError: Error, Hashable, Sendable {
  /// The value is undefined, for example because of a division by zero. The string is the reason.
  case undefined(String)
  /// The work budget is exhausted.
  case overBudget
}

extension EvaluationError: CustomStringConvertible {
  /// A human-readable reason.
  package var description: String {
    switch self {
    case .undefined(let reason): reason
    case .overBudget: "too much work at once"
    }
  }
}

/// The remaining work for evaluation. Each turn of the kiosk has one budget for all its expressions.
package struct WorkBudget: Hashable, Sendable {
  /// The remaining units. A unit is one operation, or one byte of text read or created.
  package private(set) var remaining: Int

  /// A budget of `units`.
  package init(_ units: Int) { remaining = max(units, 0) }

  /// Spends units. If there are too few, none are left.
  package mutating func spend(_ units: Int) throws(EvaluationError) {
    guard units <= remaining else {
      remaining = 0
      throw .overBudget
    }
    remaining -= max(units, 0)
  }
}

// SPDX-License-Identifier: MIT

package enum EvaluationError: Error, Hashable, Sendable {
  /// The reason, for example a division by zero.
  case undefined(String)
  case overBudget
}

extension EvaluationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .undefined(let reason): reason
    case .overBudget: "too much work at once"
    }
  }
}

/// The remaining work for all expressions of an update.
package struct WorkBudget: Hashable, Sendable {
  /// A unit is one operation, or one byte of text read or created.
  package private(set) var remaining: Int

  package init(_ units: Int) { remaining = max(units, 0) }

  /// Leaves no units if there are too few.
  package mutating func spend(_ units: Int) throws(EvaluationError) {
    guard units <= remaining else {
      remaining = 0
      throw .overBudget
    }
    remaining -= max(units, 0)
  }
}

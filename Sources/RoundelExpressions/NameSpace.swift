// SPDX-License-Identifier: MIT

/// The names that expressions may read, known before evaluation.
package protocol NameSpace<Name> {
  /// A referent. It lets a scope find the value without searching.
  associatedtype Name: Hashable & Sendable

  /// Returns nil if the name is unknown.
  func find(_ path: NamePath) -> (name: Name, kind: Value.Kind)?

  /// The default has no suggestion.
  func problem(in path: NamePath) -> (what: String, suggestion: String?)
}

extension NameSpace {
  package func problem(in path: NamePath) -> (what: String, suggestion: String?) {
    ("unknown name \"\(path)\"", nil)
  }
}

package protocol Scope<Name> {
  associatedtype Name: Hashable & Sendable

  /// A scope that evaluates other expressions spends the same budget. Names must not depend on each
  /// other cyclically.
  func value(of name: Name, budget: inout WorkBudget) throws(EvaluationError) -> Value
}

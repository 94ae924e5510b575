// SPDX-License-Identifier: MIT

/// The names that expressions may read, known before evaluation.
package protocol NameSpace<Name> {
  /// A referent. It lets a scope find the value without searching.
  associatedtype Name: Hashable & Sendable

  /// Returns nil if the name is unknown.
  func find(_ path: NamePath) -> (name: Name, kind: Value.Kind)?

  /// The kind of the items of a list, or of the members of a record. The default is unknown.
  func elementKind(of name: Name) -> Value.Kind

  /// Whether a record may have a member. The default is true.
  func mayHave(_ member: String, in name: Name) -> Bool

  /// The default has no suggestion.
  func problem(in path: NamePath) -> (what: String, suggestion: String?)
}

extension NameSpace {
  package func elementKind(of name: Name) -> Value.Kind { .any }

  package func mayHave(_ member: String, in name: Name) -> Bool { true }

  package func problem(in path: NamePath) -> (what: String, suggestion: String?) {
    ("unknown name \"\(path)\"", nil)
  }
}

package protocol Scope<Name> {
  associatedtype Name: Hashable & Sendable

  /// Other expressions spend the same budget. Names must not depend on each other cyclically.
  func value(of name: Name, budget: inout WorkBudget) throws(EvaluationError) -> Value

  /// Returns a member of a record, or nil if it is missing. The default reads the whole record.
  func member(
    _ key: String, of name: Name, budget: inout WorkBudget
  ) throws(EvaluationError) -> Value?
}

extension Scope {
  package func member(
    _ key: String, of name: Name, budget: inout WorkBudget
  ) throws(EvaluationError) -> Value? {
    try value(of: name, budget: &budget).member(key, &budget)
  }
}

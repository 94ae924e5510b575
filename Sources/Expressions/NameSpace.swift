// SPDX-License-Identifier: MIT

/// The names that expressions may read, known before evaluation.
package protocol NameSpace<Name> {
  /// The referent of a name. It lets a scope find the value without searching.
  associatedtype Name: Hashable & Sendable

  /// The referent of a name and the kind of its value, or nil if the name is unknown.
  func find(_ path: NamePath) -> (name: Name, kind: Value.Kind)?

  /// The error for a name unknown to `find`. The default has no suggestion.
  func mistake(in path: NamePath) -> (what: String, near: String?)
}

extension NameSpace {
  /// `unknown name "cups"`.
  package func mistake(in path: NamePath) -> (what: String, near: String?) {
    ("unknown name \"\(path)\"", nil)
  }
}

/// The values of names at one time.
package protocol Scope<Name> {
  /// The referent of a name.
  associatedtype Name: Hashable & Sendable

  /// The value of a name. If a scope evaluates other expressions for it, it spends the same budget. Names must not
  /// depend on each other cyclically.
  func value(of name: Name, budget: inout WorkBudget) throws(EvaluationError) -> Value
}

// SPDX-License-Identifier: MIT

/// The names that expressions may read, known before anything is evaluated.
package protocol NameSpace<Name> {
  /// The referent of a name, by which a scope finds the value without a search.
  associatedtype Name: Hashable & Sendable

  /// The referent of a name, and the kind of its value; nil for an unknown name.
  func find(_ path: NamePath) -> (name: Name, kind: Value.Kind)?

  /// The mistake in a name that `find` does not know. The default names it and suggests none.
  func mistake(in path: NamePath) -> (what: String, near: String?)
}

extension NameSpace {
  /// `unknown name "cups"`.
  package func mistake(in path: NamePath) -> (what: String, near: String?) {
    ("unknown name \"\(path)\"", nil)
  }
}

/// The values of names at one moment.
package protocol Scope<Name> {
  /// The referent of a name.
  associatedtype Name: Hashable & Sendable

  /// The value of a name. A scope that has to evaluate other expressions for it spends the same
  /// budget; names must not depend on each other in a circle.
  func value(of name: Name, budget: inout WorkBudget) throws(EvaluationError) -> Value
}

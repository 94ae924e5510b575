// SPDX-License-Identifier: MIT

package import RoundelExpressions

/// An error that prevents storing a value, with the expected values.
package struct InvalidValueError: Error {
  /// Describes the problem.
  package typealias Problem = @Sendable (_ subject: String, _ summary: String) -> String

  private let wanted: String?
  /// Nil if the expected values suffice.
  private let problem: Problem?
  private let value: Value?
  /// A word, and the words for suggestions.
  private let meant: (word: String, among: [String])?
  /// The index of the item with the value, until the key is known.
  private var item: Int?
  private var subject = ""

  /// Suggests one of `words` for `word`.
  package init(
    _ value: Value?, _ expected: String?, meaning word: String? = nil,
    among words: [String] = [], _ problem: Problem? = nil
  ) {
    self.value = value
    wanted = expected
    self.problem = problem
    meant = word.map { ($0, words) }
  }

  package init(_ expected: String) { self.init(nil, expected) }

  package init(type value: Value, _ expected: String) {
    self.init(value, expected) { "\($0) has the wrong type: \($1)" }
  }

  package init(_ conflict: Conflict) { self.init(nil, conflict.expected) { _, _ in conflict.what } }

  package func inside(key: String) -> InvalidValueError {
    guard subject.isEmpty else { return self }
    var error = self
    error.subject = item.map { "item \($0 + 1) of \(key.quoted)" } ?? key.quoted
    return error
  }

  package func inside(item: Int) -> InvalidValueError {
    guard subject.isEmpty else { return self }
    var error = self
    if let inner = self.item { error.subject = "item \(inner + 1)" } else { error.item = item }
    return error
  }

  package var expected: String {
    guard let problem else { return wanted ?? "" }
    let suggestion = meant.flatMap { $0.among.nearest(to: $0.word) }
    let what = problem(subject, value?.summary ?? "")
    return "another value: \(Diagnostic.message(what, expected: wanted, suggestion: suggestion))"
  }

  package func report(of node: Node, _ reader: Reader) {
    reader.report(
      problem?(reader.subject, node.summary) ?? "\(reader.subject) has an invalid value",
      at: node.mark,
      expected: wanted, suggestion: meant.flatMap { $0.among.nearest(to: $0.word, by: reader) })
  }
}

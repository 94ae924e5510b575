// SPDX-License-Identifier: MIT

/// The errors in a file and its included files, shared by all readers of the file.
package final class Report {
  /// In the order of `Mark.file`.
  var files: [File]
  struct File {
    var path: String
    /// The file that names of files are relative to, or nil for this one.
    var base: String?
    /// The location after the last character, where missing parts are reported.
    var end: Mark
  }

  let limit: TimeLimit
  /// Whether tests read each table's keys in reverse order, which must make no difference.
  let isReversed: Bool
  var found: [(mark: Mark, diagnostic: Diagnostic)] = []
  var reported: Set<Diagnostic> = []
  var omitted = 0
  var firstOmitted: Mark?
  var hasError = false
  var isStopped = false
  var comparisons = 0
  var spent: [Budget: Int] = [:]
  var path: [Node.PathComponent] = []

  @TaskLocal package static var isReversed = false

  init(_ files: [File], limit: TimeLimit) {
    self.files = files
    self.limit = limit
    isReversed = Self.isReversed
  }
}

/// A limit for a whole file.
package struct Budget: Hashable, Sendable {
  let maximum: Int
  let message: String
  let expected: String?

  package init(_ maximum: Int, _ message: String, expected: String? = nil) {
    self.maximum = maximum
    self.message = message
    self.expected = expected
  }
}

extension Reader {
  /// Adds to a file's use of a budget. If it exceeds the budget, reports a last error and returns false.
  @discardableResult
  package func spend(_ count: Int, of budget: Budget, at mark: Mark) -> Bool {
    let spent = log.spent[budget, default: 0] + count
    log.spent[budget] = spent
    guard spent > budget.maximum else { return true }
    stop(budget.message, at: mark, expected: budget.expected)
    return false
  }
}

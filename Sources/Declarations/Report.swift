// SPDX-License-Identifier: MIT

/// The mistakes in a file and in the files that it includes, which all readers of the file share.
package final class Report {
  /// The file, and those that it includes, as marks count them.
  var files: [File]
  struct File {
    var path: String
    /// The place after the last character, at which missing parts are reported.
    var end: Mark
  }

  let limit: TimeLimit
  /// Whether keys are read in the order opposite to that of their table, which must make no difference.
  let isReversed: Bool
  var found: [(mark: Mark, mistake: Mistake)] = []
  var said: Set<Mistake> = []
  /// The number of mistakes beyond the maximum.
  var omitted = 0
  var firstOmitted: Mark?
  var hasError = false
  var isStopped = false
  /// The comparisons that suggestions have taken.
  var comparisons = 0
  var spent: [Budget: Int] = [:]
  /// The keys and list places that lead to the value that is being read.
  var path: [Node.PathComponent] = []

  /// Lets readers in a test read the keys of each table in the opposite order.
  @TaskLocal package static var isReversed = false

  init(_ files: [File], limit: TimeLimit) {
    self.files = files
    self.limit = limit
    isReversed = Self.isReversed
  }
}

/// The maximum of something in a whole file.
package struct Budget: Hashable, Sendable {
  let maximum: Int
  let mistake: String
  let expected: String?

  /// `mistake` is reported if there is more than the maximum.
  package init(_ maximum: Int, _ mistake: String, expected: String? = nil) {
    self.maximum = maximum
    self.mistake = mistake
    self.expected = expected
  }
}

extension Reader {
  /// Adds to what a file has spent of a budget. Beyond it, reports the last mistake and returns false.
  @discardableResult
  package func spend(_ count: Int, of budget: Budget, at mark: Mark) -> Bool {
    let spent = log.spent[budget, default: 0] + count
    log.spent[budget] = spent
    guard spent > budget.maximum else { return true }
    stop(budget.mistake, at: mark, expected: budget.expected)
    return false
  }
}

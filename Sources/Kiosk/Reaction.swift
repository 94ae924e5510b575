// SPDX-License-Identifier: MIT

internal import Expressions

/// A condition, and the actions that run when it becomes true.
package struct Reaction: Hashable, Sendable {
  /// It is false where it is undefined.
  package var condition: Condition
  package var actions: [Action]

  package init(when condition: Condition, do actions: [Action]) {
    self.condition = condition
    self.actions = actions
  }
}

extension Reaction: CustomStringConvertible {
  /// As a kiosk file names it: `when cups > 8`.
  package var description: String { "when \(condition)" }
}

extension Engine {
  /// The number of rounds in a turn in which reactions may set each other off.
  static let maximumRounds = 100

  /// Judges the reactions of the kiosk and then of the current page whose conditions may have changed. Returns
  /// the reactions that have become true, in the file's order.
  mutating func judgeReactions(
    _ budget: inout WorkBudget, _ turn: inout Turn
  ) -> [(reaction: Reaction, isOfKiosk: Bool)] {
    var begun: [(reaction: Reaction, isOfKiosk: Bool)] = []
    for index in dataflow.takeUnjudged(reading()) {
      let binding = bindings.all[index]
      guard case .reaction(let reaction, let page) = binding.subject,
        page == nil || page == shownPage
      else { continue }
      var failure: EvaluationError?
      let holds = value(of: binding, &failure, &budget) == .flag(true)
      note(failure, of: index, &turn)
      if dataflow.note(index, holds: holds) { begun.append((reaction, page == nil)) }
    }
    return begun
  }

  /// Lets the reactions of a page, or of the kiosk where nil, count as never judged: a condition that is true
  /// then has become true.
  mutating func forgetReactions(ofPage page: Int?) {
    for index in bindings.reactions[page] ?? 0..<0 { dataflow.forget(index) }
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelExpressions

/// A condition, and the actions that run when it becomes true.
package struct Reaction: Hashable, Sendable {
  package var condition: Condition
  package var actions: [Action]

  package init(when condition: Condition, do actions: [Action]) {
    self.condition = condition
    self.actions = actions
  }
}

extension Reaction: CustomStringConvertible {
  /// The name in a kiosk file: `when cups > 8`.
  package var description: String { "when \(condition)" }
}

extension Engine {
  /// The maximum number of rounds per turn, because reactions may trigger each other.
  static let maximumRounds = 100

  /// Returns the reactions that became true, the kiosk's first, in file order. Skips `waiting`.
  mutating func evaluateReactions(
    except waiting: [Int] = [], _ turn: inout Turn
  ) -> [(reaction: Reaction, page: Int?)] {
    var begun: [(reaction: Reaction, page: Int?)] = []
    for index in dataflow.takeUnevaluated(scope()) where !waiting.contains(index) {
      let binding = plan.bindings.all[index]
      guard case .reaction(let reaction, let page) = binding.subject,
        page.map(isShown(page:)) ?? true
      else { continue }
      var failure: EvaluationError?
      let holds = value(of: binding, &failure, &turn) == .flag(true)
      record(failure, of: index, &turn)
      if dataflow.record(index, holds: holds) { begun.append((reaction, page)) }
    }
    return begun
  }

  /// Resets reactions of a page, or of the kiosk if `page` is nil. They trigger again if their
  /// conditions are true at the next evaluation.
  mutating func forgetReactions(ofPage page: Int?) {
    for index in plan.bindings.reactions[page] ?? 0..<0 { dataflow.forget(index) }
  }
}

// SPDX-License-Identifier: MIT

/// The state of an evaluation: the remaining work, and the variables of two nested macros.
struct Evaluator {
  var budget: WorkBudget
  private var outer = Value.flag(false)
  private var inner = Value.flag(false)

  init(budget: WorkBudget) { self.budget = budget }

  subscript(slot: Int) -> Value {
    get { slot == 0 ? outer : inner }
    set { if slot == 0 { outer = newValue } else { inner = newValue } }
  }
}

/// The parts of an evaluation that depend on the scope.
enum Question {
  case name(Int)
  /// A member of a name's value.
  case member(String, Int)
  case format(Int, Value, String)
}

/// Returns nil for a missing member.
typealias Answer = (Question, inout WorkBudget) throws(EvaluationError) -> Value?

// SPDX-License-Identifier: MIT

internal import RoundelControls
package import RoundelExpressions

/// A state of a kiosk that clients wait for and suites expect. The expression is a string until it
/// is resolved for a kiosk.
package enum Goal<Expression: Hashable & Sendable>: Hashable, Sendable {
  case that(Expression)
  case property(Reference, ValuePattern)
  case page(String)
  case input(String)
  /// The controls are at rest, and no finger holds them.
  case settled([String])
  /// Nothing moves or will move automatically, and the display shows the current picture.
  case still

  package func map<Other, Failure: Error>(
    _ transform: (Expression) throws(Failure) -> Other
  ) throws(Failure) -> Goal<Other> {
    switch self {
    case .that(let expression): .that(try transform(expression))
    case .property(let name, let pattern): .property(name, pattern)
    case .page(let name): .page(name)
    case .input(let name): .input(name)
    case .settled(let controls): .settled(controls)
    case .still: .still
    }
  }
}

package struct GoalState: Hashable, Sendable {
  package var value: Value?
  package var readings: String?

  package init(_ value: Value?, readings: String? = nil) {
    self.value = value
    self.readings = readings
  }
}

/// The parts of a goal outside the engine, requested only if a goal needs them.
package struct GoalEnvironment {
  package var inputs: () -> [String]
  /// Whether the display has the current picture.
  package var isShown: () -> Bool

  package init(inputs: @escaping () -> [String], isShown: @escaping () -> Bool) {
    self.inputs = inputs
    self.isShown = isShown
  }

  package static var none: GoalEnvironment { GoalEnvironment(inputs: { [] }, isShown: { true }) }
}

extension Engine {
  package func holds(_ goal: Goal<Condition>, in environment: GoalEnvironment = .none) -> Bool {
    switch goal {
    case .that(let condition): holds(condition)
    case .property(let name, let pattern): pattern.matches(value(of: name))
    case .page(let name): pages[shownPage].name == name
    case .input(let name): environment.inputs().contains(name)
    case .settled(let ids):
      ids.allSatisfy { id in
        placedControl(id)?.control.isMoving(at: now) != true
          && !fingers.contains { control(heldBy: $0) == id }
      }
    case .still: isStill && environment.isShown()
    }
  }

  package func state(of goal: Goal<Condition>, in environment: GoalEnvironment = .none) -> GoalState
  {
    switch goal {
    case .that(let condition): GoalState(.flag(holds(condition)), readings: readings(of: condition))
    case .property(let name, _): GoalState(value(of: name))
    case .page: GoalState(.text(pages[shownPage].name))
    case .input: GoalState(.list(environment.inputs().map { .text($0) }))
    case .settled, .still: GoalState(.flag(holds(goal, in: environment)))
    }
  }

  /// Returns nil if time alone doesn't change the goal's state.
  package func updateInterval(of goal: Goal<Condition>) -> UpdateInterval? {
    switch goal {
    case .that(let condition): updateInterval(of: condition)
    case .property(let name, _): updateInterval(of: name)
    case .page, .input, .settled, .still: nil
    }
  }
}

extension Engine {
  /// Whether no finger holds a control that sets one of these values, and all such controls rest.
  package func isSettled(_ names: [Reference]) -> Bool {
    plan.bindings.controls(operating: names).allSatisfy {
      !isHeld($0) && !controls[$0].control.isMoving(at: now)
    }
  }

  /// The control called `name`, and the controls bound to that value.
  package func controls(settlingWith name: String) -> [String] {
    let followers = plan.bindings.controls(following: name)
    return (locations[name] == nil ? [] : [name]) + followers.filter { $0 != name }
  }
}

extension Goal {
  /// Whether any frame during motion may reach the goal, rather than only an event.
  package var followsFrames: Bool {
    switch self {
    case .that, .property: true
    case .page, .input, .settled, .still: false
    }
  }

  package func unmetGoal(_ state: GoalState) -> UnmetGoal {
    func words(_ value: Value?) -> String {
      value.map { $0.display.isEmpty ? "\"\"" : $0.display } ?? "nothing"
    }
    return switch self {
    case .that(let expression):
      UnmetGoal(what: "\(expression) is not true", readings: state.readings)
    case .property(let name, let pattern):
      UnmetGoal(what: "\(name) is \(words(state.value))", expected: "\(pattern)")
    case .page(let name): UnmetGoal(what: "the page is \(words(state.value))", expected: name)
    case .input(let name): UnmetGoal(what: "no input device \(name) is in use")
    case .settled(let controls):
      UnmetGoal(
        what: "\(controls.joined(separator: ", ")) still move\(controls.count == 1 ? "s" : "")")
    case .still: UnmetGoal(what: "the kiosk still moves")
    }
  }
}

package struct UnmetGoal: Hashable, Sendable {
  /// The actual state: `minutes.value is 3`.
  package var what: String
  /// The expected state, or nil if `what` contains it.
  package var expected: String?
  /// The values in an expression: `cups is 1`.
  package var readings: String?

  init(what: String, expected: String? = nil, readings: String? = nil) {
    self.what = what
    self.expected = expected
    self.readings = readings.flatMap { $0.isEmpty ? nil : $0 }
  }
}

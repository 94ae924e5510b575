// SPDX-License-Identifier: MIT

internal import RoundelExpressions
package import RoundelJSON
package import Kiosk
package import JSONRPC
internal import RoundelSession

package struct WaitRequest: MethodRequest {
  package var expression: String?
  package var property: Reference?
  package var value: JSONValue?
  package var page: String?
  package var input: String?
  package var still = false
  package var settled: String?
  /// The timeout in seconds.
  package var timeout = 10.0
  package init() {}

  package static let method = Method<WaitRequest, WaitAnswer>(
    "wait",
    "Waits for an expression, a property, a page, an input device, a resting control, or the end of all motion.",
    result:
      "{holds, value, found, t}: whether the condition became true, and the state at that time")
  package static let members: [Member<WaitRequest>] = [
    .optional(
      "expression", \.expression, .text,
      "The expression to wait for, such as \"cups > 2 && page == 'home'\"."),
    .optional("property", \.property, .property, "The property to wait for."),
    .optional(
      "value", \.value, .any,
      "The property's expected value, or a condition {min, max}, {one_of: […]} or {not: …}."),
    .optional("page", \.page, .text, "The page to wait for."),
    .optional("input", \.input, .text, "The name of the input device to wait for."),
    .optional(
      "still", \.still, .flag, "Whether to wait until nothing moves."),
    .optional(
      "settled", \.settled, .text,
      "The control that must be at rest and untouched, regardless of other motion. A value stands for all controls that depend on it."
    ),
    .optional("timeout", \.timeout, .number(0...86400, "seconds"), "The maximum wait in seconds."),
  ]
}

extension WaitRequest {
  package init(for goal: Goal<String>, timeout: Double) {
    self.init()
    self.timeout = timeout
    switch goal {
    case .that(let text): expression = text
    case .property(let name, let pattern): (property, value) = (name, pattern.json)
    case .page(let name): page = name
    case .input(let name): input = name
    // The kiosk finds the controls of a value.
    case .settled(let names): settled = names.first
    case .still: still = true
    }
  }

  /// The goal, or nil unless there is exactly one.
  package var goal: Goal<String>? {
    let pattern = value.flatMap { ValuePattern($0) }
    return switch (expression, property, pattern, page, input, settled, still) {
    case (let text?, nil, nil, nil, nil, nil, false): .that(text)
    case (nil, let name?, let pattern?, nil, nil, nil, false): .property(name, pattern)
    case (nil, nil, nil, let name?, nil, nil, false): .page(name)
    case (nil, nil, nil, nil, let name?, nil, false): .input(name)
    case (nil, nil, nil, nil, nil, let name?, false): .settled([name])
    case (nil, nil, nil, nil, nil, nil, true): .still
    default: nil
    }
  }
}

package struct WaitAnswer: JSONRecord {
  package var holds = false
  /// The current value, or null if it doesn't exist.
  package var value: JSONValue = .null
  /// The values that an expression uses, in words.
  package var found: String?
  /// The time in seconds by the kiosk's clock.
  package var time = 0.0
  package init() {}

  package static let members: [Member<WaitAnswer>] = [
    .required("holds", \.holds, .flag), .required("value", \.value, .any),
    .optional("found", \.found, .text), .required("t", \.time, .seconds),
  ]
}

extension WaitAnswer {
  package init(holds: Bool, _ state: GoalState, at time: Double) {
    self.holds = holds
    value = state.value.map { JSONValue($0) } ?? .null
    found = state.readings
    self.time = time
  }

  package var state: GoalState { GoalState(Value(value), readings: found) }
}

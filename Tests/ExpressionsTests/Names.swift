// SPDX-License-Identifier: MIT

import RoundelExpressions

/// Names and their values.
struct Names: NameSpace, Scope {
  var values: [String: Value]
  /// Names whose kind isn't known when expressions are checked.
  var dynamic: Set<String> = []
  /// Whether the kinds of items and members are known, too.
  var knowsElements = false

  func find(_ path: NamePath) -> (name: String, kind: Value.Kind)? {
    values["\(path)"].map { ("\(path)", dynamic.contains("\(path)") ? .any : $0.kind) }
  }

  func elementKind(of name: String) -> Value.Kind {
    knowsElements && !dynamic.contains(name) ? values[name]?.elementKind ?? .any : .any
  }

  func problem(in path: NamePath) -> (what: String, suggestion: String?) {
    ("unknown name \"\(path)\"", path.parts.first == "cup" ? "cups" : nil)
  }

  func value(of name: String, budget: inout WorkBudget) throws(EvaluationError) -> Value {
    guard let value = values[name] else { throw .undefined("\(name) has no value") }
    return value
  }

  static let kiosk = Names(values: [
    "cups": .number(3), "temperature": .number(21.5), "zero": .number(0), "guest": .text("Ada"),
    "open": .flag(true), "dial.value": .number(7), "`stop-watch`.value": .number(59),
    "`2nd dial`.value": .number(2), "menu.path": .list([.text("a"), .text("b")]),
    "slots.values": .record([Field("left", .number(1))]), "broken": .number(.infinity),
    "now": .time(CivilTime("2026-11-21T08:05:09") ?? CivilTime(microseconds: 0)),
    "texts.saturday": .text("Samstag"), "texts.nov": .text("Nov."),
  ])

  static let budget = WorkBudget(1_000_000)

  /// The value of an expression.
  func value(_ text: String) throws -> Value {
    var budget = Self.budget
    return try Expression(text).resolved(in: self).value(in: self, budget: &budget)
  }

  /// The text of a template.
  func text(_ template: String) throws -> String {
    var budget = Self.budget
    var failure: EvaluationError?
    return try Template(template).resolved(in: self)
      .text(in: self, budget: &budget, failure: &failure)
  }
}

// SPDX-License-Identifier: MIT

/// A template with checked names, kinds and formats.
package struct ResolvedTemplate<Name: Hashable & Sendable>: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case literal(String)
    case expression(ResolvedExpression<Name>, ResolvedFormat<Name>?)
  }

  let parts: [Part]

  /// A template without expressions.
  package init(literal text: String) { parts = text.isEmpty ? [] : [.literal(text)] }

  /// A template of one expression.
  package init(_ expression: ResolvedExpression<Name>) { parts = [.expression(expression, nil)] }

  init(parts: [Part]) { self.parts = parts }

  /// The template's text if it contains no expressions, otherwise nil.
  package var literal: String? {
    switch parts.first {
    case nil: ""
    case .literal(let text) where parts.count == 1: text
    default: nil
    }
  }

  /// The replacement for an undefined value.
  package static var placeholder: String { "–" }

  /// The expression, if the template is a single `{expression}` without a format. The template then has its kind and
  /// its value.
  package var expression: ResolvedExpression<Name>? {
    guard parts.count == 1, case .expression(let expression, nil) = parts[0] else { return nil }
    return expression
  }

  /// The referent, if the template is a single `{name}`. Such a template can also be written to.
  package var singleName: Name? { expression?.singleName }

  /// The kind of the value: its only expression's, or otherwise text.
  package var kind: Value.Kind { expression?.kind ?? .text }

  /// The referents of its names, each once, in the order of first use: first the names in expressions, then the
  /// entries of `texts` for days and months.
  package var names: [Name] {
    var seen: Set<Name> = []
    var names: [Name] = []
    for case .expression(let expression, let format) in parts {
      for name in expression.names + (format?.names ?? []) where seen.insert(name).inserted {
        names.append(name)
      }
    }
    return names
  }

  /// The value of its only expression, or otherwise the text with all expressions filled in. Throws if one of them
  /// is undefined.
  package func value<S: Scope<Name>>(
    in scope: S, budget: inout WorkBudget
  ) throws(EvaluationError) -> Value {
    if let expression { return try expression.value(in: scope, budget: &budget) }
    var text = ""
    for part in parts { text += try part.text(in: scope, budget: &budget) }
    return .text(text)
  }

  /// The text with all expressions filled in. An undefined expression is replaced by `–`, and `failure` becomes the
  /// first reason unless it is already set. An expression over the budget is undefined, too.
  package func text<S: Scope<Name>>(
    in scope: S, budget: inout WorkBudget, failure: inout EvaluationError?
  ) -> String {
    var text = ""
    for part in parts {
      do throws(EvaluationError) {
        text += try part.text(in: scope, budget: &budget)
      } catch {
        failure = failure ?? error
        text += Self.placeholder
      }
    }
    return text
  }

  /// The finest unit of the current time that its text depends on, or nil if it shows no time. O(n) in the number of
  /// operations.
  package var clockUnit: CivilTime.Unit? {
    parts.compactMap { part -> CivilTime.Unit? in
      guard case .expression(let expression, let format) = part else { return nil }
      return format.map { expression.clockUnit(shown: $0.clockUnit) } ?? expression.clockUnit
    }.min()
  }

  /// The next time when its text may change with the clock, or nil if it never does.
  package func nextChange(after time: CivilTime) -> CivilTime? { clockUnit.flatMap(time.next) }
}

extension ResolvedTemplate.Part {
  fileprivate func text<S: Scope<Name>>(
    in scope: S, budget: inout WorkBudget
  ) throws(EvaluationError) -> String {
    let text: String
    switch self {
    case .literal(let literal): text = literal
    case .expression(let expression, let format):
      let value = try expression.value(in: scope, budget: &budget)
      text = try format?.text(value, in: scope, budget: &budget) ?? value.display
    }
    try budget.spend(text.utf8.count)
    return text
  }
}

/// A format that suits the kind of its expression.
enum ResolvedFormat<Name: Hashable & Sendable>: Hashable, Sendable {
  /// A format with the referents of the characters between digits, if the kiosk defines them.
  case number(NumberFormat, [String: Name])
  /// A format with the referents of the names of days and months, if the kiosk defines them.
  case time(TimeFormat, [String: Name])

  init<S: NameSpace<Name>>(
    _ text: String, for kind: Value.Kind, in space: S
  ) throws(FormatError) {
    // If the kind of a value isn't known yet, the format determines it.
    let number = try? NumberFormat(text)
    func texts(_ words: [String]) -> [String: Name] {
      var names: [String: Name] = [:]
      for word in words {
        if let found = space.find(NamePath("texts", word)), found.kind == .text {
          names[word] = found.name
        }
      }
      return names
    }
    if kind == .time || kind == .any && number == nil {
      let format = try TimeFormat(text)
      self = .time(format, texts(format.words))
    } else {
      // Parsing again throws the error.
      guard let format = number else {
        self = .number(try NumberFormat(text), [:])
        return
      }
      if let objection = format.objection(to: kind) { throw objection }
      self = .number(format, kind == .text ? [:] : texts(NumberFormat.words))
    }
  }

  /// The referents of the names of days and months, and of the characters between digits.
  var names: [Name] {
    switch self {
    case .number(_, let names): NumberFormat.words.compactMap { names[$0] }
    case .time(let format, let names): format.words.compactMap { names[$0] }
    }
  }

  /// The finest unit of a time in the output, or nil if there isn't one.
  var clockUnit: CivilTime.Unit? {
    guard case .time(let format, _) = self else { return .second }
    return format.unit
  }

  func text<S: Scope<Name>>(
    _ value: Value, in scope: S, budget: inout WorkBudget
  ) throws(EvaluationError) -> String {
    switch (self, value) {
    case (.number(let format, let names), .number(let number))
    where format.objection(to: .number) == nil:
      var signs = NumberFormat.Signs()
      for (word, sign) in NumberFormat.Signs.texts {
        if let name = names[word] {
          signs[keyPath: sign] = try scope.value(of: name, budget: &budget).display
        }
        // The separator may be between all digits of the longest number.
        try budget.spend(signs[keyPath: sign].utf8.count * 128)
      }
      guard let text = format.text(number, signs) else {
        throw .undefined("a percentage is too large")
      }
      return text
    case (.number(let format, _), .text(let text)) where format.objection(to: .text) == nil:
      return format.text(text)
    case (.time(let format, let names), .time(let time)):
      var budgetLeft = budget
      defer { budget = budgetLeft }
      return try format.text(time) { (word) throws(EvaluationError) -> String? in
        guard let name = names[word] else { return nil }
        return try scope.value(of: name, budget: &budgetLeft).display
      }
    default: throw .undefined("the format does not fit \(value.kind)")
    }
  }
}

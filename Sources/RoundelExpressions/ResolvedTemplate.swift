// SPDX-License-Identifier: MIT

package struct ResolvedTemplate<Name: Hashable & Sendable>: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case literal(String)
    case expression(ResolvedExpression<Name>, ResolvedFormat<Name>?)
  }

  let parts: [Part]

  package init(literal text: String) { parts = text.isEmpty ? [] : [.literal(text)] }

  package init(_ expression: ResolvedExpression<Name>) { parts = [.expression(expression, nil)] }

  init(parts: [Part]) { self.parts = parts }

  package var literal: String? {
    switch parts.first {
    case nil: ""
    case .literal(let text) where parts.count == 1: text
    default: nil
    }
  }

  /// The replacement for an undefined value.
  package static var placeholder: String { "–" }

  /// The expression of a single `{expression}` without a format, which has the same kind and value.
  package var expression: ResolvedExpression<Name>? {
    guard parts.count == 1, case .expression(let expression, nil) = parts[0] else { return nil }
    return expression
  }

  /// The referent of a single `{name}`, which can also be written to.
  package var singleName: Name? { expression?.singleName }

  /// The only expression's kind, or otherwise text.
  package var kind: Value.Kind { expression?.kind ?? .text }

  package var elementKind: Value.Kind { expression?.elementKind ?? .any }

  /// Each referent once, in the order of first use, including the entries of `texts` for formats.
  package var names: [Name] {
    var seen: Set<Name> = []
    return accesses.map(\.name).filter { seen.insert($0).inserted }
  }

  package var accesses: [Access<Name>] {
    var accesses: [Access<Name>] = []
    for case .expression(let expression, let format) in parts {
      accesses += expression.accesses + (format?.names ?? []).map { Access($0) }
    }
    return accesses
  }

  /// The only expression's value, or otherwise the filled text. Throws if an expression is
  /// undefined.
  package func value<S: Scope<Name>>(
    in scope: S, budget: inout WorkBudget
  ) throws(EvaluationError) -> Value {
    if let expression { return try expression.value(in: scope, budget: &budget) }
    var text = ""
    for part in parts { text += try part.text(in: scope, budget: &budget) }
    return .text(text)
  }

  /// An undefined expression becomes `–`, and `failure` the first reason unless already set. Beyond
  /// the budget, expressions are undefined.
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

  /// The finest unit of the current time in the text, or nil. O(n) in the operations.
  package var clockUnit: CivilTime.Unit? {
    parts.compactMap { part -> CivilTime.Unit? in
      guard case .expression(let expression, let format) = part else { return nil }
      return format.map { expression.clockUnit(shown: $0.clockUnit) } ?? expression.clockUnit
    }.min()
  }

  /// The next time when the text may change with the clock, or nil.
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

enum ResolvedFormat<Name: Hashable & Sendable>: Hashable, Sendable {
  /// Includes the kiosk's characters between digits.
  case number(NumberFormat, [String: Name])
  /// Includes the kiosk's names of days and months.
  case time(TimeFormat, [String: Name])
  /// Computed from an expression. Includes all names that a format may need.
  case computed([String: Name])

  /// A format without text is computed.
  init<S: NameSpace<Name>>(
    _ text: String?, for kind: Value.Kind, in space: S
  ) throws(FormatError) {
    func texts(_ words: [String]) -> [String: Name] {
      var names: [String: Name] = [:]
      for word in words {
        if let found = space.find(NamePath("texts", word)), found.kind == .text {
          names[word] = found.name
        }
      }
      return names
    }
    guard let text else {
      let words = kind == .time ? [] : NumberFormat.words
      self = .computed(texts(words + (kind.fits([.time]) ? TimeName.allWords : [])))
      return
    }
    // The format determines an unknown kind.
    if kind == .time || kind == .any && (try? NumberFormat(text)) == nil {
      let format = try TimeFormat(text)
      self = .time(format, texts(format.words))
    } else {
      let format = try NumberFormat(text)
      if let objection = format.objection(to: kind) { throw objection }
      self = .number(format, kind == .text ? [:] : texts(NumberFormat.words))
    }
  }

  var names: [Name] {
    switch self {
    case .number(_, let names): NumberFormat.words.compactMap { names[$0] }
    case .time(let format, let names): format.words.compactMap { names[$0] }
    case .computed(let names): (NumberFormat.words + TimeName.allWords).compactMap { names[$0] }
    }
  }

  var clockUnit: CivilTime.Unit? {
    guard case .time(let format, _) = self else { return .second }
    return format.unit
  }

  /// `computed` is the text of a computed format.
  func text<S: Scope<Name>>(
    _ value: Value, _ computed: String? = nil, in scope: S, budget: inout WorkBudget
  ) throws(EvaluationError) -> String {
    switch (self, value) {
    case (.computed(let names), _):
      let text = computed ?? ""
      guard text.utf8.count <= Template.maximumFormatBytes else {
        throw .undefined("a format is longer than \(Template.maximumFormatBytes) bytes")
      }
      try budget.spend(8 * text.utf8.count)
      let format: Self
      do throws(FormatError) {
        format =
          value.kind == .time
          ? .time(try TimeFormat(text), names) : .number(try NumberFormat(text), names)
      } catch {
        throw .undefined(error.what)
      }
      return try format.text(value, in: scope, budget: &budget)
    case (.number(let format, let names), .number(let number))
    where format.objection(to: .number) == nil:
      var symbols = NumberFormat.Symbols()
      for (word, sign) in NumberFormat.Symbols.texts {
        if let name = names[word] {
          symbols[keyPath: sign] = try scope.value(of: name, budget: &budget).display
        }
        // The separator may be between all digits of the longest number.
        try budget.spend(symbols[keyPath: sign].utf8.count * 128)
      }
      guard let text = format.text(number, symbols) else {
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

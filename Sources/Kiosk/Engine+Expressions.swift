// SPDX-License-Identifier: MIT

internal import RoundelControls
package import RoundelExpressions

extension Engine {
  package func value(
    of expression: ResolvedExpression<Reference>, budget: inout WorkBudget
  ) throws(EvaluationError) -> Value {
    try expression.value(in: scope(), budget: &budget)
  }

  /// Whether a condition is true now. An undefined condition is false.
  package func holds(_ condition: Condition) -> Bool {
    var budget = WorkBudget(Self.conditionUnits)
    return (try? value(of: condition, budget: &budget)) == .flag(true)
  }

  /// Whether the current page must not be disturbed.
  package var isBusy: Bool {
    guard let busy = pages[shownPage].busy else { return false }
    var budget = WorkBudget(Self.conditionUnits)
    return (try? busy.value(in: scope(), budget: &budget)) == .flag(true)
  }

  /// The budget of one evaluation, about a millisecond.
  package static let conditionUnits = 1 << 18

  /// Returns nil if the template's expressions cannot be resolved.
  package func text(of template: Template) -> String? {
    let names = Names(description, reading: template.names)
    guard let resolved = try? template.resolved(in: names) else { return nil }
    var budget = WorkBudget(Self.conditionUnits)
    var failure: EvaluationError?
    return resolved.text(in: scope(), budget: &budget, failure: &failure)
  }

  /// Describes why an expression is undefined, if it is, and the current values of its
  /// names: `division by zero, cups is 1`. Limited to 8 names and 100 characters each.
  package func readings(of expression: ResolvedExpression<Reference>) -> String {
    var found: [String] = []
    var budget = WorkBudget(Self.conditionUnits)
    do throws(EvaluationError) {
      _ = try value(of: expression, budget: &budget)
    } catch {
      found.append("\(error)")
    }
    budget = WorkBudget(Self.conditionUnits)
    found += expression.names.prefix(8).map { name in
      let value = try? scope().value(of: name, budget: &budget)
      let text = value.map { String($0.display.prefix(100)) } ?? TextTemplate.placeholder
      return "\(name) is \(text.isEmpty ? "\"\"" : text)"
    }
    return found.joined(separator: ", ")
  }

  package func kind(of name: Reference) -> Value.Kind? {
    switch name {
    case .property(let path):
      if let entry = placedControl(path.control) {
        entry.propertyKinds[path.property]
      } else if plan.isBrightness(path) {
        .number
      } else {
        path.isOfMessage ? .text : nil
      }
    case .value(let name):
      store[name]?.kind ?? description.values.first { $0.name == name }?.kind
        ?? (description.isOverlay(name) ? .text : nil)
    case .language, .page, .text: .text
    case .texts: .record
    case .uptime: .number
    case .now: .time
    case .event: nil
    }
  }
}

extension Names {
  /// Limits names to controls that the expression reads. The others would cost more than the
  /// expression.
  package init(_ description: Description, for expression: Expression) {
    self.init(description, reading: expression.names)
  }

  fileprivate init(_ description: Description, reading paths: [NamePath]) {
    self.init(values: description.values, texts: Set(description.texts.keys))
    let read = Set(paths.compactMap(\.parts.first))
    for entry in description.pages.lazy.flatMap(\.controls) where read.contains(entry.id) {
      controls[entry.id] = entry.propertyKinds
    }
  }
}

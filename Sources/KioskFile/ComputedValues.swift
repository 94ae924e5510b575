// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelJSON
internal import Kiosk

/// A computed value before all names are known.
struct ComputedValue {
  var name: String
  var template: Template
  var mark: Mark
}

extension KioskValues {
  /// In dependency order.
  var computedInOrder: [ComputedValue] {
    readingOrder(declarations.map(\.name)) { name in
      (computed[name]?.template.names ?? []).map { $0.parts[0] }
    }.compactMap { computed[$0] }
  }
}

struct InitialValues: Scope {
  private(set) var names = Names()
  private var values: [String: Value] = [:]
  private let language: String

  /// The initial values, and values computed only from them and the language.
  init(_ own: KioskValues, language: String) {
    self.language = language
    for value in own.declarations where own.computed[value.name] == nil {
      names.add(value)
      values[value.name] = value.initial
    }
    for value in own.computedInOrder {
      var budget = WorkBudget(1 << 16)
      guard let template = try? value.template.resolved(in: names),
        let found = try? template.value(in: self, budget: &budget)
      else { continue }
      names.add(ValueDeclaration(name: value.name, initial: found))
      values[value.name] = found
    }
  }

  func value(of name: Reference, budget: inout WorkBudget) throws(EvaluationError) -> Value {
    if case .value(let name) = name, let value = values[name] { return value }
    guard name == .language else { throw .undefined("\(name) has no value yet") }
    return .text(language)
  }
}

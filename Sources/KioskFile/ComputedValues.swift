// SPDX-License-Identifier: MIT

internal import Declarations
internal import Expressions
internal import JSON
internal import Kiosk

/// A value that follows a template, as far as it is known before all names are known.
struct ComputedValue {
  var name: String
  var template: Template
  var mark: Mark
}

extension KioskReader {
  /// Notes the template of a value, and returns its stand-in until the kiosk runs. A template without
  /// expressions stands for its plain text.
  func computedValue(_ name: String, _ node: Node) -> Node? {
    guard let template = Template.read(node, self) else { return nil }
    if let literal = template.literal {
      return Node(.scalar(literal, isPlain: false), at: node.mark)
    }
    guard count(template, at: node.mark) else { return nil }
    computed[name] = ComputedValue(name: name, template: template, mark: node.mark)
    // A number may have a unit.
    return Node(.scalar("0", isPlain: true), at: node.mark)
  }

  /// The computed values, each after those that it reads by their names.
  private var computedInOrder: [ComputedValue] {
    readingOrder(values.map(\.name)) { name in
      (computed[name]?.template.names ?? []).compactMap { path in
        path.parts.count == 1 ? path.parts[0] : nil
      }
    }.compactMap { computed[$0] }
  }

  /// Looks up the names that computed values read, and gives them their kinds.
  func resolveComputedValues() {
    for name in computed.keys { names.values[name] = .any }
    for value in computedInOrder {
      let template = inside(key: value.name) { resolve(value.template, at: value.mark) }
      guard let template, let index = values.firstIndex(where: { $0.name == value.name }) else {
        continue
      }
      names.values[value.name] = template.kind
      values[index].template = template
      if !values[index].unit.isEmpty, !Self.suits(template.kind, .number) {
        report(
          "\(value.name.quoted) has a unit and is \(template.kind)", at: value.mark,
          expected: "a number with \"unit\"")
      }
    }
  }

  /// The names of values, and what they are worth before anything has happened: of computed ones, what
  /// comes of values and the language alone.
  func makeFirstValues() -> FirstValues {
    var first = FirstValues(language: languages.first ?? "")
    for value in values where computed[value.name] == nil {
      first.names.values[value.name] = value.initial.kind
      first.values[value.name] = value.initial
    }
    for value in computedInOrder {
      var budget = WorkBudget(1 << 16)
      guard let template = try? value.template.resolved(in: first.names),
        let found = try? template.value(in: first, budget: &budget)
      else { continue }
      first.names.values[value.name] = template.kind
      first.values[value.name] = found
    }
    return first
  }
}

/// The values of a kiosk before anything has happened.
struct FirstValues: Scope {
  var names = Names()
  var values: [String: Value] = [:]
  let language: String

  init(language: String) { self.language = language }

  func value(of name: Reference, budget: inout WorkBudget) throws(EvaluationError) -> Value {
    if case .value(let name) = name, let value = values[name] { return value }
    guard name == .language else { throw .undefined("\(name) has no value yet") }
    return .text(language)
  }
}

// SPDX-License-Identifier: MIT

package import RoundelExpressions
internal import RoundelJSON

/// Named numbers that don't change while a file is used, such as `screen.width`.
package struct Constants: Sendable {
  private let values: [String: Double]

  package init(_ values: [String: Double]) { self.values = values }

  fileprivate var expected: String {
    (["numbers"] + values.keys.sorted() + ["a $name from a \"for\""]).alternatives
  }

  fileprivate func nearest(to name: String, by reader: Reader) -> String? {
    values.keys.sorted().nearest(to: name, by: reader)
  }
}

extension Constants: NameSpace, Scope {
  package func find(_ path: NamePath) -> (name: String, kind: Value.Kind)? {
    values[path.description].map { _ in (path.description, .number) }
  }

  package func value(of name: String, budget: inout WorkBudget) throws(EvaluationError) -> Value {
    guard let value = values[name] else { throw .undefined("there is no \(name)") }
    return .number(value)
  }
}

extension Reader {
  /// Returns the result of a constant Boolean expression, or nil after reporting an error.
  package func constantCondition(_ node: Node) -> Bool? {
    guard !node.isUnknown else { return nil }
    return inside(key: Node.Directive.condition.rawValue) {
      guard let text = node.text else {
        reportType(node, expected: "an expression of constants")
        return nil
      }
      return constant(node) { (names) throws(ExpressionError) in
        try Expression(text).resolved(in: names)
      } value: { (condition, budget) throws(EvaluationError) in
        try condition.value(in: constants, budget: &budget)
      }.flatMap { value in
        if case .flag(let flag) = value { return flag }
        report(
          "\(subject) is \(value.kind)", at: node.mark, expected: "a condition, true or false")
        return nil
      }
    }
  }

  /// Evaluates a template of constants to a list. Other nodes stay unchanged.
  func constantList(_ node: Node) -> Node? {
    guard node.kind == .scalar, node.hasBrace else { return node }
    guard let value = constantValue(node) else { return nil }
    guard value.kind == .list else {
      report("\(subject) is \(value.kind)", at: node.mark, expected: "a list")
      return nil
    }
    return Node(JSONValue(value), at: node.mark)
  }

  fileprivate func constantValue(_ node: Node) -> Value? {
    constant(node) { (names) throws(ExpressionError) in
      try Template(node.text ?? "").resolved(in: names)
    } value: { (template, budget) throws(EvaluationError) in
      try template.value(in: constants, budget: &budget)
    }
  }

  private func constant<Resolved>(
    _ node: Node, parse: (ReadConstants) throws(ExpressionError) -> Resolved,
    value: (Resolved, inout WorkBudget) throws(EvaluationError) -> Value
  ) -> Value? {
    let names = ReadConstants(constants, reader: self)
    do {
      var budget = WorkBudget(1 << 16)
      return try value(try parse(names), &budget)
    } catch let error as ExpressionError {
      report(
        error.what, at: node.mark,
        expected: names.hasMissed ? constants.expected : error.expected,
        suggestion: error.suggestion)
    } catch {
      report("\(subject) cannot be computed: \(error)", at: node.mark)
    }
    return nil
  }
}

/// The constants during the check of an expression, which records other names.
private final class ReadConstants: NameSpace {
  private let constants: Constants
  private let reader: Reader
  private(set) var hasMissed = false

  init(_ constants: Constants, reader: Reader) {
    self.constants = constants
    self.reader = reader
  }

  func find(_ path: NamePath) -> (name: String, kind: Value.Kind)? { constants.find(path) }

  func problem(in path: NamePath) -> (what: String, suggestion: String?) {
    hasMissed = true
    let name = path.description
    return (
      "\(reader.subject) reads \(name.quoted), which is not a constant",
      constants.nearest(to: name, by: reader)
    )
  }
}

extension Form {
  /// A value that only the file sets, maybe by a template of constants.
  package var constant: Form {
    Form(
      expected, from: kinds, as: valueKind, objects: objects,
      schema: { schema(&$0).unless(Keys.template) },
      read: { node, reader in
        guard node.hasBrace, node.text != nil else { return read(node, reader) }
        return reader.constantValue(node).flatMap { value in
          read(Node(JSONValue(value), at: node.mark), reader)
        }
      }
    ).as(.fixed)
  }
}

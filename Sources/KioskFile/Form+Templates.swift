// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Expressions
internal import JSON
internal import Kiosk

extension DeclarationReader {
  /// Adds the template that a key follows to the bindings of its control, and returns its stand-in until the kiosk runs: its result with the
  /// first values, or else the first text or number that it may yield.
  func follow(
    _ key: String, _ site: KeySites.Site, _ bindings: inout [DeclaredControl.Binding]
  ) -> Node? {
    guard let node = site.node, node.hasBrace, node.kind == .scalar else { return site.node }
    return inside(key: site.declaration.name) {
      let standIn = standIn(for: site.declaration, at: node.mark)
      guard let template = Template.read(node, self) else { return standIn }
      if let literal = template.literal {
        return Node(.scalar(literal, isPlain: false), at: node.mark)
      }
      if let value = constantValue(of: template) {
        return Node(JSONValue(value), at: node.mark)
      }
      if spend(template.expressionCount, of: .expressions, at: node.mark) {
        bindings.append(
          .init(property: key, template: template, key: site.declaration, mark: node.mark))
      }
      // Every one is read, so that what cannot be shown is reported.
      let possible = (template.singleExpression?.possibleValues ?? []).filter {
        site.declaration.read(Node(JSONValue($0), at: node.mark), node, self) != nil
      }
      if let value = firstValue(of: template) ?? possible.first,
        site.declaration.isFreeText || KioskReader.suits(value.kind, site.declaration.valueKind)
      {
        if site.declaration.isFreeText {
          return Node(.scalar(value.display, isPlain: false), at: node.mark)
        }
        if case .list(let items) = value {
          return items.isEmpty ? standIn : list(items, of: site.declaration, at: node.mark)
        }
        return Node(JSONValue(value), at: node.mark)
      }
      return standIn
    }
  }

  /// The value of a required key until the value that it follows is known.
  private func standIn(for key: Keys.Declaration, at mark: Mark) -> Node? {
    guard key.isRequired else { return nil }
    return switch key.valueKind {
    case .text: Node(.scalar("–", isPlain: false), at: mark)
    case .list: Node(key.placeholder ?? [], at: mark)
    default: nil
    }
  }

  /// The items of a value as those of a key.
  private func list(_ items: [Value], of key: Keys.Declaration, at mark: Mark) -> Node {
    var node = Node(JSONValue(.list(items)), at: mark)
    if let objects = key.objects?() {
      node = Node(.list(node.items.map { outline.styles.applied(to: $0, objects) }), at: mark)
    }
    add(values: node.weight, at: mark)
    return node
  }

  /// The value of a template that reads constants only: there is nothing for its key to follow.
  private func constantValue(of template: Template) -> Value? {
    guard let resolved = try? template.resolved(in: constants), !resolved.names.isEmpty else {
      return nil
    }
    var budget = WorkBudget(1 << 16)
    return try? resolved.value(in: constants, budget: &budget)
  }

  /// The value of a template before anything has happened, if it reads the kiosk's values only.
  private func firstValue(of template: Template) -> Value? {
    var budget = WorkBudget(1 << 16)
    return try? template.resolved(in: outline.firstValues.names).value(
      in: outline.firstValues, budget: &budget)
  }
}

extension Template {
  /// The template in a scalar; nil after reporting why it is not a template.
  static func read(_ node: Node, _ reader: Reader) -> Template? {
    guard let text = node.text else { return nil }
    do throws(ExpressionError) {
      return try Template(text)
    } catch {
      reader.report(error, at: node.mark)
      return nil
    }
  }
}

extension Reader {
  /// Reports what is wrong in an expression or a template.
  func report(_ error: ExpressionError, at mark: Mark) {
    report(error.what, at: mark, expected: error.expected, near: error.near)
  }
}

extension KioskReader {
  /// A template that is filled in when an action is done, or one of the kiosk's texts.
  func textTemplate(_ node: Node) -> TextTemplate? {
    Template.read(node, self).flatMap { resolve($0, at: node.mark) }
  }

  /// The same of a kind.
  func template(_ node: Node, of kind: Value.Kind, expected: String) -> TextTemplate? {
    guard let template = textTemplate(node) else { return nil }
    guard Self.suits(template.kind, kind) else {
      report("\(subject) follows \(template.kind)", at: node.mark, expected: expected)
      return nil
    }
    return template
  }

  /// Looks up the names of a template.
  func resolve(_ template: Template, at mark: Mark) -> TextTemplate? {
    NoticedNames.resolve(for: self, at: mark) { (names) throws(ExpressionError) in
      try template.resolved(in: names)
    }
  }

  /// A condition: an expression that is true or false.
  func condition(_ node: Node) -> Condition? {
    guard let text = node.text else {
      reportType(node, expected: "an expression")
      return nil
    }
    let resolved = NoticedNames.resolve(for: self, at: node.mark) {
      (names) throws(ExpressionError) in
      try Expression(text).resolved(in: names)
    }
    guard let condition = resolved else { return nil }
    guard condition.kind == .flag || condition.kind == .any else {
      report(
        "\(subject) is \(condition.kind)", at: node.mark, expected: "a condition, true or false")
      return nil
    }
    return condition
  }
}

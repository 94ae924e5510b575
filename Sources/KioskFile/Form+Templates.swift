// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelJSON
internal import Kiosk

extension DeclarationReader {
  /// Binds a key, and returns a placeholder: the template's result with the initial values,
  /// otherwise its first possible string or number.
  func follow(
    _ name: String, _ key: Keys.Declaration, _ node: Node,
    _ bindings: inout [DeclaredControl.Binding]
  ) -> Node? {
    guard node.hasBrace, node.kind == .scalar else { return node }
    return inside(key: key.name) {
      let placeholder = placeholder(for: key, at: node.mark)
      guard let template = Template.read(node, self) else { return placeholder }
      if let literal = template.literal {
        return Node(.scalar(literal, isPlain: false), at: node.mark)
      }
      if let value = constantValue(of: template) { return Node(JSONValue(value), at: node.mark) }
      if spend(template.expressionCount, of: .expressions, at: node.mark) {
        bindings.append(.init(property: name, template: template, key: key, mark: node.mark))
      }
      // Reads all of them, to report values that the key doesn't accept.
      let possible = (template.singleExpression?.possibleValues ?? []).filter {
        key.read(Node(JSONValue($0), at: node.mark), node, self) != nil
      }
      if let value = firstValue(of: template) ?? possible.first,
        key.isFreeText || KioskReader.suits(value.kind, key.valueKind)
      {
        if key.isFreeText { return Node(.scalar(value.display, isPlain: false), at: node.mark) }
        if case .list(let items) = value {
          return items.isEmpty ? placeholder : list(items, of: key, at: node.mark)
        }
        return Node(JSONValue(value), at: node.mark)
      }
      return placeholder
    }
  }

  /// Returns a placeholder for a required key with an unknown value.
  private func placeholder(for key: Keys.Declaration, at mark: Mark) -> Node? {
    guard key.isRequired else { return nil }
    return switch key.valueKind {
    case .text: Node(.scalar("–", isPlain: false), at: mark)
    case .list: Node(key.placeholder.map { JSONValue($0) } ?? [], at: mark)
    default: nil
    }
  }

  private func list(_ items: [Value], of key: Keys.Declaration, at mark: Mark) -> Node {
    var node = Node(JSONValue(.list(items)), at: mark)
    if let objects = key.objects?() {
      node = Node(.list(node.items.map { outline.styles.applied(to: $0, objects) }), at: mark)
    }
    add(values: node.weight, at: mark)
    return node
  }

  /// Returns the value if the template reads only constants. The key then needs no binding.
  private func constantValue(of template: Template) -> Value? {
    guard let resolved = try? template.resolved(in: constants), !resolved.names.isEmpty else {
      return nil
    }
    var budget = WorkBudget(1 << 16)
    return try? resolved.value(in: constants, budget: &budget)
  }

  /// Returns nil unless the template reads only the kiosk's values.
  private func firstValue(of template: Template) -> Value? {
    var budget = WorkBudget(1 << 16)
    return try? template.resolved(in: outline.firstValues.names).value(
      in: outline.firstValues, budget: &budget)
  }
}

extension Template {
  /// Returns nil after reporting an error.
  static func read(_ node: Node, _ reader: Reader) -> Template? {
    guard let text = node.text else { return nil }
    do throws(ExpressionError) {
      let template = try Template(text)
      for icon in template.icons { (reader as? KioskPass)?.use(.icon, icon, at: node.mark) }
      return template
    } catch {
      reader.report(error, at: node.mark)
      return nil
    }
  }
}

extension Reader {
  func report(_ error: ExpressionError, at mark: Mark) {
    report(error.what, at: mark, expected: error.expected, suggestion: error.suggestion)
  }
}

extension KioskReader {
  /// Reads a template that is evaluated when its result is needed.
  func textTemplate(_ node: Node) -> TextTemplate? {
    Template.read(node, self).flatMap { resolve($0, at: node.mark) }
  }

  func template(_ node: Node, of kind: Value.Kind, expected: String) -> TextTemplate? {
    guard let template = textTemplate(node) else { return nil }
    guard Self.suits(template.kind, kind) else {
      report("\(subject) is bound to \(template.kind)", at: node.mark, expected: expected)
      return nil
    }
    return template
  }

  func resolve(_ template: Template, at mark: Mark) -> TextTemplate? {
    RecoveringNameSpace.resolve(for: self, at: mark) { (names) throws(ExpressionError) in
      try template.resolved(in: names)
    }
  }

  func condition(_ node: Node) -> Condition? {
    guard let text = node.text else {
      reportType(node, expected: "an expression")
      return nil
    }
    let resolved = RecoveringNameSpace.resolve(for: self, at: node.mark) {
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

extension Form where Value == Double {
  /// The panel's brightness, or a template with an initial brightness of 1.
  static var brightness: Form {
    let follows = Form<TextTemplate>(
      "a template", schema: { _ in true },
      read: { node, reader in
        reader.kiosk.template(node, of: .number, expected: "a number from 0 to 1")
      })
    return Form(
      "a number from 0 to 1, or a template of it", as: .any,
      schema: { _ in
        ["anyOf": [["type": "number", "minimum": 0, "maximum": 1], ["type": "string"]]]
      },
      read: { node, reader in
        if let template = Template.read(node, reader), template.literal == nil {
          reader.pass.link(node, follows) { (kiosk: inout Description, template) in
            kiosk.dimming = template
          }
          return 1
        }
        return Form<Double>.number(0...1).read(node, reader)
      })
  }
}

extension Form where Value == TextTemplate? {
  /// Whether a page must not be disturbed, or nil if it may always be disturbed.
  static var busy: Form {
    Form(
      "true, false or a template of it", as: .any,
      schema: { _ in ["type": ["boolean", "string"]] },
      read: { node, reader in
        guard let template = Template.read(node, reader) else { return nil }
        guard template.literal == nil else {
          return Form<Bool>.flag.read(node, reader).map { isBusy in
            isBusy ? reader.kiosk.condition(node).map { TextTemplate($0) } : nil
          }
        }
        return reader.kiosk.template(node, of: .flag, expected: "true or false")
      })
  }
}

extension Keys {
  /// `body` gets the property's name, the key and the value with braces, and returns the
  /// replacement, or nil to remove the key.
  func replacing(in node: Node, _ body: (String, Declaration, Node) -> Node?) -> Node {
    replacing(in: node, "", body)
  }

  private func replacing(
    in node: Node, _ prefix: String, _ body: (String, Declaration, Node) -> Node?
  ) -> Node {
    guard node.hasBrace else { return node }
    guard node.kind == .map else {
      guard node.kind == .scalar, let label = self["label"], label.role != .fixed else {
        return node
      }
      return body(prefix + "label", label, node) ?? Node(.scalar("", isPlain: false), at: node.mark)
    }
    let pairs = node.pairs.compactMap { pair -> Node.Pair? in
      guard let key = self[pair.key] else { return pair }
      var pair = pair
      guard let value = Self.replacing(key, in: pair.value, prefix, body) else { return nil }
      pair.value = value
      return pair
    }
    return Node(.map(pairs), at: node.mark)
  }

  private static func replacing(
    _ key: Declaration, in node: Node, _ prefix: String,
    _ body: (String, Declaration, Node) -> Node?
  ) -> Node? {
    guard node.hasBrace else { return node }
    let name = prefix + key.name
    if node.kind == .scalar { return key.role == .fixed ? node : body(name, key, node) }
    guard let objects = key.objects?() else { return node }
    guard node.kind == .list else { return objects.replacing(in: node, name + ".", body) }
    let items = node.items.enumerated().map { index, item in
      // Items with ids are named by id only. Other items are named by their wheel and index.
      let prefix = item["id"]?.text.map { "\($0)." } ?? "\(prefix)\(index)."
      return objects.replacing(in: item, prefix, body)
    }
    return Node(.list(items), at: node.mark)
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelExpressions
package import RoundelJSON

/// The values of `$name` or `${name}` in a case of a `for`. With `as`, `$name` is the case itself,
/// and `$name.member` its member.
package struct LoopParameters: Sendable {
  /// The values of this `for`, in order.
  package let values: [(name: String, node: Node)]
  private let own: [String: Node]
  /// The value of `$index`, from 0, unless a `for` uses that name.
  private let index: Node?
  /// The parameters of the enclosing `for`, if any, which inner names hide.
  private var outer: [LoopParameters] = []
  private var notation: Notation = .plain

  /// The replacement of names inside a string.
  package enum Notation: Sendable {
    case plain
    /// Like `plain`, except in a template's expressions, where a separate name becomes a literal,
    /// and another part of an identifier.
    case templates
  }

  package static let none = LoopParameters([])

  private init(_ values: [(name: String, node: Node)], index: Node? = nil) {
    self.values = values
    self.index = index
    own = Dictionary(values.map { ($0.name, $0.node) }) { $1 }
  }

  package func within(_ outer: LoopParameters?, notation: Notation) -> LoopParameters {
    var inner = self
    inner.outer = outer.map { [$0] } ?? []
    inner.notation = notation
    return inner
  }

  /// Returns the value of a name, or of a member in dot notation.
  private subscript(path: String) -> Node? {
    let parts = path.split(separator: ".").map(String.init)
    guard let name = parts.first else { return nil }
    guard let (owner, value) = written(name) else {
      return parts.count == 1 && name == Self.indexName ? index ?? outer.first?[name] : nil
    }
    var node: Node? = value
    for (depth, member) in parts.enumerated().dropFirst() {
      let isIndex = depth == 1 && parts.count == 2 && member == Self.indexName
      node = node?[member] ?? (isIndex ? owner.index : nil)
    }
    return node
  }

  /// The value in the innermost `for` that has the name.
  private func written(_ name: String) -> (LoopParameters, Node)? {
    own[name].map { (self, $0) } ?? outer.first?.written(name)
  }

  /// Whether a word after a dot is a member of a name, such as a map's member or a case's `index`.
  private func hasMember(_ path: String, _ member: String) -> Bool {
    self[path]?.kind == .map || member == Self.indexName && self["\(path).\(member)"] != nil
  }

  private static let indexName = "index"

  private var names: Set<String> {
    var names = outer.first?.names ?? []
    for (name, node) in own {
      let members = node.pairs.map { "\(name).\($0.key)" }
      names.formUnion(members.isEmpty ? [name] : members)
    }
    return names
  }

  /// A human-readable description: `minute 5, way up`.
  package var summary: String {
    values.map { "\($0.name) \(Self.words($0.node))" }.joined(separator: ", ")
  }

  private static func words(_ node: Node) -> String {
    switch node.content {
    case .scalar(let text, _): text
    case .list(let items): "[" + items.map(words).joined(separator: ", ") + "]"
    case .map(let pairs):
      "{" + pairs.map { "\($0.key): \(words($0.value))" }.joined(separator: ", ") + "}"
    }
  }

  // MARK: The cases of a `for`

  static let maximumCases = 10_000
  static let maximumNames = 64
  /// The maximum number of values in all cases.
  static let maximumValues = 100_000

  /// Every combination in a map of lists, or each map in a list.
  package static let form = Form<[LoopParameters]>(
    "a map {name: [value, …]} for all combinations, a list of maps {name: value}, or a template of such a list",
    from: [.map, .list],
    schema: { _ in
      let name: Form<String> = .parameterName
      var definitions = Definitions()
      let names = name.schema(&definitions)
      let computed: JSONValue = ["type": "string", "pattern": "^\\{.*\\}$"]
      return [
        "anyOf": [
          computed,
          [
            "type": "object", "propertyNames": names, "minProperties": 1,
            "additionalProperties": ["anyOf": [computed, ["type": "array", "minItems": 1]]],
          ],
          [
            "type": "array", "minItems": 1,
            // With an `as`, cases may be of any kind.
            "items": [
              "if": ["type": "object"],
              // The names of a case excluded by its `if` are not checked.
              "then": [
                "minProperties": 1, "if": ["not": ["required": ["if"]]],
                "then": ["propertyNames": names],
              ],
            ],
          ],
        ]
      ]
    },
    read: { node, reader in
      guard !node.items.isEmpty || !node.pairs.isEmpty else {
        reader.report(
          "\(reader.subject) has no cases: it is \(node.summary)", at: node.mark,
          expected: "at least one case")
        return nil
      }
      return node.kind == .list ? listed(node, reader) : combined(node, reader)
    })

  /// `name` is the value of an adjacent `as`, if any.
  package static func cases(_ node: Node, as name: Node?, _ reader: Reader) -> [LoopParameters]? {
    let directive = { (directive: Node.Directive) in directive.rawValue }
    guard let node = reader.inside(key: directive(.repeat), { reader.constantList(node) }) else {
      return nil
    }
    guard let name else {
      return reader.inside(key: directive(.repeat)) { form.read(node, reader) }
    }
    let called = reader.inside(key: directive(.name)) {
      Form<String>.parameterName.read(name, reader)
    }
    guard let called else { return nil }
    return reader.inside(key: directive(.repeat)) {
      // Named cases may be of any kind.
      if case .list(let items) = node.content, !items.isEmpty {
        guard isBounded(items.count, values: node.weight, node, reader) else { return nil }
        return items.enumerated().map { place, item in
          LoopParameters([(called, item)], index: .index(place, at: item.mark))
        }
      }
      return form.read(node, reader)?.map { one in
        let pairs = one.values.map {
          Node.Pair(key: $0.name, keyMark: $0.node.mark, value: $0.node)
        }
        return LoopParameters([(called, Node(.map(pairs), at: node.mark))], index: one.index)
      }
    }
  }

  private static func combined(_ node: Node, _ reader: Reader) -> [LoopParameters]? {
    guard node.pairs.count <= maximumNames else {
      reader.report("more than \(maximumNames) names", at: node.mark)
      return nil
    }
    var cases: [[(name: String, node: Node)]] = [[]]
    for (index, pair) in node.pairs.enumerated() {
      guard check(pair, reader), let list = reader.constantList(pair.value) else { return nil }
      guard case .list(let items) = list.content, !items.isEmpty else {
        reader.report(
          "\(pair.key.quoted) has the wrong type: \(pair.value.summary)", at: pair.value.mark,
          expected: "a list of at least one value")
        return nil
      }
      let count = cases.count * items.count
      guard isBounded(count, values: count * (index + 1), node, reader) else { return nil }
      cases = cases.flatMap { known in items.map { known + [(pair.key, $0)] } }
    }
    return cases.enumerated().map { LoopParameters($1, index: .index($0, at: node.mark)) }
  }

  private static func listed(_ node: Node, _ reader: Reader) -> [LoopParameters]? {
    let values = node.items.reduce(0) { $0 + $1.pairs.count }
    guard isBounded(node.items.count, values: values, node, reader) else { return nil }
    var cases: [LoopParameters] = []
    for (index, item) in node.items.enumerated() {
      guard case .map(let pairs) = item.content, !pairs.isEmpty,
        pairs.allSatisfy({ check($0, reader) })
      else {
        reader.report(
          "a case is \(item.summary)", at: item.mark,
          expected: "a map {name: value}, or \"as\" with a name for the case")
        return nil
      }
      cases.append(
        LoopParameters(pairs.map { ($0.key, $0.value) }, index: .index(index, at: item.mark)))
    }
    return cases
  }

  private static func isBounded(_ cases: Int, values: Int, _ node: Node, _ reader: Reader) -> Bool {
    if cases > maximumCases {
      reader.report("more than \(maximumCases) cases", at: node.mark)
    } else if values > maximumValues {
      reader.report("more than \(maximumValues) values in all cases", at: node.mark)
    } else {
      return true
    }
    return false
  }

  private static func check(_ pair: Node.Pair, _ reader: Reader) -> Bool {
    let name = Node(.scalar(pair.key, isPlain: false), at: pair.keyMark)
    return Form<String>.parameterName.read(name, reader) != nil
  }

  // MARK: Filling in

  /// Replaces `$name` and `${name}`. A scalar that is a single name becomes the value, others
  /// contain its text. `$$` before a name is a dollar sign.
  package func filled(_ node: Node, _ reader: Reader) -> Node {
    guard node.hasDollar else { return node }
    switch node.content {
    case .list(let items): return Node(.list(items.map { filled($0, reader) }), at: node.mark)
    case .map(let pairs):
      let whole = pairs.map { pair in
        Node.Pair(key: key(pair, reader), keyMark: pair.keyMark, value: filled(pair.value, reader))
      }
      return Node(.map(whole), at: node.mark)
    case .scalar: return scalar(node, isExpression: false, reader)
    }
  }

  /// Whether a case's `if` is true, or nil after reporting an error.
  package func holds(_ condition: Node, _ reader: Reader) -> Bool? {
    var filling = self
    filling.notation = .templates
    return reader.constantCondition(filling.scalar(condition, isExpression: true, reader))
  }

  func key(_ pair: Node.Pair, _ reader: Reader) -> String {
    guard pair.key.utf8.contains(dollar) else { return pair.key }
    return text(pair.key, isExpression: false, at: pair.keyMark, reader) ?? pair.key
  }

  /// Treats an expression as in a template's braces.
  func scalar(_ node: Node, isExpression: Bool, _ reader: Reader) -> Node {
    guard case .scalar(let written, let isPlain) = node.content, node.hasDollar else { return node }
    if let name = ParameterName.whole(written, hasMember: hasMember) {
      guard let value = self[name] else {
        reportUnknown(name, at: node.mark, reader)
        return .unknown(at: node.mark)
      }
      return value
    }
    return text(written, isExpression: isExpression, at: node.mark, reader).map {
      Node(.scalar($0, isPlain: isPlain), at: node.mark)
    } ?? .unknown(at: node.mark)
  }

  private func text(
    _ written: String, isExpression: Bool, at mark: Mark, _ reader: Reader
  ) -> String? {
    var isWhole = true
    var filling = TextFilling(
      written, notation: notation, isExpression: isExpression,
      maximumBytes: Assembly.maximumTextBytes, hasMember: hasMember
    ) { name in
      guard let value = self[name] else {
        reportUnknown(name, at: mark, reader)
        isWhole = false
        return nil
      }
      guard value.text != nil || value.isUnknown else {
        reader.report(
          "\("$\(name)".quoted) is part of a string, but its value is \(value.summary)", at: mark,
          expected: "a string or a number")
        isWhole = false
        return nil
      }
      return value
    }
    guard let text = filling.fill() else {
      reader.report(
        "after substitution, the string is longer than \(Assembly.maximumTextBytes >> 10) KiB",
        at: mark)
      return nil
    }
    return isWhole ? text : nil
  }

  private func reportUnknown(_ name: String, at mark: Mark, _ reader: Reader) {
    let names = names.sorted()
    reader.report(
      "there is no parameter \(name.quoted)", at: mark,
      expected: (names.isEmpty ? "a name from the test's \"for\"" : names.alternatives)
        + ", or $$ for a dollar sign",
      suggestion: names.nearest(to: name, by: reader) ?? Self.braced(name, names))
  }

  private static func braced(_ name: String, _ names: [String]) -> String? {
    names.first { name.hasPrefix("\($0)_") }.map { "${\($0)}\(name.dropFirst($0.count))" }
  }
}

extension Node {
  fileprivate static func index(_ index: Int, at mark: Mark) -> Node {
    Node(.scalar("\(index)", isPlain: true), at: mark)
  }
}

private let dollar = UInt8(ascii: "$")

extension Form where Value == String {
  package static var parameterName: Form {
    Form(
      "a name of letters, digits and _",
      schema: { _ in ["pattern": "^[A-Za-z_][A-Za-z0-9_]*$"] },
      read: { node, reader in
        guard let text = node.text, ParameterName.whole("$\(text)") == text else {
          reader.report(
            "\(node.summary) is not a parameter name", at: node.mark,
            expected: "letters, digits and _")
          return nil
        }
        return text
      })
  }
}

extension [JSONValue.Member] {
  /// The definitions, extended for a `$name`, with the schema `#/$defs/parameter`, instead of
  /// values except unrestricted strings. Maps' definitions stay, because the name replaces
  /// references to them.
  package var admittingParameters: [JSONValue.Member] {
    let maps = Set(filter { $0.value["type"] == "object" }.map { "#/$defs/\($0.name)" })
    return map { .init($0.name, $0.value.admittingParameters(for: maps, isPart: true)) }
  }
}

extension JSONValue {
  func admittingParameters(for maps: Set<String> = [], isPart: Bool = false) -> JSONValue {
    switch self {
    case .array(let items): return .array(items.map { $0.admittingParameters(for: maps) })
    case .object(let members):
      let deep = members.map { member in
        // A condition distinguishes the actual values.
        member.name == "if"
          ? member : JSONValue.Member(member.name, member.value.admittingParameters(for: maps))
      }
      let isClosed =
        switch self["type"]?.string {
        case "number", "integer", "boolean", "array": true
        case "object": !isPart
        default: self["$ref"]?.string.map(maps.contains) ?? false
        }
      guard
        isClosed || members.contains(where: { ["enum", "const", "pattern"].contains($0.name) })
      else { return .object(deep) }
      return JSONValue.object(deep).unless(["$ref": "#/$defs/parameter"])
    default: return self
    }
  }
}

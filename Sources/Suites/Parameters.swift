// SPDX-License-Identifier: MIT

internal import YAML

/// The values that stand for the names of a test's parameters, in one of its cases.
struct Parameters: Sendable {
  var values: [(name: String, node: Node)]

  /// For people: `minute 5, way up`.
  var summary: String {
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

  subscript(name: String) -> Node? { values.first { $0.name == name }?.node }

  /// More than anybody wants to wait for.
  static let mostCases = 10_000

  /// The cases that `for` asks for: of a map of lists every combination, of a list of maps each.
  static let form = Form<[Parameters]>(
    "a map {name: [value, …]} for all combinations, or a list of maps {name: value}",
    from: [.map, .list],
    schema: { _ in
      let name: Form<String> = .parameterName
      var definitions = Definitions()
      let names = name.schema(&definitions)
      return [
        "anyOf": [
          [
            "type": "object", "propertyNames": names, "minProperties": 1,
            "additionalProperties": ["type": "array", "minItems": 1],
          ],
          [
            "type": "array", "minItems": 1,
            "items": ["type": "object", "propertyNames": names, "minProperties": 1],
          ],
        ]
      ]
    },
    read: { node, reader in
      switch node.kind {
      case .list: listed(node, reader)
      default: combined(node, reader)
      }
    })

  private static func combined(_ node: Node, _ reader: Reader) -> [Parameters]? {
    var cases = [Parameters(values: [])]
    for pair in node.pairs {
      guard check(pair, reader) else { return nil }
      guard case .list = pair.value.content, !pair.value.items.isEmpty else {
        reader.report(
          "\(pair.key.quoted) has the wrong type: \(pair.value.summary)", at: pair.value.mark,
          expected: "a list of at least one value")
        return nil
      }
      cases = cases.flatMap { known in
        pair.value.items.map { Parameters(values: known.values + [(pair.key, $0)]) }
      }
      guard isBounded(cases.count, node, reader) else { return nil }
    }
    return cases
  }

  private static func listed(_ node: Node, _ reader: Reader) -> [Parameters]? {
    guard isBounded(node.items.count, node, reader) else { return nil }
    var cases: [Parameters] = []
    for item in node.items {
      guard case .map(let pairs) = item.content, !pairs.isEmpty,
        pairs.allSatisfy({ check($0, reader) })
      else {
        reader.report(
          "a case is \(item.summary)", at: item.mark, expected: "a map {name: value}")
        return nil
      }
      cases.append(Parameters(values: pairs.map { ($0.key, $0.value) }))
    }
    return cases
  }

  private static func isBounded(_ count: Int, _ node: Node, _ reader: Reader) -> Bool {
    guard count > mostCases else { return true }
    reader.report("more than \(mostCases) cases", at: node.mark)
    return false
  }

  private static func check(_ pair: Node.Pair, _ reader: Reader) -> Bool {
    let name = Node(.scalar(pair.key, isPlain: false), at: pair.keyMark)
    return Form<String>.parameterName.read(name, reader) != nil
  }

  /// The node with the values in place of `$name` and `${name}`. What is nothing but a name becomes
  /// the value itself, else its text is put in. `$$` before a name is a dollar sign.
  func filled(_ node: Node, _ reader: Reader) -> Node {
    switch node.content {
    case .list(let items):
      return Node(.list(items.map { filled($0, reader) }), at: node.mark)
    case .map(let pairs):
      let whole = pairs.map { pair in
        Node.Pair(
          key: text(pair.key, at: pair.keyMark, reader), keyMark: pair.keyMark,
          value: filled(pair.value, reader))
      }
      return Node(.map(whole), at: node.mark)
    case .scalar(let scalar, let isPlain):
      guard scalar.contains("$") else { return node }
      let parts = Self.parts(scalar)
      if parts.count == 1, case .name(let name)? = parts.first, let value = self[name] {
        return Node(value.content, at: node.mark)
      }
      return Node(
        .scalar(text(scalar, at: node.mark, reader), isPlain: isPlain), at: node.mark)
    }
  }

  private func text(_ scalar: String, at mark: Mark, _ reader: Reader) -> String {
    guard scalar.contains("$") else { return scalar }
    return Self.parts(scalar).map { part in
      switch part {
      case .text(let text): return text
      case .name(let name):
        let value = self[name]
        if let text = value?.text { return text }
        let names = values.map(\.name)
        if let value {
          reader.report(
            "\("$\(name)".quoted) stands inside of a text and is \(value.summary)", at: mark,
            expected: "a text or a number")
        } else {
          reader.report(
            "there is no parameter \(name.quoted)", at: mark,
            expected: names.isEmpty
              ? "a name from the test's \"for\", or $$ for a dollar sign" : names.alternatives,
            near: names.nearest(to: name, by: reader))
        }
        return ""
      }
    }.joined()
  }

  private enum Part {
    case text(String)
    case name(String)
  }

  private static func parts(_ text: String) -> [Part] {
    var parts: [Part] = []
    var plain = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "$" else {
        plain.append(character)
        continue
      }
      if rest.first == "$", name(at: rest.dropFirst()) != nil {
        plain.append("$")
        // The name after it is text.
        rest.removeFirst()
        if let next = rest.popFirst() { plain.append(next) }
      } else if let (name, end) = name(at: rest) {
        if !plain.isEmpty { parts.append(.text(plain)) }
        plain = ""
        parts.append(.name(name))
        rest = rest[end...]
      } else {
        plain.append("$")
      }
    }
    if !plain.isEmpty || parts.isEmpty { parts.append(.text(plain)) }
    return parts
  }

  /// The name that a text begins with, in braces or not, and where it ends.
  private static func name(at text: Substring) -> (name: String, end: String.Index)? {
    let isBraced = text.first == "{"
    let letters = (isBraced ? text.dropFirst() : text).prefix(while: Self.isNamePart)
    guard let first = letters.first, !first.isNumber else { return nil }
    guard isBraced else { return (String(letters), letters.endIndex) }
    guard letters.endIndex < text.endIndex, text[letters.endIndex] == "}" else { return nil }
    return (String(letters), text.index(after: letters.endIndex))
  }

  static func isNamePart(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "_")
  }
}

extension Form where Value == String {
  /// The name of a parameter, as it stands behind `$`.
  fileprivate static var parameterName: Form {
    Form(
      "a name of letters, digits and _",
      schema: { _ in ["pattern": "^[A-Za-z_][A-Za-z0-9_]*$"] },
      read: { node, reader in
        guard let text = node.text, text.first?.isNumber == false,
          text.allSatisfy(Parameters.isNamePart)
        else {
          reader.report(
            "\(node.summary) is no parameter's name", at: node.mark,
            expected: "letters, digits and _")
          return nil
        }
        return text
      })
  }
}

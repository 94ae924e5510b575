// SPDX-License-Identifier: MIT

package import JSON

/// What may stand at one place of the file: how it is read, what is expected where it is something
/// else, and its JSON Schema.
package struct Form<Value: Sendable>: Sendable {
  /// For a message: `a number from 1 to 360`.
  package let expected: String
  /// What it is read from; everything else has the wrong type.
  package let kinds: Set<Node.Kind>
  package let schema: @Sendable (inout Definitions) -> JSONValue
  private let readNode: @Sendable (Node, Reader) -> Value?

  /// `read` is called for nodes of `kinds` only, and reports why where it answers nil.
  package init(
    _ expected: String, from kinds: Set<Node.Kind> = [.scalar],
    schema: @escaping @Sendable (inout Definitions) -> JSONValue,
    read: @escaping @Sendable (Node, Reader) -> Value?
  ) {
    self.expected = expected
    self.kinds = kinds
    self.schema = schema
    readNode = read
  }

  /// The value, or nil after the mistakes in it have been reported.
  package func read(_ node: Node, _ reader: Reader) -> Value? {
    guard reader.hasTime(at: node.mark) else { return nil }
    guard kinds.contains(node.kind) else {
      reader.reportType(node, expected: expected)
      return nil
    }
    return readNode(node, reader)
  }

  package func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Form<Other> {
    Form<Other>(expected, from: kinds, schema: schema) { node, reader in
      read(node, reader).map(transform)
    }
  }

  /// This form, or another one that is read from other kinds of nodes.
  package func or(_ other: Form<Value>) -> Form<Value> {
    Form(
      "\(expected), or \(other.expected)", from: kinds.union(other.kinds),
      schema: { ["anyOf": [schema(&$0), other.schema(&$0)]] },
      read: { kinds.contains($0.kind) ? read($0, $1) : other.read($0, $1) })
  }

  /// A list of these with at least `least` items, and at most `most`.
  package func list(atLeast least: Int = 1, atMost most: Int? = nil, _ plural: String)
    -> Form<[Value]>
  {
    Form<[Value]>(
      "a list of \(plural)", from: [.list],
      schema: { definitions in
        let limit: JSONValue = most.map { ["maxItems": .number(Double($0))] } ?? [:]
        return (["type": "array", "minItems": .number(Double(least))] as JSONValue).with(limit)
          .with(["items": schema(&definitions)])
      },
      read: { node, reader in
        if let most, node.items.count > most {
          reader.report(
            "\(reader.subject) has \(node.items.count) items", at: node.mark,
            expected: "at most \(most)")
          return nil
        }
        if node.items.count < least {
          let what = node.items.isEmpty ? "is an empty list" : "has too few items"
          reader.report(
            "\(reader.subject) \(what)", at: node.mark,
            expected: least == 1 ? "at least one" : "at least \(least)")
          return nil
        }
        let values = node.items.enumerated().map { index, item in
          reader.inside(item: index) { read(item, reader) }
        }
        let whole = values.compactMap(\.self)
        return whole.count == values.count ? whole : nil
      })
  }

  /// A list of exactly two of these.
  package func pair(_ names: String) -> Form<(first: Value, second: Value)> {
    let items = list(atLeast: 2, names)
    return Form<(first: Value, second: Value)>(
      names, from: [.list],
      schema: {
        ["type": "array", "minItems": 2, "maxItems": 2, "items": schema(&$0)]
      },
      read: { node, reader in
        guard node.items.count == 2 else {
          reader.report(
            "\(reader.subject) has \(node.items.count) items", at: node.mark, expected: names)
          return nil
        }
        guard let both = items.read(node, reader) else { return nil }
        return (both[0], both[1])
      })
  }
}

/// The parts of the JSON Schema that have a name, in the order in which they were first needed.
package struct Definitions {
  package init() {}

  package private(set) var members: [JSONValue.Member] = []

  /// A reference to the part called `name`, which is made where it is not there yet. A part may
  /// refer to itself.
  package mutating func reference(_ name: String, _ make: (inout Definitions) -> JSONValue)
    -> JSONValue
  {
    if !members.contains(where: { $0.name == name }) {
      let place = members.count
      members.append(JSONValue.Member(name, true))
      members[place].value = make(&self)
    }
    return ["$ref": .string("#/$defs/\(name)")]
  }
}

// SPDX-License-Identifier: MIT

package import Expressions
package import JSON

/// The use of a key's value once its object exists.
package enum KeyRole: Hashable, Sendable {
  /// Only the file says it: a name, a place, a size.
  case fixed
  /// It may change, and a template may stand in its place.
  case variable
  /// It is the first value of the property that has the key's name. A template may stand in its place.
  case state
}

/// The form of a value at one place of the file: how it is read, its description for messages, and its
/// JSON Schema.
package struct Form<Value: Sendable>: Sendable {
  /// For a message: `a number from 1 to 360`.
  package let expected: String
  /// The kinds of nodes that it is read from; all others have the wrong type.
  package let kinds: Set<Node.Kind>
  /// The kind of its value where an expression reads it.
  package let valueKind: Expressions.Value.Kind
  package private(set) var role = KeyRole.variable
  /// Whether it is a place or a size of a control, which no style has.
  package private(set) var isGeometric = false
  /// The keys of the maps that it is read from, or that are in its list.
  package let objects: (@Sendable () -> Keys)?
  /// The reading of single items, if it is a list.
  package private(set) var items: ItemReading?
  package let schema: @Sendable (inout Definitions) -> JSONValue
  private let readNode: @Sendable (Node, Reader) -> Value?

  /// `read` is called for nodes of `kinds` only, and reports why where it answers nil.
  package init(
    _ expected: String, from kinds: Set<Node.Kind> = [.scalar],
    as valueKind: Expressions.Value.Kind = .any, objects: (@Sendable () -> Keys)? = nil,
    schema: @escaping @Sendable (inout Definitions) -> JSONValue,
    read: @escaping @Sendable (Node, Reader) -> Value?
  ) {
    self.expected = expected
    self.kinds = kinds
    self.valueKind = valueKind
    self.objects = objects
    self.schema = schema
    readNode = read
  }

  /// The value, or nil after the mistakes in it have been reported.
  package func read(_ node: Node, _ reader: Reader) -> Value? {
    guard !node.isUnknown, reader.hasTime(at: node.mark) else { return nil }
    guard kinds.contains(node.kind) else {
      reader.reportType(node, expected: expected)
      return nil
    }
    return readNode(node, reader)
  }

  /// The same in another role.
  package func `as`(_ role: KeyRole) -> Form {
    var form = self
    form.role = role
    return form
  }

  /// The same as a place or a size.
  package var geometric: Form {
    var form = self
    form.isGeometric = true
    return form
  }

  package func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Form<Other> {
    compactMap { value, _, _ in transform(value) }
  }

  /// A form that makes something else of the value, or reports why it cannot.
  package func compactMap<Other>(
    _ transform: @escaping @Sendable (Value, Node, Reader) -> Other?
  ) -> Form<Other> {
    var form = Form<Other>(expected, from: kinds, as: valueKind, objects: objects, schema: schema) {
      node, reader in
      read(node, reader).flatMap { transform($0, node, reader) }
    }.as(role)
    form.items = items?.whole
    return form
  }

  /// This form, or another one that is read from other kinds of nodes.
  package func or(_ other: Form<Value>) -> Form<Value> {
    Form(
      "\(expected), or \(other.expected)", from: kinds.union(other.kinds),
      as: valueKind == other.valueKind ? valueKind : .any, objects: objects ?? other.objects,
      schema: { ["anyOf": [schema(&$0), other.schema(&$0)]] },
      read: { kinds.contains($0.kind) ? read($0, $1) : other.read($0, $1) })
  }

  /// A list of `minimum` to `maximum` items; nil for no maximum.
  package func list(atLeast minimum: Int = 1, atMost maximum: Int? = nil, _ plural: String)
    -> Form<[Value]>
  {
    var form = Form<[Value]>(
      "a list of \(plural)", from: [.list], as: .list, objects: objects,
      schema: { definitions in
        let limit: JSONValue = maximum.map { ["maxItems": .number(Double($0))] } ?? [:]
        return (["type": "array", "minItems": .number(Double(minimum))] as JSONValue).with(limit)
          .with(["items": schema(&definitions)])
      },
      read: { node, reader in
        if let maximum, node.items.count > maximum {
          reader.report(
            "\(reader.subject) has \(node.items.count) items", at: node.mark,
            expected: "at most \(maximum)")
          return nil
        }
        if node.items.count < minimum {
          let what = node.items.isEmpty ? "is an empty list" : "has too few items"
          reader.report(
            "\(reader.subject) \(what)", at: node.mark,
            expected: minimum == 1 ? "at least one" : "at least \(minimum)")
          return nil
        }
        return items(node.items.enumerated().map { ($0, $1) }, reader)
      })
    form.items = ItemReading(minimum: minimum, maximum: maximum) { items($0, $1) }
    return form
  }

  /// Reads items of a list. A list may have a hundred thousand of them.
  private func items(_ nodes: [(index: Int, node: Node)], _ reader: Reader) -> [Value]? {
    var values: [Value] = []
    values.reserveCapacity(nodes.count)
    for (index, item) in nodes {
      reader.inside(item: index) {
        if let value = read(item, reader) { values.append(value) }
      }
    }
    return values.count == nodes.count ? values : nil
  }

  /// This form of a map from names, or a list of such maps, which are read as one: each name stands in one of
  /// them. `part` is the list's part of the schema.
  package func orListOfMaps(_ part: String) -> Form {
    let expected = "\(expected), or a list of such maps"
    return Form(
      expected, from: [.map, .list], as: valueKind,
      schema: { definitions in
        let map = definitions.reference(part) { schema(&$0) }
        return ["anyOf": [map, ["type": "array", "items": map]]]
      },
      read: { node, reader in
        guard node.kind == .list else { return read(node, reader) }
        var pairs: [Node.Pair] = []
        var marks: [String: Mark] = [:]
        for (index, item) in node.items.enumerated() where !item.isUnknown {
          guard item.kind == .map else {
            reader.inside(item: index) { reader.reportType(item, expected: self.expected) }
            continue
          }
          for pair in item.pairs {
            if let first = marks[pair.key] {
              reader.report(duplicate: "name", pair.key, first: first, at: pair.keyMark)
            } else {
              marks[pair.key] = pair.keyMark
              pairs.append(pair)
            }
          }
        }
        return read(Node(.map(pairs), at: node.mark), reader)
      }
    ).as(role)
  }

  /// A list of exactly two of these.
  package func pair(_ names: String) -> Form<(first: Value, second: Value)> {
    let items = list(atLeast: 2, names)
    return Form<(first: Value, second: Value)>(
      names, from: [.list], as: .list,
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

/// How a reader reads single items of a list.
package struct ItemReading: Sendable {
  /// The minimum number of items.
  package let minimum: Int
  /// The maximum number of items, or nil if there isn't one.
  package let maximum: Int?
  /// Reads items at their indices into an array of their type. Nil after reporting mistakes, or if a list can be read
  /// only as a whole.
  package let read: (@Sendable ([(index: Int, node: Node)], Reader) -> (any Sendable)?)?

  /// The same list, which can be read only as a whole.
  fileprivate var whole: ItemReading { ItemReading(minimum: minimum, maximum: maximum, read: nil) }
}

/// The parts of the JSON Schema that have a name, in the order in which they were first needed.
package struct Definitions {
  package private(set) var members: [JSONValue.Member] = []
  /// Makes parts that tables refer to by their names alone, as they stand above them.
  private let known: [String: (inout Definitions) -> JSONValue]

  package init(_ known: [String: (inout Definitions) -> JSONValue] = [:]) { self.known = known }

  /// A reference to one of the parts that are known from the start.
  package mutating func reference(_ name: String) -> JSONValue {
    reference(name, known[name] ?? { _ in true })
  }

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

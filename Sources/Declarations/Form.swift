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

/// The form of a value: its domain, which says what each value means that is set, its notation in a file, its description
/// for messages, and its JSON Schema.
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
  /// The items, if it is a list that may be set.
  package private(set) var items: ListItems?
  package let schema: @Sendable (inout Definitions) -> JSONValue
  private let readNode: @Sendable (Node, Reader) -> Value?
  /// Its domain: makes it of a value that is set. Nil where only the file says it.
  private let decodeShaped: Decoding<Value>?

  /// `read` and `decode` are called for nodes and values of `kinds` only. `read` reports why where it answers nil.
  package init(
    _ expected: String, from kinds: Set<Node.Kind> = [.scalar],
    as valueKind: Expressions.Value.Kind = .any, objects: (@Sendable () -> Keys)? = nil,
    schema: @escaping @Sendable (inout Definitions) -> JSONValue,
    read: @escaping @Sendable (Node, Reader) -> Value?, decode: Decoding<Value>? = nil
  ) {
    self.expected = expected
    self.kinds = kinds
    self.valueKind = valueKind
    self.objects = objects
    self.schema = schema
    readNode = read
    decodeShaped = decode
  }

  /// A form that decodes the scalar of a file as well. The file writes a `notation`, if that is another kind of value
  /// than the form's.
  package init(
    _ expected: String, from kinds: Set<Node.Kind> = [.scalar],
    as valueKind: Expressions.Value.Kind = .any, notation: Expressions.Value.Kind? = nil,
    schema: @escaping @Sendable (inout Definitions) -> JSONValue, decode: @escaping Decoding<Value>
  ) {
    self.init(
      expected, from: kinds, as: valueKind, schema: schema,
      read: { node, reader in
        reader.decoded(node) { (facts) throws(Unsuitable) in
          try decode(node.value(as: notation ?? valueKind), &facts)
        }
      }, decode: decode)
  }

  /// Whether a value may be set in the form.
  package var isDecodable: Bool { decodeShaped != nil }

  /// The meaning of a value that is set.
  package func decode(
    _ value: Expressions.Value, _ facts: inout Facts
  ) throws(Unsuitable) -> Value {
    guard let decodeShaped, kinds.contains(value.shape) else {
      throw Unsuitable(type: value, expected)
    }
    return try decodeShaped(value, &facts)
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
    decoded { (value, _) throws(Unsuitable) in transform(value) }
  }

  /// A form that makes something else of the value.
  package func decoded<Other>(
    _ transform: @escaping @Sendable (Value, inout Facts) throws(Unsuitable) -> Other
  ) -> Form<Other> {
    var decoding: Decoding<Other>?
    if let decodeShaped {
      decoding = { (value, facts) throws(Unsuitable) in
        try transform(try decodeShaped(value, &facts), &facts)
      }
    }
    return mapped(decoding) { node, reader in
      read(node, reader).flatMap { value in
        reader.decoded(node) { (facts) throws(Unsuitable) in try transform(value, &facts) }
      }
    }
  }

  /// A form of files that makes something else of the value, or reports why it cannot.
  package func compactMap<Other>(
    _ transform: @escaping @Sendable (Value, Node, Reader) -> Other?
  ) -> Form<Other> {
    mapped(nil) { node, reader in read(node, reader).flatMap { transform($0, node, reader) } }
  }

  private func mapped<Other>(
    _ decode: Decoding<Other>?, _ read: @escaping @Sendable (Node, Reader) -> Other?
  ) -> Form<Other> {
    var form = Form<Other>(
      expected, from: kinds, as: valueKind, objects: objects, schema: schema, read: read,
      decode: decode
    ).as(role)
    form.items = items.map { ListItems(minimum: $0.minimum, decode: nil) }
    return form
  }

  /// This form, or another one that is read from other kinds of nodes.
  package func or(_ other: Form<Value>) -> Form<Value> {
    var decoding: Decoding<Value>?
    if let own = decodeShaped, let others = other.decodeShaped {
      decoding = { (value, facts) throws(Unsuitable) in
        kinds.contains(value.shape) ? try own(value, &facts) : try others(value, &facts)
      }
    }
    return Form(
      "\(expected), or \(other.expected)", from: kinds.union(other.kinds),
      as: valueKind == other.valueKind ? valueKind : .any, objects: objects ?? other.objects,
      schema: { ["anyOf": [schema(&$0), other.schema(&$0)]] },
      read: { kinds.contains($0.kind) ? read($0, $1) : other.read($0, $1) },
      decode: decoding)
  }

  /// A list of `minimum` to `maximum` items; nil for no maximum.
  package func list(atLeast minimum: Int = 1, atMost maximum: Int? = nil, _ plural: String)
    -> Form<[Value]>
  {
    let counts = minimum...(maximum ?? .max)
    // A list may have a hundred thousand items.
    let decodeItems: ListItems.Decode<[Value]> = { (items, indices, facts) throws(Unsuitable) in
      try Self.check(items.count, counts)
      var values: [Value] = []
      values.reserveCapacity(indices.count)
      for index in indices {
        do throws(Unsuitable) {
          values.append(try decode(items[index], &facts))
        } catch {
          throw error.inside(item: index)
        }
      }
      return values
    }
    let decoding: Decoding<[Value]> = { (value, facts) throws(Unsuitable) in
      try decodeItems(value.items, Array(value.items.indices), &facts)
    }
    var form = Form<[Value]>(
      "a list of \(plural)", from: [.list], as: .list, objects: objects,
      schema: { definitions in
        let limit: JSONValue = maximum.map { ["maxItems": .number(Double($0))] } ?? [:]
        return (["type": "array", "minItems": .number(Double(minimum))] as JSONValue).with(limit)
          .with(["items": schema(&definitions)])
      },
      read: { node, reader in
        let isLongEnough: Void? = reader.decoded(node) { (_) throws(Unsuitable) in
          try Self.check(node.items.count, counts)
        }
        guard isLongEnough != nil else { return nil }
        var values: [Value] = []
        values.reserveCapacity(node.items.count)
        for (index, item) in node.items.enumerated() {
          reader.inside(item: index) {
            if let value = read(item, reader) { values.append(value) }
          }
        }
        return values.count == node.items.count ? values : nil
      },
      decode: isDecodable ? decoding : nil)
    if isDecodable { form.items = ListItems(minimum: minimum, decode: decodeItems) }
    return form
  }

  /// Throws if a list has too few or too many items.
  private static func check(_ count: Int, _ counts: ClosedRange<Int>) throws(Unsuitable) {
    let (least, most) = (counts.lowerBound, counts.upperBound)
    if count > most {
      throw Unsuitable(nil, "at most \(most)") { subject, _ in "\(subject) has \(count) items" }
    }
    guard count < least else { return }
    let what = count == 0 ? "is an empty list" : "has too few items"
    throw Unsuitable(nil, least == 1 ? "at least one" : "at least \(least)") { subject, _ in
      "\(subject) \(what)"
    }
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

/// Makes a `T` of a value.
package typealias Decoding<T> = @Sendable (Value, inout Facts) throws(Unsuitable) -> T

/// The items of a list that may be set.
package struct ListItems: Sendable {
  /// Their minimum number.
  package let minimum: Int
  /// Decodes the items at some indices into an array of their type. Nil if a list can be decoded only as a whole.
  package let decode: Decode<any Sendable>?

  package typealias Decode<Items> =
    @Sendable ([Value], [Int], inout Facts) throws(Unsuitable) -> Items
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

// SPDX-License-Identifier: MIT

package import RoundelExpressions
package import RoundelJSON

/// The use of a key's value once its object exists.
package enum KeyRole: Hashable, Sendable {
  /// Only the file sets it, such as a name, a position or a size.
  case fixed
  /// The value may change, and a template may replace it.
  case variable
  /// The initial value of the property with the key's name. A template may replace it.
  case state
}

/// A value's domain, which decodes values at run time, its notation in a file, its description for
/// messages, and its JSON Schema.
package struct Form<Value: Sendable>: Sendable {
  /// For messages: `a number from 1 to 360`.
  package let expected: String
  /// The accepted kinds of nodes. Others have the wrong type.
  package let kinds: Set<Node.Kind>
  /// The kind of the value in expressions.
  package let valueKind: RoundelExpressions.Value.Kind
  package private(set) var role = KeyRole.variable
  /// Whether the value is a position or size, which styles exclude.
  package private(set) var isGeometric = false
  /// The keys of the map, or of the maps in the list.
  package let objects: (@Sendable () -> Keys)?
  /// The items of a list that may be set at run time.
  package private(set) var items: ListItems?
  package let schema: @Sendable (inout Definitions) -> JSONValue
  private let readNode: @Sendable (Node, Reader) -> Value?
  /// The domain, or nil if only the file may set the value.
  private let decodeShaped: Decoding<Value>?

  /// `read` and `decode` only get `kinds`. `read` reports an error if it returns nil.
  package init(
    _ expected: String, from kinds: Set<Node.Kind> = [.scalar],
    as valueKind: RoundelExpressions.Value.Kind = .any, objects: (@Sendable () -> Keys)? = nil,
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

  /// Also decodes scalars in a file. `notation` is the kind in the file, if it differs.
  package init(
    _ expected: String, from kinds: Set<Node.Kind> = [.scalar],
    as valueKind: RoundelExpressions.Value.Kind = .any,
    notation: RoundelExpressions.Value.Kind? = nil,
    schema: @escaping @Sendable (inout Definitions) -> JSONValue, decode: @escaping Decoding<Value>
  ) {
    self.init(
      expected, from: kinds, as: valueKind, schema: schema,
      read: { node, reader in
        reader.decoded(node) { (context) throws(InvalidValueError) in
          try decode(node.value(as: notation ?? valueKind), &context)
        }
      }, decode: decode)
  }

  package var isDecodable: Bool { decodeShaped != nil }

  /// Decodes a value that is set at run time.
  package func decode(
    _ value: RoundelExpressions.Value, _ context: inout DecodingContext
  ) throws(InvalidValueError) -> Value {
    guard let decodeShaped, kinds.contains(value.shape) else {
      throw InvalidValueError(type: value, expected)
    }
    return try decodeShaped(value, &context)
  }

  /// Returns nil after reporting errors.
  package func read(_ node: Node, _ reader: Reader) -> Value? {
    guard !node.isUnknown, reader.hasTime(at: node.mark) else { return nil }
    guard kinds.contains(node.kind) else {
      reader.reportType(node, expected: expected)
      return nil
    }
    return readNode(node, reader)
  }

  package func `as`(_ role: KeyRole) -> Form {
    var form = self
    form.role = role
    return form
  }

  package var geometric: Form {
    var form = self
    form.isGeometric = true
    return form
  }

  package func map<Other>(_ transform: @escaping @Sendable (Value) -> Other) -> Form<Other> {
    decoded { (value, _) throws(InvalidValueError) in transform(value) }
  }

  package func decoded<Other>(
    _ transform:
      @escaping @Sendable (Value, inout DecodingContext) throws(InvalidValueError) -> Other
  ) -> Form<Other> {
    var decoding: Decoding<Other>?
    if let decodeShaped {
      decoding = { (value, context) throws(InvalidValueError) in
        try transform(try decodeShaped(value, &context), &context)
      }
    }
    return mapped(decoding) { node, reader in
      read(node, reader).flatMap { value in
        reader.decoded(node) { (context) throws(InvalidValueError) in try transform(value, &context)
        }
      }
    }
  }

  /// Transforms the value of a file, or reports an error.
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

  /// Accepts either of two forms with different kinds of nodes.
  package func or(_ other: Form<Value>) -> Form<Value> {
    var decoding: Decoding<Value>?
    if let own = decodeShaped, let others = other.decodeShaped {
      decoding = { (value, context) throws(InvalidValueError) in
        kinds.contains(value.shape) ? try own(value, &context) : try others(value, &context)
      }
    }
    return Form(
      "\(expected), or \(other.expected)", from: kinds.union(other.kinds),
      as: valueKind == other.valueKind ? valueKind : .any, objects: objects ?? other.objects,
      schema: { ["anyOf": [schema(&$0), other.schema(&$0)]] },
      read: { kinds.contains($0.kind) ? read($0, $1) : other.read($0, $1) }, decode: decoding)
  }

  /// A list of `minimum` to `maximum` items, or of any number if `maximum` is nil.
  package func list(atLeast minimum: Int = 1, atMost maximum: Int? = nil, _ plural: String)
    -> Form<[Value]>
  {
    let counts = minimum...(maximum ?? .max)
    // A list may have a hundred thousand items.
    let decodeItems: ListItems.Decode<[Value]> = {
      (items, indices, context) throws(InvalidValueError) in
      try Self.check(items.count, counts)
      var values: [Value] = []
      values.reserveCapacity(indices.count)
      for index in indices {
        do throws(InvalidValueError) {
          values.append(try decode(items[index], &context))
        } catch {
          throw error.inside(item: index)
        }
      }
      return values
    }
    let decoding: Decoding<[Value]> = { (value, context) throws(InvalidValueError) in
      try decodeItems(value.items, Array(value.items.indices), &context)
    }
    var form = Form<[Value]>(
      "a list of \(plural)", from: [.list], as: .list, objects: objects,
      schema: { definitions in
        let limit: JSONValue = maximum.map { ["maxItems": .number(Double($0))] } ?? [:]
        return (["type": "array", "minItems": .number(Double(minimum))] as JSONValue).with(limit)
          .with(["items": schema(&definitions)])
      },
      read: { node, reader in
        let isLongEnough: Void? = reader.decoded(node) { (_) throws(InvalidValueError) in
          try Self.check(node.items.count, counts)
        }
        guard isLongEnough != nil else { return nil }
        var values: [Value] = []
        values.reserveCapacity(node.items.count)
        for (index, item) in node.items.enumerated() {
          reader.inside(item: index) { if let value = read(item, reader) { values.append(value) } }
        }
        return values.count == node.items.count ? values : nil
      },
      decode: isDecodable ? decoding : nil)
    if isDecodable { form.items = ListItems(minimum: minimum, decode: decodeItems) }
    return form
  }

  private static func check(_ count: Int, _ counts: ClosedRange<Int>) throws(InvalidValueError) {
    let (least, most) = (counts.lowerBound, counts.upperBound)
    if count > most {
      throw InvalidValueError(nil, "at most \(most)") { subject, _ in
        "\(subject) has \(count) items"
      }
    }
    guard count < least else { return }
    let what = count == 0 ? "is an empty list" : "has too few items"
    throw InvalidValueError(nil, least == 1 ? "at least one" : "at least \(least)") { subject, _ in
      "\(subject) \(what)"
    }
  }

  /// Also accepts a list of maps with different names, which are merged. `part` is its schema
  /// definition.
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

package typealias Decoding<T> =
  @Sendable (Value, inout DecodingContext) throws(InvalidValueError) -> T

package struct ListItems: Sendable {
  package let minimum: Int
  /// Decodes some items into an array of their type. Nil if a list can be decoded only as a whole.
  package let decode: Decode<any Sendable>?

  package typealias Decode<Items> =
    @Sendable ([Value], [Int], inout DecodingContext) throws(InvalidValueError) -> Items
}

/// The named definitions of the JSON Schema, in the order of first use.
package struct Definitions {
  package private(set) var members: [JSONValue.Member] = []
  /// Definitions that lower-level tables refer to only by name.
  private let known: [String: (inout Definitions) -> JSONValue]

  package init(_ known: [String: (inout Definitions) -> JSONValue] = [:]) { self.known = known }

  /// Refers to a definition known from the start.
  package mutating func reference(_ name: String) -> JSONValue {
    reference(name, known[name] ?? { _ in true })
  }

  /// Creates a definition on first use. It may refer to itself.
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

// SPDX-License-Identifier: MIT

package import RoundelExpressions
package import RoundelJSON

/// A key with the type of its value.
package struct Key<Value: Sendable>: Sendable {
  package let name: String
  fileprivate let index: Int
}

/// Values of keys by name. A value is nil after an error.
package typealias KeyValues = [String: (any Sendable)?]

/// The keys of one kind of object, such as a wedge, for reading and the JSON Schema.
package struct Table<Value: Sendable>: Sendable {
  /// Creates an object from the values of its keys. Returns nil after reporting conflicting values in a file.
  package typealias Make = @Sendable (Fields) throws(Conflict) -> Value?

  package let name: String
  package let summary: String
  package let keys: Keys
  private let make: Make
  private let storages: [(index: Int, storage: Storage<Value>)]

  package init(_ name: String, _ summary: String, _ declare: (inout Keys) -> Make) {
    self.name = name
    self.summary = summary
    var keys = Keys(table: name, summary: summary)
    make = declare(&keys)
    self.keys = keys
    storages = keys.all.enumerated().compactMap { index, key in
      (key.storage as? Storage<Value>).map { (index, $0) }
    }
  }

  package var form: Form<Value> { form(after: [:]) }

  package func form(after known: KeyValues) -> Form<Value> {
    Form(
      "a map with the keys \(keys.names.alternatives)", from: [.map], as: .record,
      objects: { keys }, schema: schema, read: { read($0, $1, after: known) }, decode: decoding)
  }

  /// Nil unless all keys can be set at run time.
  fileprivate var decoding: Decoding<Value>? {
    guard keys.all.allSatisfy({ $0.decode != nil }) else { return nil }
    return { (value, context) throws(InvalidValueError) in
      let fields = Fields(keys: keys, values: try keys.decode(value.fields, &context), source: nil)
      do throws(Conflict) {
        if let made = try made(of: fields) { return made }
        preconditionFailure("\(name) can only be read from a file")
      } catch {
        throw InvalidValueError(error)
      }
    }
  }

  private func made(of fields: Fields) throws(Conflict) -> Value? {
    guard var value = try make(fields) else { return nil }
    for (index, storage) in storages { storage.store(&value, fields.values[index]) }
    try keys.check(value)
    return value
  }

  /// Returns the values of keys that are read before the others.
  package func values(of names: [String], in node: Node, _ reader: Reader) -> KeyValues {
    var values: KeyValues = [:]
    for key in keys.all where names.contains(key.name) {
      let value = reader.inside(key: key.name) { key.read(node[key.name], node, reader) }
      values[key.name] = .some(value)
    }
    return values
  }

  @Sendable private func schema(_ definitions: inout Definitions) -> JSONValue {
    definitions.reference(name) { definitions in
      let properties = keys.all.map { key in JSONValue.Member(key.name, key.schema(&definitions)) }
      let (required, substitution) = keys.requirements
      return JSONValue.object([
        .init("description", .string(summary)), .init("type", "object"),
        .init("properties", .object(properties)),
        .init("required", .array(required.map(JSONValue.string))),
        .init("additionalProperties", false),
      ]).with(substitution)
    }
  }

  private func read(_ node: Node, _ reader: Reader, after known: KeyValues) -> Value? {
    keys.found(node, reader)
    for pair in node.pairs where !keys.names.contains(pair.key) {
      if Node.Directive(rawValue: pair.key) != nil {
        reader.report(
          "\(pair.key.quoted) is not allowed in \(name)", at: pair.keyMark,
          expected: reader.place(ofDirective: pair.key))
        continue
      }
      reader.report(
        "unknown key \(pair.key.quoted) in \(name)", at: pair.keyMark,
        expected: keys.names.alternatives, suggestion: keys.names.nearest(to: pair.key, by: reader))
    }
    let given = keys.alternatives.filter { node[$0] != nil }
    if !keys.alternatives.isEmpty, given.count != 1 {
      let names = keys.alternatives.map(\.quoted)
      reader.report(
        given.isEmpty
          ? "missing key \(names.joined(separator: " or ")) in \(name)"
          : "\(names.joined(separator: " and ")) in one \(name)", at: node.mark,
        expected: "one of them")
      return nil
    }
    func value(_ key: Keys.Declaration) -> (any Sendable)? {
      known[key.name] ?? reader.inside(key: key.name) { key.read(node[key.name], node, reader) }
    }
    let values =
      reader.log.isReversed ? keys.all.reversed().map(value).reversed() : keys.all.map(value)
    let whole = values.compactMap(\.self)
    guard whole.count == values.count else { return nil }
    let fields = Fields(keys: keys, values: whole, source: (node, reader))
    do throws(Conflict) {
      return try made(of: fields)
    } catch {
      fields.report(error)
      return nil
    }
  }
}

extension Form {
  /// Resolves the table on first use, so that it may contain itself. Its constant then needs an
  /// explicit type.
  package static func table(_ expected: String, _ table: @escaping @Sendable () -> Table<Value>)
    -> Form
  {
    Form(
      expected, from: [.map], as: .record, objects: { table().keys },
      schema: { table().form.schema(&$0) }, read: { table().form.read($0, $1) },
      decode: { (value, context) throws(InvalidValueError) in
        guard let decode = table().decoding else { throw InvalidValueError(type: value, expected) }
        return try decode(value, &context)
      })
  }
}

/// The keys of a table. Each has a name, a form, a default and a one-line summary.
package struct Keys: Sendable {
  package struct Declaration: Sendable {
    package let name: String
    package let summary: String
    package let expected: String
    package let isRequired: Bool
    /// The default, if it can be written in a file.
    package let defaultValue: JSONValue?
    package let valueKind: RoundelExpressions.Value.Kind
    /// Whether the key accepts any string, and numbers and flags as strings.
    package let isFreeText: Bool
    package let allowsTemplate: Bool
    package let role: KeyRole
    package let isGeometric: Bool
    package let objects: (@Sendable () -> Keys)?
    package let items: ListItems?
    /// The `Storage` of the value, if it is stored individually.
    let storage: (any Sendable)?
    package let schema: @Sendable (inout Definitions) -> JSONValue
    /// Gets the key's node, or nil for an omitted key, and the object's. Returns nil after an
    /// error.
    package let read: @Sendable (Node?, Node, Reader) -> (any Sendable)?
    /// Decodes a value, or nil for an omitted key, at run time. Nil if only the file may set the key.
    package let decode: Decode?

    package typealias Decode =
      @Sendable (RoundelExpressions.Value?, inout DecodingContext) throws(InvalidValueError) ->
      any Sendable
  }

  package let table: String
  package let summary: String
  package private(set) var allowsTemplates = false
  package private(set) var all: [Declaration] = []
  package private(set) var names: [String] = []
  package private(set) var substitution: (name: String, others: [String])?
  /// Keys that exclude each other. Each object has exactly one, unless the list is empty.
  package private(set) var alternatives: [String] = []
  /// Whether `id` names the object. Its ids are unique within a control.
  package var identifies = false
  /// The rules, each a `Rule` of the keys' object.
  private(set) var rules: [any Sendable] = []
  fileprivate private(set) var found: @Sendable (Node, Reader) -> Void = { _, _ in }

  fileprivate init(table: String, summary: String) {
    self.table = table
    self.summary = summary
  }

  static let template: JSONValue = ["type": "string", "pattern": "\\{[^{].*\\}"]

  /// Allows templates instead of variable values, for keys declared after this call.
  package mutating func allowTemplates() { allowsTemplates = true }

  private enum Absent<Value: Sendable>: Sendable {
    case required
    case value(Value)
    case standard(JSONValue)
  }

  package mutating func required<T>(_ name: String, _ form: Form<T>, _ summary: String) -> Key<T> {
    add(name, form, summary, .required) { $0 }
  }

  package mutating func optional<T>(_ name: String, _ form: Form<T>, _ summary: String) -> Key<T?> {
    add(name, form, summary, .value(nil)) { $0 }
  }

  package mutating func optional<T>(
    _ name: String, _ form: Form<T>, default value: JSONValue, _ summary: String
  ) -> Key<T> { add(name, form, summary, .standard(value)) { $0 } }

  // MARK: Stored keys

  @discardableResult
  package mutating func required<Root, T>(
    _ name: String, _ form: Form<T>, _ summary: String, at path: WritableKeyPath<Root, T> & Sendable
  ) -> Key<T> { add(name, form, summary, .required, in: Storage(path)) { $0 } }

  /// Declares a list whose items have their own keys.
  @discardableResult
  package mutating func required<Root, Item>(
    _ name: String, _ form: Form<[Item]>, _ summary: String,
    at path: WritableKeyPath<Root, [Item]> & Sendable
  ) -> Key<[Item]> { add(name, form, summary, .required, in: Storage(items: path)) { $0 } }

  @discardableResult
  package mutating func optional<Root, T>(
    _ name: String, _ form: Form<T>, _ summary: String,
    at path: WritableKeyPath<Root, T?> & Sendable
  ) -> Key<T?> { add(name, form, summary, .value(nil), in: Storage(path)) { $0 } }

  @discardableResult
  package mutating func optional<Root, Item>(
    _ name: String, _ form: Form<[Item]>, _ summary: String,
    at path: WritableKeyPath<Root, [Item]?> & Sendable
  ) -> Key<[Item]?> { add(name, form, summary, .value(nil), in: Storage(items: path)) { $0 } }

  @discardableResult
  package mutating func optional<Root, T>(
    _ name: String, _ form: Form<T>, default value: JSONValue, _ summary: String,
    at path: WritableKeyPath<Root, T> & Sendable
  ) -> Key<T> { add(name, form, summary, .standard(value), in: Storage(path)) { $0 } }

  /// Lets a key replace other declared keys, which must then be omitted.
  package mutating func substitute(_ name: String, for others: [String]) {
    substitution = (name, others)
  }

  /// Requires exactly one of these keys, which are declared as optional.
  package mutating func requireOne(of names: [String]) { alternatives = names }

  /// The always required keys, and the schema of replaceable ones.
  fileprivate var requirements: (names: [String], schema: JSONValue) {
    let required = all.filter(\.isRequired).map(\.name)
    guard let (name, others) = substitution else {
      let choice = alternatives.map { ["required": [.string($0)]] as JSONValue }
      return (required, choice.isEmpty ? [:] : ["oneOf": .array(choice)])
    }
    let known = names.filter(others.contains).map { ["required": [.string($0)]] as JSONValue }
    let needed = required.filter(others.contains).map(JSONValue.string)
    return (
      required.filter { !others.contains($0) },
      [
        "allOf": [
          [
            "if": ["required": [.string(name)]], "then": ["not": ["anyOf": .array(known)]],
            "else": ["required": .array(needed)],
          ]
        ]
      ]
    )
  }

  /// Checks each object after reading and whenever one of its keys is stored.
  package mutating func rule<Root>(_ check: @escaping @Sendable (Root) throws(Conflict) -> Void) {
    rules.append(Rule(check))
  }

  private mutating func add<T, Value: Sendable>(
    _ name: String, _ form: Form<T>, _ summary: String, _ absent: Absent<Value>,
    in storage: (any Sendable)? = nil, _ whole: @escaping @Sendable (T) -> Value
  ) -> Key<Value> {
    precondition(!names.contains(name), "the key \(name) is declared twice")
    var definitions = Definitions()
    let isFreeText = form.valueKind == .text && form.schema(&definitions) == Form<String>.textSchema
    let allowsTemplate =
      allowsTemplates && form.role != .fixed && !form.kinds.isDisjoint(with: [.scalar, .list])
    let missing = "missing key \(name.quoted) in \(table)"
    let (isRequired, standard): (Bool, JSONValue?) =
      switch absent {
      case .required: (true, nil)
      case .value: (false, nil)
      case .standard(let value): (false, value)
      }
    let standardValue = standard.flatMap { RoundelExpressions.Value($0) }
    var decoding: Declaration.Decode?
    if form.isDecodable {
      decoding = { (value, context) throws(InvalidValueError) in
        if let value = value ?? standardValue {
          do throws(InvalidValueError) {
            return whole(try form.decode(value, &context))
          } catch {
            throw error.inside(key: name)
          }
        }
        if case .value(let value) = absent { return value }
        throw InvalidValueError(nil, form.expected) { _, _ in missing }
      }
    }
    names.append(name)
    all.append(
      Declaration(
        name: name, summary: summary, expected: form.expected, isRequired: isRequired,
        defaultValue: standard, valueKind: form.valueKind, isFreeText: isFreeText,
        allowsTemplate: allowsTemplate, role: form.role, isGeometric: form.isGeometric,
        objects: form.objects, items: form.items, storage: storage,
        schema: { definitions in
          let head: JSONValue = ["description": .string(summary)]
          let end: JSONValue = standard.map { ["default": $0] } ?? [:]
          let own = form.schema(&definitions)
          let isSame = !allowsTemplate || isFreeText
          return head.with(isSame ? own : own.unless(Keys.template)).with(end)
        },
        read: { node, object, reader in
          if let node = node ?? standard.map({ Node($0, at: object.mark) }) {
            return form.read(node, reader).map(whole)
          }
          if case .value(let value) = absent { return value }
          reader.report(missing, at: object.mark, expected: form.expected)
          return nil
        },
        decode: decoding))
    return Key(name: name, index: all.count - 1)
  }

  /// Called for each object before it is read, even with errors. Outer objects come first.
  package mutating func whenFound(_ handler: @escaping @Sendable (Node, Reader) -> Void) {
    let others = found
    found = { node, reader in
      others(node, reader)
      handler(node, reader)
    }
  }
}

extension Keys {
  package subscript(name: String) -> Declaration? { all.first { $0.name == name } }

  /// Decodes a record, which may have a style.
  fileprivate func decode(
    _ fields: [Field], _ context: inout DecodingContext
  ) throws(InvalidValueError) -> [any Sendable] {
    func value(_ name: String) -> RoundelExpressions.Value? {
      fields.first { $0.name == name }?.value
    }
    if identifies, let id = value("id"), id.shape == .scalar { try context.add(id: id.scalarText) }
    for field in fields where !names.contains(field.name) {
      let isDirective = Node.Directive(rawValue: field.name) != nil
      throw InvalidValueError(
        nil, isDirective ? Node.Directive.place(of: field.name) : names.alternatives,
        meaning: isDirective ? nil : field.name, among: names
      ) { [table] _, _ in
        isDirective
          ? "\(field.name.quoted) is not allowed in \(table)"
          : "unknown key \(field.name.quoted) in \(table)"
      }
    }
    let style = names.contains("style") ? value("style")?.scalarText : nil
    var values: [any Sendable] = []
    values.reserveCapacity(all.count)
    for key in all {
      guard let decode = key.decode else {
        preconditionFailure("\(key.name) can only be set in the file")
      }
      let own = value(key.name) ?? style.flatMap { context.styles.value(of: key, in: $0) }
      values.append(try decode(own, &context))
    }
    return values
  }

  func check<Object>(_ object: Object) throws(Conflict) {
    for case let rule as Rule<Object> in rules { try rule.check(object) }
  }
}

extension Keys.Declaration {
  /// Replaces an unaccepted empty list by an item that shows "–". Nil if an empty list is accepted,
  /// or the item invalid.
  package var placeholder: RoundelExpressions.Value? {
    guard let items, items.minimum > 0, let keys = objects?(), keys.names.contains("label") else {
      return nil
    }
    var item: [Field] = []
    for key in keys.all {
      switch key.name {
      case "id": item.append(Field("id", .text("none")))
      case "label": item.append(Field("label", .text("–")))
      default: guard !key.isRequired else { return nil }
      }
    }
    return .list([.record(item)])
  }
}

package struct Fields {
  fileprivate let keys: Keys
  fileprivate let values: [any Sendable]
  /// Nil for an object set at run time.
  fileprivate let source: (node: Node, reader: Reader)?

  package subscript<T>(key: Key<T>) -> T {
    guard let value = values[key.index] as? T else {
      preconditionFailure("the key \(key.name) belongs to another table")
    }
    return value
  }

  private var inFile: (node: Node, reader: Reader) {
    guard let source else { preconditionFailure("only an object from a file has a location") }
    return source
  }

  package var node: Node { inFile.node }
  package var reader: Reader { inFile.reader }

  /// Returns the location of a key's value, or of the object if the key is omitted.
  package func mark<T>(of key: Key<T>) -> Mark { node[key.name]?.mark ?? node.mark }

  /// Stores all values with a location in `object`, and checks its rules.
  package func fill<Object>(_ object: inout Object) throws(Conflict) {
    for (key, value) in zip(keys.all, values) {
      (key.storage as? Storage<Object>)?.store(&object, value)
    }
    try keys.check(object)
  }

  fileprivate func report(_ conflict: Conflict) {
    reader.report(
      conflict.what, at: node[conflict.key]?.mark ?? node.mark, expected: conflict.expected)
  }

  /// Reports a conflict with other values, and returns nil, for `Table.Make`.
  package func error<T, Value>(_ what: String, at key: Key<T>, expected: String) -> Value? {
    reader.report(what, at: mark(of: key), expected: expected)
    return nil
  }
}

// SPDX-License-Identifier: MIT

package import Expressions
package import JSON

/// A key of an object, and the way to its value.
package struct Key<Value: Sendable>: Sendable {
  package let name: String
  fileprivate let index: Int
}

/// Values of keys by their names, each nil after a mistake.
package typealias KeyValues = [String: (any Sendable)?]

/// The keys of one kind of object, such as a wedge. Each stands here once; reading and the JSON Schema
/// both come from it.
///
///     static let blink = Table("blink", "How a chosen wedge lights up.") { keys in
///       let count = keys.optional("count", .integer(0...100), default: 2, "How often.")
///       …
///       return { fields in Blink.Pattern(count: fields[count], …) }
///     }
package struct Table<Value: Sendable>: Sendable {
  /// Makes the value of an object all of whose keys have values. Nil after reporting values of a file that conflict.
  package typealias Make = @Sendable (Fields) throws(Conflict) -> Value?

  package let name: String
  package let summary: String
  package let keys: Keys
  private let make: Make
  /// The storages of the keys that are stored in a `Value` by themselves, with the keys' indices.
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

  /// The form of an object some of whose keys have been read.
  package func form(after known: KeyValues) -> Form<Value> {
    Form(
      "a map with the keys \(keys.names.alternatives)", from: [.map], as: .record,
      objects: { keys }, schema: schema, read: { read($0, $1, after: known) },
      decode: decoding)
  }

  /// Decodes a map, if all of its keys may be set.
  fileprivate var decoding: Decoding<Value>? {
    guard keys.all.allSatisfy({ $0.decode != nil }) else { return nil }
    return { (value, facts) throws(Unsuitable) in
      let fields = Fields(keys: keys, values: try keys.decode(value.fields, &facts), source: nil)
      do throws(Conflict) {
        if let made = try made(of: fields) { return made }
        preconditionFailure("\(name) can only be read from a file")
      } catch {
        throw Unsuitable(error)
      }
    }
  }

  /// The value of fields that keep all rules. Nil after reporting values of a file that conflict.
  private func made(of fields: Fields) throws(Conflict) -> Value? {
    guard var value = try make(fields) else { return nil }
    for (index, storage) in storages { storage.store(&value, fields.values[index]) }
    try keys.check(value)
    return value
  }

  /// The values of some keys of an object, to be read before the others.
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
      let properties = keys.all.map { key in
        JSONValue.Member(key.name, key.schema(&definitions))
      }
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
          "\(pair.key.quoted) does not belong here in \(name)", at: pair.keyMark,
          expected: reader.place(ofDirective: pair.key))
        continue
      }
      reader.report(
        "unknown key \(pair.key.quoted) in \(name)", at: pair.keyMark,
        expected: keys.names.alternatives, near: keys.names.nearest(to: pair.key, by: reader))
    }
    func value(_ key: Keys.Declaration) -> (any Sendable)? {
      known[key.name]
        ?? reader.inside(key: key.name) { key.read(node[key.name], node, reader) }
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
  /// A table that is looked up when it is needed, so that it may hold itself: then its constant needs
  /// a written type, as in `static let item: Table<Item> = …`.
  package static func table(_ expected: String, _ table: @escaping @Sendable () -> Table<Value>)
    -> Form
  {
    Form(
      expected, from: [.map], as: .record, objects: { table().keys },
      schema: { table().form.schema(&$0) },
      read: { table().form.read($0, $1) },
      decode: { (value, facts) throws(Unsuitable) in
        guard let decode = table().decoding else { throw Unsuitable(type: value, expected) }
        return try decode(value, &facts)
      })
  }
}

/// The keys of a table while it is declared. Each has a name, a form of its values, a default and, in one
/// line, a purpose.
package struct Keys: Sendable {
  package struct Declaration: Sendable {
    package let name: String
    package let summary: String
    /// The values that it may have: `a number from 1 to 360`.
    package let expected: String
    package let isRequired: Bool
    /// The value that it has where it is left out, if that can be written.
    package let defaultValue: JSONValue?
    package let valueKind: Expressions.Value.Kind
    /// Whether it takes any text, and numbers and flags as their texts.
    package let isFreeText: Bool
    /// Whether a template may stand in its place.
    package let takesTemplate: Bool
    package let role: KeyRole
    /// Whether it is a place or a size.
    package let isGeometric: Bool
    package let objects: (@Sendable () -> Keys)?
    /// The items, if it is a list that may be set.
    package let items: ListItems?
    /// The `Storage` of its value, if it is stored by itself.
    let storage: (any Sendable)?
    package let schema: @Sendable (inout Definitions) -> JSONValue
    /// The value, given the key's node (nil where there is none) and the object's. Nil after a
    /// mistake.
    package let read: @Sendable (Node?, Node, Reader) -> (any Sendable)?
    /// Decodes a value that is set, or that of a key that is left out. Nil where only the file says it.
    package let decode: Decode?

    package typealias Decode =
      @Sendable (Expressions.Value?, inout Facts) throws(Unsuitable) -> any Sendable
  }

  /// The table's name.
  package let table: String
  /// The object's summary, in a sentence.
  package let summary: String
  /// Whether a template may stand in place of values that may change.
  package private(set) var takesTemplates = false
  package private(set) var all: [Declaration] = []
  package private(set) var names: [String] = []
  /// A key that may stand for others.
  package private(set) var substitution: (name: String, others: [String])?
  /// Whether `id` names the object, which no other one of a control has.
  package var identifies = false
  /// Each is a `Rule` of the object that they belong to.
  private(set) var rules: [any Sendable] = []
  fileprivate private(set) var found: @Sendable (Node, Reader) -> Void = { _, _ in }

  fileprivate init(table: String, summary: String) {
    self.table = table
    self.summary = summary
  }

  /// The schema of a template.
  static let template: JSONValue = ["type": "string", "pattern": "\\{[^{].*\\}"]

  /// Lets templates stand in place of values that may change, in the keys declared after this.
  package mutating func takeTemplates() { takesTemplates = true }

  /// What a key has that is left out.
  private enum Absent<Value: Sendable>: Sendable {
    case mistake
    case value(Value)
    case standard(JSONValue)
  }

  /// A key that may not be left out.
  package mutating func required<T>(_ name: String, _ form: Form<T>, _ summary: String) -> Key<T> {
    add(name, form, summary, .mistake) { $0 }
  }

  /// A key without which there is no value.
  package mutating func optional<T>(_ name: String, _ form: Form<T>, _ summary: String) -> Key<T?> {
    add(name, form, summary, .value(nil)) { $0 }
  }

  /// A key whose value is `default` where it is left out.
  package mutating func optional<T>(
    _ name: String, _ form: Form<T>, default value: JSONValue, _ summary: String
  ) -> Key<T> {
    add(name, form, summary, .standard(value)) { $0 }
  }

  // MARK: Keys that are stored

  /// A key that may not be left out, whose value is stored at `path`.
  @discardableResult
  package mutating func required<Root, T>(
    _ name: String, _ form: Form<T>, _ summary: String, at path: WritableKeyPath<Root, T> & Sendable
  ) -> Key<T> {
    add(name, form, summary, .mistake, in: Storage(path)) { $0 }
  }

  /// The same of a list, whose items have keys of their own.
  @discardableResult
  package mutating func required<Root, Item>(
    _ name: String, _ form: Form<[Item]>, _ summary: String,
    at path: WritableKeyPath<Root, [Item]> & Sendable
  ) -> Key<[Item]> {
    add(name, form, summary, .mistake, in: Storage(items: path)) { $0 }
  }

  /// A key without which nothing is stored at `path`.
  @discardableResult
  package mutating func optional<Root, T>(
    _ name: String, _ form: Form<T>, _ summary: String,
    at path: WritableKeyPath<Root, T?> & Sendable
  ) -> Key<T?> {
    add(name, form, summary, .value(nil), in: Storage(path)) { $0 }
  }

  /// The same of a list, whose items have keys of their own.
  @discardableResult
  package mutating func optional<Root, Item>(
    _ name: String, _ form: Form<[Item]>, _ summary: String,
    at path: WritableKeyPath<Root, [Item]?> & Sendable
  ) -> Key<[Item]?> {
    add(name, form, summary, .value(nil), in: Storage(items: path)) { $0 }
  }

  /// A key whose value, or else its default, is stored at `path`.
  @discardableResult
  package mutating func optional<Root, T>(
    _ name: String, _ form: Form<T>, default value: JSONValue, _ summary: String,
    at path: WritableKeyPath<Root, T> & Sendable
  ) -> Key<T> {
    add(name, form, summary, .standard(value), in: Storage(path)) { $0 }
  }

  /// Lets a key stand for others, as far as they are declared: beside it, they are left out.
  package mutating func substitute(_ name: String, for others: [String]) {
    substitution = (name, others)
  }

  /// The keys that may never be left out, and the schema of the keys that a substitute may replace.
  fileprivate var requirements: (names: [String], schema: JSONValue) {
    let required = all.filter(\.isRequired).map(\.name)
    guard let (name, others) = substitution else { return (required, [:]) }
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

  /// Adds a rule about several keys of the object. It is checked when the object has been read, and whenever
  /// one of its keys is stored.
  package mutating func rule<Root>(
    _ check: @escaping @Sendable (Root) throws(Conflict) -> Void
  ) {
    rules.append(Rule(check))
  }

  private mutating func add<T, Value: Sendable>(
    _ name: String, _ form: Form<T>, _ summary: String, _ absent: Absent<Value>,
    in storage: (any Sendable)? = nil, _ whole: @escaping @Sendable (T) -> Value
  ) -> Key<Value> {
    precondition(!names.contains(name), "the key \(name) is declared twice")
    var definitions = Definitions()
    let isFreeText =
      form.valueKind == .text && form.schema(&definitions) == Form<String>.textSchema
    let takesTemplate =
      takesTemplates && form.role != .fixed && !form.kinds.isDisjoint(with: [.scalar, .list])
    let missing = "missing key \(name.quoted) in \(table)"
    let (isRequired, standard): (Bool, JSONValue?) =
      switch absent {
      case .mistake: (true, nil)
      case .value: (false, nil)
      case .standard(let value): (false, value)
      }
    let standardValue = standard.flatMap { Expressions.Value($0) }
    var decoding: Declaration.Decode?
    if form.isDecodable {
      decoding = { (value, facts) throws(Unsuitable) in
        if let value = value ?? standardValue {
          do throws(Unsuitable) {
            return whole(try form.decode(value, &facts))
          } catch {
            throw error.inside(key: name)
          }
        }
        if case .value(let value) = absent { return value }
        throw Unsuitable(nil, form.expected) { _, _ in missing }
      }
    }
    names.append(name)
    all.append(
      Declaration(
        name: name, summary: summary, expected: form.expected, isRequired: isRequired,
        defaultValue: standard, valueKind: form.valueKind, isFreeText: isFreeText,
        takesTemplate: takesTemplate, role: form.role, isGeometric: form.isGeometric,
        objects: form.objects, items: form.items, storage: storage,
        schema: { definitions in
          let head: JSONValue = ["description": .string(summary)]
          let end: JSONValue = standard.map { ["default": $0] } ?? [:]
          let own = form.schema(&definitions)
          let isSame = !takesTemplate || isFreeText
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

  /// Calls `handler` for each object of this kind before it is read, even with mistakes in it; outer
  /// objects before inner ones.
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

  /// Decodes the values of all keys of a record, which may have a style.
  fileprivate func decode(
    _ fields: [Field], _ facts: inout Facts
  ) throws(Unsuitable) -> [any Sendable] {
    func value(_ name: String) -> Expressions.Value? { fields.first { $0.name == name }?.value }
    if identifies, let id = value("id"), id.shape == .scalar { try facts.add(id: id.scalarText) }
    for field in fields where !names.contains(field.name) {
      let isDirective = Node.Directive(rawValue: field.name) != nil
      throw Unsuitable(
        nil, isDirective ? Node.Directive.place(of: field.name) : names.alternatives,
        meaning: isDirective ? nil : field.name, among: names
      ) { [table] _, _ in
        isDirective
          ? "\(field.name.quoted) does not belong here in \(table)"
          : "unknown key \(field.name.quoted) in \(table)"
      }
    }
    let style = names.contains("style") ? value("style")?.scalarText : nil
    var values: [any Sendable] = []
    values.reserveCapacity(all.count)
    for key in all {
      guard let decode = key.decode else { preconditionFailure("the file alone says \(key.name)") }
      let own = value(key.name) ?? style.flatMap { facts.styles.value(of: key, in: $0) }
      values.append(try decode(own, &facts))
    }
    return values
  }

  /// Checks the rules of an object.
  func check<Object>(_ object: Object) throws(Conflict) {
    for case let rule as Rule<Object> in rules { try rule.check(object) }
  }
}

extension Keys.Declaration {
  /// The items that replace an empty list which the key does not accept: one that shows "–". Nil where it
  /// accepts an empty list, or where such an item is not valid.
  package var placeholder: Expressions.Value? {
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

/// An object all of whose keys have values.
package struct Fields {
  fileprivate let keys: Keys
  fileprivate let values: [any Sendable]
  /// Nil for an object that is set.
  fileprivate let source: (node: Node, reader: Reader)?

  package subscript<T>(key: Key<T>) -> T {
    guard let value = values[key.index] as? T else {
      preconditionFailure("the key \(key.name) belongs to another table")
    }
    return value
  }

  private var inFile: (node: Node, reader: Reader) {
    guard let source else { preconditionFailure("only an object of a file has a place") }
    return source
  }

  package var node: Node { inFile.node }
  package var reader: Reader { inFile.reader }

  /// The place of a key's value, or of the object where it is left out.
  package func mark<T>(of key: Key<T>) -> Mark { node[key.name]?.mark ?? node.mark }

  /// Stores the values of all keys that have a place in `object`, and checks its rules.
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

  /// Reports that a key's value conflicts with the others, and returns nil, for `Table.Make`.
  package func mistake<T, Value>(_ what: String, at key: Key<T>, expected: String) -> Value? {
    reader.report(what, at: mark(of: key), expected: expected)
    return nil
  }
}

// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Expressions
internal import JSON
internal import Kiosk

/// The keys of a control, each under the name that it has as a property, in the node that the file has
/// for it.
///
/// An item that is written as a mere text stands for a map whose `label` is that text.
struct ControlKeys: Sendable {
  let keys: Keys
  let node: Node
  /// The items that have ids, by these.
  private let items: [String: (keys: Keys, node: Node)]

  init(keys: Keys, node: Node) {
    self.keys = keys
    self.node = node
    var items: [String: (keys: Keys, node: Node)] = [:]
    Self.collect(&items, keys, node)
    self.items = items
  }

  private static func collect(
    _ items: inout [String: (keys: Keys, node: Node)], _ keys: Keys, _ node: Node
  ) {
    for declaration in keys.all {
      guard let objects = declaration.objects?(), let list = node[declaration.name] else {
        continue
      }
      for item in list.items {
        if let id = item["id"]?.text, items[id] == nil { items[id] = (objects, item) }
        collect(&items, objects, item)
      }
    }
  }

  /// A key and its value.
  struct Site {
    var declaration: Keys.Declaration
    /// Nil where the key is left out.
    var node: Node?
  }

  /// Where the key of a name stands; nil where there is none.
  subscript(name: String) -> Site? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if let site = Self.key(parts[...], keys, node) { return site }
    return parts.first.flatMap { items[$0] }.flatMap {
      Self.key(parts.dropFirst(), $0.keys, $0.node)
    }
  }

  /// The key of an object, of a map in it, or of an item without an id, by its place.
  private static func key(_ name: ArraySlice<String>, _ keys: Keys, _ node: Node?) -> Site? {
    guard let first = name.first else { return nil }
    let rest = name.dropFirst()
    if let declaration = keys.all.first(where: { $0.name == first }), declaration.role != .fixed,
      has(first, node, keys)
    {
      let value = node.flatMap { Self.value(first, in: $0) }
      if rest.isEmpty { return Site(declaration: declaration, node: value) }
      if let objects = declaration.objects?(), value?.kind != .list,
        let site = key(rest, objects, value)
      {
        return site
      }
    }
    guard let place = Int(first), "\(place)" == first else { return nil }
    for declaration in keys.all {
      guard let objects = declaration.objects?(), let items = node?[declaration.name]?.items,
        items.indices.contains(place), items[place]["id"] == nil
      else { continue }
      if let site = key(rest, objects, items[place]) { return site }
    }
    return nil
  }

  /// Whether a key may stand in a node: one that is a text cannot become a map that needs other keys.
  private static func has(_ key: String, _ node: Node?, _ keys: Keys) -> Bool {
    key == "label" || node?.kind != .scalar || !keys.all.contains(where: \.isRequired)
  }

  /// The value of a key of a node, which may be a text that stands for its label.
  private static func value(_ key: String, in node: Node) -> Node? {
    node.kind == .scalar ? (key == "label" ? node : nil) : node[key]
  }

  /// Calls `body` with each key where a template may stand and one can, as there are braces, and its name,
  /// those of items included, and answers the node with what it returns in their places: nil leaves a key
  /// out.
  func replacing(_ body: (String, Site) -> Node?) -> Node {
    Self.replaced(keys, node, prefix: "", body)
  }

  private static func replaced(
    _ keys: Keys, _ node: Node, prefix: String, _ body: (String, Site) -> Node?
  ) -> Node {
    guard node.hasBrace else { return node }
    guard node.kind == .map else {
      guard node.kind == .scalar,
        let label = keys.all.first(where: { $0.name == "label" && $0.role != .fixed })
      else { return node }
      let site = Site(declaration: label, node: node)
      return body(prefix + "label", site) ?? Node(.scalar("", isPlain: false), at: node.mark)
    }
    var pairs: [Node.Pair] = []
    for var pair in node.pairs {
      if let declaration = keys.all.first(where: { $0.name == pair.key }),
        let value = replaced(declaration, pair.value, prefix: prefix, body)
      {
        pair.value = value
      } else if keys.names.contains(pair.key) {
        continue
      }
      pairs.append(pair)
    }
    return Node(.map(pairs), at: node.mark)
  }

  /// The value of one key.
  private static func replaced(
    _ declaration: Keys.Declaration, _ node: Node, prefix: String,
    _ body: (String, Site) -> Node?
  ) -> Node? {
    guard node.hasBrace else { return node }
    let name = prefix + declaration.name
    if node.kind == .scalar {
      guard declaration.role != .fixed else { return node }
      return body(name, Site(declaration: declaration, node: node))
    }
    guard let objects = declaration.objects?() else { return node }
    guard node.kind == .list else { return replaced(objects, node, prefix: name + ".", body) }
    let items = node.items.enumerated().map { index, item in
      let id = item["id"]?.text
      // Items with ids are called by these alone; those of a wheel by the wheel's and their index.
      let prefix = id.map { "\($0)." } ?? "\(prefix)\(index)."
      return replaced(objects, item, prefix: prefix, body)
    }
    return Node(.list(items), at: node.mark)
  }

  /// All names, in the order of the declarations.
  var names: [String] { Self.names(keys, node, prefix: "") }

  private static func names(_ keys: Keys, _ node: Node?, prefix: String) -> [String] {
    var names: [String] = []
    var items: [String] = []
    for declaration in keys.all
    where (declaration.role != .fixed || declaration.objects != nil)
      && has(declaration.name, node, keys)
    {
      let value = node.flatMap { Self.value(declaration.name, in: $0) }
      guard let objects = declaration.objects?() else {
        names.append(prefix + declaration.name)
        continue
      }
      guard let value, value.kind == .list else {
        if declaration.role != .fixed { names.append(prefix + declaration.name) }
        if let value, value.kind == .map {
          names += Self.names(objects, value, prefix: prefix + declaration.name + ".")
        }
        continue
      }
      if declaration.role != .fixed { names.append(prefix + declaration.name) }
      for (index, item) in value.items.enumerated() {
        items += Self.names(
          objects, item, prefix: item["id"]?.text.map { "\($0)." } ?? "\(prefix)\(index).")
      }
    }
    return names + items
  }

  /// The names of the keys of items of a list, however deep.
  func names(ofItemsIn list: String) -> [String] {
    guard let site = self[list], let objects = site.declaration.objects?() else { return [] }
    let prefix = list.dropLast(site.declaration.name.count)
    return (site.node?.items ?? []).enumerated().flatMap { index, item in
      Self.names(objects, item, prefix: item["id"]?.text.map { "\($0)." } ?? "\(prefix)\(index).")
    }
  }

  /// The node with other values of keys. Where one of them is a list, keys of items are those of its
  /// items.
  func node(with values: [String: Expressions.Value]) -> Node {
    guard !values.isEmpty else { return node }
    var changes = Changes()
    for (name, value) in values {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      changes.add(parts[...], value)
    }
    return Self.changed(node, keys, changes, among: changes) ?? node
  }

  /// New values by the parts of their names.
  private struct Changes {
    var value: Expressions.Value?
    var parts: [Substring: Changes] = [:]

    mutating func add(_ name: ArraySlice<Substring>, _ value: Expressions.Value) {
      guard let first = name.first else { return self.value = value }
      parts[first, default: Changes()].add(name.dropFirst(), value)
    }
  }

  /// An object with new values of its keys, which are `own` among `all`, and of its items; nil where it
  /// remains as it is.
  private static func changed(
    _ node: Node, _ keys: Keys, _ own: Changes?, among all: Changes
  ) -> Node? {
    var pairs = node.pairs
    if node.kind == .scalar, keys.names.contains("label") {
      pairs = [Node.Pair(key: "label", keyMark: node.mark, value: node)]
    }
    var isChanged = false
    for declaration in keys.all {
      let change = declaration.role == .fixed ? nil : own?.parts[declaration.name[...]]
      let objects = declaration.objects?()
      guard change != nil || objects != nil else { continue }
      let place = pairs.firstIndex { $0.key == declaration.name }
      let old = place.map { pairs[$0].value }
      var new = change?.value.map { Node(JSONValue($0), at: old?.mark ?? node.mark) }
      if let objects, let whole = new ?? old, whole.kind == .list {
        new = changed(list: whole, objects, own, among: all) ?? new
      } else if let objects, let change, !change.parts.isEmpty {
        let whole = new ?? old ?? Node(.map([]), at: node.mark)
        new = changed(whole, objects, change, among: all) ?? new
      }
      guard let new else { continue }
      isChanged = true
      if let place {
        pairs[place].value = new
      } else {
        pairs.append(Node.Pair(key: declaration.name, keyMark: node.mark, value: new))
      }
    }
    guard isChanged else { return nil }
    // A text remains one.
    if node.kind == .scalar, pairs.count == 1, pairs[0].key == "label" { return pairs[0].value }
    return Node(.map(pairs), at: node.mark)
  }

  /// The same of a list of objects.
  private static func changed(
    list: Node, _ keys: Keys, _ own: Changes?, among all: Changes
  ) -> Node? {
    var isChanged = false
    let items = list.items.enumerated().map { index, item in
      let change =
        if let id = item["id"]?.text { all.parts[id[...]] } else { own?.parts["\(index)"] }
      guard let new = changed(item, keys, change, among: all) else { return item }
      isChanged = true
      return new
    }
    return isChanged ? Node(.list(items), at: list.mark) : nil
  }
}

extension ControlKeys.Site {
  /// What the file says, or else the default; nil where it says nothing.
  var value: Expressions.Value? {
    guard let node else { return declaration.defaultValue.flatMap { Expressions.Value($0) } }
    return switch declaration.valueKind {
    case .number: node.number.map { .number($0) }
    case .flag: node.flag.map { .flag($0) }
    case .text: node.text.map { .text($0) }
    default: node.plainValue
    }
  }
}

extension Node {
  /// The value that it would be in JSON.
  fileprivate var plainValue: Expressions.Value? {
    switch content {
    case .scalar: literal
    case .list(let items): .list(items.compactMap(\.plainValue))
    case .map(let pairs):
      .record(
        pairs.filter { $0.key != "on" }.compactMap { pair in
          pair.value.plainValue.map { Field(pair.key, $0) }
        })
    }
  }
}

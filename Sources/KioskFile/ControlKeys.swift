// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
internal import JSON
internal import Kiosk
internal import YAML

/// The keys of a control, each under the name that it has as a property, in the node that the file has
/// for it.
///
/// An item that is written as a mere text stands for a map whose `label` is that text.
struct ControlKeys: Sendable {
  let keys: Keys
  let node: Node

  /// A key and where its value stands, or would stand.
  struct Site {
    var declaration: Keys.Declaration
    /// Nil where the key is left out.
    var node: Node?
    fileprivate var path: [Node.PathComponent]

    fileprivate func below(_ steps: [Node.PathComponent]) -> Site {
      Site(declaration: declaration, node: node, path: steps + path)
    }
  }

  /// Where the key of a name stands; nil where there is none. Takes time with the number of items.
  subscript(name: String) -> Site? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return Self.key(parts[...], keys, node)
  }

  /// The key of a map, of one within it, or of an item of it.
  private static func key(_ name: ArraySlice<String>, _ keys: Keys, _ node: Node?) -> Site? {
    guard let first = name.first else { return nil }
    let rest = name.dropFirst()
    if let declaration = keys.all.first(where: { $0.name == first }), declaration.role != .fixed {
      let value = node.flatMap { Self.value(first, in: $0) }
      if rest.isEmpty { return Site(declaration: declaration, node: value, path: [.key(first)]) }
      if let objects = declaration.objects?(), value?.kind != .list,
        let site = key(rest, objects, value)
      {
        return site.below([.key(first)])
      }
    }
    return item(first, key: rest, keys, node, byIndex: true)
  }

  /// The key of an item: one with an id, wherever it is, or one of the map's own without.
  private static func item(
    _ item: String, key rest: ArraySlice<String>, _ keys: Keys, _ node: Node?, byIndex: Bool
  ) -> Site? {
    for declaration in keys.all {
      guard let objects = declaration.objects?() else { continue }
      for (index, node) in (node?[declaration.name]?.items ?? []).enumerated() {
        let id = node["id"]?.text
        let isMeant = id == nil ? byIndex && item == "\(index)" : item == id
        let site =
          isMeant
          ? key(rest, objects, node)
          : Self.item(item, key: rest, objects, node, byIndex: false)
        if let site { return site.below([.key(declaration.name), .index(index)]) }
      }
    }
    return nil
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
      let site = Site(declaration: label, node: node, path: [])
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
      return body(name, Site(declaration: declaration, node: node, path: []))
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
    for declaration in keys.all where declaration.role != .fixed || declaration.objects != nil {
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

  /// Whether a key belongs to an item of a list.
  func isKey(_ key: String, ofItemIn list: String) -> Bool {
    guard let outer = self[list]?.path, let inner = self[key]?.path else { return false }
    return inner.count > outer.count && inner.starts(with: outer)
  }

  /// The node with other values of keys. Where one of them is a list, keys of items are those of its
  /// items.
  func node(with values: [String: Expressions.Value]) -> Node {
    var made = self
    func set(_ name: String) {
      guard let value = values[name], let site = made[name] else { return }
      made = ControlKeys(
        keys: keys,
        node: Self.node(
          made.node, site.path[...], Node(JSONValue(value), at: site.node?.mark ?? node.mark)))
    }
    // Lists come first, outer ones before those within them.
    var lists = values.filter { $0.value.kind == .list }.keys.sorted()
    while let next = lists.min(by: { made.depth(of: $0) < made.depth(of: $1) }) {
      lists.removeAll { $0 == next }
      set(next)
    }
    for (name, value) in values where value.kind != .list { set(name) }
    return made.node
  }

  /// Steps to the value of a key; what is not there comes last.
  private func depth(of name: String) -> Int { self[name]?.path.count ?? .max }

  private static func node(_ node: Node, _ path: ArraySlice<Node.PathComponent>, _ value: Node)
    -> Node
  {
    guard let step = path.first else { return value }
    let rest = path.dropFirst()
    switch step {
    case .index(let index):
      var items = node.items
      guard items.indices.contains(index) else { return node }
      items[index] = Self.node(items[index], rest, value)
      return Node(.list(items), at: node.mark)
    case .key(let key):
      if node.kind == .scalar, key == "label" { return value }
      var pairs = node.pairs
      if let place = pairs.firstIndex(where: { $0.key == key }) {
        pairs[place].value = Self.node(pairs[place].value, rest, value)
      } else {
        let inner = rest.isEmpty ? value : Self.node(Node(.map([]), at: node.mark), rest, value)
        pairs.append(Node.Pair(key: key, keyMark: node.mark, value: inner))
      }
      return Node(.map(pairs), at: node.mark)
    }
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

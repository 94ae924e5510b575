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
struct KeySites: Sendable {
  let keys: Keys
  let node: Node
  /// The items that have ids, by these. Few names need them, and a list may have many.
  private let items: Lazy<[String: Object]>

  /// The control or an item of it.
  private struct Object {
    var keys: Keys
    /// Nil for a map that the file leaves out.
    var node: Node?
    /// The way to it from the control.
    var way = KeyWay()

    /// The items of a list in it.
    func items(of key: Keys.Declaration) -> [Object] {
      guard let objects = key.objects?(), let list = node?[key.name] else { return [] }
      return list.items.enumerated().map { index, item in
        Object(keys: objects, node: item, way: way.item(index, of: key, in: keys))
      }
    }

    /// The item at an index, unless it has an id.
    func item(_ index: Int, of key: Keys.Declaration) -> Object? {
      guard let objects = key.objects?(), let items = node?[key.name]?.items,
        items.indices.contains(index), items[index]["id"] == nil
      else { return nil }
      return Object(keys: objects, node: items[index], way: way.item(index, of: key, in: keys))
    }
  }

  init(keys: Keys, node: Node) {
    self.keys = keys
    self.node = node
    items = Lazy {
      var items: [String: Object] = [:]
      Self.collect(&items, Object(keys: keys, node: node))
      return items
    }
  }

  private static func collect(_ items: inout [String: Object], _ object: Object) {
    for key in object.keys.all {
      for item in object.items(of: key) {
        if let id = item.node?["id"]?.text, items[id] == nil { items[id] = item }
        collect(&items, item)
      }
    }
  }

  /// A key and its value.
  struct Site {
    var declaration: Keys.Declaration
    /// Nil where the key is left out.
    var node: Node?
    /// Where its value is stored, or that of the map that it belongs to.
    var way = KeyWay()
    /// The map that the key belongs to; nil for none.
    var map: Map?

    /// A map that is the value of a key.
    struct Map {
      var declaration: Keys.Declaration
      var node: Node?
      /// Its keys.
      var keys: Keys
    }
  }

  /// The site of the key with a name; nil where there is none.
  subscript(name: String) -> Site? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if let site = Self.key(parts[...], of: Object(keys: keys, node: node)) { return site }
    guard parts.count > 1 else { return nil }
    return items.value[parts[0]].flatMap { Self.key(parts.dropFirst(), of: $0) }
  }

  /// The key of an object, of a map in it, or of an item without an id, by its place.
  private static func key(_ name: ArraySlice<String>, of object: Object) -> Site? {
    guard let first = name.first else { return nil }
    let rest = name.dropFirst()
    if let declaration = object.keys.all.first(where: { $0.name == first }),
      declaration.role != .fixed, has(first, object.node, object.keys)
    {
      let value = object.node.flatMap { Self.value(first, in: $0) }
      let way = object.way.key(declaration, in: object.keys)
      if rest.isEmpty { return Site(declaration: declaration, node: value, way: way) }
      if let objects = declaration.objects?(), value?.kind != .list,
        var site = key(rest, of: Object(keys: objects, node: value))
      {
        (site.way, site.map) = (way, .init(declaration: declaration, node: value, keys: objects))
        return site
      }
    }
    guard let place = Int(first), "\(place)" == first else { return nil }
    for declaration in object.keys.all {
      if let item = object.item(place, of: declaration), let site = key(rest, of: item) {
        return site
      }
    }
    return nil
  }

  /// Whether a node may have a key: a text cannot become a map that needs other keys.
  private static func has(_ key: String, _ node: Node?, _ keys: Keys) -> Bool {
    key == "label" || node?.kind != .scalar || !keys.all.contains(where: \.isRequired)
  }

  /// The value of a key of a node, which may be a text that stands for its label.
  private static func value(_ key: String, in node: Node) -> Node? {
    node.kind == .scalar ? (key == "label" ? node : nil) : node[key]
  }

  /// Calls `body` with each key, items included, that may have a template and whose value has braces, and with
  /// its name. Returns the node with the results in place of those values; nil leaves a key out.
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

  /// All names, in the order of the declarations: at most about `maximum` of them.
  func names(upTo maximum: Int) -> [String] {
    var left = maximum
    return Self.names(keys, node, prefix: "", &left)
  }

  private static func names(
    _ keys: Keys, _ node: Node?, prefix: String, _ left: inout Int
  ) -> [String] {
    left -= keys.all.count
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
          names += Self.names(objects, value, prefix: prefix + declaration.name + ".", &left)
        }
        continue
      }
      if declaration.role != .fixed { names.append(prefix + declaration.name) }
      for (index, item) in value.items.enumerated() where left > 0 {
        items += Self.names(
          objects, item, prefix: item["id"]?.text.map { "\($0)." } ?? "\(prefix)\(index).", &left)
      }
    }
    return names + items
  }

  /// The same keys with another node for a list.
  func replacing(_ list: Site, with new: Node) -> KeySites {
    KeySites(keys: keys, node: list.way.replacing(with: new, in: node))
  }
}

extension KeySites.Site {
  /// The value in the file, or else the default; nil for neither.
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

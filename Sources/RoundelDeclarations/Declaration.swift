// SPDX-License-Identifier: MIT

package import RoundelExpressions
internal import RoundelJSON

/// A control's declaration in a file: the keys and its items' keys, as written.
///
/// A key has its name in the file (`color`), in a map both names (`blink.count`), in an item also
/// the item's id or index (`dateline.label`, `minutes.3.color`). A string stands for an item with
/// that `label`.
package struct Declaration: Sendable {
  package let keys: Keys
  package private(set) var context = FileContext()
  package private(set) var weight: Int
  private var control: Value { didSet { findItems() } }
  /// The items with ids, created lazily: few names need them, and a list may have many.
  private var items: Lazy<[String: Object]>

  private let file: String

  package init(_ keys: Keys, _ node: Node, in file: String) {
    self.keys = keys
    self.file = file
    control = node.plainValue(keys)
    weight = control.weight
    items = Lazy { [:] }
    findItems()
  }

  package func with(_ context: FileContext) -> Declaration {
    var whole = self
    whole.context = context
    whole.context.paths.insert(file, at: 0)
    return whole
  }

  /// Takes the context of `next`, an equal declaration in the next version.
  package func following(_ next: Declaration) -> Declaration {
    var following = self
    following.context = next.context
    return following
  }

  /// O(n) in the values.
  package func isSame(as other: Declaration) -> Bool {
    // The values include the control's own style.
    control == other.control && (hasSameStyles(as: other) || !control.hasStyledParts)
  }

  package func hasSameStyles(as other: Declaration) -> Bool {
    context.styles == other.context.styles
  }

  private mutating func findItems() {
    let whole = Object(keys: keys, value: control)
    items = Lazy {
      var items: [String: Object] = [:]
      whole.collect(&items)
      return items
    }
  }

  package struct Site {
    package var key: Keys.Declaration
    /// Nil if the key is omitted.
    package var value: Value?
    /// The path of the stored value, or of the map that contains the key.
    package var path: [Node.PathComponent]
    /// The map that contains the key, if any.
    package var map: Map?

    package struct Map {
      package var key: Keys.Declaration
      package var value: Value?
      package var keys: Keys
    }
  }

  /// Returns nil if there isn't a key called `name`.
  package subscript(name: String) -> Site? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let whole = Object(keys: keys, value: control)
    if let site = whole.site(parts[...], context.styles) { return site }
    guard parts.count > 1 else { return nil }
    return items.value[parts[0]].flatMap { $0.site(parts.dropFirst(), context.styles) }
  }

  /// Returns at most about `maximum` names of keys, in table order.
  package func names(upTo maximum: Int) -> [String] {
    var left = maximum
    return Object(keys: keys, value: control).names("", &left)
  }

  /// The value in the file, otherwise the key's default.
  package func value(of key: String) -> Value? {
    guard let site = self[key] else { return nil }
    guard let value = site.value else { return site.key.defaultValue.flatMap { Value($0) } }
    return switch (site.key.valueKind, value) {
    case (.number, .number), (.flag, .flag): value
    case (.text, _) where value.shape == .scalar: .text(value.scalarText)
    case (.number, _), (.flag, _), (.text, _): nil
    default: value
    }
  }

  /// Whether a key belongs to an item of a list, at any depth.
  package func isKey(_ key: String, ofItemsIn list: String) -> Bool {
    guard key.utf8.contains(UInt8(ascii: ".")), let list = self[list], let site = self[key] else {
      return false
    }
    return site.path.count > list.path.count && site.path.starts(with: list.path)
  }

  package mutating func replace(_ list: Site, with new: Value) {
    weight += new.weight - (list.value?.weight ?? 0)
    control = control.replacing(list.path[...], with: new)
  }
}

extension Value {
  /// Whether an item of a control, at any depth, names a style.
  fileprivate var hasStyledParts: Bool {
    switch self {
    case .list(let items): items.contains { $0["style"] != nil || $0.hasStyledParts }
    case .record(let fields):
      fields.contains { $0.value["style"] != nil || $0.value.hasStyledParts }
    default: false
    }
  }
}

private struct Object: Sendable {
  var keys: Keys
  /// Nil for an omitted map.
  var value: Value?
  var path: [Node.PathComponent] = []

  /// A string cannot become a map that needs other keys.
  func has(_ key: String) -> Bool {
    key == "label" || value?.shape != .scalar || !keys.all.contains(where: \.isRequired)
  }

  /// Returns a key's value, without its style's value.
  func value(_ key: String) -> Value? {
    value?.shape == .scalar ? (key == "label" ? value : nil) : value?[key]
  }

  /// Returns the prefix of an item's key names, in an object with the prefix `outer`.
  func prefix(_ index: Int, in outer: String) -> String {
    value?["id"].map { "\($0.scalarText)." } ?? "\(outer)\(index)."
  }

  func items(of key: Keys.Declaration) -> [Object] {
    guard let objects = key.objects?(), case .list(let items)? = value?[key.name] else { return [] }
    return items.enumerated().map { index, item in
      Object(keys: objects, value: item, path: path + [.key(key.name), .index(index)])
    }
  }

  /// Returns the item at an index, unless it has an id.
  func item(_ index: Int, of key: Keys.Declaration) -> Object? {
    guard let objects = key.objects?(), case .list(let items)? = value?[key.name],
      items.indices.contains(index), items[index]["id"] == nil
    else { return nil }
    let path = path + [.key(key.name), .index(index)]
    return Object(keys: objects, value: items[index], path: path)
  }

  func collect(_ found: inout [String: Object]) {
    for key in keys.all {
      for item in items(of: key) {
        if let id = item.value?["id"]?.scalarText, found[id] == nil { found[id] = item }
        item.collect(&found)
      }
    }
  }

  /// Also finds keys of nested maps and of items without ids.
  func site(_ name: ArraySlice<String>, _ styles: Styles) -> Declaration.Site? {
    guard let first = name.first else { return nil }
    let rest = name.dropFirst()
    if let key = keys[first], key.role != .fixed, has(first) {
      let value =
        value(first) ?? value("style").flatMap { styles.value(of: key, in: $0.scalarText) }
      let path = path + [.key(first)]
      if rest.isEmpty { return Declaration.Site(key: key, value: value, path: path) }
      if let objects = key.objects?(), value?.shape != .list,
        var site = Object(keys: objects, value: value).site(rest, styles)
      {
        (site.path, site.map) = (path, .init(key: key, value: value, keys: objects))
        return site
      }
    }
    guard let place = Int(first), "\(place)" == first else { return nil }
    for key in keys.all {
      if let item = item(place, of: key), let site = item.site(rest, styles) { return site }
    }
    return nil
  }

  func names(_ prefix: String, _ left: inout Int) -> [String] {
    left -= keys.all.count
    var names: [String] = []
    var ofItems: [String] = []
    for key in keys.all where (key.role != .fixed || key.objects != nil) && has(key.name) {
      if key.role != .fixed { names.append(prefix + key.name) }
      guard let objects = key.objects?(), let value = value(key.name) else { continue }
      if value.shape == .map {
        names += Object(keys: objects, value: value).names("\(prefix)\(key.name).", &left)
      }
      for (index, item) in items(of: key).enumerated() where left > 0 {
        ofItems += item.names(item.prefix(index, in: prefix), &left)
      }
    }
    return names + ofItems
  }
}

extension Value {
  /// The number of nested values, including itself.
  fileprivate var weight: Int {
    switch self {
    case .text, .number, .flag, .time: 1
    case .list(let items): items.reduce(1) { $0 + $1.weight }
    case .record(let fields): fields.reduce(1) { $0 + $1.value.weight }
    }
  }
}

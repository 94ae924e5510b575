// SPDX-License-Identifier: MIT

package import Expressions
internal import JSON

/// A control as a file declares it: the values of its keys and of those of its items, as they are written.
///
/// A key has the name that the file gives it (`color`), within a map both names (`blink.count`), within an item the
/// item's id or index, too (`dateline.label`, `minutes.3.color`). An item that is a mere text stands for a map whose
/// `label` is that text.
package struct Declaration: Sendable {
  package let keys: Keys
  /// The meaning of values depends on these.
  package private(set) var facts = FileFacts()
  /// The number of its values.
  package private(set) var weight: Int
  private var control: Value { didSet { findItems() } }
  /// The items that have ids, by these. Few names need them, and a list may have many.
  private var items: Lazy<[String: Object]>

  /// The path of its file.
  private let file: String

  /// A control whose node is in a file.
  package init(_ keys: Keys, _ node: Node, in file: String) {
    self.keys = keys
    self.file = file
    control = node.plainValue(keys)
    weight = control.weight
    items = Lazy { [:] }
    findItems()
  }

  /// The same in a kiosk of which all is known.
  package func with(_ facts: FileFacts) -> Declaration {
    var whole = self
    whole.facts = facts
    whole.facts.paths.insert(file, at: 0)
    return whole
  }

  /// The declaration in the next version of its kiosk, where it is the same.
  package func following(_ next: Declaration) -> Declaration {
    var following = self
    following.facts = next.facts
    return following
  }

  /// Whether another version of the file declares the same. O(n) in the number of values.
  package func isSame(as other: Declaration) -> Bool {
    control == other.control && facts.styles == other.facts.styles
  }

  private mutating func findItems() {
    let whole = Object(keys: keys, value: control)
    items = Lazy {
      var items: [String: Object] = [:]
      whole.collect(&items)
      return items
    }
  }

  /// A key and its value.
  package struct Site {
    package var key: Keys.Declaration
    /// Nil where the key is left out.
    package var value: Value?
    /// Where its value is stored, or that of the map that it belongs to.
    package var path: [Node.PathComponent]
    /// The map that the key belongs to; nil for none.
    package var map: Map?

    /// A map that is the value of a key.
    package struct Map {
      package var key: Keys.Declaration
      package var value: Value?
      /// Its keys.
      package var keys: Keys
    }
  }

  /// The site of the key with a name; nil where there is none.
  package subscript(name: String) -> Site? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let whole = Object(keys: keys, value: control)
    if let site = whole.site(parts[...], facts.styles) { return site }
    guard parts.count > 1 else { return nil }
    return items.value[parts[0]].flatMap { $0.site(parts.dropFirst(), facts.styles) }
  }

  /// The names of all keys, in the order of the tables: at most about `maximum` of them.
  package func names(upTo maximum: Int) -> [String] {
    var left = maximum
    return Object(keys: keys, value: control).names("", &left)
  }

  /// The value of a key in the file, or its default; nil for neither.
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

  /// Whether a key belongs to an item, however deep, of a list, which is a key itself.
  package func isKey(_ key: String, ofItemsIn list: String) -> Bool {
    // A key of an item has the item's name, too.
    guard key.utf8.contains(UInt8(ascii: ".")), let list = self[list], let site = self[key] else {
      return false
    }
    return site.path.count > list.path.count && site.path.starts(with: list.path)
  }

  /// Replaces a list.
  package mutating func replace(_ list: Site, with new: Value) {
    weight += new.weight - (list.value?.weight ?? 0)
    control = control.replacing(list.path[...], with: new)
  }
}

/// The control or an item of it.
private struct Object: Sendable {
  var keys: Keys
  /// Nil for a map that the file leaves out.
  var value: Value?
  /// The path to it from the control.
  var path: [Node.PathComponent] = []

  /// Whether it may have a key: a text cannot become a map that needs other keys.
  func has(_ key: String) -> Bool {
    key == "label" || value?.shape != .scalar || !keys.all.contains(where: \.isRequired)
  }

  /// The value of a key, unless its style has it.
  func value(_ key: String) -> Value? {
    value?.shape == .scalar ? (key == "label" ? value : nil) : value?[key]
  }

  /// Its id and its names' prefix as an item of an object with a prefix.
  func prefix(_ index: Int, in outer: String) -> String {
    value?["id"].map { "\($0.scalarText)." } ?? "\(outer)\(index)."
  }

  /// The items of a list in it.
  func items(of key: Keys.Declaration) -> [Object] {
    guard let objects = key.objects?(), case .list(let items)? = value?[key.name] else { return [] }
    return items.enumerated().map { index, item in
      Object(keys: objects, value: item, path: path + [.key(key.name), .index(index)])
    }
  }

  /// The item at an index, unless it has an id.
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

  /// The key of it, of a map in it, or of an item without an id, by its place.
  func site(_ name: ArraySlice<String>, _ styles: Styles) -> Declaration.Site? {
    guard let first = name.first else { return nil }
    let rest = name.dropFirst()
    if let key = keys[first], key.role != .fixed, has(first) {
      let value =
        value(first)
        ?? value("style").flatMap { styles.value(of: key, in: $0.scalarText) }
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
  /// The number of values in it, itself included.
  fileprivate var weight: Int {
    switch self {
    case .text, .number, .flag, .time: 1
    case .list(let items): items.reduce(1) { $0 + $1.weight }
    case .record(let fields): fields.reduce(1) { $0 + $1.value.weight }
    }
  }
}

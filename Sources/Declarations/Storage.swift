// SPDX-License-Identifier: MIT

/// The place of a key's value in the object that the key belongs to, which is of the type `Root`.
package final class Storage<Root>: Sendable {
  /// Stores a value that the key's form has read.
  let store: @Sendable (inout Root, any Sendable) -> Void
  /// Goes on in an item of a list.
  fileprivate let enter: (@Sendable (inout Root, Int, KeyVisit) throws(Conflict) -> Void)?

  init<Value: Sendable>(_ path: WritableKeyPath<Root, Value> & Sendable) {
    store = { root, value in
      guard let value = value as? Value else { preconditionFailure("a value of another key") }
      root[keyPath: path] = value
    }
    enter = nil
  }

  init<Item: Sendable>(items path: WritableKeyPath<Root, [Item]> & Sendable) {
    store = { root, value in
      if let change = value as? ItemChange {
        root[keyPath: path] = change.applied(to: root[keyPath: path])
        return
      }
      guard let value = value as? [Item] else { preconditionFailure("a value of another key") }
      root[keyPath: path] = value
    }
    enter = { (root, index, visit) throws(Conflict) in
      guard root[keyPath: path].indices.contains(index) else { return }
      try visit.carryOut(in: &root[keyPath: path][index])
    }
  }

  init<Item: Sendable>(items path: WritableKeyPath<Root, [Item]?> & Sendable) {
    store = { root, value in
      if let change = value as? ItemChange {
        root[keyPath: path] = change.applied(to: root[keyPath: path] ?? [])
        return
      }
      guard let value = value as? [Item]? else { preconditionFailure("a value of another key") }
      root[keyPath: path] = value
    }
    enter = { (root, index, visit) throws(Conflict) in
      guard var items = root[keyPath: path], items.indices.contains(index) else { return }
      // Moved out of the object, so that they are not copied.
      root[keyPath: path] = nil
      defer { root[keyPath: path] = items }
      try visit.carryOut(in: &items[index])
    }
  }
}

/// New items of a list among former ones, to be stored like the whole list.
package struct ItemChange: Sendable {
  /// The source of each item: the index of a former item or, as its complement, the index of a new one.
  package let sources: [Int]
  /// The new items, as the list's `ItemReading` has read them.
  package let new: any Sendable

  package init(sources: [Int], new: any Sendable) {
    self.sources = sources
    self.new = new
  }

  /// The items whose former ones are `old`. O(n).
  package func applied<Item>(to old: [Item]) -> [Item] {
    guard let new = new as? [Item] else { preconditionFailure("items of another list") }
    return sources.map { $0 < 0 ? new[~$0] : old[$0] }
  }
}

/// The reason why the values of some keys conflict, although each is valid by itself.
package struct Conflict: Error, Hashable, Sendable {
  package var what: String
  /// The key that is to be changed.
  package var key: String
  package var expected: String

  package init(_ what: String, at key: String, expected: String) {
    self.what = what
    self.key = key
    self.expected = expected
  }
}

/// A rule about several keys of a `Root`.
package final class Rule<Root>: Sendable {
  let check: @Sendable (Root) throws(Conflict) -> Void

  init(_ check: @escaping @Sendable (Root) throws(Conflict) -> Void) { self.check = check }
}

/// The way from an object to one of its keys, or to that of an item in it.
package struct KeyWay: Sendable {
  fileprivate struct Step: Sendable {
    /// The declarations of the object, which all of its ways share.
    var declarations: [Keys.Declaration]
    /// The place of the key among them.
    var key: Int
    /// The rules of the object that the key belongs to.
    var rules: [any Sendable]
    /// The index of the item in whose keys the way goes on.
    var index: Int?

    var declaration: Keys.Declaration { declarations[key] }
  }

  fileprivate var steps: [Step] = []

  package init() {}

  /// The way on to the items of the list `key`, to the one with an index.
  package func item(_ index: Int, of key: Keys.Declaration, in keys: Keys) -> KeyWay {
    step(key, in: keys, index: index)
  }

  /// The way to a key of the object that it has led to.
  package func key(_ key: Keys.Declaration, in keys: Keys) -> KeyWay {
    step(key, in: keys, index: nil)
  }

  private func step(_ key: Keys.Declaration, in keys: Keys, index: Int?) -> KeyWay {
    guard let place = keys.names.firstIndex(of: key.name) else {
      preconditionFailure("a key of other keys")
    }
    var way = self
    way.steps.append(
      Step(declarations: keys.all, key: place, rules: keys.rules, index: index))
    return way
  }

  /// Whether the way leads to a key of an item, however deep, of the list at the end of `list`.
  package func isInItems(of list: KeyWay) -> Bool {
    guard let last = list.steps.last, steps.count >= list.steps.count else { return false }
    for (own, other) in zip(steps, list.steps.dropLast())
    where own.declaration.name != other.declaration.name || own.index != other.index {
      return false
    }
    let own = steps[list.steps.count - 1]
    return own.declaration.name == last.declaration.name && own.index != nil
  }

  /// Stores a value that the key's form has read, in O(n) of the way's steps.
  package func store<Root>(_ value: any Sendable, in root: inout Root) {
    // Storing breaks no rule: `check` finds conflicts.
    try? KeyVisit(steps: steps[...], value: value).carryOut(in: &root)
  }

  /// A file's node of the object, with another node at the end of the way.
  package func replacing(with new: Node, in object: Node) -> Node {
    Self.replacing(with: new, in: object, steps[...])
  }

  private static func replacing(
    with new: Node, in object: Node, _ steps: ArraySlice<Step>
  ) -> Node {
    guard let step = steps.first else { return new }
    var pairs = object.pairs
    let name = step.declaration.name
    guard let place = pairs.firstIndex(where: { $0.key == name }) else {
      return Node(
        .map(pairs + [Node.Pair(key: name, keyMark: object.mark, value: new)]), at: object.mark)
    }
    let old = pairs[place].value
    if let index = step.index {
      var items = old.items
      guard items.indices.contains(index) else { return object }
      items[index] = replacing(with: new, in: items[index], steps.dropFirst())
      pairs[place].value = Node(.list(items), at: old.mark)
    } else {
      pairs[place].value = new
    }
    return Node(.map(pairs), at: object.mark)
  }

  /// Checks the rules of all objects on the way, each of which may look at all of its object.
  package func check<Root>(_ root: inout Root) throws(Conflict) {
    try KeyVisit(steps: steps[...], value: nil).carryOut(in: &root)
  }
}

/// The change of a value at the end of a way or, without a value, the check of all rules along it.
private struct KeyVisit {
  var steps: ArraySlice<KeyWay.Step>
  var value: (any Sendable)?

  func carryOut<Root>(in root: inout Root) throws(Conflict) {
    guard let step = steps.first, let storage = step.declaration.storage as? Storage<Root> else {
      preconditionFailure("a way that leads to no key")
    }
    if let index = step.index {
      try storage.enter?(&root, index, KeyVisit(steps: steps.dropFirst(), value: value))
    } else if let value {
      storage.store(&root, value)
    }
    guard value == nil else { return }
    for case let rule as Rule<Root> in step.rules { try rule.check(root) }
  }
}

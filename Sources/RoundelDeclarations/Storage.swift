// SPDX-License-Identifier: MIT

internal import RoundelExpressions

package final class Storage<Root>: Sendable {
  let store: @Sendable (inout Root, any Sendable) -> Void
  /// Continues the update in an item of a list.
  let enter: (@Sendable (inout Root, Int, KeyUpdate) throws(Conflict) -> Void)?

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
      try visit.execute(in: &root[keyPath: path][index])
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
      // Moved out of the object to avoid a copy.
      root[keyPath: path] = nil
      defer { root[keyPath: path] = items }
      try visit.execute(in: &items[index])
    }
  }
}

/// New items of a list among former items, stored like the whole list.
package struct ItemChange: Sendable {
  /// The index of each item's former item, or the bitwise complement of a new item's index.
  package let sources: [Int]
  package let new: any Sendable

  package init(sources: [Int], new: any Sendable) {
    self.sources = sources
    self.new = new
  }

  /// Returns the new list in O(n).
  package func applied<Item>(to old: [Item]) -> [Item] {
    guard let new = new as? [Item] else { preconditionFailure("items of another list") }
    return sources.map { $0 < 0 ? new[~$0] : old[$0] }
  }
}

/// An error for keys whose values conflict with each other, although each is valid.
package struct Conflict: Error, Hashable, Sendable {
  package var what: String
  package var key: String
  package var expected: String

  package init(_ what: String, at key: String, expected: String) {
    self.what = what
    self.key = key
    self.expected = expected
  }
}

package final class Rule<Root>: Sendable {
  let check: @Sendable (Root) throws(Conflict) -> Void

  init(_ check: @escaping @Sendable (Root) throws(Conflict) -> Void) { self.check = check }
}

/// A change of the value at the end of a path or, without a value, a check of the rules along it.
struct KeyUpdate {
  /// Keys, each followed by an item's index if its value is a list.
  var path: ArraySlice<Node.PathComponent>
  var keys: Keys
  var value: (any Sendable)?

  func execute<Root>(in root: inout Root) throws(Conflict) {
    guard case .key(let name)? = path.first, let key = keys[name],
      let storage = key.storage as? Storage<Root>
    else { preconditionFailure("a path that leads to no key") }
    if case .index(let index)? = path.dropFirst().first, let objects = key.objects?() {
      let rest = KeyUpdate(path: path.dropFirst(2), keys: objects, value: value)
      try storage.enter?(&root, index, rest)
    } else if let value {
      storage.store(&root, value)
    }
    if value == nil { try keys.check(root) }
  }
}

extension Keys {
  /// Stores a decoded value in O(n) in the path's length.
  package func store<Root>(
    _ value: any Sendable, at path: [Node.PathComponent], in root: inout Root
  ) {
    // Storing doesn't check rules. `check` finds conflicts.
    try? KeyUpdate(path: path[...], keys: self, value: value).execute(in: &root)
  }

  /// Checks the rules of all objects on the path. Each rule may inspect its whole object.
  package func check<Root>(along path: [Node.PathComponent], in root: inout Root) throws(Conflict) {
    try KeyUpdate(path: path[...], keys: self, value: nil).execute(in: &root)
  }
}

extension Value {
  func replacing(_ path: ArraySlice<Node.PathComponent>, with new: Value) -> Value {
    switch (path.first, self) {
    case (nil, _): return new
    case (.key(let name)?, .record(var fields)):
      guard let place = fields.firstIndex(where: { $0.name == name }) else {
        return .record(fields + [Field(name, new)])
      }
      fields[place].value = fields[place].value.replacing(path.dropFirst(), with: new)
      return .record(fields)
    case (.index(let index)?, .list(var items)) where items.indices.contains(index):
      items[index] = items[index].replacing(path.dropFirst(), with: new)
      return .list(items)
    default: return self
    }
  }
}

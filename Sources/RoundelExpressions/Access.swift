// SPDX-License-Identifier: MIT

/// The constant part of a name's value that an expression reads: `orders[3].price`.
package struct Access<Name: Hashable & Sendable>: Hashable, Sendable {
  package let name: Name
  /// The items and members from the outside in. Empty if the expression reads the whole value.
  package let keys: [AccessKey]

  package init(_ name: Name, _ keys: [AccessKey] = []) { (self.name, self.keys) = (name, keys) }

  /// Returns the part of the name's value, or nil if it is missing.
  package func part(of value: Value?) -> Value? {
    var part = value
    for key in keys {
      switch (key, part) {
      case (.item(let place), .list(let values)):
        part = values.indices.contains(place) ? values[place] : nil
      case (.member(let name), .record(let fields)):
        part = fields.first { $0.name == name }?.value
      default: return nil
      }
    }
    return part
  }
}

package enum AccessKey: Hashable, Sendable {
  case item(Int)
  case member(String)
}

extension Tree {
  /// The parts of names that the nodes read, without duplicates, in the order of first use. The names are indices.
  var accesses: [Access<Int>] {
    var found: [Access<Int>] = []
    var seen: Set<Access<Int>> = []
    // The access of each node that is a name, possibly with constant brackets and members.
    var open: [Access<Int>?] = []
    func close(_ index: Int) {
      if let access = open[index], seen.insert(access).inserted { found.append(access) }
    }
    for node in nodes {
      var access: Access<Int>?
      switch node {
      case .name(let name):
        let last = members.isEmpty ? 0 : members[name]
        access = Access(name, names[name].parts.suffix(last).map { .member($0) })
      case .member(let base, let word): access = open[base]?.appending(.member(words[word]))
      case .index(let base, let bracket):
        access = key(bracket).flatMap { open[base]?.appending($0) }
      case .has(let operand):
        // Whether a missing item is an error depends on the values around it.
        open[operand] = open[operand].map { Access($0.name) }
      default: break
      }
      if access == nil { operands(of: node).forEach(close) }
      open.append(access)
    }
    if !nodes.isEmpty { close(root) }
    return found
  }

  /// Returns the constant in brackets, or nil if it is computed.
  private func key(_ bracket: Int) -> AccessKey? {
    switch literal(bracket) {
    case .number(let number): Int(exactly: number).map { .item($0) }
    case .text(let name): .member(name)
    default: nil
    }
  }
}

extension Access {
  fileprivate func appending(_ key: AccessKey) -> Access { Access(name, keys + [key]) }
}

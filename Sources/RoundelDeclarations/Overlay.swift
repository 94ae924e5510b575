// SPDX-License-Identifier: MIT

/// Keys for one machine, which override a file shared with other machines.
package struct Overlay: Sendable {
  package let path: String
  package let text: [UInt8]
  package let keys: [String]

  package init(path: String, text: [UInt8], keys: [String]) {
    self.path = path
    self.text = text
    self.keys = keys
  }
}

extension Node {
  /// Merges maps key by key, and replaces everything else. A list of maps counts as one map, with
  /// each key replaced in its own map. O(n) in the pairs of both.
  func covered(by over: Node) -> Node {
    guard case .map(let above) = over.content else { return over }
    switch content {
    case .map(var pairs):
      pairs.cover(above)
      return Node(.map(pairs), at: mark)
    case .list(let items) where !items.isEmpty && items.allSatisfy({ $0.kind == .map }):
      var rest = above
      let covered = items.map { item in
        let known = Set(item.pairs.map(\.key))
        var pairs = item.pairs
        pairs.cover(rest.filter { known.contains($0.key) })
        rest.removeAll { known.contains($0.key) }
        return Node(.map(pairs), at: item.mark)
      }
      return Node(
        .list(covered + (rest.isEmpty ? [] : [Node(.map(rest), at: over.mark)])), at: mark)
    default: return over
    }
  }
}

extension [Node.Pair] {
  fileprivate mutating func cover(_ above: [Node.Pair]) {
    var places: [String: Int] = [:]
    for (index, pair) in enumerated() { places[pair.key] = places[pair.key] ?? index }
    for pair in above {
      if let index = places[pair.key] {
        self[index].value = self[index].value.covered(by: pair.value)
      } else {
        append(pair)
      }
    }
  }
}

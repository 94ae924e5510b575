// SPDX-License-Identifier: MIT

/// All that can be reached from `roots`, each after what it reads, as far as there is no circle. O(n) in
/// nodes and what they read, and no deeper on the stack for a long chain.
package func readingOrder<Node: Hashable>(
  _ roots: [Node], reads: (Node) -> [Node]
) -> [Node] {
  var order: [Node] = []
  var seen: Set<Node> = []
  for root in roots where seen.insert(root).inserted {
    var path = [(node: root, rest: reads(root)[...])]
    while let last = path.indices.last {
      guard let next = path[last].rest.popFirst() else {
        order.append(path.removeLast().node)
        continue
      }
      if seen.insert(next).inserted { path.append((next, reads(next)[...])) }
    }
  }
  return order
}

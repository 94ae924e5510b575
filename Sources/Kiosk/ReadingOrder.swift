// SPDX-License-Identifier: MIT

/// Returns all nodes reachable from `roots`, each after its dependencies unless they are circular.
/// O(n) in nodes and dependencies, with constant stack depth.
package func readingOrder<Node: Hashable>(_ roots: [Node], reads: (Node) -> [Node]) -> [Node] {
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

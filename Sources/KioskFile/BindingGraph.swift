// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import Kiosk

extension KioskReader {
  /// Resolves the names in bindings, and reports bindings that don't fit their property.
  func check(_ bindings: [DeclaredControl.Binding], of control: DeclaredControl) {
    for binding in bindings {
      guard let template = resolve(binding.template, at: binding.mark) else { continue }
      if !binding.key.isFreeText, !Self.suits(template.kind, binding.key.valueKind) {
        report(
          "\(binding.property.quoted) is bound to \(template.kind)", at: binding.mark,
          expected: "\(binding.key.valueKind)")
      }
      // A state of the same name hides the key.
      guard !isHidden(binding, of: control) else { continue }
      graph.add(
        .property(PropertyPath(control: control.id, property: binding.property)), binding.mark,
        reads: template.names)
    }
  }

  func checkCircles() {
    for circle in graph.circles {
      let by = circle.dropFirst().map { "\($0.name)" }
      report(
        "\(circle[0].name) depends on itself\(by.isEmpty ? "" : " through \(by.alternatives)")",
        at: circle[0].mark, expected: "no cycle")
    }
  }
}

struct BindingGraph {
  struct Node {
    var name: Reference
    var mark: Mark
    var reads: [Reference]
  }

  private var nodes: [Node] = []
  private var places: [Reference: Int] = [:]

  mutating func add(_ name: Reference, _ mark: Mark, reads: [Reference]) {
    places[name] = nodes.count
    nodes.append(Node(name: name, mark: mark, reads: reads))
  }

  /// An unbound property, like a dial's `label`, may depend on its control's `value`.
  private func successors(of node: Int) -> [Int] {
    nodes[node].reads.compactMap { name in
      if let place = places[name] { return place }
      guard case .property(let path) = name else { return nil }
      return places[.property(PropertyPath(control: path.control, property: "value"))]
    }
  }

  /// The cycles, each once, starting at the first node in file order. A depth-first search:
  /// finished nodes aren't part of another cycle. O(n) in nodes and their dependencies.
  var circles: [[Node]] {
    var circles: [[Node]] = []
    var isDone = [Bool](repeating: false, count: nodes.count)
    var depths: [Int: Int] = [:]
    for start in nodes.indices.sorted(by: { nodes[$0].mark < nodes[$1].mark }) where !isDone[start]
    {
      var path = [(node: start, rest: successors(of: start)[...])]
      depths = [start: 0]
      while let (node, _) = path.last {
        guard let next = path[path.count - 1].rest.popFirst() else {
          isDone[node] = true
          depths[node] = nil
          path.removeLast()
          continue
        }
        if let depth = depths[next] {
          let circle = path[depth...].map(\.node)
          circles.append(circle.map { nodes[$0] })
          for node in circle { isDone[node] = true }
        } else if !isDone[next] {
          depths[next] = path.count
          path.append((next, successors(of: next)[...]))
        }
      }
    }
    return circles
  }
}

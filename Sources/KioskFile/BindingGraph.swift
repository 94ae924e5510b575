// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Expressions
internal import Kiosk

extension KioskReader {
  /// Looks up the names of all bindings, and finds those that do not suit their property, and those, the
  /// computed values, the texts and the theme that depend on themselves.
  func checkBindings(
    _ texts: [String: [String: TextTemplate]], theme: (template: TextTemplate, mark: Mark)?
  ) {
    var graph = BindingGraph()
    for draft in drafts {
      for binding in draft.bindings {
        guard let template = resolve(binding.template, at: binding.mark) else { continue }
        if !binding.isFreeText, !Self.suits(template.kind, binding.kind) {
          report(
            "\(binding.property.quoted) follows \(template.kind)", at: binding.mark,
            expected: "\(binding.kind)")
        }
        // Nothing reads a key whose name is a state's.
        guard !isHidden(binding, of: draft) else { continue }
        graph.add(
          .property(PropertyPath(control: draft.id, property: binding.property)), binding.mark,
          reads: template.names)
      }
    }
    for value in values {
      guard let template = value.template, let mark = computed[value.name]?.mark else { continue }
      graph.add(.value(value.name), mark, reads: template.names)
    }
    for (name, byLanguage) in texts {
      graph.add(
        .text(name), textMarks[name] ?? Mark.start, reads: byLanguage.values.flatMap(\.names))
    }
    if let theme, names.values[Description.themeValue] == nil {
      graph.add(.value(Description.themeValue), theme.mark, reads: theme.template.names)
    }
    for circle in graph.circles {
      let by = circle.dropFirst().map { "\($0.name)" }
      report(
        "\(circle[0].name) depends on itself\(by.isEmpty ? "" : " by way of \(by.alternatives)")",
        at: circle[0].mark, expected: "no circle")
    }
  }

  static func suits(_ given: Value.Kind, _ wanted: Value.Kind) -> Bool {
    given == wanted || given == .any || wanted == .any
  }
}

/// The bindings and the names that each reads.
private struct BindingGraph {
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

  /// The nodes that a node depends on. A property that is not bound may depend on its control's `value`, as a
  /// dial's `label` does.
  private func successors(of node: Int) -> [Int] {
    nodes[node].reads.compactMap { name in
      if let place = places[name] { return place }
      guard case .property(let path) = name else { return nil }
      return places[.property(PropertyPath(control: path.control, property: "value"))]
    }
  }

  /// The circles, each once, from the first of the file that is in it. A walk in depth; what it has
  /// left leads into no circle. Takes time with the number of nodes and what they read.
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

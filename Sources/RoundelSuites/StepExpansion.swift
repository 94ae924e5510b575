// SPDX-License-Identifier: MIT

internal import RoundelDeclarations

/// The repetition and omission of steps by `for` and `if`.
struct StepExpansion {
  private let reader: Reader
  /// The number of values in all steps so far.
  private var weight = 0

  /// A limit for the values of all steps of a test.
  static let maximumWeight = 1_000_000

  init(_ reader: Reader) { self.reader = reader }

  /// Fills in the names of `parameters`, if any. Returns nil after reporting an error.
  mutating func expanded(_ node: Node, _ parameters: LoopParameters?) -> Node? {
    guard case .list(let items) = node.content else { return filled(node, parameters) }
    var steps: [Node] = []
    var isWhole = true
    for item in items {
      guard let own = expanded(item: item, parameters) else {
        isWhole = false
        continue
      }
      steps += own
    }
    return isWhole ? Node(.list(steps), at: node.mark) : nil
  }

  private mutating func expanded(item: Node, _ parameters: LoopParameters?) -> [Node]? {
    guard let given = item["for"] else { return once(item, parameters) }
    let cases = LoopParameters.cases(filled(given, parameters), as: item["as"], reader)
    guard let cases else { return nil }
    let bare = item.without("for", "as")
    var steps: [Node] = []
    for own in cases {
      guard let step = once(bare, own.within(parameters, notation: .plain)) else { return nil }
      steps += step
    }
    return steps
  }

  /// Returns one step, or none if its condition is false.
  private mutating func once(_ item: Node, _ parameters: LoopParameters?) -> [Node]? {
    var item = item
    if let condition = item["if"] {
      guard let isWanted = (parameters ?? .none).holds(condition, reader) else { return nil }
      guard isWanted else { return [] }
      item = item.without("if")
    }
    weight += item.weight
    guard weight <= Self.maximumWeight else {
      reader.report("with all its cases, the test contains too many values", at: item.mark)
      return nil
    }
    guard let rounds = item["repeat"], let steps = rounds["steps"] else {
      return [filled(item, parameters)]
    }
    guard let steps = expanded(steps, parameters) else { return nil }
    let others = filled(rounds.without("steps"), parameters)
    let pair = Node.Pair(key: "steps", keyMark: steps.mark, value: steps)
    let whole = Node(.map(others.pairs + [pair]), at: rounds.mark)
    return [
      Node(
        .map(item.pairs.map { $0.key == "repeat" ? $0.with(whole) : $0 }), at: item.mark)
    ]
  }

  private func filled(_ node: Node, _ parameters: LoopParameters?) -> Node {
    parameters?.filled(node, reader) ?? node
  }
}

extension Node {
  func without(_ keys: String...) -> Node {
    kind == .map ? Node(.map(pairs.filter { !keys.contains($0.key) }), at: mark) : self
  }
}

extension Node.Pair {
  fileprivate func with(_ value: Node) -> Self { Self(key: key, keyMark: keyMark, value: value) }
}

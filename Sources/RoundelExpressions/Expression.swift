// SPDX-License-Identifier: MIT

/// An expression in a subset of CEL, the Common Expression Language: parsed, but not yet checked.
///
/// All numbers are doubles, including in divisions. Maps are records with strings as names. The additional functions
/// are `min`, `max`, `abs`, `round` (halves away from zero), `floor`, `ceil`, `clamp`, `number`, `sum` and `format`.
package struct Expression: Sendable {
  package static let maximumBytes = 4096
  /// The maximum nesting of operators, calls and parentheses. `a + b + c` has two levels.
  package static let maximumDepth = 100
  /// The maximum nesting of macros.
  package static let maximumLoops = 2
  /// The maximum size of a result in bytes. A number counts as 8.
  package static let maximumValueBytes = 1 << 20
  /// The maximum nesting of lists and records in a result.
  package static let maximumValueLevels = 8

  package let text: String
  let tree: Tree

  package init(_ text: String) throws(ExpressionError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.maximumBytes else {
      throw ExpressionError(
        offset: Self.maximumBytes, "an expression is longer than \(Self.maximumBytes) bytes")
    }
    var parser = ExpressionParser(bytes)
    tree = try parser.parse()
    guard parser.next == nil else { throw parser.unexpected(expected: "an operator") }
    self.text = text
  }

  init(tree: Tree, text: String) {
    self.tree = tree
    self.text = text
  }

  /// Each name once, in the order of first use.
  package var names: [NamePath] { tree.names }

  /// The name, if the expression is a single name.
  package var singleName: NamePath? { tree.nodes.count == 1 ? tree.names.first : nil }

  /// Possible literal values: the expression, or the results of a choice.
  package var possibleValues: [Value] {
    var values: [Value] = []
    var pending = [tree.root]
    while let index = pending.popLast() {
      switch tree.nodes[index] {
      case .literal(let literal): values.append(tree.literals[literal])
      case .ternary(.choice, _, let a, let b): pending += [b, a]
      default: break
      }
    }
    return values
  }

  /// The literal names of icons, as in `icon("lock")`.
  var icons: [String] {
    tree.nodes.compactMap { node in
      guard case .unary(.icon, let name) = node else { return nil }
      return if case .text(let text) = tree.literal(name) { text } else { nil }
    }
  }

  /// Checks the expression, and resolves its names.
  package func resolved<S: NameSpace>(
    in space: S
  ) throws(ExpressionError) -> ResolvedExpression<S.Name> {
    var names: [S.Name] = []
    var shapes: [Shape] = []
    var counts: [Int] = []
    for (index, path) in tree.names.enumerated() {
      guard let found = Self.find(path, in: space) else {
        let diagnostic = space.problem(in: path)
        let node = tree.nodes.firstIndex { $0 == .name(index) }
        throw ExpressionError(
          offset: node.map { tree.offsets[$0] } ?? 0, diagnostic.what,
          suggestion: diagnostic.suggestion)
      }
      names.append(found.name)
      let shape = Shape(found.kind, of: space.elementKind(of: found.name))
      shapes.append(found.members == 0 ? shape : Shape(found.members == 1 ? shape.element : .any))
      counts.append(found.members)
    }
    var split = tree
    if counts.contains(where: { $0 > 0 }) { split.members = counts }
    let nodes = try split.shapes(names: shapes)
    var formats: [ResolvedFormat<S.Name>] = []
    for format in tree.formats {
      do throws(FormatError) {
        formats.append(try ResolvedFormat(format.text, for: nodes[format.operand].kind, in: space))
      } catch {
        throw ExpressionError(offset: format.offset, error.what, expected: error.expected)
      }
    }
    return ResolvedExpression(
      tree: split, names: names, kinds: shapes.map(\.kind), formats: formats,
      shape: nodes[split.root])
  }

  /// The longest prefix that is a name. The other parts are members of its value.
  private static func find<S: NameSpace>(
    _ path: NamePath, in space: S
  ) -> (name: S.Name, kind: Value.Kind, members: Int)? {
    if let found = space.find(path) { return (found.name, found.kind, 0) }
    for members in path.parts.indices.dropFirst() {
      if let found = space.find(NamePath(parts: path.parts.dropLast(members))) {
        let member = path.parts[path.parts.count - members]
        return found.kind.fits([.record]) && space.mayHave(member, in: found.name)
          ? (found.name, found.kind, members) : nil
      }
    }
    return nil
  }
}

extension Expression: Hashable {
  package static func == (a: Expression, b: Expression) -> Bool { a.text == b.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension Expression: CustomStringConvertible {
  package var description: String { tree.description }
}

package struct ResolvedExpression<Name: Hashable & Sendable>: Hashable, Sendable {
  let tree: Tree
  let kinds: [Value.Kind]
  let formats: [ResolvedFormat<Name>]

  /// The referents of names, in the order of first use, then of formats.
  package let names: [Name]
  package let kind: Value.Kind
  package let elementKind: Value.Kind

  init(
    tree: Tree, names: [Name], kinds: [Value.Kind], formats: [ResolvedFormat<Name>] = [],
    shape: Shape
  ) {
    self.tree = tree
    // A closure, because a key path into a generic type would be instantiated on every call.
    self.names = names + formats.flatMap { $0.names }
    self.kinds = kinds
    self.formats = formats
    kind = shape.kind
    elementKind = shape.element
  }

  /// The parts of the referents' values that the expression reads.
  var accesses: [Access<Name>] {
    tree.accesses.map { Access(names[$0.name], $0.keys) }
      + formats.flatMap { $0.names }.map { Access($0) }
  }

  package var singleName: Name? {
    tree.nodes.count == 1 && tree.members.isEmpty ? names.first : nil
  }

  /// Always terminates, because operations, items and bytes of text spend the budget. Numbers are
  /// finite.
  package func value<S: Scope<Name>>(
    in scope: S, budget: inout WorkBudget
  ) throws(EvaluationError) -> Value {
    if case .name(let name) = tree.nodes[tree.root], tree.members.isEmpty {
      try budget.spend(1)
      return try tree.checked(
        scope.value(of: names[name], budget: &budget), tree.root, &budget)
    }
    var evaluator = Evaluator(budget: budget)
    defer { budget = evaluator.budget }
    let value = try tree.value(of: tree.root, &evaluator) {
      (question, budget) throws(EvaluationError) in
      switch question {
      case .name(let index): return try scope.value(of: names[index], budget: &budget)
      case .member(let key, let index):
        return try scope.member(key, of: names[index], budget: &budget)
      case .format(let index, let operand, let format):
        let text = try formats[index].text(operand, format, in: scope, budget: &budget)
        try budget.spend(text.utf8.count)
        return .text(text)
      }
    }
    try value.limit(&evaluator.budget)
    return value
  }

  /// The finest unit of the current time, a name of kind `time`, that the value depends on, or nil.
  /// A time changes every second. O(n) in the operations.
  package var clockUnit: CivilTime.Unit? { clockUnit(shown: .second) }

  func clockUnit(shown: CivilTime.Unit?) -> CivilTime.Unit? {
    tree.clockUnit(names: kinds, formats: formats.map { $0.clockUnit }, shown: shown)
  }
}

extension ResolvedExpression: CustomStringConvertible {
  package var description: String { tree.description }
}

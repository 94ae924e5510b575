// SPDX-License-Identifier: MIT

/// An expression in a part of CEL, the Common Expression Language: parsed, and not yet checked.
///
/// All numbers are doubles, and `/` divides them as such. Beyond CEL it has `min`, `max`, `abs`,
/// `round` (halves away from zero), `floor`, `ceil`, `clamp`, `number` and `format`.
package struct Expression: Sendable {
  /// The longest expression.
  package static let maximumBytes = 4096
  /// The most levels of operators, calls and parentheses within each other. A chain such as
  /// `a + b + c` has a level for each operator.
  package static let maximumDepth = 100

  /// The expression as it was written.
  package let text: String
  let tree: Tree

  /// Parses an expression.
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

  /// The names that it reads, each once, in the order of their first use.
  package var names: [NamePath] { tree.names }

  /// The name, if the expression is one name and nothing else.
  package var singleName: NamePath? { tree.nodes.count == 1 ? tree.names.first : nil }

  /// The literals that may be its value: itself, or those of a choice, in their order.
  package var possibleValues: [Value] {
    var values: [Value] = []
    var pending = [tree.root]
    while let index = pending.popLast() {
      switch tree.nodes[index] {
      case .literal(let value): values.append(value)
      case .ternary(.choice, _, let a, let b): pending += [b, a]
      default: break
      }
    }
    return values
  }

  /// Checks the expression, and finds the referents of its names.
  package func resolved<S: NameSpace>(
    in space: S
  ) throws(ExpressionError) -> ResolvedExpression<S.Name> {
    var names: [S.Name] = []
    var kinds: [Value.Kind] = []
    for (index, path) in tree.names.enumerated() {
      guard let found = space.find(path) else {
        let mistake = space.mistake(in: path)
        let node = tree.nodes.firstIndex { $0 == .name(index) }
        throw ExpressionError(
          offset: node.map { tree.offsets[$0] } ?? 0, mistake.what, near: mistake.near)
      }
      names.append(found.name)
      kinds.append(found.kind)
    }
    let nodes = try tree.kinds(names: kinds)
    var formats: [ResolvedFormat<S.Name>] = []
    for format in tree.formats {
      do throws(FormatError) {
        formats.append(try ResolvedFormat(format.text, for: nodes[format.operand], in: space))
      } catch {
        throw ExpressionError(offset: format.offset, error.what, expected: error.expected)
      }
    }
    return ResolvedExpression(
      tree: tree, names: names, kinds: kinds, formats: formats, kind: nodes[tree.root])
  }
}

extension Expression: Hashable {
  /// Expressions are equal where their texts are.
  package static func == (a: Expression, b: Expression) -> Bool { a.text == b.text }

  /// Hashes the text.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension Expression: CustomStringConvertible {
  /// The expression with no more parentheses than it needs.
  package var description: String { tree.description }
}

/// An expression whose names and kinds have been checked.
package struct ResolvedExpression<Name: Hashable & Sendable>: Hashable, Sendable {
  let tree: Tree
  let kinds: [Value.Kind]
  let formats: [ResolvedFormat<Name>]

  /// The referents of its names, in the order of their first use, and then those of the texts in its formats.
  package let names: [Name]
  /// The kind of its value.
  package let kind: Value.Kind

  init(
    tree: Tree, names: [Name], kinds: [Value.Kind], formats: [ResolvedFormat<Name>] = [],
    kind: Value.Kind
  ) {
    self.tree = tree
    // A closure, since a key path of a generic type would be made again each time.
    self.names = names + formats.flatMap { $0.names }
    self.kinds = kinds
    self.formats = formats
    self.kind = kind
  }

  /// The referent of its name, if the expression is one name and nothing else.
  package var singleName: Name? { tree.nodes.count == 1 ? names.first : nil }

  /// The value. It always comes to an end: each operation and each byte of text spends the budget.
  /// A number is always finite.
  package func value<S: Scope<Name>>(
    in scope: S, budget: inout WorkBudget
  ) throws(EvaluationError) -> Value {
    try tree.value(of: tree.root, names: names, formats: formats, in: scope, budget: &budget)
  }

  /// How often its value may change because the time does: the finest unit that it reads from a name
  /// of kind `time`. Nil where it reads none. A time as the result counts as one to the second. O(n) in the
  /// number of operations.
  package var clockUnit: CivilTime.Unit? { clockUnit(shown: .second) }

  func clockUnit(shown: CivilTime.Unit?) -> CivilTime.Unit? {
    tree.clockUnit(names: kinds, formats: formats.map { $0.clockUnit }, shown: shown)
  }
}

extension ResolvedExpression: CustomStringConvertible {
  /// The expression with no more parentheses than it needs.
  package var description: String { tree.description }
}

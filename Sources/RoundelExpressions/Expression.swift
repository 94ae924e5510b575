// SPDX-License-Identifier: MIT

/// An expression in a subset of CEL, the Common Expression Language: parsed, but not yet checked.
///
/// All numbers are doubles, including in divisions. The additional functions are `min`, `max`, `abs`,
/// `round` (halves away from zero), `floor`, `ceil`, `clamp`, `number` and `format`.
package struct Expression: Sendable {
  package static let maximumBytes = 4096
  /// Operators, calls and parentheses. A chain such as `a + b + c` has a level for each operator.
  package static let maximumDepth = 100

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

  /// The literals that may be the value: the expression itself, or the results of a choice.
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

  /// Checks the expression, and resolves its names.
  package func resolved<S: NameSpace>(
    in space: S
  ) throws(ExpressionError) -> ResolvedExpression<S.Name> {
    var names: [S.Name] = []
    var kinds: [Value.Kind] = []
    for (index, path) in tree.names.enumerated() {
      guard let found = space.find(path) else {
        let diagnostic = space.problem(in: path)
        let node = tree.nodes.firstIndex { $0 == .name(index) }
        throw ExpressionError(
          offset: node.map { tree.offsets[$0] } ?? 0, diagnostic.what,
          suggestion: diagnostic.suggestion)
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
  package static func == (a: Expression, b: Expression) -> Bool { a.text == b.text }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension Expression: CustomStringConvertible {
  /// Writes the minimum of parentheses.
  package var description: String { tree.description }
}

package struct ResolvedExpression<Name: Hashable & Sendable>: Hashable, Sendable {
  let tree: Tree
  let kinds: [Value.Kind]
  let formats: [ResolvedFormat<Name>]

  /// The referents of names, in the order of first use, then of formats.
  package let names: [Name]
  package let kind: Value.Kind

  init(
    tree: Tree, names: [Name], kinds: [Value.Kind], formats: [ResolvedFormat<Name>] = [],
    kind: Value.Kind
  ) {
    self.tree = tree
    // A closure, because a key path into a generic type would be instantiated on every call.
    self.names = names + formats.flatMap { $0.names }
    self.kinds = kinds
    self.formats = formats
    self.kind = kind
  }

  /// The referent, if the expression is a single name.
  package var singleName: Name? { tree.nodes.count == 1 ? names.first : nil }

  /// Always terminates, because each operation and each byte of text spends the budget. Numbers are
  /// always finite.
  package func value<S: Scope<Name>>(
    in scope: S, budget: inout WorkBudget
  ) throws(EvaluationError) -> Value {
    try tree.value(of: tree.root, names: names, formats: formats, in: scope, budget: &budget)
  }

  /// The finest unit of the current time that the value depends on, read from a name of kind `time`, or nil if it
  /// doesn't depend on the time. A time as the result changes every second. O(n) in the number of operations.
  package var clockUnit: CivilTime.Unit? { clockUnit(shown: .second) }

  func clockUnit(shown: CivilTime.Unit?) -> CivilTime.Unit? {
    tree.clockUnit(names: kinds, formats: formats.map { $0.clockUnit }, shown: shown)
  }
}

extension ResolvedExpression: CustomStringConvertible {
  /// Writes the minimum of parentheses.
  package var description: String { tree.description }
}

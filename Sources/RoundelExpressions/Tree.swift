// SPDX-License-Identifier: MIT

/// A parsed expression: nodes in an array, each after its operands, the root last.
struct Tree: Hashable, Sendable {
  /// Operands are indices of nodes. Nodes are trivial types, so reading one is cheap.
  enum Node: Hashable, Sendable {
    /// An index in `literals`.
    case literal(Int)
    /// An index in `names`.
    case name(Int)
    /// A macro's variable, with its slot, the macro's range, and its name in `words`.
    case local(Int, range: Int, word: Int)
    case unary(UnaryOperation, Int)
    case binary(BinaryOperation, Int, Int)
    case ternary(TernaryOperation, Int, Int, Int)
    /// `format(x, f)` with an index in `formats`.
    case formatted(Int, Int, format: Int)
    /// Items, which are a range of `operands`.
    case list(Range<Int>)
    /// Alternating names and values, which are a range of `operands`.
    case record(Range<Int>)
    /// The receiver and the arguments, which are a range of `operands`.
    case call(Method, Range<Int>)
    case index(Int, Int)
    /// A member with its name in `words`.
    case member(Int, word: Int)
    case has(Int)
    /// A macro with its range, slot, variable in `words`, and body.
    case each(Macro, Int, slot: Int, word: Int, body: Int)
  }

  var nodes: [Node] = []
  /// The start of each node's operator or name in the text.
  var offsets: [Int] = []
  /// Names in the order of first use.
  var names: [NamePath] = []
  /// The number of trailing parts of each name that are members of its value. Empty if no name has
  /// any.
  var members: [Int] = []
  var literals: [Value] = []
  /// Names of members and variables.
  var words: [String] = []
  var operands: [Int] = []
  var formats: [Format] = []

  struct Format: Hashable, Sendable {
    /// The start of the format in the expression.
    var offset: Int
    /// The format, or nil if it is computed.
    var text: String?
    var operand: Int
  }

  var root: Int { nodes.count - 1 }

  /// The value of a node that is a literal, or nil.
  func literal(_ node: Int) -> Value? {
    if case .literal(let index) = nodes[node] { literals[index] } else { nil }
  }

  func operands(of node: Node) -> [Int] {
    switch node {
    case .literal, .name, .local: []
    case .unary(_, let a), .member(let a, _), .has(let a): [a]
    case .binary(_, let a, let b), .formatted(let a, let b, _), .index(let a, let b),
      .each(_, let a, _, _, let b):
      [a, b]
    case .ternary(_, let a, let b, let c): [a, b, c]
    case .list(let range), .record(let range), .call(_, let range): Array(operands[range])
    }
  }

  /// The kinds of nodes.
  func shapes(names shapes: [Shape]) throws(ExpressionError) -> [Shape] {
    var found: [Shape] = []
    for (node, offset) in zip(nodes, offsets) {
      let (shape, objection) = check(node, found, names: shapes)
      if let objection { throw ExpressionError(offset: offset, objection) }
      found.append(shape)
    }
    return found
  }

  private func check(_ node: Node, _ found: [Shape], names: [Shape]) -> (Shape, String?) {
    switch node {
    case .literal(let index): return (Shape(literals[index].kind), nil)
    case .name(let index): return (names[index], nil)
    case .local(_, let range, _): return (Shape(found[range].item), nil)
    case .formatted(_, let b, _):
      return (
        Shape(.text),
        found[b].kind.fits([.text]) ? nil : "a format is a string, not \(found[b].kind)"
      )
    case .unary(let operation, let a):
      return (operation.result(found[a]), operation.objection(to: found[a]))
    case .binary(let operation, let a, let b):
      return (operation.result(found[a], found[b]), operation.objection(to: found[a], found[b]))
    case .ternary(let operation, let a, let b, let c):
      let shared = found[b].shared(with: found[c]) ?? Shape(.any)
      return (
        operation == .clamp ? Shape(.number) : shared,
        operation.objection(to: found[a].kind, found[b].kind, found[c].kind)
      )
    case .list(let range):
      return (Shape(.list, of: operands[range].map { found[$0] }), nil)
    case .record(let range):
      let pairs = operands[range].map { found[$0] }
      let names = stride(from: 0, to: range.count, by: 2).map { pairs[$0].kind }
      let odd = names.first { !$0.fits([.text]) }
      return (
        Shape(.record, of: stride(from: 1, to: range.count, by: 2).map { pairs[$0] }),
        odd.map { "the name of a member is a string, not \($0)" }
      )
    case .call(let method, let range):
      let shapes = operands[range].map { found[$0] }
      return (
        method.result(shapes[0]),
        method.objection(to: shapes[0].kind, shapes.dropFirst().map(\.kind))
      )
    case .index(let a, let b):
      return (Shape(found[a].element), Self.objection(toKey: found[b].kind, of: found[a].kind))
    case .member(let a, let word):
      let base = found[a].kind
      return (
        Shape(base == .record ? found[a].element : .any),
        base.fits([.record])
          ? nil : "only records have members such as \"\(words[word])\", not \(base)"
      )
    case .has: return (Shape(.flag), nil)
    case .each(let macro, let range, _, _, let body):
      return (
        macro.result(found[range], found[body]),
        macro.objection(toRange: found[range].kind) ?? macro.objection(toBody: found[body].kind)
      )
    }
  }

  /// Returns nil if values of the kind `base` may have the key in brackets.
  static func objection(toKey key: Value.Kind, of base: Value.Kind) -> String? {
    switch base {
    case .list where !key.fits([.number]): "an item has a number, not \(key)"
    case .record where !key.fits([.text]): "the name of a member is a string, not \(key)"
    case .list, .record: nil
    case .any:
      key.fits([.number, .text]) ? nil : "brackets take a number or a string, not \(key)"
    default: "only lists and records have items, not \(base)"
    }
  }

  /// The unit at whose boundaries the value changes. `shown` is the unit of a time as the result.
  /// `formats` are formats' units.
  func clockUnit(
    names kinds: [Value.Kind], formats: [CivilTime.Unit?], shown: CivilTime.Unit?
  ) -> CivilTime.Unit? {
    var units = [CivilTime.Unit?](repeating: .second, count: nodes.count)
    units[root] = shown
    var finest: CivilTime.Unit?
    // From the root down, because each node follows its operands.
    for index in nodes.indices.reversed() {
      switch nodes[index] {
      case .name(let name) where kinds[name] == .time:
        if let unit = units[index] { finest = min(finest ?? unit, unit) }
      case .unary(let operation, let a): units[a] = operation.clockUnit ?? .second
      case .formatted(let a, _, let format): units[a] = formats[format]
      case .ternary(.choice, _, let b, let c): (units[b], units[c]) = (units[index], units[index])
      default: break
      }
    }
    return finest
  }
}

// MARK: - Printing

extension Tree: CustomStringConvertible {
  /// Writes the minimum of parentheses.
  var description: String { description(of: root) }

  func description(of root: Int) -> String {
    var texts: [String] = []
    var precedences: [Precedence] = []
    var variables: Set<String> = []
    for case .each(_, _, _, let word, _) in nodes { variables.insert(words[word]) }
    for node in nodes[...root] {
      func text(_ index: Int, _ minimum: Precedence = .primary) -> String {
        precedences[index] < minimum ? "(\(texts[index]))" : texts[index]
      }
      let operands = operands(of: node)
      func list(_ operands: some Sequence<Int>) -> String {
        operands.map { texts[$0] }.joined(separator: ", ")
      }
      var precedence = Precedence.primary
      switch node {
      case .literal(let index): texts.append(literals[index].literal)
      case .name(let index):
        // Without the dot, this would be the variable.
        let dot = variables.contains(names[index].parts[0]) ? "." : ""
        texts.append(dot + names[index].description)
      case .local(_, _, let word): texts.append(words[word])
      case .formatted: texts.append("format(\(list(operands)))")
      case .list: texts.append("[\(list(operands))]")
      case .record:
        let pairs = stride(from: 0, to: operands.count, by: 2).map {
          "\(texts[operands[$0]]): \(texts[operands[$0 + 1]])"
        }
        texts.append("{\(pairs.joined(separator: ", "))}")
      case .call(let method, _):
        texts.append("\(text(operands[0])).\(method.rawValue)(\(list(operands.dropFirst())))")
      case .index(let a, let b): texts.append("\(text(a))[\(texts[b])]")
      case .member(let a, let word):
        texts.append("\(text(a)).\(NamePath.quoted(words[word], first: false))")
      case .has(let a): texts.append("has(\(texts[a]))")
      case .each(let macro, let range, _, let word, let body):
        texts.append("\(text(range)).\(macro.rawValue)(\(words[word]), \(texts[body]))")
      case .unary(let operation, let a):
        switch operation.notation {
        case .prefix:
          texts.append(operation.rawValue + text(a, .prefix))
          precedence = .prefix
        case .method: texts.append("\(text(a)).\(operation.rawValue)()")
        default: texts.append("\(operation.rawValue)(\(texts[a]))")
        }
      case .binary(let operation, let a, let b):
        switch operation.notation {
        case .infix(let own):
          texts.append("\(text(a, own)) \(operation.rawValue) \(text(b, own.next))")
          precedence = own
        case .method: texts.append("\(text(a)).\(operation.rawValue)(\(texts[b]))")
        default:
          // `max(a, b, c)` was parsed as `max(max(a, b), c)`.
          if case .binary(operation, _, _) = nodes[a] {
            texts.append("\(texts[a].dropLast()), \(texts[b]))")
          } else {
            texts.append("\(operation.rawValue)(\(list(operands)))")
          }
        }
      case .ternary(.choice, let a, let b, let c):
        texts.append("\(text(a, .or)) ? \(text(b, .or)) : \(text(c, .choice))")
        precedence = .choice
      case .ternary(.clamp, _, _, _): texts.append("clamp(\(list(operands)))")
      }
      precedences.append(precedence)
    }
    return texts[root]
  }
}

extension Value {
  fileprivate var literal: String {
    switch self {
    case .number(let number):
      let text = number.description
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    case .text(let text): return "\"\(text.unicodeScalars.map(\.escaped).joined())\""
    default: return display
    }
  }
}

extension Unicode.Scalar {
  fileprivate var escaped: String {
    switch self {
    case "\"", "\\": return "\\\(self)"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    case ..<" ", "\u{7f}":
      let digits = String(value, radix: 16)
      return "\\x\(digits.utf8.count < 2 ? "0" : "")\(digits)"
    default: return String(self)
    }
  }
}

// SPDX-License-Identifier: MIT

/// A parsed expression: nodes in an array, each after its operands, the root last.
struct Tree: Hashable, Sendable {
  enum Node: Hashable, Sendable {
    case literal(Value)
    /// An index in `names`.
    case name(Int)
    // Operands are indices of nodes.
    case unary(UnaryOperation, Int)
    case binary(BinaryOperation, Int, Int)
    case ternary(TernaryOperation, Int, Int, Int)
    /// `format(x, "…")` with an index in `formats`.
    case formatted(Int, Int)

    var operands: [Int] {
      switch self {
      case .literal, .name: []
      case .unary(_, let a), .formatted(let a, _): [a]
      case .binary(_, let a, let b): [a, b]
      case .ternary(_, let a, let b, let c): [a, b, c]
      }
    }
  }

  var nodes: [Node] = []
  /// The start of each node's operator or name in the text.
  var offsets: [Int] = []
  /// Names in the order of first use.
  var names: [NamePath] = []
  var formats: [Format] = []

  struct Format: Hashable, Sendable {
    /// The start of the format in the expression.
    var offset: Int
    var text: String
    var operand: Int
  }

  var root: Int { nodes.count - 1 }

  func kinds(names kinds: [Value.Kind]) throws(ExpressionError) -> [Value.Kind] {
    var found: [Value.Kind] = []
    for (node, offset) in zip(nodes, offsets) {
      let (kind, objection): (Value.Kind, String?) =
        switch node {
        case .literal(let value): (value.kind, nil)
        case .name(let index): (kinds[index], nil)
        case .formatted: (.text, nil)
        case .unary(let operation, let a): (operation.result, operation.objection(to: found[a]))
        case .binary(let operation, let a, let b):
          (
            operation.result(found[a].shared(with: found[b]) ?? .any),
            operation.objection(to: found[a], found[b])
          )
        case .ternary(let operation, let a, let b, let c):
          (
            operation == .clamp ? .number : found[b].shared(with: found[c]) ?? .any,
            operation.objection(to: found[a], found[b], found[c])
          )
        }
      if let objection { throw ExpressionError(offset: offset, objection) }
      found.append(kind)
    }
    return found
  }

  /// The value's frequency of changes. `shown` is the unit of a time as the result. `formats` are
  /// the units shown by formats.
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
      case .formatted(let a, let format): units[a] = formats[format]
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
  var description: String {
    var texts: [String] = []
    var precedences: [Precedence] = []
    for node in nodes {
      func text(_ index: Int, _ minimum: Precedence) -> String {
        precedences[index] < minimum ? "(\(texts[index]))" : texts[index]
      }
      let (notation, symbol): (Notation?, String) =
        switch node {
        case .literal, .name, .formatted: (nil, "")
        case .unary(let operation, _): (operation.notation, operation.rawValue)
        case .binary(let operation, _, _): (operation.notation, operation.rawValue)
        case .ternary(let operation, _, _, _): (operation.notation, operation.rawValue)
        }
      let operands = node.operands
      switch (node, notation) {
      case (.literal(let value), _):
        texts.append(value.literal)
        precedences.append(.primary)
      case (.name(let index), _):
        texts.append(names[index].description)
        precedences.append(.primary)
      case (.formatted(let a, let format), _):
        texts.append("format(\(texts[a]), \(Value.text(formats[format].text).literal))")
        precedences.append(.primary)
      case (_, .prefix):
        texts.append(symbol + text(operands[0], .prefix))
        precedences.append(.prefix)
      case (.ternary, .infix):
        texts.append(
          "\(text(operands[0], .or)) ? \(text(operands[1], .or)) : \(text(operands[2], .choice))")
        precedences.append(.choice)
      case (_, .infix(let precedence)):
        texts.append(
          "\(text(operands[0], precedence)) \(symbol) \(text(operands[1], precedence.next))")
        precedences.append(precedence)
      case (_, .method):
        let others = operands.dropFirst().map { texts[$0] }.joined(separator: ", ")
        texts.append("\(text(operands[0], .primary)).\(symbol)(\(others))")
        precedences.append(.primary)
      case (.binary(let operation, let a, let b), .function):
        // `max(a, b, c)` was parsed as `max(max(a, b), c)`.
        if case .binary(operation, _, _) = nodes[a] {
          texts.append("\(texts[a].dropLast()), \(texts[b]))")
        } else {
          texts.append("\(symbol)(\(texts[a]), \(texts[b]))")
        }
        precedences.append(.primary)
      case (_, .function), (_, nil):
        texts.append("\(symbol)(\(operands.map { texts[$0] }.joined(separator: ", ")))")
        precedences.append(.primary)
      }
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

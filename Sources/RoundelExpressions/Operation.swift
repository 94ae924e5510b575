// SPDX-License-Identifier: MIT

enum Notation: Hashable, Sendable {
  case prefix
  case infix(Precedence)
  /// `name(operand, …)`.
  case function
  /// `operand.name(…)`.
  case method
}

/// The precedence of an operator. Source: the language definition of CEL, "Syntax".
enum Precedence: Int, Hashable, Comparable, Sendable {
  case choice, or, and, relation, addition, multiplication, prefix, primary

  static func < (a: Precedence, b: Precedence) -> Bool { a.rawValue < b.rawValue }

  var next: Precedence { Precedence(rawValue: rawValue + 1) ?? .primary }
}

enum UnaryOperation: String, Hashable, Sendable, CaseIterable {
  case not = "!"
  case negate = "-"
  case abs, round, floor, ceil, size, string, number, int, bool, dyn
  case trunc = "math.trunc"
  case sign = "math.sign"
  case greatest = "math.greatest"
  case least = "math.least"
  case range = "lists.range"
  case sum
  // As in CEL: months and days of the week start at 0, days of the month at 1.
  case getFullYear, getMonth, getDate, getDayOfWeek, getHours, getMinutes, getSeconds
  case lowerAscii, upperAscii, trim, reverse, icon
  case sort, distinct, first, last

  var notation: Notation {
    switch self {
    case .not, .negate: .prefix
    default: function?.isMethod == true ? .method : .function
    }
  }

  var operands: [Value.Kind] {
    switch self {
    case .not: [.flag]
    case .negate, .abs, .round, .floor, .ceil, .trunc, .sign, .range: [.number]
    case .size: [.text, .list, .record]
    case .string, .dyn: Value.Kind.allCases
    case .number, .int: [.number, .text]
    case .bool: [.flag, .text]
    case .greatest, .least: [.number, .list]
    case .sum, .sort, .distinct, .first, .last: [.list]
    case .lowerAscii, .upperAscii, .trim, .icon: [.text]
    case .reverse: [.text, .list]
    default: [.time]
    }
  }

  /// The permitted kinds of a list's items.
  var items: [Value.Kind] {
    switch self {
    case .sum, .greatest, .least: [.number]
    case .sort: BinaryOperation.less.operands
    default: Value.Kind.allCases
    }
  }

  func result(_ operand: Shape) -> Shape {
    switch self {
    case .not, .bool: Shape(.flag)
    case .string, .lowerAscii, .upperAscii, .trim, .icon: Shape(.text)
    case .dyn: Shape(.any)
    case .range: Shape(.list, of: .number)
    case .reverse: operand
    case .sort, .distinct: Shape(.list, of: operand.element)
    case .first, .last: Shape(operand.element)
    default: Shape(.number)
    }
  }

  /// The smallest changing unit of the result for the current time, or nil if it isn't part of the
  /// time.
  var clockUnit: CivilTime.Unit? {
    switch self {
    case .getFullYear: .year
    case .getMonth: .month
    case .getDate, .getDayOfWeek: .day
    case .getHours: .hour
    case .getMinutes: .minute
    case .getSeconds: .second
    default: nil
    }
  }
}

enum BinaryOperation: String, Hashable, Sendable, CaseIterable {
  case or = "||"
  case and = "&&"
  case less = "<"
  case notGreater = "<="
  case greater = ">"
  case notLess = ">="
  case equal = "=="
  case unequal = "!="
  /// The second operand is a list or a record.
  case isIn = "in"
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"
  case min, max
  case contains, startsWith, endsWith

  var notation: Notation {
    switch self {
    case .or: .infix(.or)
    case .and: .infix(.and)
    case .less, .notGreater, .greater, .notLess, .equal, .unequal, .isIn: .infix(.relation)
    case .add, .subtract: .infix(.addition)
    case .multiply, .divide, .remainder: .infix(.multiplication)
    default: function?.isMethod == true ? .method : .function
    }
  }

  /// The permitted kinds. Both operands must have the same.
  var operands: [Value.Kind] {
    switch self {
    case .or, .and: [.flag]
    case .less, .notGreater, .greater, .notLess: [.number, .text, .flag, .time]
    case .equal, .unequal, .isIn: Value.Kind.allCases
    case .add: [.number, .text, .list]
    case .subtract, .multiply, .divide, .remainder, .min, .max: [.number]
    case .contains, .startsWith, .endsWith: [.text]
    }
  }

  func result(_ left: Shape, _ right: Shape) -> Shape {
    switch self {
    case .add: left.shared(with: right) ?? Shape(.any)
    case .subtract, .multiply, .divide, .remainder, .min, .max: Shape(.number)
    default: Shape(.flag)
    }
  }
}

enum TernaryOperation: String, Hashable, Sendable, CaseIterable {
  case choice = "?:"
  case clamp

  var notation: Notation { self == .choice ? .infix(.choice) : .function }
}

/// A method with values in its parentheses, some of them optional.
enum Method: String, Hashable, Sendable, CaseIterable {
  case charAt, indexOf, lastIndexOf, replace, split, substring, join, slice

  var receiver: Value.Kind { self == .join || self == .slice ? .list : .text }

  var parameters: [Value.Kind] {
    switch self {
    case .charAt: [.number]
    case .indexOf, .lastIndexOf, .split: [.text, .number]
    case .replace: [.text, .text, .number]
    case .substring, .slice: [.number, .number]
    case .join: [.text]
    }
  }

  /// The number of parameters without a default.
  var required: Int {
    switch self {
    case .join: 0
    case .slice, .replace: 2
    default: 1
    }
  }

  func result(_ receiver: Shape) -> Shape {
    switch self {
    case .indexOf, .lastIndexOf: Shape(.number)
    case .split: Shape(.list, of: .text)
    case .slice: Shape(.list, of: receiver.element)
    default: Shape(.text)
    }
  }
}

/// A loop over the items of a list or the names of a record.
enum Macro: String, Hashable, Sendable, CaseIterable {
  case all, exists
  case existsOne = "exists_one"
  case filter, map

  func result(_ range: Shape, _ body: Shape) -> Shape {
    switch self {
    case .all, .exists, .existsOne: Shape(.flag)
    case .filter: Shape(.list, of: range.item)
    case .map: Shape(.list, of: body.kind)
    }
  }
}

// MARK: - Kinds

/// The known kind of a value before evaluation.
struct Shape: Hashable, Sendable {
  var kind: Value.Kind
  /// The kind of a list's items or a record's members.
  var element: Value.Kind

  init(_ kind: Value.Kind, of element: Value.Kind = .any) {
    self.kind = kind
    self.element = element
  }

  /// The container of elements with these kinds.
  init(_ kind: Value.Kind, of elements: some Collection<Shape>) {
    let first = elements.first?.kind ?? .any
    self.init(kind, of: elements.allSatisfy { $0.kind == first } ? first : .any)
  }

  /// Returns nil if the kinds don't fit together.
  func shared(with other: Shape) -> Shape? {
    guard let kind = kind.shared(with: other.kind) else { return nil }
    return Shape(kind, of: element == other.element ? element : .any)
  }

  /// The kind of a macro's variable.
  var item: Value.Kind { kind == .record ? .text : element }
}

extension Value.Kind {
  func shared(with other: Value.Kind) -> Value.Kind? {
    self == other || other == .any ? self : self == .any ? other : nil
  }

  func fits(_ kinds: [Value.Kind]) -> Bool { self == .any || kinds.contains(self) }

  fileprivate var plural: String {
    "\(self)s".split(separator: " ").dropFirst().joined(separator: " ")
  }
}

/// A list such as `a number or a string`.
private func list(_ kinds: [Value.Kind], _ name: (Value.Kind) -> String) -> String {
  let names = kinds.map(name)
  guard let last = names.last, names.count > 1 else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " or " + last
}

extension UnaryOperation {
  /// Returns nil if the kind is permitted.
  func objection(to operand: Shape) -> String? {
    guard operand.kind.fits(operands) else {
      return "\"\(rawValue)\" takes \(list(operands) { "\($0)" }), not \(operand.kind)"
    }
    guard operand.kind == .list, !operand.element.fits(items) else { return nil }
    return
      "\"\(rawValue)\" takes a list of \(list(items, \.plural)), not of \(operand.element.plural)"
  }
}

extension BinaryOperation {
  func objection(to left: Shape, _ right: Shape) -> String? {
    if self == .isIn {
      switch right.kind {
      case .any: return nil
      case .list where left.kind.shared(with: right.element) != nil: return nil
      case .list: return "\"in\" looks for \(left.kind) in a list of \(right.element.plural)"
      case .record where left.kind.fits([.text]): return nil
      case .record: return "\"in\" looks for a string in a record, not for \(left.kind)"
      default: return "\"in\" takes a list or a record, not \(right.kind)"
      }
    }
    return objection(to: left.kind, right.kind)
  }

  func objection(to left: Value.Kind, _ right: Value.Kind) -> String? {
    if let shared = left.shared(with: right), shared.fits(operands) { return nil }
    let expected =
      operands.count == Value.Kind.allCases.count
      ? "two values of the same kind"
      : operands.map { "two \($0.plural)" }.joined(separator: " or ")
    return "\"\(rawValue)\" takes \(expected), not \(left) and \(right)"
  }
}

extension TernaryOperation {
  func objection(
    to first: Value.Kind, _ second: Value.Kind, _ third: Value.Kind
  ) -> String? {
    switch self {
    case .choice:
      if !first.fits([.flag]) { return "\"?\" takes a flag, not \(first)" }
      if second.shared(with: third) != nil { return nil }
      return "both sides of \":\" must have the same kind, not \(second) and \(third)"
    case .clamp:
      let odd = [first, second, third].first { !$0.fits([.number]) }
      return odd.map { "\"clamp\" takes three numbers, not \($0)" }
    }
  }
}

extension Method {
  func objection(to receiver: Value.Kind, _ arguments: [Value.Kind]) -> String? {
    guard receiver.fits([self.receiver]) else {
      return "\"\(rawValue)\" takes \(self.receiver), not \(receiver)"
    }
    let odd = zip(parameters, arguments).first { !$1.fits([$0]) }
    return odd.map { "\"\(rawValue)\" takes \($0) in its parentheses, not \($1)" }
  }
}

extension Macro {
  func objection(toRange range: Value.Kind) -> String? {
    range.fits([.list, .record]) ? nil : "\"\(rawValue)\" takes a list or a record, not \(range)"
  }

  func objection(toBody body: Value.Kind) -> String? {
    self == .map || body.fits([.flag]) ? nil : "\"\(rawValue)\" asks for a flag, not \(body)"
  }
}

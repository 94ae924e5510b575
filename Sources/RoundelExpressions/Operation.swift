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
  case abs, round, floor, ceil, size, string, number
  // As in CEL: months and days of the week start at 0, days of the month at 1.
  case getFullYear, getMonth, getDate, getDayOfWeek, getHours, getMinutes, getSeconds

  var notation: Notation {
    switch self {
    case .not, .negate: .prefix
    default: function?.isMethod == true ? .method : .function
    }
  }

  var operands: [Value.Kind] {
    switch self {
    case .not: [.flag]
    case .negate, .abs, .round, .floor, .ceil: [.number]
    case .size: [.text, .list, .record]
    case .string: Value.Kind.allCases
    case .number: [.number, .text]
    default: [.time]
    }
  }

  var result: Value.Kind {
    switch self {
    case .not: .flag
    case .string: .text
    default: .number
    }
  }

  /// The result's frequency of changes for the current time.
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
    case .less, .notGreater, .greater, .notLess, .equal, .unequal: .infix(.relation)
    case .add, .subtract: .infix(.addition)
    case .multiply, .divide, .remainder: .infix(.multiplication)
    default: function?.isMethod == true ? .method : .function
    }
  }

  /// The permitted kinds. Both operands must have the same.
  var operands: [Value.Kind] {
    switch self {
    case .or, .and: [.flag]
    case .less, .notGreater, .greater, .notLess: [.number, .text, .time]
    case .equal, .unequal: Value.Kind.allCases
    case .add: [.number, .text]
    case .subtract, .multiply, .divide, .remainder, .min, .max: [.number]
    case .contains, .startsWith, .endsWith: [.text]
    }
  }

  func result(_ operand: Value.Kind) -> Value.Kind {
    switch self {
    case .add: operand
    case .subtract, .multiply, .divide, .remainder, .min, .max: .number
    default: .flag
    }
  }
}

enum TernaryOperation: String, Hashable, Sendable, CaseIterable {
  case choice = "?:"
  case clamp

  var notation: Notation { self == .choice ? .infix(.choice) : .function }
}

// MARK: - Kinds

extension Value.Kind {
  /// Returns nil if the kinds don't fit together.
  func shared(with other: Value.Kind) -> Value.Kind? {
    self == other || other == .any ? self : self == .any ? other : nil
  }

  fileprivate func fits(_ kinds: [Value.Kind]) -> Bool { self == .any || kinds.contains(self) }
}

/// A list such as `two numbers or two strings`.
private func list(_ kinds: [Value.Kind], plural: Bool) -> String {
  let names = kinds.map { kind in
    plural ? "\(kind)s".split(separator: " ").dropFirst().joined(separator: " ") : "\(kind)"
  }
  guard let last = names.last, names.count > 1 else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " or " + last
}

extension UnaryOperation {
  /// Returns nil if the kind is permitted.
  func objection(to operand: Value.Kind) -> String? {
    operand.fits(operands)
      ? nil : "\"\(rawValue)\" takes \(list(operands, plural: false)), not \(operand)"
  }
}

extension BinaryOperation {
  /// Returns nil if the kinds are permitted.
  func objection(to left: Value.Kind, _ right: Value.Kind) -> String? {
    if let shared = left.shared(with: right), shared.fits(operands) { return nil }
    let expected =
      operands.count == Value.Kind.allCases.count
      ? "two values of the same kind"
      : operands.map { "two \(list([$0], plural: true))" }.joined(separator: " or ")
    return "\"\(rawValue)\" takes \(expected), not \(left) and \(right)"
  }
}

extension TernaryOperation {
  /// Returns nil if the kinds are permitted.
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

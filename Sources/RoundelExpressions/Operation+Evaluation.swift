// SPDX-License-Identifier: MIT

extension UnaryOperation {
  func apply(_ operand: Value, _ budget: inout WorkBudget) throws(EvaluationError) -> Value {
    switch (self, operand) {
    case (.not, .flag(let flag)): return .flag(!flag)
    case (_, .number(let number)):
      if let result = try apply(number, &budget) { return result }
    case (_, .text(let text)):
      try budget.spend(text.utf8.count)
      if let result = try apply(text) { return result }
    case (_, .list(let values)):
      if let result = try apply(values, &budget) { return result }
    case (_, .time(let time)):
      if let result = apply(time) { return result }
    case (.size, .record(let fields)): return .integer(fields.count)
    default: break
    }
    switch self {
    case .string:
      try operand.limit(&budget)
      let text = operand.display
      try budget.spend(text.utf8.count)
      return .text(text)
    case .dyn: return operand
    case .bool: if case .flag = operand { return operand }
    default: break
    }
    throw .undefined(objection(to: Shape(operand.kind)) ?? "\"\(rawValue)\" has no value")
  }

  private func apply(
    _ number: Double, _ budget: inout WorkBudget
  ) throws(EvaluationError) -> Value? {
    switch self {
    case .negate: return .number(-number)
    case .abs: return .number(Swift.abs(number))
    case .round: return .number(number.rounded())
    case .floor: return .number(number.rounded(.down))
    case .ceil: return .number(number.rounded(.up))
    case .trunc: return .number(number.rounded(.towardZero))
    case .sign: return .number(number > 0 ? 1 : number < 0 ? -1 : number)
    case .number, .greatest, .least: return .number(number)
    case .int:
      // The range of CEL's whole numbers.
      guard Swift.abs(number) < 0x1p63 else {
        throw .undefined("int() of a number that is too large")
      }
      return .number(number.rounded(.towardZero))
    case .range:
      guard let count = Int(exactly: number), (0...Self.maximumRange).contains(count) else {
        throw .undefined("\"lists.range\" takes a whole number from 0 to \(Self.maximumRange)")
      }
      try budget.spend(count)
      return .list((0..<count).map { .integer($0) })
    default: return nil
    }
  }

  private static var maximumRange: Int { 100_000 }

  private func apply(_ text: String) throws(EvaluationError) -> Value? {
    switch self {
    case .string: return .text(text)
    case .number:
      guard let number = Double(decimal: text) else {
        throw .undefined("number() of a string that is not a number")
      }
      return .number(number)
    case .int:
      guard let number = Int(text) else {
        throw .undefined("int() of a string that is not a whole number")
      }
      return .integer(number)
    case .bool:
      if ["1", "t", "true", "TRUE", "True"].contains(text) { return .flag(true) }
      if ["0", "f", "false", "FALSE", "False"].contains(text) { return .flag(false) }
      throw .undefined("bool() of a string that is neither true nor false")
    case .size: return .integer(text.unicodeScalars.count)
    case .lowerAscii: return .text(text.mappingASCII(0x41...0x5a))
    case .upperAscii: return .text(text.mappingASCII(0x61...0x7a))
    case .trim: return .text(text.trimmed)
    case .icon: return .text(IconText.text(of: text))
    case .reverse: return .text(String(String.UnicodeScalarView(text.unicodeScalars.reversed())))
    default: return nil
    }
  }

  private func apply(_ time: CivilTime) -> Value? {
    switch self {
    case .getFullYear: .integer(time.year)
    case .getMonth: .integer(time.month - 1)
    case .getDate: .integer(time.day)
    case .getDayOfWeek: .integer(time.weekday)
    case .getHours: .integer(time.hour)
    case .getMinutes: .integer(time.minute)
    case .getSeconds: .integer(time.second)
    default: nil
    }
  }
}

extension BinaryOperation {
  func failure(_ left: Value.Kind, _ right: Value.Kind) -> EvaluationError {
    .undefined(
      objection(to: Shape(left), Shape(right)) ?? "\"\(rawValue)\" has no value")
  }

  func apply(
    _ left: Value, _ right: Value, _ budget: inout WorkBudget
  ) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.number(let a), .number(let b)): return try apply(a, b)
    case (.text(let a), .text(let b)):
      try budget.spend(a.utf8.count + b.utf8.count)
      return try apply(a, b)
    case (.time(let a), .time(let b)):
      if let holds = compare(a, b) { return .flag(holds) }
    case (.flag(let a), .flag(let b)):
      if let holds = compare(a ? 1 : 0, b ? 1 : 0) { return .flag(holds) }
    case (.list(let a), .list(let b)) where self == .add:
      try budget.spend(a.count + b.count)
      return .list(a + b)
    case (_, .list(let values)) where self == .isIn:
      for value in values where try left.equals(value, &budget) { return .flag(true) }
      return .flag(false)
    case (.text(let name), .record(let fields)) where self == .isIn:
      return .flag(try fields.place(of: name, &budget) != nil)
    default: break
    }
    guard self == .equal || self == .unequal else { throw failure(left.kind, right.kind) }
    return .flag(try left.equals(right, &budget) == (self == .equal))
  }

  private func apply(_ a: Double, _ b: Double) throws(EvaluationError) -> Value {
    let result: Double
    switch self {
    case .add: result = a + b
    case .subtract: result = a - b
    case .multiply: result = a * b
    case .divide, .remainder:
      guard b != 0 else { throw .undefined("division by zero") }
      // The remainder has the sign of the dividend, as in CEL.
      result = self == .divide ? a / b : a.truncatingRemainder(dividingBy: b)
    case .min: result = Swift.min(a, b)
    case .max: result = Swift.max(a, b)
    default:
      guard let holds = compare(a, b) else { throw failure(.number, .number) }
      return .flag(holds)
    }
    guard result.isFinite else {
      throw .undefined("the result of \"\(rawValue)\" is too large")
    }
    return .number(result)
  }

  private func apply(_ a: String, _ b: String) throws(EvaluationError) -> Value {
    switch self {
    case .add: return .text(a + b)
    case .equal: return .flag(a.hasSameBytes(as: b))
    case .unequal: return .flag(!a.hasSameBytes(as: b))
    case .less: return .flag(a.precedes(b))
    case .notLess: return .flag(!a.precedes(b))
    case .greater: return .flag(b.precedes(a))
    case .notGreater: return .flag(!b.precedes(a))
    case .startsWith: return .flag(a.utf8.starts(with: b.utf8))
    case .endsWith: return .flag(a.utf8.reversed().starts(with: b.utf8.reversed()))
    case .contains: return .flag(Array(a.utf8).firstMatch(of: Array(b.utf8)) != nil)
    default: throw failure(.text, .text)
    }
  }

  private func compare<T: Comparable>(_ a: T, _ b: T) -> Bool? {
    switch self {
    case .less: a < b
    case .notGreater: a <= b
    case .greater: a > b
    case .notLess: a >= b
    case .equal: a == b
    case .unequal: a != b
    default: nil
    }
  }
}

extension Double {
  /// Accepts an optional sign, fraction and exponent.
  fileprivate init?(decimal text: String) {
    let letters = text.utf8.allSatisfy { byte in
      byte.isDigit || [0x2b, 0x2d, 0x2e, 0x45, 0x65].contains(byte)
    }
    guard letters, let number = Double(text), number.isFinite else { return nil }
    self = number
  }
}

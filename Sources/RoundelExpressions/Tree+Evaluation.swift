// SPDX-License-Identifier: MIT

extension Tree {
  /// `names` and `formats` are resolved for the scope.
  func value<S: Scope>(
    of index: Int, names: [S.Name], formats: [ResolvedFormat<S.Name>], in scope: S,
    budget: inout WorkBudget
  ) throws(EvaluationError) -> Value {
    try budget.spend(1)
    switch nodes[index] {
    case .literal(let value): return value
    case .name(let name):
      let value = try scope.value(of: names[name], budget: &budget)
      if case .number(let number) = value, !number.isFinite {
        throw .undefined("\"\(self.names[name])\" is not a number")
      }
      return value

    case .formatted(let a, let format):
      let operand = try value(of: a, names: names, formats: formats, in: scope, budget: &budget)
      let text = try formats[format].text(operand, in: scope, budget: &budget)
      try budget.spend(text.utf8.count)
      return .text(text)

    case .unary(let operation, let a):
      return try operation.apply(
        try value(of: a, names: names, formats: formats, in: scope, budget: &budget),
        budget: &budget)

    // As in CEL, if one side decides the result, the other may be undefined.
    case .binary(let operation, let a, let b) where operation == .and || operation == .or:
      let decisive = operation == .or
      var failure: EvaluationError?
      do throws(EvaluationError) {
        let left = try value(of: a, names: names, formats: formats, in: scope, budget: &budget)
        guard case .flag(let flag) = left else { throw operation.failure(left.kind, .any) }
        if flag == decisive { return left }
      } catch {
        if error == .overBudget { throw error }
        failure = error
      }
      let right = try value(of: b, names: names, formats: formats, in: scope, budget: &budget)
      guard case .flag(let flag) = right else { throw operation.failure(.any, right.kind) }
      if let failure, flag != decisive { throw failure }
      return right

    case .binary(let operation, let a, let b):
      let left = try value(of: a, names: names, formats: formats, in: scope, budget: &budget)
      let right = try value(of: b, names: names, formats: formats, in: scope, budget: &budget)
      return try operation.apply(left, right, budget: &budget)

    case .ternary(.choice, let a, let b, let c):
      let condition = try value(of: a, names: names, formats: formats, in: scope, budget: &budget)
      guard case .flag(let flag) = condition else {
        throw .undefined(
          TernaryOperation.choice.objection(to: condition.kind, .any, .any) ?? "not a flag")
      }
      return try value(of: flag ? b : c, names: names, formats: formats, in: scope, budget: &budget)

    case .ternary(.clamp, let a, let b, let c):
      let first = try value(of: a, names: names, formats: formats, in: scope, budget: &budget)
      let second = try value(of: b, names: names, formats: formats, in: scope, budget: &budget)
      let third = try value(of: c, names: names, formats: formats, in: scope, budget: &budget)
      guard case (.number(let x), .number(let low), .number(let high)) = (first, second, third)
      else {
        throw .undefined(
          TernaryOperation.clamp.objection(to: first.kind, second.kind, third.kind)
            ?? "not a number")
      }
      guard low <= high else {
        throw .undefined("clamp to a range from \(low.display) to \(high.display)")
      }
      return .number(Swift.min(Swift.max(x, low), high))
    }
  }
}

extension UnaryOperation {
  fileprivate func apply(
    _ operand: Value, budget: inout WorkBudget
  ) throws(EvaluationError) -> Value {
    switch (self, operand) {
    case (.not, .flag(let flag)): return .flag(!flag)
    case (.negate, .number(let number)): return .number(-number)
    case (.abs, .number(let number)): return .number(Swift.abs(number))
    case (.round, .number(let number)): return .number(number.rounded())
    case (.floor, .number(let number)): return .number(number.rounded(.down))
    case (.ceil, .number(let number)): return .number(number.rounded(.up))
    case (.number, .number), (.string, .text): return operand
    case (.number, .text(let text)):
      try budget.spend(text.utf8.count)
      guard let number = Double(decimal: text) else {
        throw .undefined("number() of a string that is not a number")
      }
      return .number(number)
    case (.string, _):
      let text = operand.display
      try budget.spend(text.utf8.count)
      return .text(text)
    case (.size, .text(let text)):
      try budget.spend(text.utf8.count)
      return .integer(text.unicodeScalars.count)
    case (.size, .list(let values)): return .integer(values.count)
    case (.size, .record(let fields)): return .integer(fields.count)
    case (.getFullYear, .time(let time)): return .integer(time.year)
    case (.getMonth, .time(let time)): return .integer(time.month - 1)
    case (.getDate, .time(let time)): return .integer(time.day)
    case (.getDayOfWeek, .time(let time)): return .integer(time.weekday)
    case (.getHours, .time(let time)): return .integer(time.hour)
    case (.getMinutes, .time(let time)): return .integer(time.minute)
    case (.getSeconds, .time(let time)): return .integer(time.second)
    default: throw .undefined(objection(to: operand.kind) ?? "\"\(rawValue)\" has no value")
    }
  }
}

extension BinaryOperation {
  fileprivate func failure(_ left: Value.Kind, _ right: Value.Kind) -> EvaluationError {
    .undefined(objection(to: left, right) ?? "\"\(rawValue)\" has no value")
  }

  fileprivate func apply(
    _ left: Value, _ right: Value, budget: inout WorkBudget
  ) throws(EvaluationError) -> Value {
    switch (left, right) {
    case (.number(let a), .number(let b)): return try apply(a, b)
    case (.text(let a), .text(let b)):
      try budget.spend(a.utf8.count + b.utf8.count)
      return try apply(a, b)
    case (.time(let a), .time(let b)):
      if let holds = compare(a, b) { return .flag(holds) }
    default: break
    }
    guard left.kind == right.kind, self == .equal || self == .unequal else {
      throw failure(left.kind, right.kind)
    }
    try budget.spend(left.size)
    return .flag((left == right) == (self == .equal))
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

  // Compares code points, as in CEL. UTF-8 bytes have the same order.
  private func apply(_ a: String, _ b: String) throws(EvaluationError) -> Value {
    switch self {
    case .add: return .text(a + b)
    case .equal: return .flag(a.utf8.elementsEqual(b.utf8))
    case .unequal: return .flag(!a.utf8.elementsEqual(b.utf8))
    case .less: return .flag(a.utf8.lexicographicallyPrecedes(b.utf8))
    case .notLess: return .flag(!a.utf8.lexicographicallyPrecedes(b.utf8))
    case .greater: return .flag(b.utf8.lexicographicallyPrecedes(a.utf8))
    case .notGreater: return .flag(!b.utf8.lexicographicallyPrecedes(a.utf8))
    case .startsWith: return .flag(a.utf8.starts(with: b.utf8))
    case .endsWith: return .flag(a.utf8.reversed().starts(with: b.utf8.reversed()))
    case .contains: return .flag(Array(a.utf8).contains(Array(b.utf8)))
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

extension Value {
  /// Units of a comparison.
  fileprivate var size: Int {
    switch self {
    case .text(let text): 1 + text.utf8.count
    case .list(let values): values.reduce(1) { $0 + $1.size }
    case .record(let fields): fields.reduce(1) { $0 + $1.name.utf8.count + $1.value.size }
    case .number, .flag, .time: 1
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

extension [UInt8] {
  /// Searches in O(n + m). The standard library takes a hundred times as long, 2 µs per byte.
  /// Source: Knuth, Morris, Pratt, "Fast pattern matching in strings", 1977.
  fileprivate func contains(_ pattern: [UInt8]) -> Bool {
    guard !pattern.isEmpty, pattern.count <= count else { return pattern.isEmpty }
    // The length of the longest proper prefix of the pattern that ends at each of its bytes.
    var prefixes = [0]
    var length = 0
    for byte in pattern.dropFirst() {
      while length > 0, pattern[length] != byte { length = prefixes[length - 1] }
      if pattern[length] == byte { length += 1 }
      prefixes.append(length)
    }
    length = 0
    for byte in self {
      while length > 0, pattern[length] != byte { length = prefixes[length - 1] }
      if pattern[length] == byte { length += 1 }
      if length == pattern.count { return true }
    }
    return false
  }
}

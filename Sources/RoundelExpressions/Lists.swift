// SPDX-License-Identifier: MIT

extension UnaryOperation {
  /// Returns nil if the operation doesn't take a list.
  func apply(_ values: [Value], _ budget: inout WorkBudget) throws(EvaluationError) -> Value? {
    if values.isEmpty, [.first, .last, .greatest, .least].contains(self) {
      throw .undefined("\"\(rawValue)\" of an empty list")
    }
    switch self {
    case .size: return .integer(values.count)
    case .first: return values[0]
    case .last: return values[values.count - 1]
    case .reverse:
      try budget.spend(values.count)
      return .list(values.reversed())
    case .sum:
      let sum = try numbers(values, &budget).reduce(0, +)
      guard sum.isFinite else { throw .undefined("the result of \"sum\" is too large") }
      return .number(sum)
    case .greatest, .least:
      let numbers = try numbers(values, &budget)
      return (self == .greatest ? numbers.max() : numbers.min()).map { .number($0) }
    case .sort: return .list(try sorted(values, &budget))
    case .distinct:
      var seen: [Int: [Value]] = [:]
      var found: [Value] = []
      next: for value in values {
        let hash = try value.hash(&budget)
        for other in seen[hash] ?? [] where try value.equals(other, &budget) { continue next }
        seen[hash, default: []].append(value)
        found.append(value)
      }
      return .list(found)
    default: return nil
    }
  }

  private func numbers(
    _ values: [Value], _ budget: inout WorkBudget
  ) throws(EvaluationError) -> [Double] {
    try budget.spend(values.count)
    var numbers: [Double] = []
    numbers.reserveCapacity(values.count)
    for (place, value) in values.enumerated() {
      guard case .number(let number) = value else { throw failure(value, place) }
      numbers.append(number)
    }
    return numbers
  }

  private func failure(_ value: Value, _ place: Int) -> EvaluationError {
    let objection = objection(to: Shape(.list, of: value.kind))
    return .undefined("\(objection ?? "\"\(rawValue)\" takes items of one kind") in item \(place)")
  }

  private func sorted(
    _ values: [Value], _ budget: inout WorkBudget
  ) throws(EvaluationError) -> [Value] {
    var units = values.count
    for (place, value) in values.enumerated() {
      guard value.kind == values[0].kind, items.contains(value.kind) else {
        throw failure(value, place)
      }
      if case .text(let text) = value { units += text.utf8.count }
    }
    // Each item takes part in about log n comparisons.
    try budget.spend(units * (Int.bitWidth - values.count.leadingZeroBitCount))
    return values.sorted { a, b in
      switch (a, b) {
      case (.number(let a), .number(let b)): a < b
      case (.text(let a), .text(let b)): a.precedes(b)
      case (.time(let a), .time(let b)): a < b
      case (.flag(let a), .flag(let b)): !a && b
      default: false
      }
    }
  }
}

// SPDX-License-Identifier: MIT

// These walks spend the budget, because a list may contain the same list more than once.

extension Value {
  /// The common kind of a list's items or a record's members, otherwise any.
  package var elementKind: Kind {
    switch self {
    case .list(let values): Shape(kind, of: values.map { Shape($0.kind) }).element
    case .record(let fields): Shape(kind, of: fields.map { Shape($0.value.kind) }).element
    default: .any
    }
  }

  package func member(
    _ name: String, _ budget: inout WorkBudget
  ) throws(EvaluationError) -> Value? {
    guard case .record(let fields) = self else {
      throw .undefined(
        "only records have members such as \"\(name.shortened)\", not \(kind)")
    }
    return try fields.place(of: name, &budget).map { fields[$0].value }
  }

  /// Whether both values are of the same kind and equal, where records may have different orders.
  func equals(_ other: Value, _ budget: inout WorkBudget) throws(EvaluationError) -> Bool {
    try budget.spend(1)
    switch (self, other) {
    case (.number(let a), .number(let b)): return a == b
    case (.flag(let a), .flag(let b)): return a == b
    case (.time(let a), .time(let b)): return a == b
    case (.text(let a), .text(let b)):
      try budget.spend(min(a.utf8.count, b.utf8.count))
      return a.hasSameBytes(as: b)
    case (.list(let a), .list(let b)):
      guard a.count == b.count else { return false }
      for (a, b) in zip(a, b) where try !a.equals(b, &budget) { return false }
      return true
    case (.record(let a), .record(let b)):
      guard a.count == b.count else { return false }
      for field in a {
        guard let place = try b.place(of: field.name, &budget),
          try field.value.equals(b[place].value, &budget)
        else { return false }
      }
      return true
    default: return false
    }
  }

  /// Throws if a result is too large or has too many levels.
  func limit(_ budget: inout WorkBudget) throws(EvaluationError) {
    var bytes = Expression.maximumValueBytes
    try limit(levels: Expression.maximumValueLevels, &bytes, &budget)
  }

  private func limit(
    levels: Int, _ bytes: inout Int, _ budget: inout WorkBudget
  ) throws(EvaluationError) {
    let most = Expression.maximumValueLevels
    switch self {
    case .number, .flag, .time: bytes -= 8
    case .text(let text): bytes -= 8 + text.utf8.count
    case _ where levels == 0:
      throw .undefined("the result has more than \(most) levels of lists and records")
    case .list(let values):
      try budget.spend(1 + values.count / 8)
      for value in values { try value.limit(levels: levels - 1, &bytes, &budget) }
    case .record(let fields):
      try budget.spend(1 + fields.count / 8)
      for field in fields {
        bytes -= field.name.utf8.count
        try field.value.limit(levels: levels - 1, &bytes, &budget)
      }
    }
    guard bytes >= 0 else {
      throw .undefined("the result is larger than \(Expression.maximumValueBytes >> 20) MiB")
    }
  }

  /// Returns a number that is the same for equal values.
  func hash(_ budget: inout WorkBudget) throws(EvaluationError) -> Int {
    try budget.spend(1)
    switch self {
    case .number(let number): return number.hashValue
    case .flag(let flag): return flag.hashValue
    case .time(let time): return time.hashValue
    case .text(let text):
      try budget.spend(text.utf8.count)
      return text.hashValue
    case .list(let values):
      var hasher = Hasher()
      for value in values { hasher.combine(try value.hash(&budget)) }
      return hasher.finalize()
    case .record(let fields):
      var hash = 0
      for field in fields {
        try budget.spend(field.name.utf8.count)
        // The order doesn't matter.
        hash ^= [field.name.hashValue, try field.value.hash(&budget)].hashValue
      }
      return hash
    }
  }
}

extension [Field] {
  /// Returns the place of a member, or nil if it is missing.
  func place(of name: String, _ budget: inout WorkBudget) throws(EvaluationError) -> Int? {
    try budget.spend(1 + count / 8 + name.utf8.count / 8)
    return indices.first { self[$0].name.hasSameBytes(as: name) }
  }
}

extension String {
  /// Compares code points, as CEL does. `==` also finds equivalent ones.
  func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && (self == other && utf8.elementsEqual(other.utf8))
  }

  /// Compares code points, as CEL does. UTF-8 bytes have the same order.
  func precedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

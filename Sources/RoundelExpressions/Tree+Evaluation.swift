// SPDX-License-Identifier: MIT

extension Tree {
  func value(
    of index: Int, _ evaluator: inout Evaluator, _ answer: Answer
  ) throws(EvaluationError) -> Value {
    try evaluator.budget.spend(1)
    switch nodes[index] {
    case .literal(let literal): return literals[literal]
    case .name(let name):
      return try checked(
        hasMembers(name)
          ? member(of: name, &evaluator, answer) : answer(.name(name), &evaluator.budget),
        index, &evaluator.budget)
    case .local(let slot, _, _): return try checked(evaluator[slot], index, &evaluator.budget)

    case .unary(let operation, let a):
      let operand = try value(of: a, &evaluator, answer)
      return try operation.apply(operand, &evaluator.budget)

    // As in CEL, if one side decides the result, the other may be undefined.
    case .binary(let operation, let a, let b) where operation == .and || operation == .or:
      let decisive = operation == .or
      var failure: EvaluationError?
      do throws(EvaluationError) {
        let left = try value(of: a, &evaluator, answer)
        guard case .flag(let flag) = left else { throw operation.failure(left.kind, .any) }
        if flag == decisive { return left }
      } catch {
        if error == .overBudget { throw error }
        failure = error
      }
      let right = try value(of: b, &evaluator, answer)
      guard case .flag(let flag) = right else { throw operation.failure(.any, right.kind) }
      if let failure, flag != decisive { throw failure }
      return right

    case .binary(let operation, let a, let b):
      let left = try value(of: a, &evaluator, answer)
      let right = try value(of: b, &evaluator, answer)
      return try operation.apply(left, right, &evaluator.budget)

    case .ternary(.choice, let a, let b, let c):
      let condition = try value(of: a, &evaluator, answer)
      guard case .flag(let flag) = condition else {
        throw .undefined(
          TernaryOperation.choice.objection(to: condition.kind, .any, .any) ?? "not a flag")
      }
      return try value(of: flag ? b : c, &evaluator, answer)

    case .ternary(.clamp, let a, let b, let c):
      return try clamp(
        value(of: a, &evaluator, answer), value(of: b, &evaluator, answer),
        value(of: c, &evaluator, answer))

    case .formatted(let a, let b, let format):
      let operand = try value(of: a, &evaluator, answer)
      let text = try value(of: b, &evaluator, answer)
      guard case .text(let text) = text else {
        throw .undefined("a format is a string, not \(text.kind)")
      }
      return try checked(
        answer(.format(format, operand, text), &evaluator.budget), index, &evaluator.budget)

    case .list(let range): return .list(try values(range, &evaluator, answer))

    case .record(let range):
      var fields: [Field] = []
      for place in range where (place - range.lowerBound).isMultiple(of: 2) {
        let name = try value(of: operands[place], &evaluator, answer)
        guard case .text(let name) = name else {
          throw .undefined("the name of a member is a string, not \(name.kind)")
        }
        guard try fields.place(of: name, &evaluator.budget) == nil else {
          throw .undefined("a record has the member \"\(name.shortened)\" twice")
        }
        try evaluator.budget.spend(1 + name.utf8.count)
        fields.append(Field(name, try value(of: operands[place + 1], &evaluator, answer)))
      }
      return .record(fields)

    case .call(let method, let range):
      let values = try values(range, &evaluator, answer)
      return try method.apply(values[0], values.dropFirst(), &evaluator.budget)

    case .has(let a): return .flag(try isDefined(a, &evaluator, answer))

    case .index, .member:
      return try checked(element(index, &evaluator, answer), index, &evaluator.budget)
    case .each(let macro, let range, let slot, _, let body):
      return try each(macro, range, slot, body, &evaluator, answer)
    }
  }

  /// Returns a value that is neither missing nor an infinite number.
  func checked(
    _ value: Value?, _ index: Int, _ budget: inout WorkBudget
  ) throws(EvaluationError) -> Value {
    guard let value else { throw .undefined("\(try name(of: index, &budget)) is missing") }
    if case .number(let number) = value, !number.isFinite {
      throw .undefined("\(try name(of: index, &budget)) is not a number")
    }
    return value
  }

  /// Returns part of the expression for a message.
  private func name(of index: Int, _ budget: inout WorkBudget) throws(EvaluationError) -> String {
    try budget.spend(8 * (index + 1))
    return "\"\(description(of: index).shortened)\""
  }

  private func values(
    _ range: Range<Int>, _ evaluator: inout Evaluator, _ answer: Answer
  ) throws(EvaluationError) -> [Value] {
    try evaluator.budget.spend(range.count)
    var values: [Value] = []
    values.reserveCapacity(range.count)
    for place in range { values.append(try value(of: operands[place], &evaluator, answer)) }
    return values
  }

  private func clamp(_ x: Value, _ low: Value, _ high: Value) throws(EvaluationError) -> Value {
    guard case (.number(let number), .number(let least), .number(let most)) = (x, low, high) else {
      throw .undefined(
        TernaryOperation.clamp.objection(to: x.kind, low.kind, high.kind) ?? "not a number")
    }
    guard least <= most else {
      throw .undefined("clamp to a range from \(least.display) to \(most.display)")
    }
    return .number(min(max(number, least), most))
  }

  private func hasMembers(_ name: Int) -> Bool { !members.isEmpty && members[name] > 0 }

  /// Returns the value of a name whose last parts are members, or nil if one is missing.
  private func member(
    of name: Int, _ evaluator: inout Evaluator, _ answer: Answer
  ) throws(EvaluationError) -> Value? {
    var parts = names[name].parts.suffix(members[name])
    var value = try answer(.member(parts.removeFirst(), name), &evaluator.budget)
    for part in parts { value = try value?.member(part, &evaluator.budget) }
    return value
  }

  /// A missing item or member is nil if `isTested`, otherwise an error.
  private func element(
    _ index: Int, isTested: Bool = false, _ evaluator: inout Evaluator, _ answer: Answer
  ) throws(EvaluationError) -> Value? {
    try evaluator.budget.spend(1)
    if case .member(let a, let word) = nodes[index], case .local(let slot, _, _) = nodes[a] {
      // The usual case in a macro.
      return try evaluator[slot].member(words[word], &evaluator.budget)
    }
    let base: Int
    var bracket: Int?
    var key = Value.text("")
    switch nodes[index] {
    case .member(let a, let word): (base, key) = (a, .text(words[word]))
    case .index(let a, let b): (base, bracket) = (a, b)
    default: return nil
    }
    var own: Int?
    if case .name(let name) = nodes[base], !hasMembers(name) { own = name }
    var container = own == nil ? try value(of: base, &evaluator, answer) : nil
    if let bracket { key = try value(of: bracket, &evaluator, answer) }
    if let own {
      // The scope may know a member without the whole record.
      if case .text(let word) = key { return try answer(.member(word, own), &evaluator.budget) }
      container = try answer(.name(own), &evaluator.budget)
    }
    switch (container, key) {
    case (.list(let values), .number(let number)):
      if let place = Int(exactly: number), values.indices.contains(place) { return values[place] }
      if isTested { return nil }
      let name = try name(of: index, &evaluator.budget)
      throw .undefined(
        "\(name) is missing: the list of \(values.count) has no item \(number.display)")
    case (let container?, .text(let name)):
      return try container.member(name, &evaluator.budget)
    default:
      throw .undefined(
        Self.objection(toKey: key.kind, of: container?.kind ?? .any) ?? "no item")
    }
  }

  /// Whether a name and everything after it is defined. As in CEL, other operands must be.
  private func isDefined(
    _ index: Int, _ evaluator: inout Evaluator, _ answer: Answer
  ) throws(EvaluationError) -> Bool {
    do throws(EvaluationError) {
      switch nodes[index] {
      case .member, .index:
        return try element(index, isTested: true, &evaluator, answer) != nil
      default: _ = try value(of: index, &evaluator, answer)
      }
      return true
    } catch {
      if error == .overBudget { throw error }
      switch nodes[index] {
      case .name: return false
      case .member(let a, _), .index(let a, _):
        if try isDefined(a, &evaluator, answer) { throw error }
        return false
      default: throw error
      }
    }
  }

  private func each(
    _ macro: Macro, _ range: Int, _ slot: Int, _ body: Int, _ evaluator: inout Evaluator,
    _ answer: Answer
  ) throws(EvaluationError) -> Value {
    let base = try value(of: range, &evaluator, answer)
    let items: [Value]
    switch base {
    case .list(let values): items = values
    case .record(let fields):
      try evaluator.budget.spend(fields.count)
      items = fields.map { .text($0.name) }
    default: throw .undefined(macro.objection(toRange: base.kind) ?? "no list")
    }
    var results: [Value] = []
    var matches = 0
    var failure: (error: EvaluationError, place: Int)?
    for (place, item) in items.enumerated() {
      try evaluator.budget.spend(1)
      evaluator[slot] = item
      do throws(EvaluationError) {
        let result = try value(of: body, &evaluator, answer)
        if macro == .map {
          try evaluator.budget.spend(1)
          results.append(result)
          continue
        }
        guard case .flag(let flag) = result else {
          throw .undefined(macro.objection(toBody: result.kind) ?? "not a flag")
        }
        switch macro {
        case .all: if !flag { return .flag(false) }
        case .exists: if flag { return .flag(true) }
        case .existsOne: if flag { matches += 1 }
        case .filter, .map:
          if flag {
            try evaluator.budget.spend(1)
            results.append(item)
          }
        }
      } catch {
        if error == .overBudget { throw error }
        failure = failure ?? (error, place)
        // As in CEL, one item decides even if another is undefined.
        guard macro == .all || macro == .exists else { break }
      }
    }
    if let failure {
      let name = try name(of: range, &evaluator.budget)
      throw .undefined("\(failure.error) in item \(failure.place) of \(name)")
    }
    switch macro {
    case .all: return .flag(true)
    case .exists: return .flag(false)
    case .existsOne: return .flag(matches == 1)
    case .filter, .map: return .list(results)
    }
  }
}

extension String {
  /// The first characters, for messages.
  var shortened: String {
    let most = 60
    let scalars = unicodeScalars.prefix(most + 1)
    return scalars.count > most ? String(scalars.prefix(most)) + "…" : self
  }
}

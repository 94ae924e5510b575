// SPDX-License-Identifier: MIT

internal import RoundelExpressions
internal import KioskFile

/// Possible values of incomplete expressions, from initial values.
struct ExpressionSample {
  private let bytes: [UInt8]
  /// The start of the string.
  private let start: Int
  private let variables: [NameScanner.Variable]
  private let draft: KioskDraft

  init(
    _ document: Document, _ start: Int, _ variables: [NameScanner.Variable], _ draft: KioskDraft
  ) {
    bytes = document.source.bytes
    self.start = start
    self.variables = variables
    self.draft = draft
  }

  private enum Step {
    case name(String)
    case call(String)
    case index
  }

  /// Returns a possible value of an expression such as `orders[0].parts` that ends at `end`.
  func value(before end: Int) -> Value? { value(before: end, depth: 0) }

  private func value(before end: Int, depth: Int) -> Value? {
    var steps: [Step] = []
    var place = end
    while true {
      guard let step = step(before: &place) else { return nil }
      steps.append(step)
      if case .index = step { continue }
      guard place > start, bytes[place - 1] == UInt8(ascii: ".") else { break }
      place -= 1
    }
    guard case .name(let root)? = steps.popLast() else { return nil }
    var value: Value?
    if let variable = variables.last(where: { $0.name == root }) {
      // An inner macro may iterate over a member of the outer variable.
      guard depth < Expression.maximumLoops, variable.rangeEnd < end else { return nil }
      value = self.value(before: variable.rangeEnd, depth: depth + 1)?.sampleOfVariable
    } else {
      value = draft.initialValue(of: root)
    }
    for step in steps.reversed() { value = value.flatMap { Self.apply(step, to: $0) } }
    return value
  }

  private static func apply(_ step: Step, to value: Value) -> Value? {
    switch step {
    case .index: return value.sampleOfItem
    case .name(let name):
      guard case .record(let fields) = value else { return nil }
      return fields.first { $0.name == name }?.value
    case .call("first"), .call("last"): return value.sampleOfItem
    case .call("filter"), .call("sort"), .call("distinct"), .call("slice"), .call("reverse"):
      return value
    case .call("split"): return .list([.text("")])
    case .call: return nil
    }
  }

  /// Returns the last step, and moves `place` before it.
  private func step(before place: inout Int) -> Step? {
    guard place > start else { return nil }
    switch bytes[place - 1] {
    case UInt8(ascii: "]"):
      guard let opening = opening(of: "[", "]", before: place) else { return nil }
      place = opening
      return .index
    case UInt8(ascii: ")"):
      guard let opening = opening(of: "(", ")", before: place), let name = word(before: opening)
      else { return nil }
      place = opening - name.utf8.count
      return .call(name)
    default:
      guard let name = word(before: place) else { return nil }
      place -= name.utf8.count
      return .name(name)
    }
  }

  private func word(before end: Int) -> String? {
    var first = end
    while first > start, NameScanner.isLetter(bytes[first - 1]) { first -= 1 }
    return first < end ? String(decoding: bytes[first..<end], as: UTF8.self) : nil
  }

  /// Returns the place of the opening bracket for the closing one before `end`.
  private func opening(
    of opener: Unicode.Scalar, _ closer: Unicode.Scalar, before end: Int
  ) -> Int? {
    var depth = 0
    for place in (start..<end).reversed() {
      if bytes[place] == UInt8(ascii: closer) { depth += 1 }
      if bytes[place] == UInt8(ascii: opener) { depth -= 1 }
      if depth == 0 { return place }
    }
    return nil
  }
}

extension Value {
  /// An item with the members of all items, or nil if there are no items.
  fileprivate var sampleOfItem: Value? {
    switch self {
    case .list(let items):
      var fields: [Field] = []
      // The first items show the members.
      for case .record(let own) in items.prefix(100) {
        fields += own.filter { field in !fields.contains { $0.name == field.name } }
      }
      return fields.isEmpty ? items.first : .record(fields)
    case .record(let fields): return fields.first?.value
    default: return nil
    }
  }

  /// A macro iterates over the items of a list, and the names of a record.
  fileprivate var sampleOfVariable: Value? {
    if case .record = self { .text("") } else { sampleOfItem }
  }
}

// SPDX-License-Identifier: MIT

import RoundelExpressions
import TestSupport
import Testing

/// The work of any expression is bounded, and macros do what loops do.
@Suite struct WorkTests {
  /// Counts the names that are read.
  private final class Counter { var count = 0 }

  private struct Counting: NameSpace, Scope {
    var names: Names
    let reads = Counter()

    func find(_ path: NamePath) -> (name: String, kind: Value.Kind)? { names.find(path) }

    func value(of name: String, budget: inout WorkBudget) throws(EvaluationError) -> Value {
      reads.count += 1
      return try names.value(of: name, budget: &budget)
    }
  }

  /// Writes random expressions of a kind.
  private struct Writer {
    var random: SeededGenerator
    var variables: [(name: String, kind: Value.Kind)] = []

    mutating func pick<T>(_ choices: [T]) -> T {
      choices[Int.random(in: choices.indices, using: &random)]
    }

    mutating func text(_ kind: Value.Kind, _ depth: Int) -> String {
      let known = variables.filter { $0.kind == kind }.map(\.name)
      if !known.isEmpty, Int.random(in: 0..<3, using: &random) == 0 { return pick(known) }
      guard depth > 0 else {
        switch kind {
        case .number: return pick(["1", "2.5", "cups", "0", "orders[1].price"])
        case .text: return pick(["'a'", "guest", "'a,b'", "''", "order.tags[0]"])
        case .flag: return pick(["true", "open", "order.open"])
        case .list: return pick(["many", "[]", "mixed", "[1, 2, 3]", "lists.range(50)"])
        default: return pick(["order", "{}", "{'a': many}"])
        }
      }
      func next(_ writer: inout Writer, _ kind: Value.Kind) -> String {
        let less = Int.random(in: 1...3, using: &writer.random)
        return "(\(writer.text(kind, max(depth - less, 0))))"
      }
      switch (kind, Int.random(in: 0..<4, using: &random)) {
      case (.number, 0):
        return next(&self, .number) + pick(["+", "*", "/", "-"]) + next(&self, .number)
      case (.number, 1): return "size(\(text(pick([.text, .list, .record]), depth - 1)))"
      case (.number, 2): return "sum(\(next(&self, .list)).map(\(loop(.number, depth))))"
      case (.number, _): return "dyn(\(next(&self, .list))[\(text(.number, depth - 1))])"
      case (.text, 0): return next(&self, .text) + "+" + next(&self, .text)
      case (.text, 1): return "string(\(text(pick([.list, .record, .number]), depth - 1)))"
      case (.text, 2):
        return next(&self, .text) + ".replace(\(next(&self, .text)), \(next(&self, .text)))"
      case (.text, _):
        return next(&self, .list) + ".map(\(loop(.text, depth))).join(\(next(&self, .text)))"
      case (.flag, 0):
        return next(&self, .list) + pick([".all(", ".exists(", ".exists_one("]) + loop(.flag, depth)
          + ")"
      case (.flag, 1): return next(&self, .list) + "==" + next(&self, .list)
      case (.flag, 2): return next(&self, .flag) + pick(["&&", "||"]) + next(&self, .flag)
      case (.flag, _): return next(&self, .record) + " in " + next(&self, .list)
      case (.list, 0):
        return next(&self, .list) + pick([".map(", ".filter("]) + loop(pick([.list, .flag]), depth)
          + ")"
      case (.list, 1): return "[\(text(.list, depth - 1)), \(text(.record, depth - 1))]"
      case (.list, 2):
        return next(&self, .list) + pick([".distinct()", ".reverse()", ".slice(0, 2)", "+many"])
      case (.list, _): return next(&self, .text) + ".split(\(next(&self, .text)))"
      case (_, 0): return "{'a': \(text(.list, depth - 1)), 'b': \(text(.number, depth - 1))}"
      default: return next(&self, .flag) + "?" + next(&self, .record) + ":" + next(&self, .record)
      }
    }

    private mutating func loop(_ kind: Value.Kind, _ depth: Int) -> String {
      let name = "v\(variables.count)"
      // Deeper macros are refused, so two levels of variables are enough.
      variables.append((name, pick([.number, .text, .list, .record, .flag])))
      defer { variables.removeLast() }
      return "\(name), \(text(kind, min(depth - 1, variables.count > 1 ? 0 : depth)))"
    }
  }

  private let counting: Counting = {
    var names = Names.shop
    names.values["many"] = .list((0..<2000).map { .integer($0) })
    return Counting(names: names)
  }()

  private static func levels(_ value: Value) -> Int {
    switch value {
    case .list(let values): 1 + (values.map(levels).max() ?? 0)
    case .record(let fields): 1 + (fields.map { levels($0.value) }.max() ?? 0)
    default: 0
    }
  }

  @Test func `a random program of depth 8 stays within its budget`() throws {
    var writer = Writer(random: SeededGenerator(seed: 3))
    var values = 0
    for _ in 0..<1500 {
      let text = writer.text(writer.pick([.number, .text, .flag, .list, .record]), 8)
      guard let resolved = try? Expression(text).resolved(in: counting) else { continue }
      counting.reads.count = 0
      var budget = WorkBudget(1 << 18)
      do {
        let value = try resolved.value(in: counting, budget: &budget)
        values += 1
        #expect(value.display.utf8.count <= 4 << 20 && Self.levels(value) <= 8, "\(text)")
        #expect(resolved.kind == .any || resolved.kind == value.kind, "\(text)")
      } catch {
        #expect("\(error)".utf8.count < 1000, "\(text)")
      }
      #expect(counting.reads.count <= 1 << 18, "\(text)")
    }
    #expect(values > 100)
  }

  @Test(arguments: [
    "many.map(x, many.map(y, y))", "many.all(x, many.all(y, true))",
    "string([many, many].map(a, [a, a, a]).map(a, [a, a, a]).map(a, [a, a, a])).size() < 0",
    "many.exists(x, many.exists(y, y.z))", "many.exists(x, [x].exists(y, 1 / 0 > 0))",
    "many.distinct() == many.map(x, x + 0).distinct() && many.all(x, x in many)",
    "string([many].map(a, [a, a, a, a]).map(a, [a, a, a, a]).map(a, [a, a, a, a])).size()",
    "many.map(x, string(x)).join(',').replace(',', many.map(x, string(x)).join(','))",
    "long.map(x, x + x).map(x, x + x).map(x, x + x)", "long.map(x, x.replace('', x))",
    "hundred_thousand.filter(x, hundred_thousand.exists(y, y < 0))",
    "hundred_thousand.map(x, {'a': x, 'b': x})",
    "hundred_thousand.sort().reverse().distinct().sort().map(x, [x, x])",
  ])
  func `too much work ends with an error`(_ text: String) throws {
    var names = counting.names
    names.values["long"] = .list([.text(String(repeating: "aä", count: 300_000))])
    names.values["hundred_thousand"] = .list((0..<100_000).map { .integer($0) })
    var budget = WorkBudget(1 << 20)
    let resolved = try Expression(text).resolved(in: names)
    #expect(throws: EvaluationError.self) { try resolved.value(in: names, budget: &budget) }
  }

  @Test func `a result has at most a megabyte`() throws {
    var names = Names.shop
    names.values["long"] = .text(String(repeating: "a", count: 600_000))
    names.values["hundred_thousand"] = .list((0..<100_000).map { .integer($0) })
    var budget = WorkBudget(1 << 24)
    for (text, reason) in [
      ("long + long", "the result is larger than 1 MiB"),
      ("[long, long]", "the result is larger than 1 MiB"),
      ("long.replace('a', 'bb')", "the result of \"replace\" is larger than 1 MiB"),
      ("[long, long].join()", "the result of \"join\" is larger than 1 MiB"),
      ("[hundred_thousand, hundred_thousand]", "the result is larger than 1 MiB"),
    ] {
      #expect(throws: EvaluationError.undefined(reason)) {
        try Expression(text).resolved(in: names).value(in: names, budget: &budget)
      }
    }
    for text in [
      "long", "long.reverse()", "hundred_thousand.map(x, x + 1)", "long.split('').size()",
    ] {
      _ = try Expression(text).resolved(in: names).value(in: names, budget: &budget)
    }
  }

  @Test func `macros give the same results as loops`() throws {
    var random = SeededGenerator(seed: 5)
    /// 10 / (x - 3) > limit, or nil.
    func holds(_ x: Double, _ limit: Double) -> Bool? { x == 3 ? nil : 10 / (x - 3) > limit }
    var names = Names.shop
    for _ in 0..<400 {
      let numbers = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        Double(Int.random(in: 0...6, using: &random))
      }
      let limit = Double(Int.random(in: -12...12, using: &random))
      names.values["list"] = .list(numbers.map { .number($0) })
      names.values["limit"] = .number(limit)
      let results = numbers.map { holds($0, limit) }
      let isDefined = !results.contains(nil)
      let kept = numbers.filter { holds($0, limit) == true }
      let condition = "x, 10 / (x - 3) > limit"
      func expect(_ text: String, _ value: Value?) {
        #expect((try? names.value(text)) == value, "\(text) \(numbers) \(limit)")
      }
      expect(
        "list.all(\(condition))",
        results.contains(false) ? .flag(false) : isDefined ? .flag(true) : nil)
      expect(
        "list.exists(\(condition))",
        results.contains(true) ? .flag(true) : isDefined ? .flag(false) : nil)
      expect("list.exists_one(\(condition))", isDefined ? .flag(kept.count == 1) : nil)
      expect("list.filter(\(condition))", isDefined ? .list(kept.map { .number($0) }) : nil)
      expect("list.map(\(condition), x * 2)", isDefined ? .list(kept.map { .number($0 * 2) }) : nil)
      expect(
        "list.map(x, [x, limit])", .list(numbers.map { .list([.number($0), .number(limit)]) }))
      expect("sum(list)", .number(numbers.reduce(0, +)))
      expect("list.sort()", .list(numbers.sorted().map { .number($0) }))
      expect("limit in list", .flag(numbers.contains(limit)))
      expect(
        "list.map(x, list.filter(y, y < x).size())",
        .list(numbers.map { x in .integer(numbers.count { $0 < x }) }))
    }
  }

  @Test func `string functions give the same results as loops`() throws {
    var random = SeededGenerator(seed: 6)
    func text(_ most: Int) -> String {
      String(
        (0..<Int.random(in: 0...most, using: &random)).map { _ in
          "aäb".randomElement(using: &random) ?? "a"
        })
    }
    var names = Names.shop
    for _ in 0..<500 {
      let (long, short) = (text(10), text(2))
      names.values["long"] = .text(long)
      names.values["short"] = .text(short)
      let (all, part) = (Array(long), Array(short))
      let places =
        all.indices.filter { all[$0...].starts(with: part) } + (part.isEmpty ? [all.count] : [])
      func expect(_ text: String, _ value: Value) {
        #expect((try? names.value(text)) == value, "\(text) \(long) \(short)")
      }
      expect("long.indexOf(short)", .integer(places.first ?? -1))
      expect("long.lastIndexOf(short)", .integer(places.last ?? -1))
      let from = Int.random(in: 0...all.count, using: &random)
      expect("long.indexOf(short, \(from))", .integer(places.first { $0 >= from } ?? -1))
      expect("long.lastIndexOf(short, \(from))", .integer(places.last { $0 <= from } ?? -1))
      expect("long.substring(\(from))", .text(String(all[from...])))
      expect("long.reverse()", .text(String(all.reversed())))
      expect("long.contains(short)", .flag(!places.isEmpty))
      expect("long.split(short).join(short)", .text(long))
      guard !part.isEmpty else { continue }
      expect(
        "long.split(short).join('-')",
        .text(long.split(separator: short, omittingEmptySubsequences: false).joined(separator: "-"))
      )
      expect("long.replace(short, '-') == long.split(short).join('-')", .flag(true))
    }
  }
}

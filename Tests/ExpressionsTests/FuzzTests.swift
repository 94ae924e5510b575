// SPDX-License-Identifier: MIT

import RoundelExpressions
import TestSupport
import Testing

/// Any input is rejected, or has a value, or an error that explains why not.
@Suite struct FuzzTests {
  private static let seeds = [
    "cups > 0 && temperature < 90.5 ? 'a' : \"b\\u00e4\" + string(`stop-watch`.value)",
    "clamp(round(temperature * 2e0) / 2, zero, 30) + (cups % 2 == 1 ? 1 : -1)",
    "guest.startsWith('A') || !guest.contains(guest) && size(guest) != number('1e5')",
    "now.getHours() < 12 ? min(cups, 1, .5) : max(dial.value, broken)",
    "menu.path.filter(x, x in ['a', 'b'] && has(slots.values.left)).map(y, y + `stop-watch`.value)",
    "{'a': [1, 0x1f,], guest: slots.values}.a[cups - 2] + sum(lists.range(9).map(i, i > 2, i * 2))",
    "r'a\\b'.split('').slice(0, 2).join(',').replace('a', \"\"\"b\n\"\"\").substring(1) // end",
  ]
  private static let templates =
    seeds.map { "x{\($0)}y" } + [
      "{{a}} {cups:*^+010,.2f} {temperature:e} {guest:>10.2s}",
      "{now:%A, %-d %B %H:%M} {open} {stop-watch.value}",
      "{cups:,d}{zero:g}{cups:%}",
    ]

  /// Parses, checks, evaluates and prints.
  private func use(_ text: String) {
    if let expression = try? Expression(text) {
      #expect((try? Expression(expression.description))?.description == expression.description)
      if let resolved = try? expression.resolved(in: Names.kiosk) {
        var budget = Names.budget
        let value = try? resolved.value(in: Names.kiosk, budget: &budget)
        #expect(value.map { resolved.kind == .any || $0.kind == resolved.kind } ?? true)
        if case .number(let number) = value { #expect(number.isFinite) }
      }
    }
    if let template = try? Template(text).resolved(in: Names.kiosk) {
      var budget = Names.budget
      var failure: EvaluationError?
      _ = template.text(in: Names.kiosk, budget: &budget, failure: &failure)
      _ = template.nextChange(after: CivilTime(microseconds: 0))
      _ = template.names
    }
  }

  @Test func `any prefix of an expression or template is parsed or rejected`() {
    for text in Self.seeds + Self.templates {
      for count in 0...text.unicodeScalars.count {
        use(String(String.UnicodeScalarView(text.unicodeScalars.prefix(count))))
      }
    }
  }

  @Test func `randomly changed expressions are parsed or rejected`() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<3000 {
      let text = (Self.seeds + Self.templates).randomElement(using: &random) ?? ""
      use(String(decoding: Array(text.utf8).mutated(using: &random), as: UTF8.self))
    }
  }

  @Test func `random bytes are parsed or rejected`() {
    var random = SeededGenerator(seed: 2)
    let letters = Array("(){}[]'\"`\\.,:?!&|=<>+-*/%0123456789eExu abcups_ä\n".utf8)
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random)
          : letters.randomElement(using: &random) ?? 0
      }
      use(String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test func `a megabyte of any input is parsed in time or rejected`() throws {
    for text in [
      "{", "}", "{{", "{a", "{a}", "{a.b:", "'", "\\", "1", "(", "x.", "{'", "{now:%A}", "{a-b.c}",
      "[", "[[],", "{'a':", "a[", "a.map(x,", "//", "{ {", "\"\"\"",
    ] {
      use(String(repeating: text, count: 1_000_000 / text.utf8.count))
      use("{" + String(repeating: text, count: 1_000_000 / text.utf8.count))
    }
    let names = Names(values: ["a": .number(1)])
    let filled = String(repeating: "{a}", count: 1000)
    let literal = String(repeating: "ä", count: 400_000)
    #expect(try names.text(literal + filled).utf8.count == 801_000)
    #expect {
      try Template(filled + "{a}")
    } throws: {
      "\($0)" == "a string has more than 1000 expressions"
    }
  }
}

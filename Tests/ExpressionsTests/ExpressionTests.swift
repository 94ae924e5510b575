// SPDX-License-Identifier: MIT

import RoundelExpressions
import Testing

@Suite struct ExpressionTests {
  @Test(arguments: [
    ("1 + 2 * 3 - 4 / 2", Value.number(5)), ("(1 + 2) * 3", .number(9)), ("7 / 2", .number(3.5)),
    ("-7 % 3", .number(-1)), ("7 % -3", .number(1)), ("10 - 3 - 2", .number(5)),
    ("2e3 + .5 + 1E-1", .number(2000.6)), ("--1", .number(1)), ("!!open", .flag(true)),
    ("1 < 2 == true", .flag(true)), ("1 + 1 == 2 && 2 <= 2 || false", .flag(true)),
    ("true || false && false", .flag(true)), ("false ? 1 : true ? 2 : 3", .number(2)),
    ("round(2.5)", .number(3)), ("round(-2.5)", .number(-3)), ("floor(-0.5)", .number(-1)),
    ("ceil(0.2)", .number(1)), ("abs(-3)", .number(3)), ("min(3, 1, 2)", .number(1)),
    ("max(3, 5, 4)", .number(5)), ("clamp(9, 1, 8)", .number(8)), ("clamp(0, 1, 8)", .number(1)),
    ("number('-2.5e1')", .number(-25)), ("string(0.1 + 0.2)", .text("0.3")),
    ("string(open) + string(guest)", .text("trueAda")), ("string(menu.path)", .text("a, b")),
    ("size('ä🎰')", .number(2)), ("'abc'.size()", .number(3)), ("size(menu.path)", .number(2)),
    ("size(slots.values)", .number(1)), ("menu.path == menu.path", .flag(true)),
    ("'ababac'.contains('abac') && 'aab'.contains('ab')", .flag(true)),
    ("'abcabd'.contains('abd') && !'ab'.contains('abc')", .flag(true)),
    ("guest.startsWith('A') && guest.endsWith('da') && guest.contains('')", .flag(true)),
    ("'b' > 'a' && 'a' < 'ä' && 'ab' >= 'a'", .flag(true)),
    ("`stop-watch`.value - dial . value", .number(52)), ("`2nd dial`.value", .number(2)),
    (#"'\x41\u00e4\101\U0001f3b0\n\'' + "'\"""#, .text("AäA🎰\n''\"")),
    ("now.getFullYear() * 10000 + now.getMonth() * 100 + now.getDate()", .number(20_261_021)),
    ("now.getHours() * 10000 + now.getMinutes() * 100 + now.getSeconds()", .number(80509)),
    ("now.getDayOfWeek()", .number(6)), ("now <= now && now == now", .flag(true)),
    ("string(now)", .text("2026-11-21T08:05:09")), ("\t1\r\n+\u{c}1 ", .number(2)),
  ])
  func `an expression has a value`(_ text: String, _ value: Value) throws {
    #expect(try Names.kiosk.value(text) == value)
  }

  @Test(arguments: [
    ("zero / zero", "division by zero"), ("1 % zero", "division by zero"),
    ("1e308 * 10", "the result of \"*\" is too large"), ("broken", "\"broken\" is not a number"),
    ("number('x')", "number() of a string that is not a number"),
    ("number('')", "number() of a string that is not a number"),
    ("number('1e999')", "number() of a string that is not a number"),
    ("number('nan')", "number() of a string that is not a number"),
    ("number(' 1')", "number() of a string that is not a number"),
    ("number('0x10')", "number() of a string that is not a number"),
    ("clamp(1, 3, 2)", "clamp to a range from 3 to 2"),
    ("zero > 1 || 1 / zero > 1", "division by zero"),
    ("1 / zero > 1 && open", "division by zero"), ("1 / zero > 1 ? 1 : 2", "division by zero"),
  ])
  func `what has no value says why`(_ text: String, _ reason: String) {
    #expect(throws: EvaluationError.undefined(reason)) { try Names.kiosk.value(text) }
  }

  @Test(arguments: [
    "1 / zero > 1 || true", "true || 1 / zero > 1", "!(1 / zero > 1 && false)",
    "!(false && 1 / zero > 1)", "true ? true : 1 / zero > 1",
  ])
  func `a side that does not matter may have no value`(_ text: String) throws {
    #expect(try Names.kiosk.value(text) == .flag(true))
  }

  @Test(arguments: [
    ("", 0, "unexpected end of the expression (expected a value or a name)"),
    ("1 +", 3, "unexpected end of the expression (expected a value or a name)"),
    ("(1", 2, "unexpected end of the expression (expected \")\")"),
    ("(1]", 2, "unexpected \"]\" (expected \")\")"),
    ("1 2", 2, "unexpected \"2\" (expected an operator)"),
    ("a = 1", 2, "unexpected \"=\" (expected an operator; did you mean \"==\"?)"),
    ("a and b", 2, "unexpected \"and\" (expected an operator; did you mean \"&&\"?)"),
    ("a | b", 2, "unexpected \"|\" (expected an operator; did you mean \"||\"?)"),
    ("a ? 1", 5, "unexpected end of the expression (expected \":\")"),
    ("a ? b ? 1 : 2 : 3", 6, "a choice before \":\" needs parentheses"),
    ("'ab", 0, "a string without a closing quotation mark"),
    ("'a\nb'", 2, "a line break in a string (expected \"\\n\")"),
    (
      #"'a\q'"#, 2, #"an unknown escape sequence (expected \n \t \" \' \\ \x41 \u0041 …)"#
    ),
    (
      #"'\ud800'"#, 1,
      #"an escape sequence for an unpaired surrogate (expected an escape sequence for the whole character, such as \U0001f600, or the character itself)"#
    ),
    (
      #"'\ud83d\ude00'"#, 1,
      #"an escape sequence for an unpaired surrogate (expected an escape sequence for the whole character, such as \U0001f600, or the character itself)"#
    ),
    (
      #"'a\udc00'"#, 2,
      #"an escape sequence for an unpaired surrogate (expected an escape sequence for the whole character, such as \U0001f600, or the character itself)"#
    ),
    (
      #"'\U0000d83d'"#, 1,
      #"an escape sequence for an unpaired surrogate (expected an escape sequence for the whole character, such as \U0001f600, or the character itself)"#
    ),
    (#"'\ud83'"#, 1, #"an unknown escape sequence (expected \n \t \" \' \\ \x41 \u0041 …)"#),
    (#"'\U00110000'"#, 1, #"an unknown escape sequence (expected \n \t \" \' \\ \x41 \u0041 …)"#),
    ("1e999", 0, "a number is too large"),
    ("12px", 2, "unexpected \"px\" (expected an operator after a number)"),
    ("größe", 2, "\"ö\" outside a string (expected names with such characters in backquotes)"),
    ("`a", 0, "a backquote is missing"), ("``", 0, "an empty name"),
    ("for + 1", 0, "\"for\" is a reserved word (expected `for`)"),
    ("a.in", 2, "\"in\" is a reserved word (expected `in`)"),
    ("a.", 2, "unexpected end of the expression (expected a name after \".\")"),
    ("(a).b", 4, "only names have members"),
    ("[1]", 0, "unexpected \"[\" (expected a value or a name)"),
    (
      "maximum(1, 2)", 0,
      "unknown function \"maximum\" (expected one of abs round floor ceil size string number min max clamp format)"
    ),
    (
      "'a'.matches('b')", 4,
      """
      unknown method "matches" (expected one of getFullYear getMonth getDate getDayOfWeek getHours \
      getMinutes getSeconds contains startsWith endsWith size)
      """
    ),
    ("max(1)", 0, "\"max\" takes two or more arguments"),
    ("abs(1, 2)", 0, "\"abs\" takes one argument"),
    ("clamp(1, 2)", 0, "\"clamp\" takes three arguments"),
    ("a.contains()", 2, "\"contains\" takes one argument"),
    ("a.size(1)", 2, "\"size\" takes no arguments"),
    ("max(1, 2", 8, "unexpected end of the expression (expected \",\" or \")\")"),
  ])
  func `a mistake of syntax is reported with its place`(
    _ text: String, _ offset: Int, _ description: String
  ) {
    #expect {
      try Expression(text)
    } throws: { error in
      let error = error as? ExpressionError
      return error?.offset == offset && error?.description == description
    }
  }

  @Test(arguments: [
    ("cups + cup", 7, "unknown name \"cup\" (did you mean \"cups\"?)"),
    ("dial.label", 0, "unknown name \"dial.label\""),
    ("1 + guest", 2, "\"+\" takes two numbers or two strings, not a number and a string"),
    (
      "open < open", 5, "\"<\" takes two numbers or two strings or two times, not a flag and a flag"
    ),
    ("cups == guest", 5, "\"==\" takes two values of the same kind, not a number and a string"),
    ("guest * 2", 6, "\"*\" takes two numbers, not a string and a number"),
    ("-guest", 0, "\"-\" takes a number, not a string"),
    ("!cups", 0, "\"!\" takes a flag, not a number"),
    ("cups && open", 5, "\"&&\" takes two flags, not a number and a flag"),
    ("open ? 1 : 'a'", 5, "both sides of \":\" must have the same kind, not a number and a string"),
    ("cups ? 1 : 2", 5, "\"?\" takes a flag, not a number"),
    ("size(1)", 0, "\"size\" takes a string, a list or a record, not a number"),
    ("clamp(1, 'a', 2)", 0, "\"clamp\" takes three numbers, not a string"),
    ("cups.getHours()", 5, "\"getHours\" takes a time, not a number"),
    ("guest.contains(1)", 6, "\"contains\" takes two strings, not a string and a number"),
    ("menu.path + menu.path", 10, "\"+\" takes two numbers or two strings, not a list and a list"),
  ])
  func `a wrong kind or name is reported with its place`(
    _ text: String, _ offset: Int, _ description: String
  ) {
    #expect {
      try Expression(text).resolved(in: Names.kiosk)
    } throws: { error in
      let error = error as? ExpressionError
      return error?.offset == offset && error?.description == description
    }
  }

  @Test func `a value of a kind that is not known yet is judged when it is read`() throws {
    var names = Names(values: ["event.value": .number(2)], dynamic: ["event.value"])
    for (text, kind) in [
      ("event.value", Value.Kind.any), ("event.value + 1", .number), ("event.value > 1", .flag),
      ("event.value == 'a'", .flag), ("true ? event.value : 'a'", .text),
    ] {
      #expect(try Expression(text).resolved(in: names).kind == kind)
    }
    #expect(try names.value("event.value + 1") == .number(3))
    names.values["event.value"] = .text("2")
    #expect(throws: EvaluationError.self) { try names.value("event.value + 1") }
    #expect(throws: EvaluationError.self) { try names.value("event.value == 1") }
    #expect(throws: EvaluationError.self) { try names.value("event.value && true") }
    #expect(throws: EvaluationError.self) { try names.value("event.value ? 1 : 2") }
    #expect(throws: EvaluationError.self) { try names.value("abs(event.value)") }
    #expect(throws: EvaluationError.self) { try names.value("clamp(event.value, 1, 2)") }
    #expect(try names.value("number(event.value)") == .number(2))
  }

  @Test func `an expression knows the names that it reads`() throws {
    let expression = try Expression("b.c + a * (b.c - `x-y`.z) + min(a, 1)")
    #expect(expression.names.map(\.description) == ["b.c", "a", "`x-y`.z"])
    #expect(expression.names[2] == NamePath("x-y", "z"))
    #expect(expression.singleName == nil)
    #expect(try Expression(" ( a.b ) ").singleName == NamePath("a", "b"))
    #expect(try Expression("true").singleName == nil)
    #expect(
      try Expression("cups + zero + cups").resolved(in: Names.kiosk).names == ["cups", "zero"])
  }

  @Test(arguments: [
    ("((a))+(b*c)", "a + b * c"), ("(a+b)*c", "(a + b) * c"), ("a-(b-c)", "a - (b - c)"),
    ("(a-b)-c", "a - b - c"), ("-(-a)", "--a"), ("-(a+b)", "-(a + b)"), ("!(a&&b)", "!(a && b)"),
    ("(a?b:c)?d:(e?f:g)", "(a ? b : c) ? d : e ? f : g"), ("a?(b?c:d):e", "a ? (b ? c : d) : e"),
    ("(a||b)&&c||d&&e", "(a || b) && c || d && e"),
    ("(a+b).contains('x')", "(a + b).contains(\"x\")"),
    ("(-1).size()", "size(-1)"), ("(-a).getHours()", "(-a).getHours()"), ("1.0+1e21", "1 + 1e+21"),
    (#"'"\\\n\x01'"#, #""\"\\\n\x01""#), ("max(a,b,c)", "max(a, b, c)"),
    ("max(a,max(b,c))", "max(a, max(b, c))"), ("`for`.`x y`.`ok`", "`for`.`x y`.ok"),
  ])
  func `an expression is printed with few parentheses`(_ text: String, _ printed: String) throws {
    #expect(try Expression(text).description == printed)
    #expect(try Expression(printed).description == printed)
  }

  @Test(
    arguments: [
      ("cups > 1", nil), ("now.getHours() < 12", CivilTime.Unit.hour),
      ("now.getMinutes() + now.getSeconds()", .second), ("now.getDayOfWeek() == 6", .day),
      ("string(now)", .second), ("now", .second),
      ("now.getMinutes() > 30 && now.getDate() == 1", .minute),
    ] as [(String, CivilTime.Unit?)])
  func `an expression knows how often the time changes it`(
    _ text: String, _ unit: CivilTime.Unit?
  ) throws {
    #expect(try Expression(text).resolved(in: Names.kiosk).clockUnit == unit)
  }

  // MARK: Limits

  @Test func `the work of an evaluation is bounded`() throws {
    let names = Names(values: ["long": .text(String(repeating: "a", count: 10_000))])
    let expression = try Expression("size(long + long) > 0 && true").resolved(in: names)
    for units in [0, 1, 5, 10_000, 39_000] {
      var budget = WorkBudget(units)
      #expect(throws: EvaluationError.overBudget) {
        try expression.value(in: names, budget: &budget)
      }
      #expect(budget.remaining < 10_000 || units > 20_000)
    }
    var budget = WorkBudget(50_000)
    #expect(try expression.value(in: names, budget: &budget) == .flag(true))
    #expect(budget.remaining < 10_000)
    // What is over the budget is over it on both sides of an operator.
    budget = WorkBudget(10)
    #expect(throws: EvaluationError.overBudget) {
      try Expression("size(long + long) > 0 || true").resolved(in: names)
        .value(in: names, budget: &budget)
    }
  }

  @Test func `looking for a text in another takes time in proportion to both`() throws {
    let names = Names(values: [
      "long": .text(String(repeating: "a", count: 500_000)),
      "pattern": .text(String(repeating: "a", count: 250_000) + "b"),
    ])
    var budget = WorkBudget(1_000_000)
    let expression = try Expression("long.contains(pattern)").resolved(in: names)
    #expect(try expression.value(in: names, budget: &budget) == .flag(false))
  }

  @Test func `depth has a limit and no crash beyond it`() throws {
    func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    for nested: (Int) -> String in [
      { repeated("(", $0) + "1" + repeated(")", $0) }, { repeated("-", $0) + "1" },
      { repeated("!", $0) + "true" }, { "1" + repeated(" + 1", $0) },
      { repeated("abs(", $0) + "1" + repeated(")", $0) }, { repeated("true?1:", $0) + "1" },
      { repeated("(1+", $0) + "1" + repeated(")", $0) }, { "''" + repeated("+''", $0) },
      { "max(1" + repeated(",1", $0) + ")" }, { repeated("-(", $0) + "1" + repeated(")", $0) },
      { "'a'" + repeated(".contains('a')", $0) },
    ] {
      _ = try Expression(nested(49))
      for depth in [101, 500] {
        #expect {
          try Expression(nested(depth))
        } throws: {
          "\($0)" == "an expression has more than 100 levels"
            || "\($0)" == "an expression is longer than 4096 bytes"
        }
      }
      for depth in [10_000, 1_000_000] {
        #expect { try Expression(nested(depth)) } throws: { "\($0)".contains("4096 bytes") }
        #expect(throws: ExpressionError.self) { try Template("{\(nested(depth))}") }
      }
    }
    let long = "'\(repeated("x", 4094))'"
    #expect(try Expression(long).text == long)
    #expect(throws: ExpressionError.self) { try Expression(long + " ") }
  }
}

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
  func `an expression without a value says why`(_ text: String, _ reason: String) {
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
    ("[1", 2, "unexpected end of the expression (expected \",\" or \"]\")"),
    ("a[1", 3, "unexpected end of the expression (expected \"]\")"),
    ("[,]", 1, "unexpected \",\" (expected a value or a name)"),
    ("{'a' 1}", 5, "unexpected \"1\" (expected \":\" after the name of a member)"),
    ("{'a': 1", 7, "unexpected end of the expression (expected \",\" or \"}\")"),
    ("{'a': 1, \"a\": 2}", 9, "a record has a member twice"),
    ("a in", 4, "unexpected end of the expression (expected a value or a name)"),
    ("a inb", 2, "unexpected \"inb\" (expected an operator)"),
    ("a.map(1, 2)", 6, "unexpected \"1\" (expected the name of a variable)"),
    ("a.map(x)", 7, "unexpected \")\" (expected \",\" after a variable)"),
    ("a.map(in, 1)", 6, "\"in\" is a reserved word (expected `in`)"),
    ("a.map(`x`, 1)", 6, "a variable has no backquotes"),
    ("a.all(x, 1, 2)", 10, "unexpected \",\" (expected \")\")"),
    (
      "a.map(x, b.map(y, c.map(z, 1)))", 20,
      "more than two nested macros (expected a computed value for one)"
    ),
    ("has(1)", 0, "\"has\" takes a name, a member or an item"),
    ("has(a, b)", 0, "\"has\" takes a name, a member or an item"),
    ("a.substring()", 2, "\"substring\" takes 1 to 2 arguments"),
    ("a.slice(1)", 2, "\"slice\" takes 2 arguments"),
    ("0x", 0, "a hexadecimal number has 1 to 16 digits"),
    ("0x11112222333344445", 0, "a hexadecimal number has 1 to 16 digits"),
    ("\"\"\"a\"\"", 0, "a string without a closing quotation mark"),
    (
      "maximum(1, 2)", 0,
      """
      unknown function "maximum" (expected one of abs round floor ceil size string number int bool \
      dyn math.trunc math.sign math.greatest math.least lists.range sum icon min max clamp format has \
      double math.abs math.ceil math.floor math.round)
      """
    ),
    (
      "'a'.matches('b')", 4,
      """
      unknown method "matches" (expected one of getFullYear getMonth getDate getDayOfWeek getHours \
      getMinutes getSeconds lowerAscii upperAscii trim reverse sort distinct first last contains \
      startsWith endsWith size charAt indexOf lastIndexOf replace split substring join slice all \
      exists exists_one filter map)
      """
    ),
    ("max(1)", 0, "\"max\" takes two or more arguments"),
    ("abs(1, 2)", 0, "\"abs\" takes one argument"),
    ("clamp(1, 2)", 0, "\"clamp\" takes three arguments"),
    ("a.contains()", 2, "\"contains\" takes one argument"),
    ("a.size(1)", 2, "\"size\" takes no arguments"),
    ("max(1, 2", 8, "unexpected end of the expression (expected \",\" or \")\")"),
  ])
  func `a syntax error is reported with its position`(
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
    (
      "1 + guest", 2,
      "\"+\" takes two numbers or two strings or two lists, not a number and a string"
    ),
    (
      "menu.path < menu.path", 10,
      "\"<\" takes two numbers or two strings or two flags or two times, not a list and a list"
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
    (
      "menu.path + 1", 10,
      "\"+\" takes two numbers or two strings or two lists, not a list and a number"
    ),
    ("cups.price", 0, "unknown name \"cups.price\""),
    ("(1).a", 4, "only records have members such as \"a\", not a number"),
    ("cups[0]", 4, "only lists and records have items, not a number"),
    ("menu.path['a']", 9, "an item has a number, not a string"),
    ("slots.values[0]", 12, "the name of a member is a string, not a number"),
    ("dyn(1)[true]", 6, "brackets take a number or a string, not a flag"),
    ("{1: 2}", 0, "the name of a member is a string, not a number"),
    ("1 in cups", 2, "\"in\" takes a list or a record, not a number"),
    ("1 in ['a']", 2, "\"in\" looks for a number in a list of strings"),
    ("1 in slots.values", 2, "\"in\" looks for a string in a record, not for a number"),
    ("cups.map(x, x)", 5, "\"map\" takes a list or a record, not a number"),
    ("[1].filter(x, x)", 4, "\"filter\" asks for a flag, not a number"),
    ("['a'].map(x, x * 2)", 15, "\"*\" takes two numbers, not a string and a number"),
    ("[1, 2][0].size()", 10, "\"size\" takes a string, a list or a record, not a number"),
    (
      "{'a': 1}.a + 'b'", 11,
      "\"+\" takes two numbers or two strings or two lists, not a number and a string"
    ),
    ("sum(['a'])", 0, "\"sum\" takes a list of numbers, not of strings"),
    ("[[1]].sort()", 6, "\"sort\" takes a list of numbers, strings, flags or times, not of lists"),
    ("guest.charAt('a')", 6, "\"charAt\" takes a number in its parentheses, not a string"),
    ("cups.split(',')", 5, "\"split\" takes a string, not a number"),
    ("format(cups, cups)", 0, "a format is a string, not a number"),
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
    #expect(try names.value("event.value == 1") == .flag(false))
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
    ("[ 1,(2) ,]", "[1, 2]"), ("{ 'a':1,b:[ ] }", "{\"a\": 1, b: []}"),
    ("(a)[ (1)+2 ]", "a[1 + 2]"),
    ("(-a)[0]", "(-a)[0]"), ("(a+b).`x y`.c", "(a + b).`x y`.c"), ("(a) in(b)||c", "a in b || c"),
    ("a.map(x,x>1,x.y+.x)", "a.filter(x, x > 1).map(x, x.y + .x)"),
    ("a.all(x,b.exists(y,y==x))", "a.all(x, b.exists(y, y == x))"), ("has( a.b )", "has(a.b)"),
    ("math.abs(-1) + double('2')", "abs(-1) + number(\"2\")"), ("r'\\d'", "\"\\\\d\""),
    ("math.greatest(a,b,1)", "max(a, b, 1)"), ("math.least(a)", "math.least(a)"), ("0xfF", "255"),
    ("a.substring(1,2).split('')", "a.substring(1, 2).split(\"\")"), ("a // b\n + c", "a + c"),
    ("\"\"\"a\nb\"\"\"", "\"a\\nb\""), ("format(a, b + 'd')", "format(a, b + \"d\")"),
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
    // An operand that exceeds the budget does so on either side of an operator.
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

  @Test func `depth has a limit, and nothing crashes beyond it`() throws {
    func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
    for nested: (Int) -> String in [
      { repeated("(", $0) + "1" + repeated(")", $0) }, { repeated("-", $0) + "1" },
      { repeated("!", $0) + "true" }, { "1" + repeated(" + 1", $0) },
      { repeated("abs(", $0) + "1" + repeated(")", $0) }, { repeated("true?1:", $0) + "1" },
      { repeated("(1+", $0) + "1" + repeated(")", $0) }, { "''" + repeated("+''", $0) },
      { "max(1" + repeated(",1", $0) + ")" }, { repeated("-(", $0) + "1" + repeated(")", $0) },
      { "'a'" + repeated(".contains('a')", $0) }, { repeated("[", $0) + repeated("]", $0) },
      { repeated("{'a':", $0) + "1" + repeated("}", $0) }, { "a" + repeated("[0]", $0) },
      { "(1)" + repeated(".a", $0) }, { "[]" + repeated(".map(x, x)", $0) },
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

// SPDX-License-Identifier: MIT

import RoundelExpressions
import Testing

@Suite struct TemplateTests {
  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("{{cups}} }} {{{cups}}}", "{cups} } {3}"), ("}", "}"),
    ("{cups} cups", "3 cups"), ("{temperature:.1f} °C", "21.5 °C"), ("{cups:02d}", "03"),
    ("{ cups + 1 }", "4"), ("{open ? 'on' : 'off'}", "on"), ("{open ? cups : zero:.2f}", "3.00"),
    ("{temperature * 1000:,.0f}", "21,500"), ("{cups / 4:.0%}", "75%"), ("{guest:>5}|", "  Ada|"),
    ("{guest:.1}", "A"), ("{'}' + '{'}", "}{"), ("{2.5:d} {2.5:.0f}", "3 2"),
    ("{cups:5}|", "    3|"),
    ("{now:%H:%M}", "08:05"), ("{now:%A, %-d %B %Y}", "Samstag, 21 November 2026"),
    ("{now:%a %b %^a %p}", "Sam Nov. SAM AM"), ("{open ? now : now:%R}", "08:05"),
    ("{now}", "2026-11-21T08:05:09"), ("{menu.path}", "a, b"), ("{slots.values}", "left 1"),
    (
      "{0.1 + 0.2} {1 / 3} {-0.0} {1e15} {123456789012345678}",
      "0.3 0.333333333333333 0 1000000000000000 123456789012346000"
    ),
    (
      "{1e20} {1e21} {0.000001} {1e-7} {12.5e-8} {5e-324}",
      "100000000000000000000 1e21 0.000001 1e-7 1.25e-7 5e-324"
    ),
    // With a type or precision as in Python, otherwise as without a format.
    ("{1e21:.3g} {1e21:.3} {1e21:.0e} {1e-7:g}", "1e+21 1e+21 1e+21 1e-07"),
    ("{1e21:>6} {1e-7:>6}", "  1e21   1e-7"),
    ("{'é'}", "é"), ("{'e\u{301}'}", "e\u{301}"), ("{ 'é' + '' }", "é"),
  ])
  func `a template is filled in`(_ template: String, _ text: String) throws {
    #expect(try Names.kiosk.text(template) == text)
  }

  @Test func `an undefined value shows as a dash and is reported once`() throws {
    var budget = Names.budget
    var failure: EvaluationError?
    let template = try Template("{1 / zero}, {cups}, {number('x')}").resolved(in: Names.kiosk)
    #expect(template.text(in: Names.kiosk, budget: &budget, failure: &failure) == "–, 3, –")
    #expect(failure == .undefined("division by zero"))
    #expect(throws: EvaluationError.undefined("division by zero")) {
      try template.value(in: Names.kiosk, budget: &budget)
    }
    failure = nil
    budget = WorkBudget(5)
    let long = try Template("{cups} {cups} {cups}").resolved(in: Names.kiosk)
    #expect(long.text(in: Names.kiosk, budget: &budget, failure: &failure) == "3 3––")
    #expect(failure == .overBudget)
  }

  @Test(
    arguments: [
      ("{cups}", Value.number(3), "cups"), ("{open}", .flag(true), "open"),
      ("{cups > 2}", .flag(true), nil), ("{cups:d}", .text("3"), nil),
      ("{cups} ", .text("3 "), nil),
      ("{ menu.path }", .list([.text("a"), .text("b")]), "menu.path"), ("", .text(""), nil),
      ("{now}", .time(CivilTime(microseconds: 1_795_248_309_000_000)), "now"),
      ("{guest}{guest}", .text("AdaAda"), nil), ("3", .text("3"), nil),
    ] as [(String, Value, String?)])
  func `a template with a single expression keeps its kind`(
    _ text: String, _ value: Value, _ name: String?
  ) throws {
    var budget = Names.budget
    let template = try Template(text).resolved(in: Names.kiosk)
    #expect(template.kind == value.kind)
    #expect(template.singleName == name)
    #expect(try template.value(in: Names.kiosk, budget: &budget) == value)
  }

  @Test func `braces around a property's name refer to the property`() throws {
    var names = Names(values: [
      "`stop-watch`.value": .number(59), "`b?`.label": .text("B"), "`a:b`.x": .text("c"),
      "`2nd dial`.`%`": .number(1), "stop": .number(9), "watch.value": .number(4),
      "`1`.`2`": .number(3),
    ])
    #expect(
      try names.text("{stop-watch.value} {b?.label} {a:b.x} {2nd dial.%} {1.2}") == "59 B c 1 3")
    #expect(
      try Template("{stop-watch.value}").resolved(in: names).singleName == "`stop-watch`.value")
    // In other expressions it is a difference.
    #expect(try names.text("{stop-watch.value + 0} {stop-watch.value:d}") == "5 5")
    names.values["`stop-watch`.value"] = nil
    #expect(try names.text("{stop-watch.value}") == "5")
    names.values["`b?`.label"] = nil
    #expect {
      try Template("x {b?.label}").resolved(in: names)
    } throws: {
      ($0 as? ExpressionError)?.offset == 11
    }
    #expect(throws: ExpressionError.self) { try Template("{b?}") }
  }

  @Test(arguments: [
    ("{", 1, "unexpected end of the expression (expected a value or a name)"),
    ("a {cups", 7, "unexpected end of the expression (expected \"}\" or \":\" and a format)"),
    ("{cups cups}", 6, "unexpected \"cups\" (expected \"}\" or \":\" and a format)"),
    ("{}", 1, "unexpected \"}\" (expected a value or a name)"),
    ("ä{cups:}", 8, "a format is missing after \":\""),
    ("{cups:d", 6, "a format without its closing brace (expected \"}\")"),
    (
      "{cups:x}", 6,
      "\"x\" is not a format (expected a format such as \".1f\" \"02d\" \",d\" \".0%\")"
    ),
    ("{cups:200d}", 6, "a width is at most 100"),
    ("{cups:.1000f}", 6, "a precision is at most 100"),
    ("{cups:.f}", 6, "a precision is missing after \".\""),
    ("{cups:.1d}", 6, "\"d\" has no precision"),
    ("{guest:d}", 7, "\"d\" formats numbers, not a string"),
    ("{guest:+}", 7, "signs and digit grouping apply to numbers, not to a string"),
    ("{cups:s}", 6, "\"s\" formats strings, not a number"),
    ("{open:d}", 6, "a flag takes no format"), ("{menu.path:5}", 11, "a list takes no format"),
    (
      "{now:%Q}", 5,
      "unknown conversion \"%Q\" in a time format (expected a conversion such as %H %M %S %d %m %Y %A %B %-d)"
    ),
    ("{now:%}", 5, "a conversion is missing after \"%\""),
    (
      "{cups:%H}", 6,
      "\"%H\" is not a format (expected a format such as \".1f\" \"02d\" \",d\" \".0%\")"
    ),
    ("ab {cups + cup}", 11, "unknown name \"cup\" (did you mean \"cups\"?)"),
    ("ab {cup.x}", 4, "unknown name \"cup.x\" (did you mean \"cups\"?)"),
    (
      "{1 + guest}", 3,
      "\"+\" takes two numbers or two strings or two lists, not a number and a string"
    ),
  ])
  func `an error is reported with its offset in the whole text`(
    _ text: String, _ offset: Int, _ description: String
  ) {
    #expect {
      try Template(text).resolved(in: Names.kiosk)
    } throws: { error in
      let error = error as? ExpressionError
      return error?.offset == offset && error?.description == description
    }
  }

  @Test func `a template lists its names, including days and months`() throws {
    let names = Names.kiosk
    let template = try Template("{cups} {temperature} {now:%A %B} {cups}").resolved(in: names)
    #expect(template.names == ["cups", "temperature", "now", "texts.saturday"])
    #expect(try Template("{now:%a %b}").resolved(in: names).names.contains("texts.nov"))
    #expect(try Template("{now:%H}").resolved(in: names).names == ["now"])
    #expect(try Template("cups").resolved(in: names).names == [])
    #expect(try Template("cups").literal == "cups")
    #expect(try Template("{cups}").literal == nil)
    #expect(Template(literal: "{cups}").literal == "{cups}")
    #expect(Template(literal: "").literal == "")
  }

  @Test(
    arguments: [
      ("{now:%H:%M}", "2026-11-21T08:06:00"), ("{now:%H}", "2026-11-21T09:00:00"),
      ("{now:%A %d}", "2026-11-22T00:00:00"), ("{now:%T}", "2026-11-21T08:05:10"),
      ("{now:%d} {now:%I %p} {cups}", "2026-11-21T09:00:00"), ("{now}", "2026-11-21T08:05:10"),
      ("{now.getHours() < 12 ? 'a' : 'b'}", "2026-11-21T09:00:00"),
      ("{now.getSeconds() > 3 ? now : now:%H}", "2026-11-21T08:05:10"),
      ("{open ? now : now:%H:%M}", "2026-11-21T08:06:00"), ("{cups}", nil), ("{now:-%%}", nil),
    ] as [(String, String?)])
  func `a clock changes only when its text does`(_ text: String, _ next: String?) throws {
    let now = try #require(CivilTime("2026-11-21T08:05:09.25"))
    let template = try Template(text).resolved(in: Names.kiosk)
    #expect(template.nextChange(after: now) == next.flatMap { CivilTime($0) })
  }

  @Test func `a format of a dynamic kind is checked when it is used`() throws {
    var names = Names.kiosk
    names.dynamic = ["cups", "guest", "now"]
    #expect(try names.text("{cups:.1f} {guest:>4} {now:%H} {cups:%}") == "3.0  Ada 08 300.000000%")
    #expect(try names.text("{guest:.1f} {cups:s} {cups:%H} {now:.1f}") == "– – – –")
  }
}

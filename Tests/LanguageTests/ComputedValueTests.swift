// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelExpressions
import Kiosk
import KioskFile
import RoundelMotion
import Testing

@Suite struct ComputedValueTests {
  private static let file = page(
    """
    - {label: l, at: [100, 40], text: "{greeting}, {state}"}
    - {dial: d, at: [200, 200], radius: 90, labels: 9, value: "{cups}"}
    - {button: b, at: [60, 340], size: [90, 60], text: B, enabled: "{isFull == false}",
       on: {selected: [{set: {cups: "{cups + 1}"}}, {emit: {name: had, twice: "{twice}", now: "{texts.t}"}}]}}
    """,
    """
    values:
      state: "{isFull ? 'full' : string(rest) + ' left'}"
      isFull: "{rest <= 0}"
      rest: {value: "{8 - d.value}", unit: l}
      twice: "{cups * 2}"
      greeting: "Hello {guest}{{}}"
      cups: {value: 1, min: 0, max: 8, step: 1}
      guest: {value: Ada, keep: true}
    languages: [en]
    texts: {t: {en: "{twice} halves"}}
    """)

  @Test func `a computed value follows its inputs in any order, even through controls`() throws {
    var guest = try Guest(Self.file)
    #expect(guest["twice"] == .number(2))
    #expect(guest.texts.first == "Hello Ada{}, 7 left")
    try guest.set("cups", .number(8))
    guest.advance(to: 2)
    #expect(guest["isFull"] == .flag(true))
    #expect(guest["b.enabled"] == .flag(false))
    #expect(guest.texts.first == "Hello Ada{}, full")
    try guest.engine.apply(.reset(nil))
    guest.advance(to: 4)
    #expect(guest["state"] == .text("7 left") && guest["twice"] == .number(2))
  }

  @Test func `an action reads the current result of a value`() throws {
    var guest = try Guest(Self.file)
    _ = guest.events()
    try guest.tap("b", at: 1)
    #expect(guest.events("emit") == ["emit(name had, twice 4, now 4 halves) by action"])
  }

  @Test func `nothing can set a computed value`() throws {
    var guest = try Guest(Self.file)
    #expect(throws: PropertyError.bound("twice")) { try guest.set("twice", .number(1)) }
    let description = try Guest.description(
      page(
        "- {ring: r, at: [100, 100], radius: 90, value: \"{twice}\"}",
        "values: {cups: 1, twice: \"{cups * 2}\"}"))
    var other = Engine(description, seed: 1)
    #expect(throws: PropertyError.bound("value")) {
      try other.set("value", of: "r", to: .number(4))
    }
    #expect(guest.engine.persistentValues == ["guest": .text("Ada")])
    #expect(guest.engine.handoverState.values["twice"] == nil)
  }

  @Test
  func `a computed value has the kind of its template, and shows a dash while undefined`() throws {
    var guest = try Guest(
      page(
        "- {label: l, at: [1, 2], text: \"{share:.1f} {more}\"}",
        "values: {share: \"{10 / n}\", more: \"{share + 1}\", n: 4, list: \"{l.text}\"}"))
    #expect(guest.texts == ["2.5 3.5"])
    _ = guest.events()
    try guest.set("n", .number(0))
    #expect(guest.texts == ["– –"])
    #expect(guest["more"] == nil)
    #expect(guest.failures() == ["share: division by zero"])
    try guest.set("n", .number(5))
    #expect(guest.texts == ["2.0 3"])
    #expect(guest.failures() == [])
  }

  @Test func `each value of a long chain is computed once, in any order`() throws {
    let names = (1...300).reversed().map { "v\($0): \"{v\($0 - 1) + v\($0 - 1) / 1000}\"" }
    var guest = try Guest(
      page(
        "- {label: l, at: [1, 2], text: \"{v300:.3f}\"}",
        "values: {\(names.joined(separator: ", ")), v0: 1}"))
    #expect(guest.texts == ["1.350"])
    try guest.set("v0", .number(2))
    #expect(guest.texts == ["2.699"])
    #expect(guest.failures() == [])
  }

  @Test
  func `a clock in a computed value is right, and wakes the kiosk only while visible`() throws {
    var guest = try Guest(
      """
      kiosk: k
      values: {night: "{now.getHours() >= 22 || now.getHours() < 6}", second: "{now.getSeconds()}"}
      pages:
        - {page: a, controls: [{label: l, at: [1, 2], text: "{night ? 'night' : 'day'}"}]}
        - {page: b, controls: [{label: m, at: [1, 2], text: x}]}
      """)
    guest.engine.setClock(try #require(CivilTime("2026-11-21T21:59:30")))
    #expect(guest.texts == ["day"])
    #expect(guest.engine.nextChange == Instant(seconds: 30))
    guest.advance(to: 30)
    #expect(guest.texts == ["night"])
    #expect(guest.engine.nextChange == Instant(seconds: 3630))
    guest.advance(to: 47.3)
    #expect(guest["second"] == .number(17))
    guest.engine.go(to: "b")
    #expect(guest.engine.nextChange == nil)
    guest.advance(to: 30 + 8 * 3600)
    #expect(guest["night"] == .flag(false))
    #expect(guest["second"] == .number(0))
  }

  @Test func `formatted numbers use the current language's separators immediately`() throws {
    var guest = try Guest(
      page(
        "- {label: l, at: [1, 2], text: \"{n:,.2f} {shown} {n}\"}",
        """
        values: {n: 1234.5, shown: "{format(n, '.1f')}"}
        languages: [en, de]
        texts: {decimal_point: {de: ","}, thousands_separator: {de: "."}}
        """))
    // A language without separators uses the defaults.
    #expect(guest.texts == ["1,234.50 1234.5 1234.5"])
    try guest.set("language", .text("de"))
    #expect(guest.texts == ["1.234,50 1234,5 1234.5"])
  }

  @Test func `a new version of the file recomputes values`() throws {
    var guest = try Guest(
      page("- {label: l, at: [1, 2], text: \"{x}\"}", "values: {n: 1, x: \"{n + 1}\"}"))
    try guest.set("n", .number(5))
    let next = page("- {label: l, at: [1, 2], text: \"{x}\"}", "values: {x: \"{n * 10}\", n: 1}")
    guest.engine.replace(with: try Guest.description(next), seed: 1)
    #expect(guest.texts == ["50"])
    let past = guest.engine.handoverState
    let other = Engine(
      try Guest.description(next), seed: 1, clock: Engine.defaultClock, continuing: past)
    #expect(other.value(of: .value("x")) == .number(50))
  }

  @Test func `a computed value has the cause of its inputs`() throws {
    var guest = try Guest(Self.file)
    try guest.set("cups", .number(3))
    #expect(guest.engine.cause(ofLastChangeOf: [.value("twice")]) == .command)
    try guest.tap("b", at: 1)
    #expect(guest.engine.cause(ofLastChangeOf: [.value("twice")]) == .action)
  }

  // MARK: Errors

  private func diagnostics(
    _ values: String, _ control: String = "{label: l, at: [99, 99], text: x}"
  )
    -> [String]
  {
    let file = page("- \(control)", "values: {\(values)}")
    return ParsedKiosk(Array(file.utf8), path: "k.yaml", assets: StubAssets()).diagnostics
      .map(\.description)
  }

  @Test(arguments: [
    ("a: \"{a + 1}\"", "a depends on itself (expected no cycle)"),
    ("a: \"{b}\", b: \"{a}\"", "a depends on itself through b"),
    ("a: \"{nothing}\"", "unknown name \"nothing\""),
    ("a: \"{1 +}\"", "unexpected \"}\""),
    ("a: \"{1 + 'x'}\"", "takes two numbers or two strings"),
    (
      "a: {value: \"{1}\", keep: true}",
      "a computed value has no \"keep\" (expected value, unit, to and gone)"
    ),
    ("a: {value: \"{1}\", min: 1, max: 2}", "a computed value has no \"min\""),
    ("a: {value: \"{'x'}\", unit: l}", "\"a\" has a unit but is a string"),
  ])
  func `an invalid computed value is an error at its location`(_ values: String, _ words: String) {
    let found = diagnostics(values)
    #expect(found.first?.contains(words) == true, "\(found)")
    #expect(found.first?.hasPrefix("k.yaml:3:") == true)
  }

  @Test func `a cycle through a control's key is an error`() {
    let found = diagnostics(
      "a: \"{d.label}\"", "{dial: d, at: [99, 99], radius: 90, labels: 9, value: \"{number(a)}\"}")
    #expect(found.count == 1)
    #expect(found.first?.contains("depends on itself through") == true, "\(found)")
  }

  @Test(arguments: ["a", "d.value"])
  func `an action that sets a computed value is an error`(_ name: String) {
    let found = diagnostics(
      "a: \"{b}\", b: 1",
      "{dial: d, at: [99, 99], radius: 90, labels: 9, value: \"{a}\", on: {settled: [{set: {\(name): 1}}]}}"
    )
    #expect(found.count == 1)
    #expect(
      found.first?.contains("is bound to an expression and cannot be set") == true, "\(found)")
  }
}

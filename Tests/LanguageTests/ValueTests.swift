// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import Kiosk
import Testing

@Suite struct ValueTests {
  private static let values = """
    values:
      cups: {value: 1, min: 1, max: 8, step: 1}
      odd: {value: 3, min: 1, max: 8, step: 2}
      guest: ""
      code: 007
      ready: false
      volume: 0.5
    """
  private static let file = page("- {label: l, at: [1, 2], text: x}", values)

  @Test func `the first value determines the kind, and only JSON numbers and flags count`() throws {
    let guest = try Guest(Self.file)
    #expect(guest["cups"] == .number(1))
    #expect(guest["guest"] == .text(""))
    #expect(guest["code"] == .text("007"))
    #expect(guest["ready"] == .flag(false))
    #expect(guest["volume"] == .number(0.5))
    #expect(guest["nothing"] == nil)
  }

  @Test(arguments: [
    ("cups", 3.4, 3.0), ("cups", 3.5, 4), ("cups", -7, 1), ("cups", 1e300, 8), ("odd", 4.1, 5),
    ("odd", 8, 7), ("odd", 0, 1), ("volume", -2, -2),
  ])
  func `bounds and steps clamp and round, and never reject`(
    _ name: String, _ given: Double, _ becomes: Double
  ) throws {
    var guest = try Guest(Self.file)
    try guest.set(name, .number(given))
    #expect(guest[name] == .number(becomes))
  }

  @Test func `a value reaches its last step, and adding more doesn't change it`() throws {
    var guest = try Guest(
      page(
        "- {button: more, at: [100, 100], size: [90, 90], on: {selected: [{set: {u: '{u + 0.1}'}}]}}",
        """
        values:
          u: {value: 0.2, min: 0, max: 0.3, step: 0.1}
          far: {value: 0, max: 34.9, step: 0.1}
        """))
    var shown: [Value?] = []
    for second in 1...4 {
      guest.tap(Point(100, 100), at: Double(second))
      guest.advance(to: Double(second) + 0.5)
      shown.append(guest["u"])
    }
    #expect(shown == Array(repeating: .number(0.3), count: 4))
    try guest.set("far", .number(100))
    #expect(guest["far"] == .number(34.9))
  }

  @Test func `a value of another kind is rejected, and nothing changes`() throws {
    var guest = try Guest(Self.file)
    for (name, value) in [
      ("cups", Value.text("3")), ("guest", .number(3)), ("ready", .number(1)),
      ("cups", .number(.nan)), ("cups", .number(.infinity)), ("nothing", .number(1)),
      ("page", .text("home")), ("uptime", .number(3)),
    ] {
      #expect(throws: PropertyError.self) { try guest.set(name, value) }
    }
    #expect(guest["cups"] == .number(1))
    #expect(guest.events() == [])
  }

  @Test func `persistent values are restored if they are valid`() throws {
    let file = page(
      "- {label: l, at: [1, 2], text: \"{guest} {cups}\"}",
      """
      values:
        guest: {value: "", keep: true}
        cups: {value: 1, max: 8, keep: true}
        other: 1
      """)
    var guest = try Guest(
      file,
      kept: ["guest": .text("Ana"), "cups": .number(99), "other": .number(5), "gone": .flag(true)])
    #expect(guest.texts == ["Ana 8"])
    #expect(guest["other"] == .number(1))
    #expect(guest.engine.persistentValues == ["guest": .text("Ana"), "cups": .number(8)])
    // A value of another kind, perhaps from another version of the file.
    #expect(try Guest(file, kept: ["cups": .text("many")])["cups"] == .number(1))
    try guest.set("guest", .text("Bo"))
    guest.engine.restart(try Guest.description(file), seed: 1)
    #expect(guest["guest"] == .text("Bo"))
    try guest.engine.apply(.reset(nil))
    #expect(guest["guest"] == .text("Bo"))
  }

  @Test func `a reloaded kiosk keeps its values if they are still valid`() throws {
    var guest = try Guest(page("- {label: l, at: [1, 2], text: x}", "values: {a: 1, b: 2, c: x}"))
    try guest.set("a", .number(5))
    try guest.set("b", .number(6))
    guest.engine.replace(
      with: try Guest.description(
        page("- {label: l, at: [1, 2], text: x}", "values: {a: 1, b: text, d: 4}")), seed: 1)
    #expect(guest["a"] == .number(5))
    #expect(guest["b"] == .text("text"))
    #expect(guest["c"] == nil)
    #expect(guest["d"] == .number(4))
  }
}

@Suite struct TextTests {
  private static let file = page(
    """
    - {label: l, at: [200, 50], text: "{texts.welcome}"}
    - {button: b, at: [200, 200], size: [99, 99], text: "{language}", on: {selected: [{set: {language: "{language == 'en' ? 'de' : 'en'}"}}]}}
    """,
    """
    values: {name: Ana}
    languages: [en, de]
    texts:
      welcome: {en: "Welcome {name}", de: "{texts.greeting}, {name}!"}
      greeting: {en: Hello, de: Willkommen}
    """)

  @Test func `translations follow the language, a value that actions and clients can set`() throws {
    var guest = try Guest(Self.file)
    #expect(guest.texts == ["Welcome Ana", "en"])
    try guest.tap("b", at: 1)
    #expect(guest.texts == ["Willkommen, Ana!", "de"])
    #expect(guest.events("language") == ["language(language de) by action"])
    try guest.set("name", .text("Bo"))
    #expect(guest.texts == ["Willkommen, Bo!", "de"])
    try guest.set("language", .text("en"))
    #expect(guest.events("language") == ["language(language en) by command"])
    #expect(throws: PropertyError.self) { try guest.set("language", .text("fr")) }
  }

  @Test func `day and month names come from the translations`() throws {
    var guest = try Guest(
      page(
        "- {label: l, at: [200, 50], text: \"{now:%A, %-d. %B}\"}",
        """
        languages: [de]
        texts: {monday: {de: Montag}, november: {de: November}}
        """))
    guest.engine.setClock(try #require(CivilTime("2026-11-23T08:00")))
    #expect(guest.texts == ["Montag, 23. November"])
  }
}

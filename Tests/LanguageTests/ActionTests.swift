// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelExpressions
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelMotion
import Testing

@Suite struct ActionTests {
  private static func button(_ actions: String, _ head: String = "values: {n: 3, name: Ana}")
    -> String
  {
    page("- {button: b, at: [200, 200], size: [99, 99], text: B, on: {selected: \(actions)}}", head)
  }

  @Test func `event fields keep their kinds, and templates are filled in`() throws {
    var guest = try Guest(
      Self.button(
        "[{emit: {name: \"sold_{name}\", price: \"{n * 1.5}\", text: \"{n} cups\", ok: true, code: 007, of: \"{event.label}\"}}]"
      ))
    try guest.tap("b", at: 0)
    let event = try #require(guest.engine.takeEvents().last)
    #expect(
      event.fields == [
        Field("name", .text("sold_Ana")), Field("price", .number(4.5)),
        Field("text", .text("3 cups")), Field("ok", .flag(true)), Field("code", .text("007")),
        Field("of", .text("B")),
      ])
  }

  @Test func `programs and pages accept templates`() throws {
    var guest = try Guest(
      Self.button("[{run: [logger, \"{name} {n}\", \"{{x}}\"]}]"))
    try guest.tap("b", at: 0)
    #expect(guest.engine.takePrograms() == [["logger", "Ana 3", "{x}"]])
  }

  @Test func `lists of maps are set and reported unchanged`() throws {
    var guest = try Guest(
      page(
        """
        - pinwheel: w
          at: [200, 200]
          radius: 50
          wedges: [{id: a}]
        - button: b
          at: [350, 350]
          size: [90, 90]
          text: B
          on:
            selected:
              - set: {w.wedges: [{id: x, label: "X {{}}", enabled: false}, {id: y, label: 007}]}
              - emit: {name: e, rows: [{id: 1, tags: [p, 2], on: {deep: true}}, plain]}
        """))
    try guest.tap("b", at: 0)
    #expect(guest["w.y.label"] == .text("007"))
    #expect(guest["w.x.enabled"] == .flag(false))
    #expect(guest["w.a.label"] == nil)
    let emitted = try #require(guest.engine.takeEvents().last)
    #expect(
      emitted.fields.last?.value
        == .list([
          .record([
            Field("id", .number(1)), Field("tags", .list([.text("p"), .number(2)])),
            Field("on", .record([Field("deep", .flag(true))])),
          ]), .text("plain"),
        ]))
  }

  @Test func `sounds are relative to the kiosk's file, and accept templates`() throws {
    var guest = try Guest(
      Self.button("[{play: \"{name}.wav\"}, {play: \"/{n}.wav\"}, {play: ring.wav, when: n < 0}]"))
    try guest.tap("b", at: 0)
    #expect(guest.engine.takeSounds() == ["Ana.wav", "/3.wav"])
    #expect(guest.engine.takeSounds() == [])
  }

  @Test func `each constant result of a sound's template is checked`() {
    let found = diagnostics(
      Self.button("[{play: \"{n > 2 ? 'ring.wav' : 'lost.wav'}\"}, {play: ring.wav}]"))
    #expect(found.count == 1 && found[0].hasPrefix("sound \"lost.wav\": no such file"), "\(found)")
  }

  @Test func `when is evaluated at the event, before any action runs`() throws {
    var guest = try Guest(
      Self.button(
        "[{set: {n: 10}, when: n < 5}, {emit: low, when: \"n < 5\"}, {emit: high, when: \"n >= 5\"}]"
      ))
    try guest.tap("b", at: 0)
    #expect(guest.events("emit") == ["emit(name low) by action"])
    try guest.tap("b", at: 1)
    #expect(guest.events("emit") == ["emit(name high) by action"])
  }

  @Test func `an undefined condition is a failure, and its action is skipped`() throws {
    var guest = try Guest(Self.button("[{emit: e, when: 1 / (n - 3) > 0}]"))
    try guest.tap("b", at: 0)
    #expect(guest.events("emit") == [])
    try guest.tap("b", at: 1)
    #expect(guest.events("failed").count == 1)
  }

  @Test func `a delayed action fills in its templates when it runs`() throws {
    var guest = try Guest(
      Self.button("[{emit: \"late {n}\", after: 2}, {emit: \"now {n}\"}]"))
    try guest.tap("b", at: 0)
    #expect(guest.events("emit") == ["emit(name now 3) by action"])
    try guest.set("n", .number(7))
    guest.advance(to: 2.04)
    #expect(guest.events("emit") == [])
    guest.advance(to: 2.06)
    #expect(guest.events("emit") == ["emit(name late 7) by action"])
  }

  private static let pages = """
    kiosk: k
    screen: {size: [400, 400], home_after: 20, blank_after: 60}
    on:
      started: [{emit: started}]
      home: [{emit: home}]
      slept: [{emit: slept}]
      woken: [{emit: woken}]
    pages:
      - page: first
        on: {shown: [{emit: first_shown}], hidden: [{emit: first_hidden}]}
        controls:
          - {button: b, at: [200, 200], size: [99, 99], on: {selected: [{emit: late, after: 2}, {go: second, after: 1}]}}
      - page: second
        home_after: 5
        on: {shown: [{emit: second_shown}], hidden: [{emit: second_hidden}]}
        controls: [{label: l, at: [1, 2], text: x}]
      - page: third
        home_after: never
        controls: [{label: m, at: [1, 2], text: x}]
    """

  @Test func `pages and the kiosk have their own events, in order`() throws {
    var guest = try Guest(Self.pages)
    #expect(
      guest.events() == ["emit(name started) by action", "emit(name first_shown) by action"])
    guest.engine.go(to: "second")
    #expect(
      guest.events() == [
        "page(page second) by command", "emit(name first_hidden) by action",
        "emit(name second_shown) by action",
      ])
    guest.advance(to: 5.1)
    #expect(
      guest.events() == [
        "page(page first) by time", "emit(name home) by action",
        "emit(name second_hidden) by action", "emit(name first_shown) by action",
      ])
  }

  @Test func `a page goes home after its own time, or never`() throws {
    var guest = try Guest(Self.pages)
    guest.engine.go(to: "third")
    guest.advance(to: 50)
    #expect(guest.page == "third")
    guest.engine.go(to: "second")
    guest.advance(to: 54)
    #expect(guest.page == "second")
    guest.advance(to: 55.1)
    #expect(guest.page == "first")
  }

  @Test func `leaving a page drops its delayed actions`() throws {
    var guest = try Guest(Self.pages)
    _ = guest.events()
    try guest.tap("b", at: 0)
    guest.advance(to: 4)
    #expect(guest.page == "second")
    #expect(!guest.events().contains { $0.contains("late") })
  }

  @Test func `sleeping and waking are reported and trigger actions`() throws {
    var guest = try Guest(Self.pages)
    guest.advance(to: 61)
    #expect(guest.engine.isBlank)
    #expect(guest.events().suffix(2) == ["slept by time", "emit(name slept) by action"])
    try guest.engine.apply(.blank(false))
    #expect(guest.events() == ["woken by command", "emit(name woken) by action"])
    // A panel woken by a command stays awake as long as after a touch.
    guest.advance(to: 120)
    #expect(!guest.engine.isBlank)
    guest.advance(to: 122)
    #expect(guest.engine.isBlank)
  }

  @Test func `sensor values neither delay going home nor keep the panel awake`() throws {
    var guest = try Guest(Self.pages)
    try guest.tap("b", at: 0)
    guest.advance(to: 1.5)
    #expect(guest.page == "second")
    var wentHome: Double?
    for second in 2..<100 {
      guest.advance(to: Double(second))
      try guest.set("b.enabled", .flag(second % 2 == 0))
      try guest.engine.apply(.emit("sensor", []))
      if guest.page == "first", wentHome == nil { wentHome = Double(second) }
      if guest.engine.isBlank { break }
    }
    // The page appeared 1.05 s after the start.
    #expect(wentHome == 7)
    #expect(guest.engine.isBlank)
    #expect(guest.engine.now < Instant(seconds: 62))
  }

  @Test func `reset restores the initial state of one control or all`() throws {
    var guest = try Guest(
      page(
        """
        - {dial: d, at: [200, 200], radius: 50, labels: 9, value: 2}
        - {dial: e, at: [200, 200], radius: 50, labels: 9, value: "{n}"}
        - {button: b, at: [50, 50], size: [40, 40], text: B}
        """,
        """
        values: {n: 3, kept: {value: 1, keep: true}}
        languages: [en, de]
        """))
    try guest.set("d.value", .number(7))
    try guest.set("e.value", .number(8))
    try guest.set("kept", .number(8))
    try guest.set("b.text", .text("C"))
    try guest.set("b.visible", .flag(false))
    try guest.set("language", .text("de"))
    guest.advance(to: 2)
    try guest.engine.apply(.reset("d"))
    #expect(guest["d.value"] == .number(2))
    #expect(guest["n"] == .number(8))
    #expect(throws: CommandError.self) { try guest.engine.apply(.reset("nobody")) }
    try guest.engine.apply(.reset(nil))
    guest.advance(to: 4)
    #expect(guest["n"] == .number(3))
    #expect(guest["e.value"] == .number(3))
    #expect(guest["kept"] == .number(8))
    #expect(guest["b.text"] == .text("B"))
    #expect(guest["b.visible"] == .flag(true))
    #expect(guest["language"] == .text("en"))
  }

  @Test func `events report their cause`() throws {
    var guest = try Guest(
      page(
        """
        - {dial: d, at: [200, 200], radius: 150, labels: 12, inertia: fast}
        - {button: b, at: [20, 20], size: [40, 40], on: {selected: [{set: {d.value: 3}}]}}
        """))
    guest.touch(.down, Point(200, 100), at: 0)
    for step in 1...10 {
      guest.touch(.move, Point(200 + Double(step) * 8, 100 + Double(step)), at: Double(step) / 100)
    }
    guest.touch(.up, Point(280, 110), at: 0.11)
    guest.advance(to: 30)
    let flung = guest.engine.takeEvents()
    #expect(flung.count > 3 && flung.allSatisfy { $0.cause == .finger })
    #expect(flung.last?.name == "settled")
    try guest.set("d.value", .number(7))
    guest.advance(to: 31)
    #expect(guest.engine.takeEvents().map(\.cause) == [.command])
    try guest.tap("b", at: 32)
    guest.advance(to: 34)
    // Pressed, selected and confirmed, and the event that they trigger.
    #expect(
      guest.engine.takeEvents().map(\.cause) == [.finger, .finger, .finger, .action])
  }

  @Test func `a selection is caused by the finger, however often it blinks`() throws {
    for blink in ["{count: 0}", "{count: 1}", "{count: 3, on: 0.1, off: 0.1}"] {
      var guest = try Guest(
        page(
          """
          - {pinwheel: w, at: [200, 200], radius: 150, blink: \(blink), wedges: [{id: a}, {id: b}]}
          - {button: b, at: [20, 20], size: [40, 40], blink: \(blink)}
          """))
      try guest.tap("w/a", at: 0)
      try guest.tap("b", at: 0.01)
      guest.advance(to: 3)
      let confirmed = guest.engine.takeEvents().filter { $0.name == "confirmed" }
      #expect(confirmed.map(\.cause) == [.finger, .finger])
    }
  }

  @Test(arguments: [
    ("[{emit: e, when: n}]", "\"when\" is a number (expected a condition, true or false)"),
    ("[{emit: e, when: m > 3}]", "unknown name \"m\""),
    ("[{emit: e, after: soon}]", "\"after\" has the wrong type"),
    ("[{emit: e, after: -1}]", "\"after\" is out of range"),
    ("[{when: n > 3}]", "an action"), ("[{wake: false}]", "\"wake\" is false"),
    ("[{reset: nobody}]", "there is no control \"nobody\""),
    ("[{emit: {price: 3}}]", "missing key \"name\" in emit"),
    ("[{emit: {name: e, by: 3}}]", "a field cannot be called \"by\""),
    ("[{set: {m: 3}}]", "there is no value \"m\""),
    ("[{set: {n: \"{name}\"}}]", "\"n\" is set to a string (expected a number)"),
    ("[{set: {n: many}}]", "\"n\" is set to \"many\" (expected a number)"),
    ("[{set: {language: fr}}]", "language"),
    ("[{set: {b.radius: 3}}]", "\"b\" has no property \"radius\""),
    ("[{set: {b.size: 3}}]", "\"b\" has no property \"size\""),
    ("[{set: {b.color: grene}}]", "is not a colour: \"grene\""),
  ])
  func `errors in actions are found before they run`(_ actions: String, _ what: String) {
    let found = diagnostics(Self.button(actions))
    #expect(found.count == 1 && found[0].contains(what), "\(found)")
  }

  @Test(arguments: [
    ("values: {min: 3}", "\"min\" cannot be the name of a value"),
    ("values: {within: 3}", "cannot be the name of a value"),
    ("values: {a-b: 3}", "cannot be the name of a value (expected letters, digits and _"),
    ("values: {a: {value: x, min: 3}}", "bounds of a string"),
    ("values: {a: {value: 3, min: 3, max: 1}}", "\"min\" is above \"max\""),
    ("values: {a: {min: 3}}", "missing key \"value\""),
    ("languages: [en, en]", "duplicate language"), ("languages: []", "empty list"),
    ("languages: [en, de]\ntexts: {a: {en: A}}", "texts.a has no string in \"de\""),
    ("languages: [en]\ntexts: {a: {en: A, fr: B}}", "there is no language \"fr\""),
    ("texts: {a: {en: A}}", "there is no language \"en\" (expected it in \"languages\")"),
    ("languages: [en]\ntexts: {a: {en: \"{b}\"}}", "unknown name \"b\""),
    ("languages: [en]\ntexts: {a: {en: \"{texts.a}\"}}", "depends on itself"),
    ("languages: [en]\ntexts: {a: A}", "wrong type"),
  ])
  func `errors in values and translations are found at their location`(
    _ head: String, _ what: String
  ) {
    let found = diagnostics(page("- {label: l, at: [1, 2], text: x}", head))
    #expect(found.count == 1 && found[0].contains(what), "\(found)")
  }
}

/// The errors of a file.
func diagnostics(_ file: String) -> [String] {
  ParsedKiosk(Array(file.utf8), path: "k.yaml", assets: StubAssets()).diagnostics.map(\.message)
}

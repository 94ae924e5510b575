// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing

@Suite struct BindingTests {
  @Test(arguments: [
    ("{button: x, at: [200, 200], size: [99, 99], text: \"{n} cups\"}", "x.text"),
    ("{label: x, at: [200, 200], text: \"{n} cups\"}", "x.text"),
    (
      "{pinwheel: x, at: [200, 200], radius: 150, wedges: [{id: w, label: \"{n} cups\"}, {id: v}]}",
      "x.w.label"
    ),
    (
      "{picker: x, at: [200, 200], size: [200, 200], wheels: [{id: w, items: [{label: \"{n} cups\"}, b]}]}",
      "x.w.0.label"
    ),
    (
      "{picker: x, at: [200, 200], size: [200, 200], wheels: [{id: w, items: [\"{n} cups\", b]}]}",
      "x.w.0.label"
    ),
  ])
  func `the text keys of controls are templates and properties`(
    _ control: String, _ property: String
  ) throws {
    var guest = try Guest(page("- \(control)", "values: {n: 3}"))
    let before = guest.engine.displayList
    #expect(guest[property] == .text("3 cups"))
    try guest.set("n", .number(4))
    #expect(guest.engine.displayList != before)
    #expect(!guest.texts.contains("3 cups"))
    #expect(guest[property] == .text("4 cups"))
    #expect(throws: PropertyError.self) { try guest.set(property, .text("other")) }
  }

  @Test func `a value settles with the controls that follow it, directly or indirectly`() throws {
    let place = "at: [200, 200], radius: 90, max: 8"
    let controls = [
      "{dial: cups, \(place)}", "{dial: own, \(place), value: \"{cups}\"}",
      "{ring: computed, \(place), value: \"{twice}\"}",
      "{ring: copy, \(place), value: \"{own.value + 1}\"}",
      "{label: shown, at: [9, 9], text: \"{cups}\"}",
      "{ring: other, \(place), value: \"{rest}\", color: \"{cups > 2 ? 'red' : 'blue'}\"}",
    ]
    let guest = try Guest(
      page(
        controls.map { "- \($0)" }.joined(separator: "\n"),
        "values: {cups: 1, twice: \"{cups * 2}\", rest: 1}"))
    #expect(
      guest.engine.controls(settlingWith: "cups") == ["cups", "own", "computed", "copy", "shown"])
    #expect(guest.engine.controls(settlingWith: "rest") == ["other"])
    #expect(guest.engine.controls(settlingWith: "copy") == ["copy"])
  }

  @Test func `the engine keeps rejected bound values until the next turn`() throws {
    var guest = try Guest(
      page(
        "- {list: x, at: [200, 200], size: [300, 300], row_height: 50, items: \"{rows}\"}\n"
          + "- {label: y, at: [9, 9], text: \"{1 / n}\"}", "values: {rows: [], n: 1}"))
    try guest.set("rows", .list([.record([Field("labell", .text("a"))])]))
    #expect(guest.engine.refusals.count == 1)
    #expect(guest.engine.refusals.first?.contains("unknown key \"labell\"") == true)
    // An undefined text is shown as a dash.
    try guest.set("n", .number(0))
    #expect(guest.engine.refusals == [])
  }

  @Test
  func `if many keys change at once, the invalid ones are reported and the rest applies`() throws {
    let wedges = (0..<12).map {
      "{id: w\($0), label: \"{t}\", color: \"{\($0 == 7 ? "c" : "d")}\"}"
    }
    var guest = try Guest(
      page(
        "- {pinwheel: x, at: [200, 200], radius: 190, wedges: [\(wedges.joined(separator: ", "))]}",
        "values: {t: a, c: red, d: red}"))
    #expect(guest.failures() == [])
    try guest.set("t", .text("b"))
    try guest.set("d", .text("blue"))
    try guest.set("c", .text("nothing"))
    #expect(
      guest.failures().map { $0.hasPrefix("x.w7.color: \"w7.color\" takes another value:") } == [
        true
      ])
    #expect(guest["x.w6.color"] == .text("blue") && guest["x.w11.label"] == .text("b"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `large lists with many bindings don't delay the kiosk`() throws {
    let rows = (0..<4_000).map {
      "{id: r\($0), label: \"{c}\", enabled: \"{c == 'red'}\", icon: \"{c}\"}"
    }
    let list = "- {list: x, at: [200, 200], size: [300, 300], row_height: 77, "
    let kiosk = page(
      list + "color: \"{c}\", items: [\(rows.joined(separator: ", "))]}\n",
      "values: {c: red, n: 0}")
    var guest = try Guest(kiosk)
    #expect(guest.failures() == [])
    try guest.set("c", .text("blue"))
    #expect(guest["x.r3999.label"] == .text("blue"))
    #expect(guest.failures() == [])
    // Each invalid value is reported.
    try guest.set("c", .text(".png"))
    let failures = guest.failures()
    #expect(failures.count == 4_001)
    #expect(failures.last?.hasPrefix("x.r999.icon: \"r999.icon\" takes another value:") == true)
    try guest.set("c", .text("green"))
    #expect(guest["x.r3999.label"] == .text("green"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `actions may change a large control repeatedly`() throws {
    let colors = (0..<2_000).map { "{set: {x.color: \"#00\(1_000 + $0)\"}}" }
    var guest = try Guest(
      page(
        """
        - {list: x, at: [200, 200], size: [300, 300], row_height: 77, items: [\(
          (0..<2_000).map { "{id: r\($0), label: l}" }.joined(separator: ", "))]}
        - {button: b, at: [200, 200], size: [99, 99], on: {pressed: [\(
          colors.joined(separator: ", "))]}}
        """))
    try guest.tap("b", at: 1)
    #expect(guest.failures() == [])
    #expect(guest["x.color"] == .text("#002999"))
  }

  @Test func `doubled braces are literal braces in any template`() throws {
    let guest = try Guest(
      page("- {button: x, at: [200, 200], size: [99, 99], text: \"{{a}} }}{{\"}"))
    #expect(guest.texts == ["{a} }{"])
  }

  @Test func `other keys follow a whole template, including the appearance`() throws {
    var guest = try Guest(
      page(
        """
        - {button: b, at: [200, 200], size: [99, 99], color: "{hot ? '#cc3333' : 'teal'}", visible: "{!gone}", enabled: "{level > 2}"}
        - {pinwheel: w, at: [200, 200], radius: 50, wedges: [{id: a, color: "{hot ? 'red' : 'blue'}", enabled: "{hot}"}]}
        """, "values: {hot: false, gone: false, level: 1}"))
    #expect(guest["b.color"] == .text("teal"))
    #expect(guest["b.enabled"] == .flag(false))
    #expect(guest["w.a.enabled"] == .flag(false))
    let before = guest.engine.displayList
    try guest.set("hot", .flag(true))
    #expect(guest["b.color"] == .text("#cc3333"))
    #expect(guest["w.a.color"] == .text("red"))
    #expect(guest.engine.displayList != before)
    try guest.set("level", .number(3))
    #expect(guest["b.enabled"] == .flag(true))
    try guest.set("gone", .flag(true))
    #expect(guest["b.visible"] == .flag(false))
  }

  @Test func `a key without a binding can be set, and rejects invalid values`() throws {
    var guest = try Guest(
      page(
        """
        - {pinwheel: w, at: [200, 200], radius: 150, wedges: [{id: b, label: B, color: red}, {id: c}]}
        - {picker: p, at: [200, 200], size: [200, 200], wheels: [{id: w, items: [a, b]}]}
        """))
    try guest.set("w.b.label", .text("New"))
    try guest.set("w.b.color", .text("#00ff00"))
    try guest.set("w.gap", .number(3))
    #expect(guest["w.b.label"] == .text("New"))
    #expect(guest.texts.contains("New"))
    try guest.set("p.w.items", .list([.text("x"), .text("y"), .text("z")]))
    #expect(guest["p.w.items"] == .list([.text("x"), .text("y"), .text("z")]))
    try guest.set("p.w.index", .number(2))
    guest.advance(to: 2)
    #expect(guest["p.w.label"] == .text("z"))
    for (name, value) in [
      ("w.b.color", Value.text("no colour")), ("w.radius", .number(3)), ("w.b.id", .text("x")),
      ("w.b.lable", .text("x")), ("w.d.label", .text("x")), ("p.wheels", .list([])),
      ("p.w.items", .text("x")), ("w.gap", .flag(true)), ("w.at", .list([.number(1), .number(2)])),
    ] {
      #expect(throws: PropertyError.self, "\(name)") { try guest.set(name, value) }
    }
    #expect(guest["w.b.color"] == .text("#00ff00"))
  }

  @Test func `a rebuilt control keeps its state`() throws {
    var guest = try Guest(
      page(
        "- {pinwheel: w, at: [200, 200], radius: 150, wedges: [{id: a, color: \"{c}\"}, {id: b}]}",
        "values: {c: red}"))
    guest.touch(.down, Point(200, 100), at: 0)
    try guest.set("c", .text("blue"))
    guest.touch(.up, Point(200, 100), at: 0.1)
    #expect(
      guest.events().map { $0.prefix { $0 != "(" } } == ["w/a.pressed", "w/a.selected"])
    try guest.set("c", .text("green"))
    #expect(guest["w.item"] == .text("a"))
  }

  @Test func `a dial and a value follow each other at each detent`() throws {
    var guest = try Guest(
      page(
        """
        - {dial: d, at: [200, 200], radius: 150, labels: 12, value: "{cups}", inertia: none}
        - {dial: e, at: [100, 100], radius: 20, labels: 12, value: "{cups}"}
        - {label: l, at: [1, 2], text: "{cups}"}
        """, "values: {cups: {value: 1, min: 0, max: 5}}"))
    #expect(guest["d.value"] == .number(1))
    // A quarter turn counterclockwise adds three.
    guest.touch(.down, Point(200, 100), at: 1)
    var seen: [Value?] = []
    for degree in stride(from: 0.0, through: 90, by: 5) {
      let angle = -degree * .pi / 180
      guest.touch(
        .move, Point(200 + 100 * sine(angle), 200 - 100 * sine(angle + .pi / 2)),
        at: 1.1 + degree / 100)
      if seen.last != guest["cups"] { seen.append(guest["cups"]) }
    }
    #expect(seen == [.number(1), .number(2), .number(3), .number(4)])
    #expect(guest.texts.contains("4"))
    guest.touch(.up, Point(100, 200), at: 3)
    guest.advance(to: 5)
    #expect(guest["e.value"] == .number(4))
    try guest.set("cups", .number(2))
    guest.advance(to: 6)
    #expect(guest["d.value"] == .number(2))
    #expect(guest["cups"] == .number(2))
  }

  @Test func `a value's bounds limit its control`() throws {
    var guest = try Guest(
      page(
        "- {dial: d, at: [200, 200], radius: 150, labels: 12, value: \"{cups}\"}",
        "values: {cups: {value: 1, max: 5}}"))
    try guest.set("d.value", .number(9))
    guest.advance(to: 3)
    #expect(guest["cups"] == .number(5))
    #expect(guest["d.value"] == .number(5))
  }

  @Test(arguments: ["none", "normal"])
  func `a finger that turns past a value's bounds leaves its control at them`(
    _ inertia: String
  ) throws {
    var guest = try Guest(
      page(
        "- {dial: d, at: [200, 200], radius: 150, labels: 12, value: \"{cups}\", inertia: \(inertia)}",
        "values: {cups: {value: 3, max: 5}}"))
    guest.touch(.down, Point(200, 100), at: 1)
    // Half a turn counterclockwise: six more, four of them beyond the bounds.
    for degree in stride(from: 0.0, through: 180, by: 5) {
      let angle = -degree * .pi / 180
      guest.touch(
        .move, Point(200 + 100 * sine(angle), 200 - 100 * sine(angle + .pi / 2)),
        at: 1.1 + degree / 100)
    }
    #expect(guest["cups"] == .number(5))
    #expect(guest["d.value"] == .number(9))
    guest.touch(.up, Point(200, 300), at: 3)
    guest.advance(to: 6)
    #expect(guest["cups"] == .number(5))
    #expect(guest["d.value"] == .number(5))
    #expect(!guest.engine.isMoving)
  }

  @Test func `a write to a held control waits for the release, and the last write wins`() throws {
    var guest = try Guest(
      page("- {dial: d, at: [200, 200], radius: 150, labels: 12, inertia: none}"))
    guest.touch(.down, Point(200, 100), at: 0)
    try guest.set("d.value", .number(7))
    try guest.set("d.value", .number(4))
    #expect(throws: PropertyError.self) { try guest.set("d.value", .number(99)) }
    guest.touch(.move, Point(230, 105), at: 0.2)
    guest.advance(to: 2)
    #expect(guest["d.value"] != .number(4))
    guest.touch(.up, Point(230, 105), at: 2)
    guest.advance(to: 5)
    #expect(guest["d.value"] == .number(4))
    #expect(guest.events("pressed").count == 1)
  }

  @Test func `the text in a held ring follows its value, and the ring writes the value back`()
    throws
  {
    var guest = try Guest(
      page(
        "- {ring: r, at: [200, 200], radius: 150, max: 10, step: 1, value: \"{n}\", text: \"{r.value} of {n}\"}",
        "values: {n: 5}"))
    let place = { (degrees: Double) in
      Point(200, 200) + Angle.degrees(degrees).unit * 140
    }
    guest.touch(.down, place(0), at: 0)
    for (step, shown) in [(1, 5), (2, 6), (3, 6), (4, 7)] {
      guest.touch(.move, place(13 * Double(step)), at: 0.1 * Double(step))
      #expect(guest["r.text"] == .text("\(shown) of \(shown)"))
      #expect(guest["n"] == .number(Double(shown)))
    }
    // Writes during the touch wait.
    try guest.set("n", .number(1))
    #expect(guest["r.value"] == .number(7))
    guest.touch(.up, place(52), at: 1)
    guest.advance(to: 3)
    #expect(guest["r.value"] == .number(1) && guest["r.text"] == .text("1 of 1"))
  }

  @Test func `an undefined value shows as a dash and fails once until it is defined`() throws {
    var guest = try Guest(
      page("- {label: l, at: [1, 2], text: \"{1 / n:.1f} each\"}", "values: {n: 2}"))
    #expect(guest.texts == ["0.5 each"])
    try guest.set("n", .number(0))
    #expect(guest.texts == ["– each"])
    #expect(guest.events("failed").count == 1)
    try guest.set("n", .number(4))
    #expect(guest.texts == ["0.2 each"])
    #expect(guest.events("failed") == [])
    try guest.set("n", .number(0))
    #expect(guest.events("failed").count == 1)
  }

  @Test
  func `a still undefined part doesn't fail again when the rest of the text changes`() throws {
    var guest = try Guest(
      page("- {label: l, at: [1, 2], text: \"{1 / n:.1f} of {m}\"}", "values: {n: 0, m: 3}"))
    #expect(guest.events("failed").count == 1)
    try guest.set("m", .number(4))
    #expect(guest.texts == ["– of 4"])
    #expect(guest.events("failed") == [])
  }

  @Test func `a reset discards pending writes to a held control`() throws {
    var guest = try Guest(
      page("- {dial: d, at: [200, 200], radius: 150, labels: 12, value: 2, inertia: none}"))
    guest.touch(.down, Point(200, 100), at: 0)
    try guest.set("d.value", .number(7))
    try guest.engine.apply(.reset("d"))
    guest.touch(.up, Point(200, 100), at: 1)
    guest.advance(to: 3)
    #expect(guest["d.value"] == .number(2))
  }

  @Test func `a clock changes at the minute, and the kiosk sleeps in between`() throws {
    var guest = try Guest(page("- {label: l, at: [1, 2], text: \"{now:%H:%M}\"}"))
    guest.engine.setClock(try #require(CivilTime("2026-11-21T08:00:30")))
    #expect(guest.texts == ["08:00"])
    var changes: [Double] = []
    while let next = guest.engine.nextChange, next.seconds < 200 {
      guest.engine.advance(to: next)
      changes.append(next.seconds)
    }
    #expect(changes == [30, 90, 150])
    #expect(guest.texts == ["08:03"])
    // The clock is set, for example after a start without a battery.
    guest.engine.setClock(try #require(CivilTime("2027-01-01T12:34:59")))
    #expect(guest.texts == ["12:34"])
    #expect(guest.engine.nextChange == guest.engine.now + 1)
  }

  /// A page without a clock and a page with a clock, at 23:59:30.
  private func hiddenClock(_ shown: String, _ clock: String, _ head: String = "") throws -> Guest {
    var guest = try Guest(
      """
      kiosk: k
      screen: {size: [400, 400]}
      \(head)
      pages:
        - {page: b, controls: [{label: shown, at: [1, 2], text: "\(shown)"}]}
        - {page: a, controls: [\(clock)]}
      """)
    guest.engine.setClock(try #require(CivilTime("2026-11-23T23:59:30")))
    _ = guest.events()
    return guest
  }

  @Test(arguments: [
    ("{clock.text}", "{label: clock, at: [1, 2], text: \"{now:%H:%M}\"}"),
    ("{texts.time}", "{label: clock, at: [1, 2], text: \"{now:%H:%M}\"}"),
    (
      "{other.text}",
      """
      {label: other, at: [1, 2], text: "{clock.text}"}, \
      {label: clock, at: [1, 2], text: "{now:%H:%M}"}
      """
    ),
    (
      "{d.label}",
      """
      {dial: d, at: [200, 200], radius: 150, labels: ["00:00", "23:59"], \
      value: "{now.getMinutes() == 0 ? 0 : 1}"}, {label: clock, at: [1, 2], text: x}
      """
    ),
  ])
  func `a visible label reads the right time from a clock on a hidden page`(
    _ shown: String, _ clock: String
  ) throws {
    var guest = try hiddenClock(
      shown, clock, "languages: [en]\ntexts: {time: {en: \"{clock.text}\"}}")
    guest.advance(to: 29)
    #expect(guest.texts == ["23:59"])
    #expect(guest.engine.nextChange == Instant(seconds: 30))
    guest.advance(to: 31)
    #expect(guest.texts == ["00:00"])
    #expect(guest.engine.nextChange == Instant(seconds: 90))
  }

  @Test func `a hidden clock causes no wake-ups, and is right when read`() throws {
    var guest = try hiddenClock("x", "{label: clock, at: [1, 2], text: \"{now:%H:%M:%S}\"}")
    #expect(guest.engine.nextChange == nil)
    guest.advance(to: 45)
    #expect(guest["clock.text"] == .text("00:00:15"))
    guest.engine.go(to: "a")
    #expect(guest.texts == ["00:00:15"])
    guest.engine.setBlank(true)
    #expect(guest.engine.nextChange == nil)
    guest.advance(to: 100)
    #expect(guest["clock.text"] == .text("00:01:10"))
    guest.engine.setBlank(false)
    #expect(guest.texts == ["00:01:10"])
  }

  @Test func `a dial that follows a hidden clock moves at exact times`() throws {
    let dial =
      "{dial: d, at: [200, 200], radius: 150, labels: 60, value: \"{now.getMinutes()}\"}"
    var times: [[Double]] = []
    for frame in [0.1, 0.7] {
      var guest = try hiddenClock("x", dial)
      while guest.engine.now.seconds < 120 { guest.advance(to: guest.engine.now.seconds + frame) }
      times.append(
        guest.engine.takeEvents().filter { $0.name == "settled" }.map(\.time.seconds))
    }
    #expect(times[0].count == 3 && times[0] == times[1], "\(times)")
  }

  @Test func `seconds since the start are shown to a tenth`() throws {
    var guest = try Guest(page("- {label: l, at: [1, 2], text: \"{uptime:.1f}\"}"))
    #expect(guest.texts == ["0.0"])
    #expect(guest.engine.nextChange == Instant(seconds: 0.1))
    guest.advance(to: 2.34)
    #expect(guest.texts == ["2.3"])
  }

  @Test(arguments: [[10.05], [2.05, 3.05, 10.05], [0.75, 1.25, 4.05, 10.05]])
  func `a label that becomes undefined by time fails when it is visible`(_ stops: [Double]) throws {
    var guest = try Guest(
      """
      kiosk: k
      pages:
        - {page: a, controls: [{label: l, at: [1, 2], text: x}]}
        - {page: b, controls: [{label: m, at: [1, 2], text: "{1 / (floor(uptime) % 2):.1f}"}]}
      """)
    _ = guest.events("failed")
    for stop in stops { guest.advance(to: stop) }
    #expect(guest.events("failed") == [])
    guest.engine.go(to: "b")
    #expect(guest.texts == ["–"])
    #expect(guest.events("failed").count == 1)
    guest.advance(to: 12.05)
    #expect(guest.events("failed").count == 1)
  }

  @Test func `a page without a clock has no clock wake-ups`() throws {
    var guest = try Guest(
      """
      kiosk: k
      pages:
        - {page: a, controls: [{label: l, at: [1, 2], text: "{now:%H:%M:%S}"}]}
        - {page: b, controls: [{label: m, at: [1, 2], text: "{uptime > 5 ? 'late' : 'early'}"}]}
        - {page: c, controls: [{label: n, at: [1, 2], text: x}]}
      """)
    #expect(guest.engine.nextChange == Instant(seconds: 1))
    guest.engine.go(to: "c")
    #expect(guest.engine.nextChange == nil)
    guest.engine.setBlank(true)
    guest.engine.go(to: "a")
    #expect(guest.engine.nextChange == nil)
  }

  @Test(arguments: [
    ("{x.enabled}", "visible: \"{y.visible}\""), ("{a}", "visible: \"{x.visible}\""),
  ])
  func `circular bindings are errors`(_ text: String, _ key: String) {
    let found = diagnostics(
      page(
        """
        - {button: x, at: [200, 200], size: [99, 99], \(key)}
        - {button: y, at: [200, 200], size: [99, 99], visible: "{x.visible}"}
        """))
    #expect(found.count == 1 && found[0].contains("depends on itself"), "\(found)")
  }

  @Test(arguments: [
    ("enabled: \"{n}\"", "\"enabled\" is bound to a number (expected a flag)"),
    ("color: \"{n > 3}\"", "\"color\" is bound to a flag (expected a string)"),
    ("color: \"{n > 3 ? 'red' : 'grene'}\"", "\"color\" is not a colour: \"grene\""),
    ("font_size: \"{n > 3 ? 20 : -1}\"", "\"font_size\" is out of range: -1"),
    ("size: [\"{n}\", 3]", "item 1 of \"size\" reads \"n\", which is not a constant"),
    ("enabled: \"{n >}\"", "unexpected"),
    ("text: \"{m}\"", "unknown name \"m\""),
    ("text: \"{texts.m}\"", "there is no text \"m\""),
    ("text: \"{event.m}\"", "is only available in the actions of an event"),
  ])
  func `an invalid value of a key is an error at its location`(_ key: String, _ what: String) {
    let size = key.hasPrefix("size") ? "" : "size: [99, 99], "
    let found = diagnostics(
      page("- {button: x, at: [200, 200], \(size)\(key)}", "values: {n: 3}"))
    #expect(found.count == 1 && found[0].contains(what), "\(found)")
  }
}

/// The sine computed from its series, so that the tests need no C library.
func sine(_ x: Double) -> Double {
  var (term, sum) = (x, x)
  for n in stride(from: 2.0, to: 30, by: 2) {
    term *= -x * x / (n * (n + 1))
    sum += term
  }
  return sum
}

@Suite struct ChartBindingTests {
  private func guest(_ keys: String) throws -> Guest {
    try Guest(
      page(
        "- {chart: c, at: [200, 200], size: [100, 100], seconds: 100, \(keys)}",
        "values: {n: 5, d: 1}"))
  }

  private func gaps(_ guest: Guest) -> Int {
    let lines = guest.engine.displayList.items.flatMap(\.tiles).filter {
      if case .polygon = $0.shape { true } else { false }
    }
    // Each segment has a line and an area.
    return lines.count / 2 - 1
  }

  @Test func `writing the same value again adds a sample to a chart`() throws {
    var guest = try guest("value: \"{n}\", gap: 10")
    for second in 1...60 {
      guest.advance(to: Double(second))
      // Writes pause for a while.
      if !(20..<45).contains(second) { try guest.set("n", .number(5)) }
    }
    #expect(gaps(guest) == 1)
    #expect(guest["c.value"] == .number(5))
  }

  @Test func `an undefined expression leaves a gap, and is reported once`() throws {
    var guest = try guest("value: \"{n / d}\"")
    for (time, divisor) in [(20.0, 0.0), (30, 1)] {
      guest.advance(to: time)
      try guest.set("d", .number(divisor))
    }
    guest.advance(to: 40)
    #expect(gaps(guest) == 1)
    #expect(guest.engine.takeEvents().filter { $0.name == "failed" }.count == 1)
  }

  @Test func `a write to a bound chart writes its value`() throws {
    var guest = try guest("value: \"{n}\"")
    try guest.set("c.value", .number(7))
    #expect(guest["n"] == .number(7))
    #expect(guest["c.highest"] == .number(7))
  }

  @Test func `the ends of a chart can follow values, and its history stays`() throws {
    var guest = try guest("value: \"{n}\", max: \"{d}\"")
    guest.advance(to: 10)
    try guest.set("n", .number(9))
    try guest.set("d", .number(50))
    #expect(guest["c.max"] == .number(50))
    #expect(guest["c.lowest"] == .number(5))
    #expect(throws: PropertyError.self) { try guest.set("c.seconds", .number(5)) }
  }

  // MARK: Names that a key shares with a state

  private static let scenes = page(
    """
    - menu: m
      at: [200, 200]
      label: "{scene}"
      items: [{id: a, label: A, on: {selected: [{set: {scene: Alpha}}]}}, {id: b, label: B}]
    """, "values: {scene: Day}")

  @Test func `a menu labelled by a value keeps that label after a selection`() throws {
    var guest = try Guest(Self.scenes)
    #expect(guest.texts == ["Day"])
    try guest.tap("m", at: 1)
    try guest.tap("m/a", at: 2)
    guest.advance(to: 4)
    #expect(guest["scene"] == .text("Alpha") && guest["m.label"] == .text("A"))
    #expect(guest.texts == ["Alpha"])
    try guest.tap("m", at: 5)
    try guest.tap("m/b", at: 6)
    guest.advance(to: 8)
    #expect(guest["scene"] == .text("Alpha") && guest["m.label"] == .text("B"))
    #expect(guest.texts == ["Alpha"])
    #expect(guest.failures() == [])
    // The label is the state here, and read-only.
    #expect(throws: PropertyError.readOnly("label")) { try guest.set("m.label", .text("C")) }
    #expect(guest.engine.boundProperties.isEmpty)
  }

  @Test func `a menu can show its selection`() throws {
    var guest = try Guest(Self.scenes.replacing("{scene}", with: "{m.label}"))
    try guest.tap("m", at: 1)
    try guest.tap("m/b", at: 2)
    guest.advance(to: 4)
    #expect(guest.texts == ["B"])
  }

  @Test func `a touch doesn't change a value that its key rejects`() throws {
    var guest = try Guest(
      page("- {button: b, at: [200, 200], size: [99, 99], color: \"{c}\"}", "values: {c: red}"))
    try guest.set("c", .text("nothing"))
    #expect(guest.failures().count == 1)
    try guest.tap("b", at: 1)
    guest.advance(to: 2)
    #expect(guest["c"] == .text("nothing"))
  }

  @Test func `a touch that doesn't change a property adds no sample to its chart`() throws {
    let chart = "size: [200, 100], value: \"{b.enabled ? 3 : 4}\", seconds: 4, gap: 1"
    var guest = try Guest(
      page(
        """
        - {chart: c, at: [200, 100], \(chart)}
        - {button: b, at: [200, 300], size: [99, 99]}
        """))
    guest.advance(to: 10)
    try guest.tap("b", at: 10)
    guest.advance(to: 10.5)
    // The first sample is now outside the chart.
    #expect(guest["c.lowest"] != .number(3))
    try guest.set("b.enabled", .flag(false))
    #expect(guest["c.lowest"] == .number(4))
  }
}

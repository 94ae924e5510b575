// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing

/// A machine whose axis moves while a button is held, and other controls with starts and ends.
private let machine = """
  kiosk: k
  screen: {size: [400, 400]}
  values:
    moving: {value: false, keep: true}
    turning: {value: false, keep: true}
    opened: {value: false, keep: true}
    spinning: {value: false, keep: true}
    relay: {value: false, keep: true}
    lamp: {value: false, keep: true}
    count: 0
  "on": {slept: [{set: {lamp: true}}], woken: [{set: {lamp: false}}]}
  pages:
    - page: home
      controls:
        - {button: jog, at: [50, 50], size: [80, 80], text: Jog, "on": {
            pressed: [{set: {moving: true}}], selected: [{set: {moving: false}}],
            cancelled: [{set: {moving: false}}, {set: {count: "{count + 1}"}}]}}
        - {dial: d, at: [300, 100], radius: 80, labels: 12, inertia: fast, "on": {
            pressed: [{set: {turning: true}}], settled: [{set: {turning: false}}]}}
        - {menu: m, at: [200, 300], radius: 30, leaf_radius: 20, items: [{id: a, label: A}], "on": {
            opened: [{set: {opened: true}}], closed: [{set: {opened: false}}, {go: other}]}}
        - {slots: s, at: [60, 300], size: [80, 80], reels: [{id: r, items: [a, b]}], "on": {
            started: [{set: {spinning: true}}], settled: [{set: {spinning: false}}]}}
        - {button: pulse, at: [50, 150], size: [80, 80], text: Pulse, "on": {
            selected: [{set: {relay: true}}, {set: {relay: false}, after: 3}, {go: other, after: 4}]}}
    - page: other
      controls: [{label: l, at: [200, 200], text: Other}]
  """

/// The machine with other sizes of controls.
private let otherMachine = machine.replacing("80", with: "79").replacing(
  "radius: 30", with: "radius: 31")

private let flags = ["moving", "turning", "opened", "spinning", "relay", "lamp"]

extension Guest {
  /// The names of true flags.
  fileprivate var lit: [String] { flags.filter { self[$0] == .flag(true) } }

  /// Holds the button, flings the dial, opens the menu, spins the slots and taps the relay's button.
  fileprivate mutating func beginEverything() throws {
    touch(.down, Point(50, 50), at: 1, finger: 1)
    touch(.down, Point(360, 100), at: 1, finger: 2)
    for (index, place) in [(345, 139), (300, 160), (255, 139), (240, 100)].enumerated() {
      touch(
        .move, Point(Double(place.0), Double(place.1)), at: 1.01 + Double(index) / 100, finger: 2)
    }
    touch(.up, Point(240, 100), at: 1.05, finger: 2)
    tap(Point(50, 150), at: 1.1)
    engine.perform("open", on: "m")
    engine.perform("spin", on: "s")
  }

  fileprivate mutating func reload() throws { try reload(otherMachine) }

  fileprivate mutating func restart() { engine.restart(engine.description, seed: 1) }
}

@Suite struct EndTests {
  @Test func `a reload runs the actions of its ends, and a pulse ends on time`() throws {
    var guest = try Guest(machine)
    try guest.beginEverything()
    #expect(guest.lit == ["moving", "turning", "opened", "spinning", "relay"])
    try guest.reload()
    // The slots continue to spin.
    #expect(guest.lit == ["spinning", "relay"])
    #expect(guest["count"] == .number(1) && guest.page == "home")
    guest.touch(.up, Point(50, 50), at: 2, finger: 1)
    #expect(guest["count"] == .number(1))
    guest.advance(to: 4.14)
    #expect(guest.lit.contains("relay"))
    guest.advance(to: 4.16)
    #expect(!guest.lit.contains("relay"))
    guest.advance(to: 5.2)
    #expect(guest.page == "other" && guest.lit == [])
  }

  @Test func `a reload does not interrupt unchanged controls`() throws {
    for file in [
      machine, "# \n" + machine, machine.replacing("text: Other", with: "text: another"),
      machine.replacing(
        "    - page: home\n      controls:\n",
        with:
          "    - page: home\n      controls:\n        - {label: new, at: [200, 20], text: New}\n"),
    ] {
      var (guest, left) = (try Guest(machine), try Guest(machine))
      try guest.beginEverything()
      try left.beginEverything()
      try guest.reload(file)
      #expect(guest.lit == ["moving", "turning", "opened", "spinning", "relay"])
      guest.touch(.up, Point(50, 50), at: 2, finger: 1)
      left.touch(.up, Point(50, 50), at: 2, finger: 1)
      guest.advance(to: 9)
      left.advance(to: 9)
      let events = guest.events()
      #expect(events.filter { !$0.hasPrefix("reloaded") } == left.events())
      #expect(guest.lit == [] && guest["count"] == .number(0))
    }
  }

  @Test func `a new screen size runs the actions of ends`() throws {
    var guest = try Guest(machine)
    try guest.beginEverything()
    try guest.reload(machine.replacing("[400, 400]", with: "[400, 420]"))
    #expect(guest.lit == ["spinning", "relay"])
  }

  @Test func `a restart ends everything and runs delayed actions immediately`() throws {
    var guest = try Guest(machine)
    try guest.beginEverything()
    guest.restart()
    #expect(guest.lit == [] && guest.page == "home")
    #expect(guest.events("restarted") == ["restarted by command"])
    guest.advance(to: 20)
    #expect(guest.lit == [] && guest.page == "home")
  }

  @Test func `the end of the process ends everything in progress`() throws {
    var guest = try Guest(machine)
    try guest.beginEverything()
    guest.engine.finish()
    #expect(guest.lit == [] && guest.page == "home")
    #expect(guest.engine.persistentValues.values.allSatisfy { $0 == .flag(false) })
  }

  @Test func `stopping or restarting a sleeping kiosk runs the actions of waking`() throws {
    var guest = try Guest(machine)
    guest.engine.setBlank(true)
    #expect(guest.lit == ["lamp"])
    try guest.reload()
    #expect(guest.lit == ["lamp"])
    guest.restart()
    #expect(guest.lit == [] && !guest.engine.isBlank)
    guest.engine.setBlank(true)
    guest.engine.finish()
    #expect(guest.lit == [])
  }

  @Test func `an end runs the actions of the version that contained its start`() throws {
    var guest = try Guest(machine)
    try guest.beginEverything()
    try guest.reload(machine.replacing("[{set: {moving: false}}, {set", with: "[{set"))
    #expect(guest["moving"] == .flag(false))
    guest.advance(to: 10)
    // The slots have new actions, but the spin ends with the former ones.
    guest.engine.perform("spin", on: "s")
    #expect(guest.lit == ["spinning"])
    try guest.reload(
      machine.replacing("settled: [{set: {spinning: false}}]", with: "settled: [{emit: done}]"))
    #expect(guest.lit == [])
  }

  @Test func `a reload that removes the current page shows the first page`() throws {
    let file = """
      kiosk: k
      values: {lit: "", heat: false}
      pages:
        - page: a
          controls: [{label: l, at: [1, 1], text: A}]
          "on": {shown: [{set: {lit: "{lit}a"}}]}
        - page: b
          controls: [{label: k, at: [1, 1], text: B}]
          "on": {shown: [{set: {heat: true}}], hidden: [{set: {heat: false}}]}
      """
    var guest = try Guest(file)
    guest.engine.go(to: "b")
    #expect(guest["heat"] == .flag(true) && guest["lit"] == .text("a"))
    try guest.reload(file)
    #expect(guest["heat"] == .flag(true))
    try guest.reload(file.replacing("page: b", with: "page: c"))
    #expect(guest["heat"] == .flag(false) && guest["lit"] == .text("aa") && guest.page == "a")
  }

  @Test func `everything that the actions of an end start also ends`() throws {
    var guest = try Guest(
      machine.replacing(
        "cancelled: [{set: {moving: false}}, {set", with: "cancelled: [{set: {m.open: true}}, {set")
    )
    guest.touch(.down, Point(50, 50), at: 1)
    guest.engine.finish()
    #expect(guest["opened"] == .flag(false) && guest["count"] == .number(1))
  }

  @Test func `a delayed start never runs after its end`() throws {
    var guest = try Guest(
      machine.replacing(
        "pressed: [{set: {moving: true}}]", with: "pressed: [{set: {moving: true}, after: 2}]"))
    guest.touch(.down, Point(50, 50), at: 1)
    guest.engine.finish()
    #expect(guest.lit == [])
  }

  @Test func `endless reactions do not prevent a kiosk from stopping`() throws {
    let file = """
      kiosk: k
      values: {up: false}
      reactions:
        - {when: up, do: [{set: {up: false}, after: 1}]}
        - {when: "!up", do: [{set: {up: true}, after: 1}]}
      pages: [{page: a, controls: [{label: l, at: [1, 1], text: A}]}]
      """
    var guest = try Guest(file)
    guest.advance(to: 10)
    guest.engine.finish()
    guest.restart()
    #expect(guest.page == "a")
  }

  // MARK: Delayed actions

  @Test func `a page change drops only the page's delayed actions`() throws {
    let file = """
      kiosk: k
      values: {a: false, b: false, c: false, d: false}
      "on": {started: [{set: {a: true}, after: 2}]}
      reactions: [{when: "true", do: [{set: {b: true}, after: 2}]}]
      pages:
        - page: home
          controls: [{label: l, at: [1, 1], text: A}]
          "on": {shown: [{set: {c: true}, after: 2}], hidden: [{set: {d: true}, after: 1}]}
        - page: other
          controls: [{label: k, at: [1, 1], text: A}]
      """
    var guest = try Guest(file)
    guest.advance(to: 1)
    guest.engine.go(to: "other")
    guest.engine.go(to: "home")
    guest.engine.go(to: "other")
    guest.advance(to: 3)
    #expect(["a", "b", "c", "d"].map { guest[$0] } == [true, true, false, true].map { .flag($0) })
  }

  @Test
  func `excess delayed actions replace the oldest equal ones and report one failure`() throws {
    let file = """
      kiosk: k
      values: {flaps: 0, rare: false, n: 0}
      reactions:
        - {when: "flaps % 2 == 1", do: [{set: {n: "{n + 1}"}, after: 86400}]}
        - {when: "flaps == 3", do: [{set: {rare: true}, after: 86400}]}
      pages: [{page: a, controls: [{label: l, at: [1, 1], text: A}]}]
      """
    var guest = try Guest(file)
    for flap in 1...9000 { try guest.set("flaps", .number(Double(flap))) }
    let failures = guest.failures()
    #expect(failures.count == 1)
    #expect(
      failures.first
        == "more than 4096 delayed actions are waiting; the oldest, set n, was dropped")
    guest.advance(to: 86_500)
    // There are 4096 in total, including the rare one.
    #expect(guest["n"] == .number(4095) && guest["rare"] == .flag(true))
  }

  @Test func `a waiting write is applied when a reload releases the finger`() throws {
    var guest = try Guest(page("- {dial: d, at: [200, 200], radius: 100, labels: 12}"))
    guest.touch(.down, Point(290, 200), at: 1)
    try guest.set("d.value", .number(5))
    #expect(guest["d.value"] == .number(0))
    let next = page("- {dial: d, at: [200, 200], radius: 90, labels: 12}")
    guest.engine.replace(with: try Guest.description(next), seed: 1)
    guest.advance(to: 3)
    #expect(guest["d.value"] == .number(5))
  }

  // MARK: Fingers

  @Test(arguments: ["go", "blank", "ask"])
  func `a dwelling finger does not press controls that appear later`(end: String) throws {
    let file = """
      kiosk: k
      screen: {size: [400, 400], dwell: 1\(end == "ask" ? ", home_after: 1.5, warn: 1" : "")}
      pages:
        - page: a
          controls: [{button: one, at: [200, 200], size: [99, 99], text: A}]
        - page: z
          controls: [{button: two, at: [200, 200], size: [99, 99], text: Z}]
      """
    var guest = try Guest(file)
    if end == "ask" { guest.engine.go(to: "z") }
    guest.touch(.down, Point(200, 200), at: 0)
    guest.advance(to: 0.5)
    switch end {
    case "go": guest.engine.go(to: "z")
    case "blank": guest.engine.setBlank(true)
    default: break
    }
    guest.advance(to: 1.2)
    guest.touch(.up, Point(200, 200), at: 1.3)
    #expect(guest.events().filter { $0.contains("pressed") || $0.contains("selected") } == [])
  }

  @Test func `a touch after a lost touch is not a bounce`() throws {
    var guest = try Guest(
      page("- {button: b, at: [200, 200], size: [99, 99], text: A}").replacing(
        "size: [400, 400]", with: "size: [400, 400], debounce: 0.3"))
    guest.touch(.down, Point(200, 200), at: 1)
    guest.touch(.down, Point(200, 200), at: 5)
    guest.touch(.up, Point(200, 200), at: 5.1)
    guest.touch(.down, Point(200, 200), at: 5.2)
    guest.touch(.up, Point(200, 200), at: 5.3)
    #expect(
      guest.events().map { $0.prefix { $0 != "(" } } == [
        "b.pressed", "b.cancelled", "b.pressed", "b.selected", "b.confirmed",
      ])
  }

  // MARK: State that a reload keeps

  @Test func `reloading an equal file keeps all set values`() throws {
    let file = """
      kiosk: k
      screen: {size: [400, 400], brightness: 0.8}
      values: {hue: 1, u: 0}
      pages:
        - page: home
          controls:
            - {button: b, at: [200, 200], size: [99, 99], text: "{hue}", color: "#123456"}
            - {dial: d, at: [200, 200], radius: 99, labels: 9, value: "{hue + 1}"}
            - {chart: c, at: [200, 200], size: [99, 99], value: "{hue}", seconds: 10}
            - {label: l, at: [1, 1], text: "{1 / u}"}
      """
    var guest = try Guest(file)
    try guest.set("b.enabled", .flag(false))
    try guest.set("d.visible", .flag(false))
    try guest.set("b.color", .text("#654321"))
    try guest.set("screen.brightness", .number(0.3))
    guest.advance(to: 1)
    try guest.set("hue", .number(3))
    guest.advance(to: 2)
    _ = guest.events()
    let before = guest.engine.displayList
    try guest.reload(file)
    #expect(guest.events() == ["reloaded by time"])
    #expect(guest.engine.displayList == before)
    #expect(guest["b.enabled"] == .flag(false) && guest["d.visible"] == .flag(false))
    #expect(guest["b.color"] == .text("#654321"))
    #expect(guest["screen.brightness"] == .number(0.3))
    // A changed value in the file replaces the set value.
    try guest.reload(
      file.replacing("#123456", with: "#abcdef").replacing("0.8", with: "0.7").replacing(
        "text: \"{hue}\"", with: "text: \"{hue}\", enabled: true"))
    #expect(guest["b.color"] == .text("#abcdef"))
    #expect(guest["screen.brightness"] == .number(0.7))
  }

  @Test func `a reload does not overwrite changes by fingers`() throws {
    let file = page(
      "- {dial: d, at: [200, 200], radius: 99, labels: 9, value: \"{1 + hue}\"}",
      "values: {hue: 1}")
    var guest = try Guest(file)
    guest.advance(to: 1)
    try guest.tap("d/5", at: 2)
    guest.advance(to: 4)
    #expect(guest["d.value"] == .number(5))
    try guest.reload(file)
    guest.advance(to: 6)
    #expect(guest["d.value"] == .number(5))
    try guest.set("hue", .number(2))
    guest.advance(to: 8)
    #expect(guest["d.value"] == .number(3))
  }

  @Test func `a reload keeps the presence question without asking again`() throws {
    let file = """
      kiosk: k
      screen: {size: [400, 400], home_after: 10, warn: 5}
      pages:
        - page: a
          controls: [{label: l, at: [1, 1], text: A}]
        - page: b
          controls: [{label: k, at: [1, 1], text: B}]
      """
    var guest = try Guest(file)
    guest.engine.go(to: "b")
    guest.advance(to: 6)
    #expect(guest.events("warned").count == 1)
    try guest.reload(file)
    guest.advance(to: 7)
    #expect(guest.events("warned") == [] && guest.engine.isAsking)
  }

  @Test func `another process continues at once with bound and with set properties`() throws {
    let file = page(
      """
      - {ring: heat, at: [100, 100], radius: 80, value: "{cups}"}
      - {resistor: code, at: [200, 300], size: [300, 120]}
      """, "values: {cups: 1}")
    var guest = try Guest(file)
    try guest.set("cups", .number(7))
    try guest.set("code.ohms", .number(1500))
    try guest.set("code.tolerance", .number(2))
    guest.advance(to: 5)
    let ohms = guest["code.ohms"]
    let other = Engine(
      guest.engine.description, seed: 1, clock: Engine.defaultClock,
      continuing: guest.engine.handoverState)
    #expect(other.value(of: "value", of: "heat") == .number(7))
    #expect(other.value(of: "ohms", of: "code") == ohms)
    #expect(other.value(of: "tolerance", of: "code") == .number(2))
  }
}

// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing

/// A kiosk with a four-wedge pinwheel on the first page and a button on the second.
private func kiosk(
  home: Double? = nil, blank: Double? = nil, actions: [String: [Action]] = [:],
  wedgeActions: [String: [String: [Action]]] = [:], buttonActions: [String: [Action]] = [:]
) -> Description {
  let wheel = Pinwheel(
    center: Point(200, 200), radius: 100, hole: 20,
    wedges: ["n", "e", "s", "w"].map { Pinwheel.Wedge(id: $0, label: $0.uppercased()) })
  let button = Button(center: Point(200, 200), size: Size(80, 80), text: "Back")
  let label = Label(center: Point(200, 380), text: "")
  let text = try? Template("last: {wheel.label}")
  return Description(
    name: "test",
    screen: Screen(size: Size(400, 400), homeAfter: home, blankAfter: blank),
    pages: [
      Page(
        name: "first",
        controls: [
          PlacedControl(id: "wheel", control: wheel, actions: actions, itemActions: wedgeActions),
          PlacedControl(
            id: "label", control: label, bindings: ["text": text].compactMapValues(\.self)),
        ]),
      Page(
        name: "second",
        controls: [PlacedControl(id: "back", control: button, actions: buttonActions)]),
    ])
}

/// Touches on a kiosk, by compass direction.
private struct TouchDriver {
  var engine: Engine

  init(_ description: Description) {
    engine = Engine(description, seed: 1)
  }

  static let places = [
    "n": Point(200, 140), "e": Point(260, 200), "s": Point(200, 260), "w": Point(140, 200),
    "hub": Point(200, 200), "outside": Point(5, 5),
  ]

  mutating func touch(_ phase: Touch.Phase, _ place: String, at t: Double, finger: Int = 0) {
    engine.handle(
      Touch(finger: finger, phase: phase, position: Self.places[place] ?? .zero),
      at: Instant(seconds: t))
  }

  mutating func tap(_ place: String, at t: Double) {
    touch(.down, place, at: t)
    touch(.up, place, at: t + 0.05)
  }

  /// The events since the last call, for example `wheel.selected(n)`.
  mutating func events() -> [String] {
    engine.takeEvents().map { event in
      let item = event.item.map { "(\($0))" } ?? ""
      let detail = event.control == nil ? event.fields.map { " " + $0.value.display }.joined() : ""
      return (event.control.map { "\($0)." } ?? "") + event.name + item + detail
    }
  }
}

@Suite struct EngineTests {
  @Test func `a touch between two concentric rings moves the ring whose arc it hits`() throws {
    let scale = try #require(Scale(from: 0, to: 100, step: 1))
    func ring(_ id: String, _ radius: Double) -> PlacedControl {
      PlacedControl(
        id: id,
        control: Ring(center: Point(400, 300), radius: radius, thickness: 40, scale: scale))
    }
    // The margins of both cover the ten pixels between them, and overlap the other ring.
    for rings in [
      [ring("outer", 200), ring("inner", 150)], [ring("inner", 150), ring("outer", 200)],
    ] {
      for (distance, id) in [
        (195.0, "outer"), (161, "outer"), (158, "outer"), (152, "inner"), (149, "inner"),
        (111, "inner"), (100, "inner"), (215, "outer"),
      ] {
        var engine = Engine(
          Description(
            name: "k", screen: Screen(size: Size(800, 600)),
            pages: [Page(name: "p", controls: rings)]), seed: 0)
        engine.handle(
          Touch(finger: 0, phase: .down, position: Point(400, 300 - distance)), at: .zero)
        #expect(engine.takeEvents().map(\.control) == [id], "at \(distance)")
      }
    }
  }

  @Test func `a touch belongs to the control it first hits`() {
    var driver = TouchDriver(kiosk())
    driver.touch(.down, "n", at: 0)
    driver.touch(.move, "outside", at: 0.1)
    driver.touch(.move, "n", at: 0.2)
    driver.touch(.up, "n", at: 0.3)
    #expect(
      driver.events() == [
        "wheel.pressed(n)", "wheel.left(n)", "wheel.returned(n)", "wheel.selected(n)",
      ])
  }

  @Test func `fingers are independent`() {
    var driver = TouchDriver(kiosk())
    driver.touch(.down, "n", at: 0, finger: 3)
    driver.touch(.down, "s", at: 0.01, finger: 9)
    driver.touch(.up, "n", at: 0.05, finger: 3)
    driver.touch(.up, "s", at: 0.06, finger: 9)
    #expect(
      driver.events() == [
        "wheel.pressed(n)", "wheel.pressed(s)", "wheel.selected(n)", "wheel.selected(s)",
      ])
  }

  @Test func `a touch that starts outside all controls has no effect on them`() {
    var driver = TouchDriver(kiosk())
    driver.touch(.down, "outside", at: 0)
    driver.touch(.move, "n", at: 0.1)
    driver.touch(.up, "n", at: 0.2)
    #expect(driver.events() == [])
  }

  @Test func `a page change releases held controls`() {
    var driver = TouchDriver(kiosk())
    driver.touch(.down, "n", at: 0)
    driver.engine.go(to: "second")
    driver.touch(.move, "hub", at: 0.1)
    driver.touch(.up, "hub", at: 0.2)
    driver.touch(.down, "hub", at: 0.3)
    #expect(
      driver.events() == ["wheel.pressed(n)", "wheel.cancelled(n)", "page second", "back.pressed"])
  }

  @Test func `actions of the control run before the item's`() {
    var driver = TouchDriver(
      kiosk(
        actions: ["selected": [.emit("any")]],
        wedgeActions: ["e": ["selected": [.emit("east"), .go("second")]]]))
    driver.tap("n", at: 0)
    driver.tap("e", at: 1)
    #expect(
      driver.events() == [
        "wheel.pressed(n)", "wheel.selected(n)", "emit any", "wheel.confirmed(n)",
        "wheel.pressed(e)", "wheel.selected(e)", "emit any", "emit east", "page second",
      ])
  }

  @Test func `programs are requested but not started`() {
    var driver = TouchDriver(kiosk(actions: ["selected": [.run(["logger", "hi"])]]))
    driver.tap("n", at: 0)
    #expect(driver.engine.takePrograms() == [["logger", "hi"]])
    #expect(driver.engine.takePrograms() == [])
  }

  @Test func `an action may disable the control that triggered it`() {
    var driver = TouchDriver(
      kiosk(actions: [
        "cancelled": [.set(control: "wheel", property: "enabled", value: .flag(false))]
      ]))
    driver.touch(.down, "n", at: 0)
    driver.touch(.cancel, "n", at: 0.1)
    #expect(driver.events() == ["wheel.pressed(n)", "wheel.cancelled(n)"])
  }

  @Test func `pages may lead to each other within one turn`() {
    var driver = TouchDriver(
      kiosk(
        actions: ["selected": [.go("second"), .go("first"), .emit("x")]],
        buttonActions: ["selected": [.go("first")]]))
    driver.tap("n", at: 0)
    #expect(
      driver.events()
        == ["wheel.pressed(n)", "wheel.selected(n)", "page second", "page first", "emit x"])
  }

  @Test func `the kiosk goes home exactly after the idle time, once`() {
    var driver = TouchDriver(kiosk(home: 10))
    driver.engine.go(to: "second")
    driver.tap("outside", at: 3)
    driver.engine.advance(to: Instant(seconds: 13.049))
    #expect(driver.engine.shownPage == 1)
    driver.engine.advance(to: Instant(seconds: 100))
    let events = driver.engine.takeEvents().filter { $0.name == "page" }
    #expect(events.map(\.time) == [.zero, Instant(seconds: 13.05)])
    #expect(driver.engine.nextChange == nil)
  }

  @Test func `the touch that wakes a sleeping panel has no other effect`() {
    var driver = TouchDriver(kiosk(blank: 5))
    driver.engine.advance(to: Instant(seconds: 6))
    #expect(driver.engine.isBlank)
    #expect(driver.engine.displayList.items.isEmpty)
    driver.tap("n", at: 7)
    #expect(!driver.engine.isBlank)
    #expect(driver.events() == ["slept", "woken"])
    driver.tap("n", at: 8)
    #expect(driver.events() == ["wheel.pressed(n)", "wheel.selected(n)"])
  }

  @Test func `going to sleep releases held controls`() {
    var driver = TouchDriver(kiosk(blank: 5))
    driver.touch(.down, "n", at: 0)
    driver.engine.advance(to: Instant(seconds: 6))
    #expect(driver.events() == ["wheel.pressed(n)", "wheel.cancelled(n)", "slept"])
  }

  @Test func `a touch on a disabled wedge has no receiver`() throws {
    let wheel = Pinwheel(
      center: Point(50, 50), radius: 50, hole: 5,
      wedges: [.init(id: "on"), .init(id: "off", isEnabled: false)])
    var engine = Engine(
      Description(
        name: "k", screen: Screen(size: Size(100, 100)),
        pages: [Page(name: "p", controls: [PlacedControl(id: "w", control: wheel)])]), seed: 0)
    for (finger, y, owner) in [(0, 20.0, "w"), (1, 80.0, nil)] {
      engine.handle(
        Touch(finger: finger, phase: .down, position: Point(50, y)), at: .zero)
      #expect(engine.control(heldBy: finger) == owner)
    }
  }

  @Test func `a disabled control swallows touches and an invisible one doesn't`() throws {
    var driver = TouchDriver(kiosk())
    try driver.engine.set("enabled", of: "wheel", to: .flag(false))
    driver.tap("n", at: 0)
    #expect(driver.events() == [])
    try driver.engine.set("enabled", of: "wheel", to: .flag(true))
    try driver.engine.set("visible", of: "wheel", to: .flag(false))
    driver.tap("n", at: 1)
    #expect(driver.events() == [])
    try driver.engine.set("visible", of: "wheel", to: .flag(true))
    driver.tap("n", at: 2)
    #expect(driver.events() == ["wheel.pressed(n)", "wheel.selected(n)"])
  }

  @Test func `disabling a held control cancels its touch`() throws {
    var driver = TouchDriver(kiosk())
    driver.touch(.down, "n", at: 0)
    try driver.engine.set("enabled", of: "wheel", to: .flag(false))
    driver.touch(.up, "n", at: 0.1)
    #expect(driver.events() == ["wheel.pressed(n)", "wheel.cancelled(n)"])
  }

  @Test func `labels show the current properties of other controls`() {
    var driver = TouchDriver(kiosk())
    #expect(driver.engine.value(of: "text", of: "label") == .text("last: "))
    driver.tap("w", at: 0)
    #expect(driver.engine.value(of: "text", of: "label") == .text("last: W"))
  }

  @Test(arguments: [
    ("{{{dial.value}}}", "{3}"), ("{dial.value + 1} of {dial.value * 2:02d}", "4 of 06"),
    ("{dial.value / 2:.2f}", "1.50"), ("{wheel.item == '' ? 'none' : wheel.item}", "none"),
    ("{dial.value / 0} !", "– !"), ("{`dial`.label}", "3"), ("{wheel.enabled && true}", "true"),
  ])
  func `labels show expressions with properties of other controls`(text: String, shown: String)
    throws
  {
    var description = kiosk()
    let dial = Dial(center: .zero, radius: 50, labels: Dial.numbers(10), value: 3)
    description.pages[0].controls += [
      PlacedControl(id: "dial", control: dial),
      PlacedControl(
        id: "shown", control: Label(center: .zero, text: ""), bindings: ["text": try Template(text)]
      ),
    ]
    let engine = Engine(description, seed: 0)
    #expect(engine.value(of: "text", of: "shown") == .text(shown))
  }

  @Test func `unknown properties and invalid values are errors`() {
    var driver = TouchDriver(kiosk())
    #expect(driver.engine.value(of: "nothing", of: "wheel") == nil)
    #expect(throws: PropertyError.unknown("nothing")) {
      try driver.engine.set("nothing", of: "wheel", to: .flag(true))
    }
    #expect(throws: PropertyError.unsuitable("enabled", expected: "true or false")) {
      try driver.engine.set("enabled", of: "wheel", to: .number(3))
    }
  }

  @Test func `a reloaded kiosk keeps its page, and selections by id`() {
    var driver = TouchDriver(kiosk())
    driver.tap("e", at: 0)
    driver.engine.go(to: "second")
    var changed = kiosk()
    let wheel = Pinwheel(
      center: Point(200, 200), radius: 100,
      wedges: ["x", "w", "e"].map { Pinwheel.Wedge(id: $0, label: $0.uppercased()) })
    changed.pages[0].controls[0].control = wheel
    var engine = driver.engine
    engine.replace(with: changed, seed: 1)
    #expect(engine.shownPage == 1)
    #expect(engine.value(of: "item", of: "wheel") == .text("e"))
    #expect(engine.value(of: "index", of: "wheel") == .number(2))
  }

  @Test func `times in the past count as now, and a jump of a day is harmless`() {
    var driver = TouchDriver(kiosk(home: 60, blank: 600))
    driver.touch(.down, "n", at: 10)
    driver.touch(.up, "n", at: 2)
    #expect(driver.engine.now == Instant(seconds: 10))
    driver.engine.advance(to: Instant(seconds: 86_400))
    #expect(driver.engine.isBlank)
    driver.touch(.move, "n", at: 86_401, finger: 77)
    driver.touch(.up, "n", at: 86_402, finger: 77)
  }

  @Test func `a second touch of a finger ends its first`() {
    var driver = TouchDriver(kiosk())
    driver.touch(.down, "n", at: 0)
    driver.touch(.down, "s", at: 1)
    driver.touch(.up, "s", at: 2)
    #expect(
      driver.events() == [
        "wheel.pressed(n)", "wheel.cancelled(n)", "wheel.pressed(s)", "wheel.selected(s)",
      ])
  }

  @Test func `positions that aren't numbers are ignored`() {
    var driver = TouchDriver(kiosk())
    driver.engine.handle(
      Touch(finger: 0, phase: .down, position: Point(.nan, .infinity)), at: .zero)
    #expect(driver.engine.fingers.isEmpty)
  }

  @Test func `a fling that is read late lands in the same place`() throws {
    let dial = Dial(center: Point(200, 200), radius: 150, labels: (0..<60).map { "\($0)" })
    func landing(delays: [Double]) -> Value? {
      var engine = Engine(
        Description(
          name: "k", pages: [Page(name: "p", controls: [PlacedControl(id: "dial", control: dial)])]),
        seed: 0)
      for (step, delay) in delays.enumerated() {
        let time = Double(step) * 0.01
        // A frame started before the touch was read.
        engine.advance(to: Instant(seconds: time + delay))
        let phase: Touch.Phase = step == 0 ? .down : step == delays.count - 1 ? .up : .move
        let angle = Angle.degrees(Double(min(step, delays.count - 2)) * 5)
        engine.handle(
          Touch(finger: 0, phase: phase, position: Point(200, 200) + angle.unit * 120),
          at: Instant(seconds: time))
      }
      engine.advance(to: Instant(seconds: 60))
      return engine.value(of: "value", of: "dial")
    }
    let punctual = landing(delays: [Double](repeating: 0, count: 10))
    #expect(punctual != .number(52))
    #expect(landing(delays: [0, 0.004, 0, 0.009, 0.002, 0, 0.008, 0.001, 0.009, 0]) == punctual)
  }

  @Test func `held controls are drawn at other finger positions, requested only for them`() {
    let column = Picker.Column(id: "a", items: (0..<9).map { Picker.Item(label: "\($0)") })
    let picker = Picker(center: Point(100, 200), size: Size(160, 300), columns: [column])
    let dial = Dial(center: Point(300, 200), radius: 90, labels: Dial.numbers(12))
    var engine = Engine(
      Description(
        name: "k",
        pages: [
          Page(
            name: "p",
            controls: [
              PlacedControl(id: "picker", control: picker),
              PlacedControl(id: "dial", control: dial),
            ])
        ]), seed: 0)
    func touch(_ phase: Touch.Phase, _ finger: Int, _ place: Point, at t: Double) {
      engine.handle(
        Touch(finger: finger, phase: phase, position: place), at: Instant(seconds: t))
    }
    touch(.down, 0, Point(100, 200), at: 0)
    touch(.down, 3, Point(300, 130), at: 0)
    touch(.down, 5, Point(5, 5), at: 0)
    let places = [0: Point(100, 207), 3: Point(310, 130)]
    var asked: Set<Int> = []
    let drawn = engine.displayList { finger in
      asked.insert(finger)
      return places[finger]
    }
    #expect(asked == [0, 3])
    let before = engine.displayList
    #expect(drawn != before)
    for (finger, place) in places.sorted(by: { $0.key < $1.key }) {
      let one = engine.displayList { $0 == finger ? place : nil }
      #expect(one != before && one != drawn)
    }
    touch(.move, 0, Point(100, 207), at: 0.01)
    touch(.move, 3, Point(310, 130), at: 0.01)
    #expect(drawn == engine.displayList)
    touch(.up, 3, Point(310, 130), at: 0.02)
    asked = []
    _ = engine.displayList { finger in
      asked.insert(finger)
      return nil
    }
    #expect(asked == [0])
  }
}

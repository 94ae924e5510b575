// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing

private func slots() -> Slots {
  Slots(
    center: Point(200, 100), size: Size(200, 100),
    reels: [Slots.Reel(id: "r", items: ["a", "b"], direction: .down)])
}

private func button(_ y: Double = 300) -> Button {
  Button(center: Point(200, y), size: Size(80, 80), text: "Back")
}

/// Returns a page with slots that lead to their result and a way back, and two pages with one control.
private func machine(
  home: Double? = nil, blank: Double? = nil, settled: [Action] = [.go("result")]
) -> Description {
  Description(
    name: "machine", screen: Screen(size: Size(400, 400), homeAfter: home, blankAfter: blank),
    pages: [
      Page(name: "home", controls: [PlacedControl(id: "hello", control: button())]),
      Page(
        name: "play",
        controls: [
          PlacedControl(id: "first", control: button(200)),
          PlacedControl(id: "reels", control: slots(), actions: ["settled": settled]),
          PlacedControl(id: "back", control: button(), actions: ["selected": [.go("home")]]),
        ]),
      Page(name: "result", controls: [PlacedControl(id: "thanks", control: button())]),
    ])
}

extension Engine {
  fileprivate mutating func tap(_ point: Point, at seconds: Double) {
    for (phase, delay) in [(Touch.Phase.down, 0), (.up, 0.05)] {
      handle(
        Touch(finger: 0, phase: phase, position: point), at: Instant(seconds: seconds + delay))
    }
  }

  /// Returns the events since the last call, such as `reels.settled` or `page home`.
  fileprivate mutating func eventNames() -> [String] {
    takeEvents().map { event in
      event.control.map { "\($0).\(event.name)" }
        ?? ([event.name] + event.fields.map(\.value.display)).joined(separator: " ")
    }
  }

  fileprivate var page: String { pages[shownPage].name }
}

@Suite struct TurnTests {
  @Test func `leaving a page during a spin ignores the page change of the spin's end`() {
    var engine = Engine(machine(), seed: 1)
    engine.go(to: "play")
    engine.tap(Point(200, 100), at: 1)
    engine.tap(Point(200, 300), at: 2)
    #expect(engine.page == "home")
    #expect(
      engine.eventNames() == [
        "page play", "reels.started", "back.pressed", "back.selected",
        "back.confirmed", "reels.settled", "page home",
      ])
  }

  @Test func `a page change by command takes precedence over actions of ends`() {
    var engine = Engine(machine(), seed: 1)
    engine.go(to: "play")
    engine.perform("spin", on: "reels")
    engine.go(to: "home")
    #expect(engine.page == "home")
    #expect(engine.eventNames() == ["page play", "reels.started", "reels.settled", "page home"])
  }

  @Test func `going home during a spin stays at home`() {
    var engine = Engine(machine(home: 3), seed: 1)
    engine.go(to: "play")
    engine.tap(Point(200, 100), at: 1)
    engine.advance(to: Instant(seconds: 60))
    #expect(engine.page == "home")
    #expect(engine.eventNames().suffix(2) == ["reels.settled", "page home"])
  }

  @Test func `a panel that sleeps under a finger on a dial stays on its page`() {
    let dial = Dial(center: Point(200, 200), radius: 100, labels: ["a", "b", "c"])
    var engine = Engine(
      Description(
        name: "k", screen: Screen(size: Size(400, 400), blankAfter: 5),
        pages: [
          Page(
            name: "p",
            controls: [
              PlacedControl(id: "other", control: button()),
              PlacedControl(id: "dial", control: dial, actions: ["settled": [.go("q")]]),
            ]),
          Page(name: "q", controls: []),
        ]), seed: 0)
    engine.handle(Touch(finger: 0, phase: .down, position: Point(200, 150)), at: .zero)
    engine.advance(to: Instant(seconds: 10))
    #expect(engine.isBlank && engine.page == "p")
    #expect(engine.eventNames() == ["dial.pressed", "dial.settled", "slept"])
  }

  @Test func `leaving a page releases nothing on the next page`() {
    // The next page has a control at the same index as the slots, whose end leads back.
    var engine = Engine(machine(settled: [.go("play"), .emit("won")]), seed: 1)
    engine.go(to: "play")
    engine.perform("spin", on: "reels")
    engine.go(to: "result")
    #expect(engine.page == "result")
    #expect(
      engine.eventNames() == [
        "page play", "reels.started", "reels.settled", "page result", "emit won",
      ])
  }

  @Test func `other actions of ends run after a page change`() {
    let settled: [Action] = [
      .perform("spin", control: "reels"),
      .set(control: "thanks", property: "enabled", value: .flag(false)), .run(["logger"]),
      .go("result"),
    ]
    var engine = Engine(machine(settled: settled), seed: 1)
    engine.go(to: "play")
    engine.perform("spin", on: "reels")
    engine.go(to: "home")
    #expect(engine.page == "home")
    #expect(engine.value(of: "enabled", of: "thanks") == .flag(false))
    #expect(engine.value(of: "spinning", of: "reels") == .flag(false))
    #expect(engine.takePrograms() == [["logger"]])
  }

  @Test func `actions triggered indirectly by ends do not change the page`() {
    let menu = Menu(center: Point(200, 200), screen: Size(400, 400), items: [.init(id: "x")])
    var description = machine(settled: [
      .set(control: "menu", property: "open", value: .flag(true)),
      .perform("close", control: "menu"),
    ])
    description.pages[2].controls.append(
      PlacedControl(id: "menu", control: menu, actions: ["closed": [.go("result")]]))
    var engine = Engine(description, seed: 1)
    engine.go(to: "play")
    engine.perform("spin", on: "reels")
    engine.go(to: "home")
    #expect(engine.page == "home")
    #expect(engine.eventNames().suffix(3) == ["page home", "menu.opened", "menu.closed"])
  }

  @Test func `all reports of a change come before the resulting actions`() {
    let wheel = Pinwheel(
      center: Point(200, 200), radius: 100, hole: 0, wedges: [.init(id: "n"), .init(id: "s")])
    var engine = Engine(
      Description(
        name: "k", screen: Screen(size: Size(400, 400)),
        pages: [
          Page(
            name: "p",
            controls: [
              PlacedControl(
                id: "wheel", control: wheel,
                actions: ["cancelled": [.emit("first"), .emit("second")]])
            ])
        ]), seed: 0)
    engine.handle(Touch(finger: 0, phase: .down, position: Point(200, 150)), at: .zero)
    engine.handle(Touch(finger: 1, phase: .down, position: Point(200, 250)), at: .zero)
    _ = engine.takeEvents()
    engine.setBlank(true)
    #expect(
      engine.eventNames() == [
        "wheel.cancelled", "wheel.cancelled", "slept", "emit first", "emit second", "emit first",
        "emit second",
      ])
  }

  /// Returns a menu that reopens and closes endlessly, `copies` times per close.
  private func restless(_ copies: Int) -> Engine {
    let menu = Menu(center: Point(200, 200), screen: Size(400, 400), items: [.init(id: "x")])
    let round = [Action.perform("open", control: "m"), .perform("close", control: "m")]
    return Engine(
      Description(
        name: "k", screen: Screen(size: Size(400, 400)),
        pages: [
          Page(
            name: "p",
            controls: [
              PlacedControl(
                id: "m", control: menu,
                actions: ["closed": [[Action]](repeating: round, count: copies).flatMap(\.self)])
            ])
        ]), seed: 0)
  }

  @Test(arguments: [1, 3, 10_000])
  func `endless actions stop and report one failure`(copies: Int) {
    var engine = restless(copies)
    engine.perform("open", on: "m")
    engine.perform("close", on: "m")
    let reported = engine.eventNames()
    #expect(reported.count < 10_000)
    #expect(reported.filter { $0.hasPrefix("failed") }.count == 1)
    #expect(
      reported.last?.hasPrefix("failed actions take more work than one update allows") == true)
    // The kiosk continues to work.
    engine.perform("open", on: "m")
    #expect(engine.eventNames().last == "m.opened")
  }

  @Test func `the cost of a page change grows with its controls`() {
    let many = (0..<1000).map { PlacedControl(id: "b\($0)", control: button()) }
    let rounds = [[Action]](repeating: [.go("b"), .go("a")], count: 1000).flatMap(\.self)
    var engine = Engine(
      Description(
        name: "k",
        pages: [
          Page(
            name: "a",
            controls: many + [
              PlacedControl(id: "reels", control: slots(), actions: ["settled": rounds])
            ]),
          Page(name: "b", controls: []),
        ]), seed: 0)
    engine.perform("spin", on: "reels")
    engine.advance(to: Instant(seconds: 6))
    let pages = engine.eventNames().filter { $0.hasPrefix("page") }.count
    #expect(pages > 10 && pages < 100)
  }

  @Test func `a reload or restart ends presses without changing the page`() {
    let wheel = Pinwheel(
      center: Point(200, 200), radius: 100, hole: 0, wedges: [.init(id: "n"), .init(id: "s")])
    let menu = Menu(center: Point(50, 350), screen: Size(400, 400), items: [.init(id: "x")])
    let description = Description(
      name: "k", screen: Screen(size: Size(400, 400)),
      pages: [
        Page(
          name: "p",
          controls: [
            PlacedControl(id: "wheel", control: wheel, actions: ["cancelled": [.go("gone")]]),
            PlacedControl(id: "menu", control: menu),
            PlacedControl(id: "reels", control: slots()),
          ]),
        Page(name: "gone", controls: []),
      ])
    for restarts in [false, true] {
      var engine = Engine(description, seed: 0)
      engine.handle(Touch(finger: 0, phase: .down, position: Point(200, 190)), at: .zero)
      engine.perform("open", on: "menu")
      engine.perform("spin", on: "reels")
      _ = engine.takeEvents()
      if restarts {
        engine.restart(description, seed: 0)
      } else {
        var next = description
        for control in 0..<2 {
          next.pages[0].controls[control].font.families = ["serif"]
          next.pages[0].controls[control].actions["cancelled"] = []
        }
        engine.replace(with: next, seed: 0)
      }
      let ends =
        ["wheel.cancelled", "menu.closed"]
        + (restarts ? ["reels.settled", "restarted"] : ["reloaded"])
      #expect(engine.eventNames() == ends)
      #expect(engine.page == "p" && engine.fingers == [0])
      engine.handle(Touch(finger: 0, phase: .up, position: Point(200, 190)), at: .zero)
      engine.advance(to: Instant(seconds: 10))
      // The spin continues if the reels are equal.
      #expect(engine.eventNames() == (restarts ? [] : ["reels.settled"]))
    }
  }

  @Test func `a reload with an expired time limit goes home`() {
    var engine = Engine(machine(home: 60), seed: 0)
    engine.go(to: "play")
    engine.advance(to: Instant(seconds: 20))
    engine.replace(with: machine(home: 10), seed: 0)
    #expect(engine.page == "home")
    #expect(engine.eventNames() == ["page play", "reloaded", "page home"])
  }

  @Test func `a ticking dial continues after a reload`() throws {
    let dial = Dial(
      center: Point(200, 200), radius: 100, labels: ["a", "b", "c"],
      ticks: Dial.Ticks(every: 1, step: 1))
    let description = Description(
      name: "k", pages: [Page(name: "p", controls: [PlacedControl(id: "d", control: dial)])])
    var engine = Engine(description, seed: 0)
    try engine.set("ticking", of: "d", to: .flag(true))
    engine.advance(to: Instant(seconds: 1.5))
    _ = engine.takeEvents()
    engine.replace(with: description, seed: 0)
    #expect(engine.eventNames() == ["reloaded"])
    engine.advance(to: Instant(seconds: 3))
    #expect(engine.eventNames().contains("d.passing"))
    #expect(engine.value(of: "ticking", of: "d") == .flag(true))
  }

  @Test func `text composed from labels that exceeds the maximum length is reported`() throws {
    func label(_ id: String, _ text: String) throws -> PlacedControl {
      PlacedControl(
        id: id, control: Label(center: .zero, text: ""), bindings: ["text": try Template(text)])
    }
    let description = Description(
      name: "k",
      pages: [
        Page(
          name: "p",
          controls: [
            PlacedControl(id: "leaf", control: Label(center: .zero, text: "x")),
            try label("half", String(repeating: "{leaf.text}", count: 40)),
            try label("whole", String(repeating: "{half.text}", count: 40)),
          ])
      ])
    var engine = Engine(description, seed: 0)
    try engine.set("text", of: "leaf", to: .text(String(repeating: "é", count: 900)))
    #expect(
      engine.eventNames() == [
        "failed half.text: \"text\" takes a string of at most \(Label.maximumBytes) bytes"
      ])
    // The last valid text stays.
    #expect(engine.value(of: "text", of: "half") == .text(String(repeating: "x", count: 40)))
    #expect(throws: PropertyError.self) {
      try engine.set("text", of: "leaf", to: .text(String(repeating: "x", count: 65_537)))
    }
  }

  @Test func `repeatedly nested labels stop at the maximum text length`() throws {
    var controls = [PlacedControl(id: "l0", control: Label(center: .zero, text: "x"))]
    for depth in 1...9 {
      let text = String(repeating: "{l\(depth - 1).text}", count: 16)
      controls.append(
        PlacedControl(
          id: "l\(depth)", control: Label(center: .zero, text: ""),
          bindings: ["text": try Template(text)]))
    }
    var engine = Engine(
      Description(name: "k", pages: [Page(name: "p", controls: controls)]), seed: 0)
    #expect(engine.value(of: "text", of: "l4") == .text(String(repeating: "x", count: 65_536)))
    #expect(engine.value(of: "text", of: "l5") == .text(""))
    let reported = engine.eventNames()
    #expect(reported.count == 2 && reported[0] == "failed l5.text: too much work at once")
  }
}

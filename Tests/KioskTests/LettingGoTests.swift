// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing

private let north = Point(200, 140)
private let south = Point(200, 260)

private func wheel(_ color: ThemeColor = .black) -> Pinwheel {
  Pinwheel(
    center: Point(200, 200), radius: 100,
    wedges: ["n", "s"].map { .init(id: $0, color: color) })
}

private func slots(_ items: [String]) -> Slots {
  Slots(
    center: Point(500, 200), size: Size(100, 100), duration: 1,
    reels: [.init(id: "r", items: items, direction: .down)])
}

private func kiosk(_ pages: [[PlacedControl]]) -> Description {
  Description(
    name: "k", screen: Screen(size: Size(800, 400)),
    pages: pages.enumerated().map { Page(name: "p\($0)", controls: $1) })
}

extension Engine {
  fileprivate mutating func tap(_ point: Point, at seconds: Double) {
    for phase in [Touch.Phase.down, .up] { touch(phase, point, at: seconds) }
  }

  fileprivate mutating func touch(_ phase: Touch.Phase, _ point: Point, at seconds: Double) {
    handle(Touch(finger: 0, phase: phase, position: point), at: Instant(seconds: seconds))
  }

  /// Returns the controls' events since the last call, until `seconds`.
  fileprivate mutating func controlEvents(until seconds: Double) -> [String] {
    advance(to: Instant(seconds: seconds))
    return takeEvents().filter { $0.control != nil }.map {
      "\($0.name) \(Double($0.time.microseconds) / 1e6)"
    }
  }
}

@Suite struct LettingGoTests {
  @Test func `a disabled control cancels its press and still confirms its choice`() throws {
    for property in ["enabled", "visible"] {
      var engine = Engine(kiosk([[PlacedControl(id: "w", control: wheel())]]), seed: 0)
      engine.tap(north, at: 0)
      engine.touch(.down, south, at: 0.25)
      try engine.set(property, of: "w", to: .flag(false))
      engine.touch(.up, south, at: 0.5)
      #expect(
        engine.controlEvents(until: 2) == [
          "pressed 0.0", "selected 0.0", "pressed 0.25", "cancelled 0.25", "confirmed 0.55",
        ])
    }
  }

  @Test func `a spin continues on disabled slots`() throws {
    var engine = Engine(kiosk([[PlacedControl(id: "s", control: slots(["a", "b"]))]]), seed: 0)
    engine.perform("spin", on: "s")
    try engine.set("enabled", of: "s", to: .flag(false))
    #expect(engine.controlEvents(until: 2) == ["started 0.0", "settled 1.0"])
  }

  @Test func `leaving a page drops unconfirmed choices`() {
    var engine = Engine(kiosk([[PlacedControl(id: "w", control: wheel())], []]), seed: 0)
    engine.tap(north, at: 0)
    engine.go(to: "p1")
    #expect(engine.controlEvents(until: 2) == ["pressed 0.0", "selected 0.0"])
  }

  @Test func `a spin's end on leaving its page does not reset the kiosk`() {
    let machine = PlacedControl(
      id: "s", control: slots(["a", "b"]), actions: ["settled": [Action(Command.reset(nil))]])
    var engine = Engine(kiosk([[], [machine], []]), seed: 0)
    engine.go(to: "p1")
    engine.perform("spin", on: "s")
    engine.go(to: "p2")
    #expect(engine.pages[engine.shownPage].name == "p2")
  }

  @Test func `blinks and spins continue after a reload, even with other items`() {
    var engine = Engine(
      kiosk([
        [
          PlacedControl(id: "w", control: wheel()),
          PlacedControl(id: "s", control: slots(["a", "b"])),
        ]
      ]),
      seed: 0)
    engine.tap(north, at: 0)
    engine.perform("spin", on: "s")
    engine.advance(to: Instant(seconds: 0.25))
    _ = engine.takeEvents()
    engine.replace(
      with: kiosk([
        [
          PlacedControl(id: "s", control: slots(["b", "c"])),
          PlacedControl(id: "w", control: wheel(.white)),
        ]
      ]), seed: 1)
    #expect(engine.controlEvents(until: 2) == ["confirmed 0.55", "settled 1.0"])
  }

  @Test func `a spin ends when a reload removes or moves its control`() {
    let machine = PlacedControl(id: "s", control: slots(["a", "b"]))
    let others = [
      kiosk([[]]), kiosk([[], [machine]]), kiosk([[PlacedControl(id: "s", control: wheel())]]),
    ]
    for other in others {
      var engine = Engine(kiosk([[machine]]), seed: 0)
      engine.perform("spin", on: "s")
      engine.replace(with: other, seed: 0)
      #expect(engine.controlEvents(until: 2) == ["started 0.0", "settled 0.0"])
    }
  }

  @Test func `a timer runs only while it is enabled on a visible page`() throws {
    var engine = Engine(kiosk([[PlacedControl(id: "t", control: Timer(every: 1))], []]), seed: 0)
    #expect(engine.isStill)
    #expect(engine.controlEvents(until: 1.5) == ["due 1.0"])
    engine.go(to: "p1")
    #expect(engine.controlEvents(until: 5) == [])
    engine.go(to: "p0")
    #expect(engine.controlEvents(until: 6.5) == ["due 6.0"])
    engine.setBlank(true)
    #expect(engine.controlEvents(until: 10) == [])
    engine.setBlank(false)
    #expect(engine.controlEvents(until: 11.25) == ["due 11.0"])
    try engine.set("enabled", of: "t", to: .flag(false))
    #expect(engine.controlEvents(until: 15) == [])
    try engine.set("enabled", of: "t", to: .flag(true))
    #expect(engine.controlEvents(until: 16.5) == ["due 16.0"])
    // A reload doesn't change the timer's due times.
    engine.replace(with: engine.description, seed: 0)
    #expect(engine.controlEvents(until: 17.2) == ["due 17.0"])
    engine.setBlank(true)
    try engine.set("enabled", of: "t", to: .flag(false))
    try engine.set("enabled", of: "t", to: .flag(true))
    #expect(engine.controlEvents(until: 20) == [])
  }

  @Test func `an initially disabled timer does not run`() {
    var engine = Engine(
      kiosk([[PlacedControl(id: "t", control: Timer(every: 1), isEnabled: false)]]), seed: 0)
    #expect(engine.controlEvents(until: 5) == [])
  }
}

// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing

@testable import KioskFile

private let text = """
  kiosk: k
  screen: {size: [800, 480], mirror: auto}
  languages: [en, ar]
  values: {n: 3, low: 1}
  pages:
    - page: home
      grid: {columns: 4}
      controls:
        - {button: b, at: [100, 200], size: [100, 80], color: "{n > 4 ? 'red' : 'blue'}"}
        - {ring: r, at: ["{screen.width / 4}", 300], radius: 80, value: "{low}", min: 5, max: 100}
        - {menu: m, cell: [3, 0], leaf_radius: 20, items: [{id: x}]}
        - {list: l, at: [600, 240], size: [100, 200], row_height: 40, items: [{id: a}, {id: c}]}
  """

@Suite struct MirrorTests {
  private func engine(_ text: String) throws -> Engine {
    let reading = read(text)
    #expect(reading.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
    return Engine(try #require(reading.description), seed: 1)
  }

  private func frames(_ engine: Engine) -> [Rect?] {
    engine.pages[0].controls.map(\.control.extent)
  }

  @Test func `positions are mirrored in right-to-left languages`() throws {
    var engine = try engine(text)
    let plain = frames(engine)
    try engine.set(.language, to: .text("ar"))
    let mirrored = frames(engine)
    #expect(
      mirrored
        == plain.map { $0.map { Rect(x0: 800 - $0.x1, y0: $0.y0, x1: 800 - $0.x0, y1: $0.y1) } })
    try engine.set(.language, to: .text("en"))
    #expect(frames(engine) == plain)
  }

  @Test func `a mirrored control is touched at its new position, and keeps its state`() throws {
    var engine = try engine(text)
    try engine.set(.value("n"), to: .number(9))
    try engine.set("enabled", of: "l", to: .flag(false))
    try engine.set(.language, to: .text("ar"))
    #expect(engine.value(of: "color", of: "b") == .text("red"))
    #expect(engine.value(of: "enabled", of: "l") == .flag(false))
    _ = engine.takeEvents()
    func tap(_ x: Double) {
      let point = Point(x, 200)
      engine.handle(Touch(finger: 0, phase: .down, position: point), at: engine.now)
      engine.handle(Touch(finger: 0, phase: .up, position: point), at: engine.now + 0.05)
    }
    tap(700)
    #expect(
      engine.takeEvents().filter { $0.control == "b" }.map(\.name).prefix(2) == [
        "pressed", "selected",
      ])
    tap(100)
    #expect(engine.takeEvents().filter { $0.control == "b" } == [])
  }

  @Test func `mirroring cancels the touch on a control that moves`() throws {
    var engine = try engine(text)
    engine.handle(Touch(finger: 0, phase: .down, position: Point(100, 200)), at: .zero)
    _ = engine.takeEvents()
    try engine.set(.language, to: .text("ar"))
    #expect(engine.takeEvents().filter { $0.control == "b" }.map(\.name) == ["cancelled"])
  }

  private static let parts = """
    kiosk: k
    screen: {size: [800, 480], mirror: auto}
    languages: [en, ar]
    pages:
      - page: home
        controls:
          - {picker: p, at: [200, 200], size: [300, 100], wheels: [{id: a, items: [1, 2]}, {id: b, items: [3, 4]}]}
          - {slots: s, at: [200, 350], size: [300, 100], reels: [{id: a, items: [1, 2]}, {id: b, items: [3, 4]}]}
          - {menu: m, at: [80, 420], start: 0, arc: 90, opened: true, items: [{id: a}, {id: b}, {id: c}]}
          - {label: l, at: [20, 30], text: Title, align: left, on: {selected: [{emit: x}]}}
          - {dial: d, at: [600, 240], radius: 150, labels: 12, value: 5}
    """

  @Test func `a control mirrors its wheels, reels, arc and alignment`() throws {
    var engine = try engine(Self.parts)
    func places() -> [String: Double] {
      var places: [String: Double] = [:]
      for entry in engine.pages[0].controls {
        for item in entry.control.items(at: engine.now) {
          places["\(entry.id)/\(item.id)"] = item.place?.x
        }
        places["\(entry.id) text"] = entry.control.pressArea(in: .dark)?.frame.center.x
      }
      return places.filter { !$0.key.hasPrefix("d/") }
    }
    let plain = places()
    #expect(Set(["p/a", "p/b", "s/a", "s/b", "m/a", "m/c", "l text"]).isSubset(of: plain.keys))
    try engine.set(.language, to: .text("ar"))
    for (name, x) in places() { #expect(abs(x - (800 - (plain[name] ?? 0))) < 1e-9, "\(name)") }
    #expect(engine.value(of: "open", of: "m") == .flag(true))
    var pressed = engine
    pressed.perform("close", on: "m")
    let wheel = try #require(pressed.placedControl("p")?.control.place(of: "b", at: pressed.now))
    pressed.handle(Touch(finger: 0, phase: .down, position: wheel), at: Instant(seconds: 1))
    let event = pressed.takeEvents().last { $0.control == "p" }
    #expect(event?.fields.first { $0.name == "wheel" }?.value == .text("b"))
    try engine.set(.language, to: .text("en"))
    #expect(places() == plain)
  }

  @Test(arguments: ["[en, ar]", "[ar, en]"])
  func `a reset keeps a control on its side for the language`(_ languages: String) throws {
    var engine = try engine(Self.parts.replacing("[en, ar]", with: languages))
    let fresh = engine.displayList
    for id in ["p", "s", "m", "l", "d"] {
      try engine.set(.language, to: .text("ar"))
      let places = frames(engine)
      try engine.apply(.reset(id))
      #expect(frames(engine) == places, "\(id)")
      try engine.apply(.reset(nil))
      #expect(engine.displayList == fresh, "\(id)")
    }
  }

  @Test func `a mirrored control keeps its changed keys and its motion`() throws {
    var engine = try engine(Self.parts)
    try engine.set("color", of: "d", to: .text("red"))
    let wheel = [Field("id", .text("x")), Field("items", .list([.text("Q"), .text("R")]))]
    try engine.set("wheels", of: "p", to: .list([.record(wheel)]))
    try engine.set("value", of: "d", to: .number(7))
    engine.advance(to: Instant(seconds: 0.1))
    _ = engine.takeEvents()
    try engine.set(.language, to: .text("ar"))
    let dial = try #require(engine.placedControl("d")?.control as? Dial)
    #expect(dial.color == .hex(0xff0000) && dial.isMoving(at: engine.now))
    #expect(engine.value(of: "x.label", of: "p") == .text("Q"))
    engine.advance(to: Instant(seconds: 1))
    #expect(engine.takeEvents().filter { $0.control == "d" }.map(\.name) == ["settled"])
    // The hub also shows the value.
    let texts = engine.displayList.items.flatMap(\.tiles).count { tile in
      if case .text(let run) = tile.shape { run.text == "7" } else { false }
    }
    #expect(texts == 2)
  }

  @Test func `the default is never, and the first language may be right-to-left`() throws {
    var never = try engine(text.replacing(", mirror: auto", with: ""))
    let plain = frames(never)
    try never.set(.language, to: .text("ar"))
    #expect(frames(never) == plain)
    let first = try engine(text.replacing("[en, ar]", with: "[ar, en]"))
    #expect(first.pages[0].controls[0].control.extent?.center == Point(700, 200))
  }
}

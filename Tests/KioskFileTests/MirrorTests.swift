// SPDX-License-Identifier: MIT

import Controls
import Declarations
import Expressions
import Geometry
import Kiosk
import Motion
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
    #expect(reading.mistakes.filter { $0.severity == .error }.map(\.description) == [])
    return Engine(try #require(reading.description), seed: 1)
  }

  private func frames(_ engine: Engine) -> [Rect?] {
    engine.pages[0].controls.map(\.control.extent)
  }

  @Test func `places are reflected while a language is written from right to left`() throws {
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

  @Test func `what is reflected is touched where it is, and keeps what it is`() throws {
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

  @Test func `a finger that holds a control is let go when that goes elsewhere`() throws {
    var engine = try engine(text)
    engine.handle(Touch(finger: 0, phase: .down, position: Point(100, 200)), at: .zero)
    _ = engine.takeEvents()
    try engine.set(.language, to: .text("ar"))
    #expect(engine.takeEvents().filter { $0.control == "b" }.map(\.name) == ["cancelled"])
  }

  @Test func `never is the default, and a first language may be the one`() throws {
    var never = try engine(text.replacing(", mirror: auto", with: ""))
    let plain = frames(never)
    try never.set(.language, to: .text("ar"))
    #expect(frames(never) == plain)
    let first = try engine(text.replacing("[en, ar]", with: "[ar, en]"))
    #expect(first.pages[0].controls[0].control.extent?.center == Point(700, 200))
  }
}

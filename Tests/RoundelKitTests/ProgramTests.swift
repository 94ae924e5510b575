// SPDX-License-Identifier: MIT

import RoundelKit
import Testing

/// A complete custom control: a disc that counts its taps.
private struct Counter: Control {
  let center: Point
  private(set) var count = 0

  init(center: Point) { self.center = center }

  func contains(_ point: Point, at now: Instant) -> Bool { point.distance(to: center) < 50 }

  mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    guard touch.phase == .up else { return }
    count += 1
    events.append(ControlEvent("counted", at: now, fields: [Field("count", .integer(count))]))
  }

  func draw(into list: inout DisplayList, in context: DrawingContext) {
    list.add(.disc(center: center, radius: 50), .palette(count % 12, of: 12))
  }

  var properties: [String] { ["count"] }

  func value(of property: String, at now: Instant) -> Value? {
    property == "count" ? .integer(count) : nil
  }
}

@Suite struct ProgramTests {
  private func program(wedges: Int = 2, onSelected: @escaping Program.Handler) -> Program {
    Program("test", screen: Screen(size: Size(400, 400))) {
      Page("first") {
        Pinwheel(
          center: Point(200, 200), radius: 150,
          wedges: (0..<wedges).map { Pinwheel.Wedge(id: "w\($0)", label: "Wedge \($0)") }
        )
        .named("wheel")
        .on("selected", onSelected)
        .on("selected", .emit("chosen"))
        for index in 0..<3 {
          Counter(center: Point(30, 30 + Double(index) * 120)).named("counter\(index)")
        }
      }
      Page("second") {
        Label(center: Point(200, 200), text: "{wheel.label}, {counter1.count}").named("text")
      }
    }
  }

  private func tap(_ engine: inout Engine, _ x: Double, _ y: Double, at t: Double) {
    let point = Point(x, y)
    engine.handle(Touch(finger: 0, phase: .down, position: point), at: Instant(seconds: t))
    engine.handle(Touch(finger: 0, phase: .up, position: point), at: Instant(seconds: t + 0.05))
  }

  @Test func `closures are called for their event and may command the engine`() {
    var seen: [String] = []
    let program = program { event, engine in
      seen.append(event.item ?? "")
      engine.go(to: "second")
    }
    var engine = Engine(program.description, seed: 0)
    tap(&engine, 200, 80, at: 0)
    let events = program.handleEvents(of: &engine)
    #expect(seen == ["w0"])
    #expect(events.map(\.name) == ["pressed", "selected", "emit", "page"])
    #expect(engine.value(of: "text", of: "text") == .text("Wedge 0, 0"))
  }

  @Test func `a custom control is used like any other`() {
    let program = program { _, _ in }
    var engine = Engine(program.description, seed: 0)
    let before = engine.displayList
    tap(&engine, 30, 150, at: 0)
    tap(&engine, 30, 150, at: 1)
    #expect(engine.displayList != before)
    #expect(engine.value(of: "count", of: "counter1") == .number(2))
    #expect(engine.value(of: "count", of: "counter0") == .number(0))
  }

  @Test func `a closure sets a value and a label shows it`() throws {
    let program = Program(
      "cups", values: [ValueDeclaration(name: "cups", initial: .number(1), maximum: 2)]
    ) {
      Page("only") {
        Counter(center: Point(100, 100)).named("more").on("counted") { _, engine in
          try? engine.set(.value("cups"), to: .number(5))
        }
        Label(center: Point(300, 100), text: "{cups} cups").named("text")
      }
    }
    var engine = Engine(program.description, seed: 0)
    #expect(engine.value(of: "text", of: "text") == .text("1 cups"))
    tap(&engine, 100, 100, at: 0)
    _ = program.handleEvents(of: &engine)
    #expect(engine.value(of: .value("cups")) == .number(2))
    #expect(engine.value(of: "text", of: "text") == .text("2 cups"))
  }

  @Test func `closures that trigger each other endlessly are stopped`() {
    let program = program { _, engine in
      engine.handle(
        Touch(finger: 0, phase: .down, position: Point(200, 80)), at: engine.now)
      engine.handle(Touch(finger: 0, phase: .up, position: Point(200, 80)), at: engine.now)
    }
    var engine = Engine(program.description, seed: 0)
    tap(&engine, 200, 80, at: 0)
    #expect(program.handleEvents(of: &engine).count < 100)
  }
}

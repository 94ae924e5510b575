// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing
import RoundelDeclarations

@testable import KioskFile

private func kiosk(_ control: String) -> String {
  "kiosk: k\npages: [{page: p, controls: [\(control)]}]\n"
}

private func engine(_ control: String) throws -> Engine {
  let reading = read(kiosk(control))
  #expect(reading.diagnostics.filter { $0.severity == .error } == [])
  return Engine(try #require(reading.description), seed: 3)
}

/// The names emitted until `seconds`.
private func emitted(_ engine: inout Engine, until seconds: Double) -> [String] {
  engine.advance(to: Instant(seconds: seconds))
  return engine.takeEvents().compactMap { event in
    guard event.name == "emit" else { return nil }
    return event.fields.first { $0.name == "name" }?.value.display
  }
}

@Suite struct PartActionsTests {
  @Test func `a dial's label has its own actions, which run after the dial's`() throws {
    var engine = try engine(
      """
      {dial: d, at: [300, 200], radius: 150, on: {settled: [{emit: any}]},
      labels: [a, {label: b, on: {settled: [{emit: second}]}}, {label: c}]}
      """)
    try engine.set("label", of: "d", to: .text("b"))
    #expect(emitted(&engine, until: 1) == ["any", "second"])
    try engine.set("label", of: "d", to: .text("c"))
    #expect(emitted(&engine, until: 2) == ["any"])
    #expect(engine.value(of: "label", of: "d") == .text("c"))
  }

  @Test func `a picker's row has its own actions, independent of other wheels`() throws {
    var engine = try engine(
      """
      {picker: p, at: [300, 200], size: [200, 200], wheels: [
      {id: x, items: [a, {label: b, color: red, on: {settled: [{emit: x1}]}}]},
      {id: y, items: [{label: a}, {label: b, on: {settled: [{emit: y1}]}}]}]}
      """)
    try engine.set("x.index", of: "p", to: .integer(1))
    #expect(emitted(&engine, until: 1) == ["x1"])
    try engine.set("y.index", of: "p", to: .integer(1))
    #expect(emitted(&engine, until: 2) == ["y1"])
    try engine.set("y.index", of: "p", to: .integer(0))
    #expect(emitted(&engine, until: 3) == [])
  }

  @Test func `the items of reels have their own actions, from left to right`() throws {
    let item = { (name: String) in "{label: \(name), on: {settled: [{emit: \(name)}]}}" }
    var engine = try engine(
      """
      {slots: s, at: [300, 200], size: [200, 200], duration: 1, reels: [
      {id: r, items: [\(item("r0")), \(item("r1"))]}, {id: q, items: [plain, \(item("q1"))]}]}
      """)
    engine.perform("spin", on: "s")
    try engine.set("q.label", of: "s", to: .text("q1"))
    try engine.set("r.label", of: "s", to: .text("r1"))
    #expect(emitted(&engine, until: 2) == ["r1", "q1"])
    engine.perform("spin", on: "s")
    try engine.set("q.label", of: "s", to: .text("plain"))
    try engine.set("r.label", of: "s", to: .text("r0"))
    #expect(emitted(&engine, until: 4) == ["r0"])
  }

  @Test(arguments: [
    ("dial: d, at: [9, 9], radius: 99, labels: [{label: a, on: {passing: []}}]", "settled"),
    ("dial: d, at: [9, 9], radius: 99, labels: [{on: {settled: []}}]", "label"),
    ("dial: d, at: [9, 9], radius: 99, labels: [{label: a, on: {settled: [{go: x}]}}]", "\"x\""),
    (
      "picker: p, at: [9, 9], size: [99, 99], wheels: [{id: w, items: [{label: a, on: 3}]}]",
      "\"on\""
    ),
    (
      "slots: s, at: [9, 9], size: [99, 99], reels: [{id: r, items: [{label: a, colour: red}]}]",
      "colour"
    ),
  ])
  func `errors in the actions of parts are reported`(text: String, expected: String) {
    let diagnostics = diagnostics(kiosk("{\(text)}"))
    #expect(diagnostics.contains { $0.contains(expected) }, "\(diagnostics)")
  }
}

@Suite struct ChoiceAndTimerTypeTests {
  @Test func `a button has no blink by default, and otherwise the defaults of a pinwheel`() throws {
    for (text, blink) in [
      ("", Blink.Pattern.none), (", blink: {}", Blink.Pattern()),
      (", blink: {count: 3, on: 0.1, off: 0}", Blink.Pattern(count: 3, on: 0.1, off: 0)),
    ] {
      let engine = try engine("{button: b, at: [300, 200], size: [99, 99]\(text)}")
      #expect((engine.placedControl("b")?.control as? Button)?.blink == blink)
    }
  }

  @Test func `selections can wait until they are confirmed`() throws {
    var engine = try engine(
      """
      {pinwheel: p, at: [300, 300], radius: 200, on: {confirmed: [{emit: any}]},
      wedges: [{id: a, on: {confirmed: [{emit: a}]}}, {id: b}]}
      """)
    for phase in [Touch.Phase.down, .up] {
      engine.handle(Touch(finger: 0, phase: phase, position: Point(300, 200)), at: .zero)
    }
    #expect(emitted(&engine, until: 0.5) == [])
    #expect(emitted(&engine, until: 0.56) == ["any", "a"])
  }

  @Test func `a timer needs no position, and fires while it runs`() throws {
    var engine = try engine("{timer: t, every: 2, on: {due: [{emit: due}]}}")
    #expect(engine.isStill)
    #expect(emitted(&engine, until: 5) == ["due", "due"])
    try engine.set("running", of: "t", to: .flag(false))
    #expect(emitted(&engine, until: 9) == [])
    try engine.set("running", of: "t", to: .flag(true))
    #expect(emitted(&engine, until: 11) == ["due"])
    #expect(engine.displayList.items.isEmpty)
  }

  @Test func `a timer can be bound to a value`() throws {
    let reading = read(
      """
      kiosk: k
      values: {on: false}
      pages: [{page: p, controls: [
        {timer: t, at: [1, 2], every: 2, running: "{on}", on: {due: [{emit: due}]}}]}]
      """)
    #expect(reading.diagnostics.map(\.description) == [])
    var engine = Engine(try #require(reading.description), seed: 0)
    #expect(emitted(&engine, until: 5) == [])
    try engine.set(.value("on"), to: .flag(true))
    #expect(emitted(&engine, until: 8) == ["due"])
  }

  @Test(arguments: [
    ("timer: t", "missing key \"every\""), ("timer: t, every: 0.01", "0.05"),
    ("timer: t, every: 1, running: 3", "running"), ("timer: t, every: 1, on: {passing: []}", "due"),
  ])
  func `an invalid timer is reported`(text: String, expected: String) {
    let diagnostics = diagnostics(kiosk("{\(text)}"))
    #expect(diagnostics.contains { $0.contains(expected) }, "\(diagnostics)")
  }
}

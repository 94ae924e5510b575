// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import RoundelJSON
import Kiosk
import RoundelMotion
import Testing
import RoundelDeclarations

@testable import KioskFile

/// The event fields that actions can read.
@Suite struct EventFieldTests {
  @Test(arguments: ControlType.all.map(\.name))
  func `an event has exactly the fields that its type declares`(_ name: String) throws {
    let type = try #require(ControlType.named(name))
    // Only a keypad can be secret.
    let variants: [(key: String, value: JSONValue)?] =
      switch name {
      case "keypad": [("layout", "digits"), ("layout", "pin")]
      case "dial": [nil, ("endless", true)]
      case "label": [nil, ("scroll", true)]
      case "color": [nil, ("kelvin", [2_200, 6_500])]
      default: [nil]
      }
    var heard: Set<String> = []
    for variant in variants {
      var control = SampleControl(type)
      if type.events.contains(where: { $0.name == "held" }) {
        control["on"] = ["held": [["emit": "held"]]]
        control["hold"] = 0.1
      }
      if let variant {
        control[variant.key] = variant.value
        control.remove("max")
      }
      var engine = try control.engine()
      let entry = try #require(engine.placedControl("x"))
      let declared = type.events.map { entry.control.isSecret ? $0.ofSecret : $0 }
      var fingers = Fingers(seed: 11)
      for round in 0..<400 {
        var start = Point.zero
        fingers.touch { phase, place, time in
          if phase == .down { start = place }
          // Some touches leave the control and return.
          if phase == .up, round % 5 == 1 {
            for position in [Point(1, start.y), start] {
              engine.handle(Touch(finger: 0, phase: .move, position: position), at: time)
            }
          }
          engine.handle(Touch(finger: 0, phase: phase, position: place), at: time)
          // Some touches rest until they count as held.
          if phase == .down, round % 7 == 0 { engine.advance(to: time + 0.2) }
        }
        if round % 50 == 0 {
          for command in entry.control.commands { engine.perform(command, on: "x") }
        }
        for event in engine.takeEvents() where event.control == "x" {
          let known = try #require(declared.first { $0.name == event.name }, "\(event.name)")
          heard.insert(event.name)
          let reported = event.fields + event.secrets
          #expect(
            Set(reported.map(\.name)) == Set(known.fields.map(\.name)).subtracting(["item"]),
            "\(name).\(event.name)")
          #expect(event.item == nil || known.fields.contains(.item))
          for field in reported {
            let kind = known.fields.first { $0.name == field.name }?.kind
            #expect(kind == field.value.kind || kind == .any, "\(name).\(event.name) \(field.name)")
          }
        }
      }
    }
    #expect(heard == Set(type.events.map(\.name)), "of \(name) not all events were heard")
  }

  private func diagnosticsOf(_ controls: String, _ head: String = "") -> [String] {
    diagnostics(
      "kiosk: k\nvalues: {n: 1, t: \"\"}\n\(head)\npages:\n- page: p\n  controls:\n  - \(controls)")
  }

  private func button(_ event: String, _ action: String) -> String {
    "{button: b, at: [640, 400], size: [200, 100], on: {\(event): [\(action)]}}"
  }

  private let wheel = "pinwheel: w, at: [640, 400], radius: 300"

  @Test func `an unknown event field is reported with the known fields`() {
    #expect(
      diagnosticsOf(button("selected", "{emit: \"{event.nosuch}\"}"))
        == [
          "7:74: error: \"selected\" has no field \"nosuch\" (expected label, control, event or by)"
        ])
    #expect(
      diagnosticsOf(button("selected", "{set: {t: \"{event.lable}\"}}"))
        == [
          "7:77: error: \"selected\" has no field \"lable\" (expected label, control, event or by; did you mean \"label\"?)"
        ])
  }

  @Test(arguments: [
    // Every position in an action that may contain an expression.
    ("{go: \"{event.nosuch}\"}", "nosuch"), ("{go: p, when: event.nosuch == 3}", "nosuch"),
    ("{emit: {name: x, y: \"{event.nosuch}\"}}", "nosuch"),
    ("{run: [a, \"{event.nosuch}\"]}", "nosuch"),
    ("{set: {w.item: \"{event.nosuch}\"}}", "nosuch"),
    ("{emit: \"{event.label.text}\"}", "label.text"),
  ])
  func `an unknown field is reported in any expression`(_ action: String, _ field: String) {
    for place in [
      "wedges: [{id: a}], on: {selected: [\(action)]}",
      "wedges: [{id: a, on: {selected: [\(action)]}}]",
    ] {
      let found = diagnosticsOf("{\(wheel), \(place)}")
      #expect(found.count == 1)
      #expect(
        found.first?.contains(
          "\"selected\" has no field \"\(field)\" (expected item, index, label, control, event or by"
        )
          == true, "\(found)")
    }
  }

  @Test func `each event has its own fields`() {
    let emit = "{emit: \"{event.index}{event.control}\"}"
    #expect(diagnosticsOf("{\(wheel), wedges: [{id: a}], on: {confirmed: [\(emit)]}}").isEmpty)
    #expect(diagnosticsOf(button("confirmed", emit)).count == 1)
    let keypad = "keypad: k, at: [640, 400], size: [500, 700]"
    let typed = "on: {typed: [{emit: \"{event.key}\"}], entered: [{emit: \"{event.text}\"}]}"
    #expect(diagnosticsOf("{\(keypad), \(typed)}").isEmpty)
    // Secret input is reported only when entered.
    #expect(diagnosticsOf("{\(keypad), layout: pin, \(typed)}").count == 1)
    let plain = "{label: l, at: [640, 400], text: x}"
    #expect(diagnosticsOf(plain, "on: {started: [{emit: \"{event.event} {event.by}\"}]}").isEmpty)
    #expect(diagnosticsOf(plain, "on: {started: [{emit: \"{event.control}\"}]}").count == 1)
    #expect(
      diagnostics(
        """
        kiosk: k
        pages: [{page: p, controls: [\(plain)], on: {shown: [{emit: "{event.page}"}]}}]
        """
      ).count == 1)
  }

  @Test func `the kinds of fields are checked`() {
    func set(_ field: String, to name: String) -> [String] {
      diagnosticsOf(
        "{\(wheel), wedges: [{id: a}], on: {selected: [{set: {\(name): \"{event.\(field)}\"}}]}}")
    }
    #expect(set("index", to: "n").isEmpty && set("label", to: "t").isEmpty)
    #expect(
      set("label", to: "n").first?.contains("\"n\" is set to a string (expected a number)") == true)
    #expect(set("index", to: "t").count == 1)
  }

  @Test func `a menu that passes no leaf reports an empty item`() throws {
    var control = SampleControl(try #require(ControlType.named("menu")))
    control["on"] = ["passing": [["set": ["t": "{event.item}"]]]]
    var engine = try control.engine(values: ["t": "none yet"])
    func touch(_ phase: Touch.Phase, _ x: Double, _ y: Double, _ time: Double) {
      engine.handle(
        Touch(finger: 0, phase: phase, position: Point(x, y)), at: Instant(seconds: time))
    }
    touch(.down, 200, 200, 1)
    touch(.move, 200, 90, 1.2)
    #expect(engine.value(of: .value("t")) == .text("one"))
    touch(.move, 200, 200, 1.3)
    #expect(engine.value(of: .value("t")) == .text(""))
    #expect(engine.takeEvents().allSatisfy { $0.name != "failed" })
  }
}

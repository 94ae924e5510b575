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

/// Keys with the name of a state, such as a menu's `label`. The name refers to the state.
@Suite struct SharedNameTests {
  /// The bindable keys of a type and of its items that share a name with a state.
  private static func keys(of type: ControlType) throws -> [String] {
    let entry = try #require(try SampleControl(type).engine().placedControl("x"))
    let source = try #require(entry.source)
    return try source.names(upTo: .max).filter { key in
      let declared = try #require(source[key]?.key)
      let isBindable = declared.role == .variable && ![.list, .record].contains(declared.valueKind)
      return isBindable && entry.control.value(of: key, at: .zero) != nil
    }
  }

  @Test
  func `a bound key that shares a state's name is drawn as bound and never written back`() throws {
    var found: [String] = []
    for type in ControlType.all {
      for key in try Self.keys(of: type) {
        found.append("\(type.name).\(key)")
        let isText = SampleControl(type).type.table.keys.all.first { $0.name == key }?.isFreeText
        let (first, second): (JSONValue, JSONValue) = isText == true ? ("one", "two") : (4, 5)
        let wanted = try #require(Value(second))
        var control = SampleControl(type)
        control[key] = "{v}"
        var bound = try control.engine(values: ["v": first])
        control[key] = second
        var plain = try control.engine(values: ["v": second])
        try bound.set(.value("v"), to: wanted)
        var fingers = Fingers(seed: 7)
        var states: Set<Value> = []
        for _ in 0..<60 {
          fingers.touch { phase, place, time in
            let touch = Touch(finger: 0, phase: phase, position: place)
            bound.handle(touch, at: time)
            plain.handle(touch, at: time)
          }
          let looksSo = bound.displayList == plain.displayList
          #expect(looksSo, "\(type.name).\(key)")
          #expect(bound.value(of: .value("v")) == wanted, "\(type.name).\(key)")
          states.insert(bound.value(of: key, of: "x") ?? .text(""))
        }
        #expect(states.count > 1, "no finger changes the state \(type.name).\(key)")
      }
    }
    #expect(found.contains("menu.label"))
    #expect(found.contains("resistor.bands"))
    #expect(found.contains("picker.one.value"))
  }

  @Test func `a later change of the value is also shown`() throws {
    let last: [(type: String, key: String, value: JSONValue, shown: String, expected: Value)] =
      [
        ("resistor", "bands", 5, "bands", .number(5)),
        ("picker", "one.value", 5, "one.index", .number(5)),
      ]
    for (type, key, value, shown, expected) in last {
      var control = SampleControl(try #require(ControlType.named(type)))
      control[key] = "{v}"
      var engine = try control.engine(values: ["v": 4])
      var fingers = Fingers(seed: 3)
      for _ in 0..<20 {
        fingers.touch { engine.handle(Touch(finger: 0, phase: $0, position: $1), at: $2) }
      }
      engine.advance(to: engine.now + 9)
      try engine.set(.value("v"), to: try #require(Value(value)))
      engine.advance(to: engine.now + 9)
      let found = engine.value(of: shown, of: "x")
      if case .list(let items)? = found {
        #expect(.integer(items.count) == expected)
      } else {
        #expect(found == expected)
      }
    }
  }
}

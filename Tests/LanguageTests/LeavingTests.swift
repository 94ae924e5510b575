// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import TestSupport
import Testing
@testable import KioskFile

private let place = Point(100, 100)
private let away = Point(320, 320)

extension Guest {
  /// The names of a control's events since the last call.
  fileprivate mutating func names(_ control: String = "x") -> [String] {
    engine.takeEvents().filter { $0.control == control }.map(\.name)
  }

  fileprivate mutating func move(_ point: Point, at seconds: Double, finger: Int = 0) {
    touch(.move, point, at: seconds, finger: finger)
  }
}

/// A finger that leaves a held control and returns, and several fingers on a control.
@Suite struct LeavingTests {
  // MARK: Leaving

  @Test(arguments: [
    ("{button: x, at: [100, 100], size: [90, 90], text: B}", ["selected", "confirmed"]),
    ("{pinwheel: x, at: [100, 150], radius: 90, wedges: [{id: a}]}", ["selected"]),
    ("{toggle: x, at: [100, 100], size: [90, 50]}", ["changed"]),
    ("{label: x, at: [100, 100], size: [90, 40], text: L, on: {left: [{emit: e}]}}", ["selected"]),
    (
      "{image: x, at: [100, 100], size: [90, 90], file: a.png, on: {returned: [{emit: e}]}}",
      ["selected"]
    ),
  ])
  func `a held control reports each time its finger leaves and returns`(
    control: String, end: [String]
  ) throws {
    let off = Point(100, 320)
    var guest = try Guest(page("- \(control)"))
    guest.touch(.down, place, at: 1)
    guest.move(place + Vector(1, 1), at: 1.1)
    #expect(guest.names() == ["pressed"])
    guest.move(off, at: 1.2)
    guest.move(off, at: 1.3)
    #expect(guest.names() == ["left"])
    guest.move(place, at: 1.4)
    #expect(guest.names() == ["returned"])
    guest.touch(.up, place, at: 1.5)
    #expect(guest.names() == end)
    // A wedge blinks.
    guest.advance(to: 5)
    _ = guest.names()
    guest.touch(.down, place, at: 6)
    guest.move(off, at: 6.1)
    guest.touch(.up, off, at: 6.2)
    #expect(guest.names() == ["pressed", "left", "cancelled"])
  }

  @Test func `actions stop a machine when the finger slides off its button`() throws {
    var guest = try Guest(
      page(
        """
        - button: x
          at: [100, 100]
          size: [90, 90]
          text: Jog
          on:
            pressed: [{set: {jog: true}}]
            returned: [{set: {jog: true}}]
            left: [{set: {jog: false}}]
            selected: [{set: {jog: false}}]
            cancelled: [{set: {jog: false}}]
        """, "values: {jog: false}"))
    guest.touch(.down, place, at: 1)
    #expect(guest["jog"] == .flag(true))
    guest.move(away, at: 2)
    #expect(guest["jog"] == .flag(false))
    guest.move(place, at: 3)
    #expect(guest["jog"] == .flag(true))
    guest.touch(.up, place, at: 4)
    #expect(guest["jog"] == .flag(false))
  }

  @Test func `only the time on the control counts for a hold`() throws {
    for control in ["button: x, text: B", "image: x, file: a.png"] {
      var guest = try Guest(
        page("- {\(control), at: [100, 100], size: [90, 90], hold: 1, on: {held: [{emit: e}]}}"))
      guest.touch(.down, place, at: 1)
      guest.move(away, at: 1.8)
      guest.advance(to: 5)
      #expect(guest.names() == ["pressed", "left"])
      guest.move(place, at: 5)
      guest.advance(to: 5.9)
      #expect(guest.names() == ["returned"])
      guest.advance(to: 6)
      #expect(guest.names() == ["held", "cancelled"])
    }
  }

  @Test func `a dial, and a row that scrolls away, report neither`() throws {
    for control in [
      "dial: x, at: [100, 100], radius: 80, labels: 9",
      "list: x, at: [100, 100], size: [150, 150], row_height: 50, items: [A, B, C, D, E], on: {pressed: [{emit: e}]}",
    ] {
      var guest = try Guest(page("- {\(control)}"))
      guest.touch(.down, place, at: 1)
      guest.move(away, at: 1.1)
      guest.move(place, at: 1.2)
      #expect(!guest.names().contains { ["left", "returned"].contains($0) })
    }
  }

  @Test func `a row reports neither unless it has actions for presses`() throws {
    for (actions, names) in [
      ("on: {selected: [{emit: e}]}", []), ("on: {left: [{emit: e}]}", ["pressed", "left"]),
    ] {
      var guest = try Guest(
        page(
          "- {list: x, at: [100, 100], size: [150, 150], row_height: 50, items: [A, B], \(actions)}"
        ))
      guest.touch(.down, Point(60, 60), at: 1)
      guest.move(Point(140, 64), at: 1.05)
      guest.move(Point(300, 64), at: 1.1)
      #expect(guest.names() == names)
      guest.touch(.up, Point(300, 64), at: 1.2)
      #expect(guest.names() == (names.isEmpty ? [] : ["cancelled"]))
    }
  }

  @Test func `a disabled wedge and its finger leave once`() throws {
    var guest = try Guest(page("- {pinwheel: x, at: [100, 150], radius: 90, wedges: [{id: a}]}"))
    guest.touch(.down, place, at: 1)
    try guest.set("x.a.enabled", .flag(false))
    guest.move(away, at: 2)
    try guest.set("x.a.enabled", .flag(true))
    guest.move(place, at: 3)
    #expect(guest.names() == ["pressed", "left", "returned"])
  }

  // MARK: Several fingers

  @Test(arguments: [
    "{pinwheel: x, at: [100, 150], radius: 90, wedges: [{id: a}]}",
    "{dial: x, at: [100, 100], radius: 90, labels: 9}",
    "{menu: x, at: [100, 100], radius: 40, items: [{id: a}]}",
    "{slots: x, at: [100, 100], size: [90, 90], reels: [{id: r, items: [A, B]}]}",
    "{picker: x, at: [100, 100], size: [90, 190], rows: 3, wheels: [{id: w, items: [A, B, C]}]}",
    "{resistor: x, at: [200, 200], size: [300, 200], value: [brown, black, red, gold]}",
    "{button: x, at: [100, 100], size: [90, 90], text: B}",
    "{label: x, at: [100, 100], size: [90, 40], text: L, on: {pressed: [{emit: hit}]}}",
    "{image: x, at: [100, 100], size: [90, 90], file: a.png, on: {pressed: [{emit: hit}]}}",
    "{ring: x, at: [100, 182], radius: 90, min: 0, max: 9, interactive: true}",
    "{bar: x, at: [100, 100], size: [200, 40], min: 0, max: 9, interactive: true}",
    "{color: x, at: [100, 160], radius: 90}",
    "{toggle: x, at: [100, 100], size: [90, 50]}",
    "{keypad: x, at: [100, 100], size: [200, 200]}",
    "{list: x, at: [100, 100], size: [190, 190], row_height: 60, items: [A, B]}",
  ])
  func `a part follows its first finger and ignores others`(control: String) throws {
    var (alone, guest) = (try Guest(page("- \(control)")), try Guest(page("- \(control)")))
    let point = control.contains("resistor") ? Point(200, 200) : place
    for step in 0..<2 {
      let start = Double(step * 20 + 1)
      guest.touch(.down, point, at: start)
      alone.touch(.down, point, at: start)
      guest.touch(.down, point, at: start + 0.01, finger: 1)
      guest.move(point + Vector(30, 9), at: start + 0.02, finger: 1)
      #expect(guest.names() == alone.names())
      if step == 0 { guest.touch(.up, point, at: start + 0.03, finger: 1) }
      guest.touch(.up, point, at: start + 0.1)
      alone.touch(.up, point, at: start + 0.1)
      guest.advance(to: start + 9)
      alone.advance(to: start + 9)
      #expect(guest.names() == alone.names())
      guest.touch(.up, point, at: start + 10, finger: 1)
      #expect(guest.names() == [])
      guest.engine.advance(to: alone.engine.now)
      alone.engine.advance(to: guest.engine.now)
    }
  }

  @Test func `a page follows its first finger`() throws {
    var guest = try Guest(
      page("- {label: l, at: [10, 10], text: L}").replacing(
        "  - page: home", with: "  - page: home\n    on: {pressed: [{emit: hit}]}"))
    guest.touch(.down, place, at: 1)
    guest.touch(.down, away, at: 1.1, finger: 1)
    guest.touch(.up, away, at: 1.2, finger: 1)
    guest.touch(.up, place, at: 1.3)
    #expect(guest.events("pressed").count == 1)
  }
}

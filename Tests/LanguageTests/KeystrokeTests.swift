// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing

extension Guest {
  fileprivate mutating func press(_ keys: Keystroke..., at seconds: Double) throws {
    advance(to: seconds)
    for key in keys { try engine.apply(.key(key)) }
  }

  /// The events without their cause, which is always the user here.
  fileprivate mutating func eventNames() -> [String] {
    events().map { line in
      #expect(line.hasSuffix(" by finger"), "\(line)")
      return String(line.dropLast(" by finger".count))
    }
  }
}

/// The effects of keys and encoders on each control, and the movement of the focus.
@Suite struct KeystrokeTests {
  private let buttons = """
    - {button: one, at: [60, 60], size: [80, 80], text: One}
    - {label: text, at: [200, 60], text: Text}
    - {button: off, at: [60, 160], size: [80, 80], enabled: false}
    - {button: hidden, at: [160, 160], size: [80, 80], visible: false}
    - {timer: clock, every: 100}
    - {button: two, at: [260, 160], size: [80, 80], text: Two}
    """

  // MARK: The focus

  @Test func `the first key only shows the focus`() throws {
    var guest = try Guest(page(buttons))
    let bare = guest.engine.displayList
    try guest.press(.enter, at: 1)
    #expect(guest.eventNames() == [])
    #expect(guest.engine.focusedControl == "one" && guest.engine.displayList != bare)
    try guest.press(.enter, at: 2)
    #expect(
      guest.eventNames() == [
        "one.pressed(label One)", "one.selected(label One)", "one.confirmed(label One)",
      ])
  }

  @Test func `the focus follows the file's order and skips controls without keys`() throws {
    var guest = try Guest(page(buttons))
    var order: [String] = []
    for key: Keystroke in [.right, .right, .right, .left, .down, .up, .next, .previous] {
      try guest.press(key, at: guest.engine.now.seconds)
      order.append(guest.engine.focusedControl ?? "")
    }
    #expect(order == ["one", "two", "one", "two", "one", "two", "one", "two"])
    #expect(guest.eventNames() == [])
  }

  @Test func `a touch, Back, going home and sleep hide the focus`() throws {
    var guest = try Guest(
      page(buttons, "on: {}").replacing("[400, 400]", "[400, 400], home_after: 10"))
    let bare = guest.engine.displayList
    try guest.press(.right, at: 1)
    guest.tap(Point(390, 390), at: 2)
    #expect(guest.engine.focusedControl == nil && guest.engine.displayList == bare)
    try guest.press(.right, .back, at: 3)
    #expect(guest.engine.focusedControl == nil && guest.engine.displayList == bare)
    try guest.press(.right, at: 4)
    guest.advance(to: 13.9)
    #expect(guest.engine.focusedControl == "one")
    guest.advance(to: 14)
    #expect(guest.engine.focusedControl == nil)
    try guest.press(.right, at: 15)
    guest.engine.setBlank(true)
    guest.engine.setBlank(false)
    #expect(guest.engine.focusedControl == nil)
  }

  @Test func `a key only wakes a sleeping panel, and counts as use`() throws {
    var guest = try Guest(page(buttons).replacing("[400, 400]", "[400, 400], blank_after: 10"))
    try guest.press(.right, at: 9)
    guest.advance(to: 18.9)
    #expect(!guest.engine.isBlank)
    guest.advance(to: 19)
    #expect(guest.engine.isBlank)
    _ = guest.events()
    try guest.press(.enter, at: 20)
    #expect(guest.eventNames() == ["woken"])
    #expect(!guest.engine.isBlank && guest.engine.focusedControl == nil)
  }

  @Test func `a disabled control loses the focus, and the next key continues from it`() throws {
    var guest = try Guest(page(buttons))
    try guest.press(.right, at: 1)
    try guest.set("one.enabled", .flag(false))
    #expect(guest.engine.focusedControl == nil)
    try guest.press(.right, at: 2)
    #expect(guest.engine.focusedControl == "two")
    try guest.set("two.visible", .flag(false))
    try guest.press(.enter, at: 3)
    #expect(guest.engine.focusedControl == nil)
    #expect(guest.events().isEmpty)
  }

  @Test func `on another page the focus starts at the first control`() throws {
    var guest = try Guest(
      """
      kiosk: k
      pages:
        - page: a
          controls:
            - {button: x, at: [60, 60], size: [80, 80]}
            - {button: go, at: [160, 60], size: [80, 80], on: {selected: [{go: b}]}}
        - page: b
          controls:
            - {button: y, at: [60, 60], size: [80, 80]}
            - {button: z, at: [160, 60], size: [80, 80], on: {selected: [{go: c}]}}
        - page: c
          controls: [{label: end, at: [60, 60], text: End}]
      """)
    try guest.press(.right, .right, .enter, at: 1)
    #expect(guest.page == "b" && guest.engine.focusedControl == "y")
    try guest.press(.right, .enter, at: 2)
    #expect(guest.page == "c" && guest.engine.focusedControl == nil)
    try guest.press(.right, .enter, .back, at: 3)
    #expect(guest.page == "c" && guest.engine.focusedControl == nil)
  }

  // MARK: Each control

  @Test func `in a pinwheel, keys move between wedges and select one`() throws {
    var guest = try Guest(
      page(
        """
        - pinwheel: wheel
          at: [200, 200]
          radius: 150
          wedges: [{id: a, enabled: false}, {id: b}, {id: c, enabled: false}, {id: d}]
        """))
    try guest.press(.enter, .enter, at: 1)
    let first = guest.engine.displayList
    try guest.press(.enter, at: 2)
    #expect(
      guest.eventNames() == [
        "wheel/b.pressed(index 1, label )", "wheel/b.selected(index 1, label )",
      ])
    try guest.press(.right, .enter, at: 2.2)
    guest.advance(to: 3)
    #expect(
      guest.eventNames() == [
        "wheel/d.pressed(index 3, label )", "wheel/d.selected(index 3, label )",
        "wheel/b.confirmed(index 1, label )", "wheel/d.confirmed(index 3, label )",
      ])
    #expect(guest.engine.displayList != first)
    try guest.press(.right, at: 4)
    #expect(guest.engine.displayList == first)
    // Back leaves the wedges, then a key leaves the wheel.
    try guest.press(.back, .back, at: 5)
    #expect(guest.engine.focusedControl == nil && guest.eventNames() == [])
  }

  @Test func `each key turns a dial by one label, and the dial settles once`() throws {
    var guest = try Guest(
      page("- {dial: d, at: [200, 200], radius: 150, labels: 5, wrap: false, value: 3}"))
    try guest.press(.right, .enter, .right, at: 1)
    guest.advance(to: 2)
    #expect(
      guest.eventNames() == [
        "d.pressed(index 3, label 3, value 3)", "d.passing(index 4, label 4, value 4)",
        "d.settled(index 4, label 4, value 4)",
      ])
    // The dial has a stop.
    try guest.press(.right, .up, at: 3)
    guest.advance(to: 4)
    #expect(guest.eventNames() == [])
    try guest.press(.left, .left, .down, at: 5)
    guest.advance(to: 6)
    #expect(
      guest.eventNames() == [
        "d.pressed(index 4, label 4, value 4)", "d.passing(index 3, label 3, value 3)",
        "d.passing(index 2, label 2, value 2)",
        "d.passing(index 1, label 1, value 1)", "d.settled(index 1, label 1, value 1)",
      ])
    try guest.press(.enter, .right, at: 7)
    guest.advance(to: 8)
    #expect(guest.eventNames() == [] && guest["d.value"] == .number(1))
  }

  @Test func `turning back during a turn reverses it, and a held dial ignores keys`() throws {
    var guest = try Guest(page("- {dial: d, at: [200, 200], radius: 150, labels: 12}"))
    try guest.press(.right, .enter, .right, at: 1)
    try guest.press(.left, at: 1.15)
    guest.advance(to: 2)
    #expect(
      guest.eventNames() == [
        "d.pressed(index 0, label 0, value 0)", "d.passing(index 1, label 1, value 1)",
        "d.passing(index 0, label 0, value 0)",
        "d.settled(index 0, label 0, value 0)",
      ])
    guest.touch(.down, Point(200, 100), at: 3)
    try guest.press(.right, .enter, .right, at: 3.1)
    guest.touch(.up, Point(200, 100), at: 3.5)
    guest.advance(to: 4)
    #expect(
      guest.eventNames() == [
        "d.pressed(index 0, label 0, value 0)", "d.settled(index 0, label 0, value 0)",
      ])
  }

  @Test(arguments: [0.01, 0.05, 0.2, 0.6, 1.0])
  func `a flung dial passes each label once when a key adds one`(pause: Double) throws {
    var guest = try Guest(
      page("- {dial: d, at: [200, 200], radius: 150, labels: 12, inertia: fast}"))
    for step in 0...6 {
      let distance = Angle.degrees(-10 * Double(step)).unit * 120
      guest.touch(step == 0 ? .down : .move, Point(200, 200) + distance, at: 1 + Double(step) / 120)
    }
    guest.touch(.up, Point(200, 200) + Angle.degrees(-60).unit * 120, at: 1.051)
    try guest.press(.right, .enter, .right, at: 1.051 + pause)
    guest.advance(to: 20)
    let passed = guest.engine.takeEvents()
    let indexes = passed.filter { $0.name == "passing" }.map { event in
      event.fields[0].value.display
    }
    let last = try #require(Int(indexes.last ?? ""))
    #expect(indexes == (1...indexes.count).map { String($0 % 12) })
    #expect(passed.filter { $0.name == "settled" }.count == 1 || pause >= 0.6)
    #expect(guest["d.value"] == .integer(last))
    #expect(!guest.engine.isMoving)
  }

  @Test func `keys turn the wheels of a picker in order`() throws {
    var guest = try Guest(
      page(
        """
        - picker: time
          at: [200, 200]
          size: [200, 200]
          wheels: [{id: h, items: [a, b, c]}, {id: m, items: [x, y, z], wrap: false}]
        """))
    try guest.press(.right, .enter, .right, at: 1)
    try guest.press(.enter, .right, at: 2)
    try guest.press(.left, .left, at: 3)
    try guest.press(.enter, .right, at: 4)
    #expect(
      guest.eventNames() == [
        "time.pressed(wheel h, index 0, label a, value a)",
        "time.passing(wheel h, index 1, label b, value b)",
        "time.settled(wheel h, index 1, label b, value b)",
        "time.pressed(wheel m, index 0, label x, value x)",
        "time.passing(wheel m, index 1, label y, value y)",
        "time.settled(wheel m, index 1, label y, value y)",
        "time.pressed(wheel m, index 1, label y, value y)",
        "time.passing(wheel m, index 0, label x, value x)",
        "time.settled(wheel m, index 0, label x, value x)",
      ])
    // The last Enter left the picker; Tab also moves between the wheels.
    try guest.press(.enter, .next, .next, .enter, .right, at: 5)
    guest.advance(to: 6)
    #expect(guest.eventNames().first == "time.pressed(wheel h, index 1, label b, value b)")
  }

  @Test func `keys turn the bands of a resistor in order`() throws {
    var guest = try Guest(page("- {resistor: r, at: [200, 200], size: [380, 300]}"))
    try guest.press(.right, .enter, .enter, .right, at: 1)
    guest.advance(to: 2)
    let reported = guest.eventNames()
    #expect(reported.map { $0.prefix { $0 != "(" } } == ["r.pressed", "r.passing", "r.settled"])
    #expect(reported.last?.contains("bands brown, brown, red, gold") == true, "\(reported)")
    #expect(guest["r.ohms"] == .number(1100))
  }

  @Test func `keys open, navigate and close a menu`() throws {
    var guest = try Guest(
      page(
        """
        - menu: m
          at: [200, 200]
          items:
            - {id: a}
            - {id: off, enabled: false}
            - {id: b, items: [{id: c}, {id: d}]}
        - {button: after, at: [360, 360], size: [60, 60]}
        """))
    try guest.press(.right, .enter, .right, .enter, .right, .enter, at: 1)
    guest.advance(to: 3)
    #expect(
      guest.eventNames() == [
        "m.opened", "m/a.passing(index 0, label , path a)", "m/b.passing(index 2, label , path b)",
        "m/c.passing(index 0, label , path b, c)", "m/d.passing(index 1, label , path b, d)",
        "m/d.selected(index 1, label , path b, d)", "m.closed(why selected)",
      ])
    // Back returns from ring to ring.
    try guest.press(.enter, .right, .enter, .back, at: 4)
    #expect(guest["m.open"] == .flag(true))
    try guest.press(.back, at: 5)
    #expect(guest["m.open"] == .flag(false) && guest.engine.focusedControl == "m")
    #expect(guest.eventNames().last == "m.closed(why command)")
    // Tab closes the menu and continues.
    try guest.press(.enter, .next, at: 6)
    #expect(guest["m.open"] == .flag(false) && guest.engine.focusedControl == "after")
  }

  @Test func `keys turn a ring by its steps, toggle, select a row and type`() throws {
    var guest = try Guest(
      page(
        """
        - {ring: r, at: [100, 100], radius: 80, max: 10, step: 1, value: 9}
        - {toggle: t, at: [300, 60], size: [120, 40]}
        - {list: l, at: [300, 200], size: [200, 80], row_height: 40,
           items: [{id: a, label: A}, {id: b, label: B, enabled: false}, {id: c, label: C}]}
        - {keypad: k, at: [300, 360], size: [200, 200]}
        """))
    try guest.press(.right, .enter, .right, .right, .back, at: 1)
    guest.advance(to: 3)
    #expect(
      guest["r.value"] == .number(10) && guest.eventNames().last?.hasPrefix("r.settled") == true)
    try guest.press(.right, .enter, at: 4)
    #expect(guest["t.value"] == .flag(true))
    try guest.press(.right, .enter, .down, .enter, .back, at: 5)
    #expect(guest["l.index"] == .number(2))
    try guest.press(.right, .enter, .enter, .down, .enter, at: 7)
    #expect(guest["k.value"] == .text("14"))
  }

  @Test func `an open menu gets the focus first`() throws {
    var guest = try Guest(
      page(
        """
        - {button: before, at: [40, 40], size: [60, 60]}
        - {menu: m, at: [200, 200], items: [{id: a}, {id: b}]}
        """))
    guest.tap(Point(200, 200), at: 1)
    _ = guest.events()
    try guest.press(.right, .enter, .right, .enter, at: 2)
    #expect(
      guest.eventNames().filter { $0.contains(".selected") } == [
        "m/b.selected(index 1, label , path b)"
      ])
  }

  @Test func `a key spins slots only if a touch can`() throws {
    let slots = """
      - {slots: s, at: [100, 100], size: [100, 100], trigger: [TRIGGER], reels: [{id: r, items: [a, b]}]}
      """
    var guest = try Guest(page(slots.replacing("TRIGGER", "touch")))
    try guest.press(.right, .enter, .enter, at: 1)
    guest.advance(to: 9)
    #expect(guest.eventNames().map { $0.prefix { $0 != "(" } } == ["s.started", "s.settled"])
    guest = try Guest(page(slots.replacing("TRIGGER", "shake")))
    try guest.press(.right, .enter, at: 1)
    #expect(guest.engine.focusedControl == nil && guest.eventNames() == [])
  }

  // MARK: Reload

  @Test func `the focus stays on its control when the file is reloaded`() throws {
    var guest = try Guest(page(buttons))
    try guest.press(.right, .right, at: 1)
    let more = "- {button: zero, at: [300, 300], size: [60, 60]}\n" + buttons
    guest.engine.replace(with: try Guest.description(page(more)), seed: 1)
    #expect(guest.engine.focusedControl == "two")
    guest.engine.replace(
      with: try Guest.description(page("- {label: l, at: [9, 9], text: x}")), seed: 1)
    #expect(guest.engine.focusedControl == nil)
  }
}

extension String {
  fileprivate func replacing(_ old: String, _ new: String) -> String {
    guard let range = firstRange(of: old) else { return self }
    return String(self[..<range.lowerBound]) + new + self[range.upperBound...]
  }
}

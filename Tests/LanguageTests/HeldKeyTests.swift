// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing

extension Guest {
  fileprivate mutating func key(
    _ name: String, _ phase: KeyPress.Phase, at seconds: Double? = nil
  ) throws {
    if let seconds { advance(to: seconds) }
    try engine.apply(.key(try #require(KeyPress(named: name)), phase))
  }

  /// Taps keys that move the focus.
  fileprivate mutating func focus(_ names: String...) throws {
    for name in names { try key(name, .tap) }
    _ = events()
  }

  /// The names of the events since the last call, without their details.
  fileprivate mutating func names() -> [String] {
    events().map { String($0.prefix { $0 != "(" && $0 != " " }) }
  }
}

/// Held keys. A held key is a finger on the part with the focus.
@Suite struct HeldKeyTests {
  private static let head = "values: {moving: 0}"
  private static let jog = """
    kiosk: k
    screen: {size: [400, 400], blank_after: 900}
    values: {moving: 0}
    pages:
      - page: home
        focus: jog
        controls:
          - button: jog
            at: [60, 60]
            size: [80, 80]
            on:
              pressed: [{set: {moving: 1}}]
              selected: [{set: {moving: 0}}]
              cancelled: [{set: {moving: 0}}]
          - {button: other, at: [200, 60], size: [80, 80], on: {held: [{go: end}]}}
      - page: end
        controls: [{label: l, at: [200, 200], text: End}]
      - page: help
        over: true
        controls: [{button: close, at: [200, 200], size: [90, 90]}]
    """

  private func held() throws -> Guest {
    var guest = try Guest(Self.jog)
    try guest.focus("Tab")
    try guest.key("Return", .down, at: 1)
    #expect(guest.names() == ["jog.pressed"] && guest["moving"] == .number(1))
    return guest
  }

  @Test func `a button is pressed until its key is released`() throws {
    var guest = try held()
    let pressed = guest.engine.displayList
    guest.advance(to: 5)
    #expect(guest.names() == [] && guest["moving"] == .number(1))
    try guest.key("Return", .up, at: 6)
    #expect(guest.names().first == "jog.selected" && guest["moving"] == .number(0))
    #expect(guest.engine.displayList != pressed)
    try guest.key("Return", .up, at: 7)
    #expect(guest.names().filter { $0.hasPrefix("jog") && $0 != "jog.confirmed" } == [])
  }

  @Test func `a cancelled key cancels its press`() throws {
    var guest = try held()
    try guest.key("Return", .cancel, at: 2)
    #expect(guest.names() == ["jog.cancelled"] && guest["moving"] == .number(0))
  }

  @Test(arguments: [
    "page", "disabled", "hidden", "sleep", "other file", "restart", "stop", "all touches",
    "pressed again",
  ])
  func `whatever ends a touch ends the press of a held key`(end: String) throws {
    var guest = try held()
    switch end {
    case "page": try guest.engine.apply(.go(page: "end"))
    case "disabled": try guest.set("jog.enabled", .flag(false))
    case "hidden": try guest.set("jog.visible", .flag(false))
    case "sleep": guest.engine.setBlank(true)
    case "other file": try guest.reload(Self.jog.replacing("set: {moving: 1}", with: "emit: on"))
    case "restart": guest.engine.restart(guest.engine.description, seed: 1)
    case "stop": guest.engine.finish()
    case "all touches": guest.engine.cancelTouches(at: guest.engine.now)
    default: try guest.key("Return", .down)
    }
    let names = guest.names()
    #expect(names.filter { $0 == "jog.cancelled" }.count == 1, "\(names)")
    let isPressed = end == "pressed again"
    #expect(guest["moving"] == .number(isPressed ? 1 : 0))
    try guest.key("Return", .up)
    #expect(guest.names().contains("jog.selected") == isPressed)
    #expect(guest["moving"] == .number(0))
  }

  @Test func `a reload of an equal file keeps the press`() throws {
    var guest = try held()
    try guest.reload(Self.jog)
    #expect(guest["moving"] == .number(1) && !guest.names().contains("jog.cancelled"))
    try guest.key("Return", .up)
    #expect(guest.names().contains("jog.selected") && guest["moving"] == .number(0))
  }

  @Test func `an over page and the focus elsewhere don't end the press, nor does a finger`() throws
  {
    var guest = try held()
    try guest.key("Right", .tap)
    guest.tap(Point(390, 390), at: 2)
    #expect(guest.names() == [] && guest["moving"] == .number(1))
    try guest.key("Return", .up, at: 3)
    #expect(guest.names().first == "jog.selected")
  }

  @Test func `a press held long enough is held`() throws {
    var guest = try Guest(Self.jog)
    try guest.focus("Tab", "Right")
    try guest.key("Return", .down, at: 1)
    guest.advance(to: 1.9)
    #expect(guest.names() == ["other.pressed"])
    guest.advance(to: 2.1)
    #expect(guest.names() == ["other.held", "other.cancelled", "page"])
    try guest.key("Return", .up)
    #expect(guest.names() == [] && guest.page == "end")
  }

  @Test func `two keys hold two parts`() throws {
    var guest = try held()
    try guest.key("Right", .tap)
    try guest.key("space", .down)
    #expect(guest.names() == ["other.pressed"])
    try guest.key("Return", .up)
    #expect(guest.names().first == "jog.selected")
    try guest.key("space", .up)
    #expect(guest.names().contains("other.selected"))
  }

  @Test func `a key that moves the focus or has actions holds nothing`() throws {
    var guest = try Guest(
      page(
        "- {button: b, at: [60, 60], size: [80, 80]}",
        Self.head + "\nkeys: {F1: [{set: {moving: '{moving + 1}'}}]}"))
    for name in ["Tab", "F1", "a"] {
      try guest.key(name, .down)
      #expect(guest.engine.fingers.isEmpty)
      try guest.key(name, .up)
    }
    // The actions run when the key goes down.
    #expect(guest["moving"] == .number(1) && guest.engine.focusedControl == "b")
  }

  // MARK: Controls

  @Test func `each pressed part takes a held key`() throws {
    let cases: [(control: String, keys: [String], down: [String], up: [String])] = [
      (
        "- {pinwheel: x, at: [200, 200], radius: 150, wedges: [{id: a}, {id: b}]}",
        ["Tab", "Return"], ["x/a.pressed"], ["x/a.selected"]
      ),
      ("- {toggle: x, at: [200, 200], size: [90, 50]}", ["Tab"], ["x.pressed"], ["x.changed"]),
      (
        "- {list: x, at: [200, 200], size: [200, 200], row_height: 50, items: [{id: a}, {id: b}], on: {pressed: [{emit: p}]}}",
        ["Tab", "Return"], ["x/a.pressed", "emit"], ["x/a.selected"]
      ),
      (
        "- {image: x, at: [200, 200], size: [80, 80], file: a.png, on: {selected: [{emit: s}]}}",
        ["Tab"], ["x.pressed"], ["x.selected", "emit"]
      ),
      (
        "- {keypad: x, at: [200, 200], size: [300, 300], layout: digits}",
        ["Tab", "Return"], [], ["x.typed"]
      ),
    ]
    for (control, keys, down, up) in cases {
      var guest = try Guest(page(control))
      for key in keys { try guest.focus(key) }
      try guest.key("Return", .down, at: 1)
      #expect(guest.names() == down, "\(control)")
      try guest.key("Return", .up, at: 1.2)
      #expect(guest.names() == up, "\(control)")
      try guest.key("Return", .down, at: 5)
      _ = guest.names()
      try guest.key("Return", .cancel, at: 5.1)
      #expect(guest.names() == down.prefix(1).map { $0.replacing("pressed", with: "cancelled") })
    }
  }

  @Test func `a held delete key deletes one character after another`() throws {
    var guest = try Guest(
      page("- {keypad: x, at: [200, 200], size: [300, 300], layout: [[delete, '1'], [enter]]}"))
    try guest.set("x.value", .text("123456"))
    try guest.focus("Tab", "Return")
    try guest.key("Return", .down, at: 1)
    guest.advance(to: 1.9)
    let deleted = guest.events("typed").count
    #expect(deleted > 1)
    try guest.key("Return", .up, at: 1.9)
    #expect(guest.names() == [])
  }

  @Test func `the background and a control that is always available take held keys`() throws {
    var guest = try Guest(
      Self.jog.replacing("button: jog", with: "button: jog\n        always: true")
        .replacing("focus: jog", with: "focus: jog\n    on: {pressed: [{emit: p}]}")
    )
    try guest.engine.apply(.show(page: "help"))
    try guest.focus("Tab", "Tab")
    #expect(guest.engine.focusedControl == "jog")
    try guest.key("Return", .down)
    #expect(guest.names() == ["jog.pressed"])
    // The control isn't on the over page, so its press continues without it.
    try guest.engine.apply(.go(page: "back"))
    #expect(guest.engine.overlay == nil && guest["moving"] == .number(1))
    try guest.key("Return", .up)
    #expect(guest.names().contains("jog.selected") && guest["moving"] == .number(0))
    try guest.focus("Escape", "Tab", "Left")
    #expect(guest.engine.focusedControl == nil)
    try guest.key("Return", .down)
    #expect(guest.names() == ["pressed", "emit"])
    try guest.key("Return", .up)
    #expect(guest.names() == ["selected"])
  }
}

// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing

extension Guest {
  /// Presses keys by their names, as a client does.
  fileprivate mutating func type(_ names: String...) throws {
    for name in names { try engine.apply(.key(try #require(KeyPress(named: name)))) }
  }
}

/// `keys`, `focus` and `encoder`, and a keyboard's characters on keypads.
@Suite struct KeyActionTests {
  private static let file = """
    kiosk: k
    screen: {size: [800, 480]}
    values: {log: ""}
    keys:
      F1: [{set: {log: "{log}help "}}]
      F2: [{go: form}]
      "1": [{set: {log: "{log}one "}}]
      x: [{set: {log: "{log}ex "}}]
      Return: [{set: {log: "{log}return "}, when: page == 'form'}]
    pages:
      - page: home
        keys:
          F1: [{set: {log: "{log}{event.key} "}}]
          "2": [{set: {log: "{log}two "}}]
        controls:
          - {keypad: pad, at: [200, 240], size: [300, 400], layout: digits}
          - {button: ok, at: [600, 240], size: [200, 200], text: OK}
      - page: form
        controls:
          - {keypad: left, at: [200, 240], size: [300, 400], layout: digits}
          - {keypad: right, at: [600, 240], size: [300, 400], layout: digits}
    """

  @Test func `a page's key wins over a keypad, and a keypad over the kiosk's`() throws {
    var guest = try Guest(Self.file)
    try guest.type("F1", "1", "2", "x")
    #expect(guest["log"] == .text("F1 two ex "))
    #expect(guest["pad.value"] == .text("1"))
    try guest.type("F2", "Escape", "F1", "1")
    // Without the focus, neither of two keypads gets the characters.
    #expect(guest["log"] == .text("F1 two ex help one "))
  }

  @Test func `a kiosk's key comes before the focus`() throws {
    var guest = try Guest(Self.file)
    try guest.type("F2", "enter")
    #expect(guest["log"] == .text("return "))
    #expect(guest.engine.focusedControl == nil)
    try guest.type("Tab")
    #expect(guest.engine.focusedControl == "left")
  }

  @Test func `actions of keys have the cause action, and a key has no event`() throws {
    var guest = try Guest(
      page(
        "{button: b, at: [60, 60], size: [80, 80]}",
        "keys: {F3: [{emit: {name: key, key: '{event.key}'}}]}"
      )
      .replacing("{button", with: "- {button"))
    try guest.type("F3", "F4")
    #expect(guest.events() == ["emit(name key, key F3) by action"])
  }

  @Test func `a key of the number pad has its digit's actions, unless it has its own`() throws {
    let head =
      "values: {n: 0}\nkeys: {'1': [{set: {n: 1}}], '2': [{set: {n: 2}}], KP_2: [{set: {n: 22}}]}"
    var guest = try Guest(page("- {button: b, at: [60, 60], size: [80, 80]}", head))
    try guest.type("KP_1")
    #expect(guest["n"] == .number(1))
    try guest.type("KP_2")
    #expect(guest["n"] == .number(22))
  }

  @Test func `a key only wakes a sleeping panel`() throws {
    var guest = try Guest(Self.file)
    guest.engine.setBlank(true)
    try guest.type("F1", "1")
    #expect(guest["log"] == .text("") && guest["pad.value"] == .text("1"))
  }

  // MARK: Keypads

  @Test func `characters go to the page's only keypad, and then Return enters the text`() throws {
    var guest = try Guest(
      page(
        "- {keypad: pin, at: [200, 200], size: [300, 400], layout: pin, length: 4}\n- {button: b, at: [20, 20], size: [40, 40]}"
      ))
    try guest.type("4", "7", "1", "BackSpace", "a", "KP_1", "Return")
    #expect(
      guest.events() == [
        "pin.typed(count 1) by finger", "pin.typed(count 2) by finger",
        "pin.typed(count 3) by finger", "pin.typed(count 2) by finger",
        "pin.typed(count 3) by finger", "pin.entered(count 3) by finger",
      ])
  }

  @Test func `recordings omit a character of a PIN`() throws {
    let guest = try Guest(
      page("- {keypad: pin, at: [200, 200], size: [300, 400], layout: pin}"))
    #expect(guest.engine.typesSecret(.key(try #require(KeyPress(named: "4")))))
    #expect(!guest.engine.typesSecret(.key(try #require(KeyPress(named: "F4")))))
    #expect(!guest.engine.typesSecret(.key(try #require(KeyPress(named: "Right")))))
  }

  @Test func `a keypad's space key types a space only with the focus`() throws {
    var guest = try Guest(
      page(
        "- {button: b, at: [200, 30], size: [40, 40]}\n- {keypad: name, at: [200, 240], size: [400, 300], layout: text}"
      ))
    try guest.type("Right", "space")
    #expect(guest.events("pressed") == ["b.pressed(label ) by finger"])
    try guest.type("j", "space", "j", "BackSpace")
    #expect(guest["name.value"] == .text("j "))
  }

  // MARK: Focus and encoders

  @Test func `keys begin at the page's focus control`() throws {
    let controls = """
      - {button: a, at: [60, 60], size: [80, 80]}
      - {button: b, at: [200, 60], size: [80, 80]}
      """
    var guest = try Guest(
      page(controls).replacing("- page: home", with: "- page: home\n    focus: b"))
    try guest.type("Tab")
    #expect(guest.engine.focusedControl == "b")
    try guest.set("b.enabled", .flag(false))
    try guest.type("Escape", "Tab")
    #expect(guest.engine.focusedControl == "a")
  }

  private static let jog = """
    kiosk: k
    screen: {size: [400, 400]}
    pages:
      - page: home
        encoder: speed
        controls:
          - {button: a, at: [60, 60], size: [80, 80]}
          - {button: b, at: [160, 60], size: [80, 80]}
          - {ring: speed, at: [200, 260], radius: 100, from: 0, to: 10, value: 5}
    """

  @Test func `an encoder turns its control without the focus, and arrows move the focus`() throws {
    var guest = try Guest(Self.jog)
    try guest.type("right", "right", "left", "right")
    guest.advance(to: 5)
    #expect(guest["speed.value"] == .number(7) && guest.engine.focusedControl == nil)
    try guest.type("Right", "Right", "left")
    guest.advance(to: 10)
    #expect(guest["speed.value"] == .number(6) && guest.engine.focusedControl == "b")
    // The encoder's button presses the focused control.
    _ = guest.events()
    try guest.type("enter")
    #expect(guest.events("selected") == ["b.selected(label ) by finger"])
    try guest.set("speed.enabled", .flag(false))
    try guest.type("right")
    #expect(guest.engine.focusedControl == "a")
  }
}

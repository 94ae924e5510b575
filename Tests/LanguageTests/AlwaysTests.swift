// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import TestSupport
import Testing
@testable import KioskFile

private let stop = Point(60, 60)
private let plain = Point(340, 60)

private func kiosk(_ screen: String = "blank_after: 900", _ head: String = "values: {n: 0}")
  -> String
{
  """
  kiosk: k
  screen: {size: [400, 400], \(screen)}
  \(head)
  pages:
    - page: home
      swipe: {left: other}
      on: {pressed: [{emit: ground}]}
      controls:
        - {button: stop, at: [60, 60], size: [80, 80], text: Stop, always: true}
        - {button: plain, at: [340, 60], size: [80, 80], text: Plain}
    - page: other
      transition: {slide, seconds: 2}
      controls: [{button: halt, at: [60, 340], size: [80, 80], text: Halt, always: true}]
    - page: help
      over: true
      controls: [{button: leave, at: [200, 200], size: [90, 90], text: Leave, on: {selected: [{go: back}]}}]
    - page: ask
      over: true
      modal: true
      controls: [{button: "yes", at: [200, 200], size: [300, 300], text: Sure}]
  """
}

extension Guest {
  fileprivate var over: String { self["over"]?.display ?? "nothing" }

  fileprivate func holder(_ finger: Int = 0) -> String? { engine.control(heldBy: finger) }
}

/// Controls with `always: true`.
@Suite struct AlwaysTests {
  // MARK: Touches

  @Test(arguments: ["help", "ask"])
  func `it takes touches above an over page, which stays open`(page: String) throws {
    var guest = try Guest(kiosk())
    try guest.engine.apply(.show(page: page))
    _ = guest.events()
    try guest.tap("stop", at: 1)
    #expect(
      guest.events() == [
        "stop.pressed(label Stop) by finger", "stop.selected(label Stop) by finger",
        "stop.confirmed(label Stop) by finger",
      ])
    #expect(guest.over == page)
    guest.tap(plain, at: 2)
    #expect(guest.events("plain") == [])
  }

  @Test func `it takes touches above a message`() throws {
    var guest = try Guest(kiosk())
    try guest.engine.apply(.notify(Message("Fire", level: .alarm)))
    _ = guest.events()
    guest.tap(stop, at: 1)
    #expect(guest.events("stop").count == 3)
    #expect(guest.texts.contains("Fire"))
  }

  @Test func `an over page that opens or closes doesn't end its press`() throws {
    var guest = try Guest(kiosk())
    guest.touch(.down, stop, at: 1)
    guest.touch(.down, plain, at: 1, finger: 1)
    try guest.engine.apply(.show(page: "help"))
    #expect(guest.holder(0) == "stop" && guest.holder(1) == nil)
    try guest.engine.apply(.go(page: "back"))
    _ = guest.events()
    guest.touch(.up, stop, at: 2)
    #expect(guest.events("stop.selected").count == 1)
  }

  @Test(arguments: ["go: other", "blank: true", "reset: all"])
  func `its press ends with its page, even under an over page`(action: String) throws {
    var guest = try Guest(
      kiosk("blank_after: 900", "values: {n: 0}\nreactions: [{when: n > 0, do: [{\(action)}]}]"))
    try guest.engine.apply(.show(page: "ask"))
    guest.touch(.down, stop, at: 1)
    _ = guest.events()
    try guest.set("n", .number(1))
    #expect(guest.holder() == nil)
    #expect(guest.events("stop.cancelled").count == 1)
  }

  @Test func `its touch answers the question and counts`() throws {
    var guest = try Guest(kiosk("home_after: 30, warn: 10"))
    guest.tap(plain, at: 0)
    guest.touch(.down, stop, at: 19)
    guest.touch(.up, stop, at: 19.1)
    guest.advance(to: 45)
    #expect(guest.engine.isAsking)
    _ = guest.events()
    guest.tap(stop, at: 45)
    #expect(guest.events("stop").count == 3 && !guest.engine.isAsking)
  }

  @Test func `the question doesn't end its press`() throws {
    var guest = try Guest(kiosk("home_after: 30, warn: 10"))
    guest.touch(.down, stop, at: 1)
    guest.touch(.down, plain, at: 1, finger: 1)
    guest.advance(to: 25)
    #expect(guest.engine.isAsking)
    #expect(guest.holder(0) == "stop" && guest.holder(1) == nil)
  }

  @Test func `dwell and debounce don't apply to it`() throws {
    for screen in ["dwell: 1", "debounce: 1"] {
      var guest = try Guest(kiosk(screen))
      guest.tap(stop, at: 1)
      guest.tap(stop, at: 1.2)
      guest.tap(plain, at: 1.4)
      #expect(
        guest.events("selected")
          == Array(repeating: "stop.selected(label Stop) by finger", count: 2))
    }
  }

  @Test func `its first touch counts with speech, and other touches still explore`() throws {
    var guest = try Guest(kiosk("blank_after: 900", "speech: {start: always}"))
    _ = guest.events()
    guest.tap(plain, at: 1)
    guest.tap(stop, at: 2)
    #expect(guest.events("selected") == ["stop.selected(label Stop) by finger"])
  }

  @Test func `its touch wakes the panel and presses it`() throws {
    var guest = try Guest(kiosk())
    guest.engine.setBlank(true)
    _ = guest.events()
    let receiver = guest.engine.handle(
      Touch(finger: 0, phase: .down, position: stop), at: Instant(seconds: 1))
    #expect(receiver.control == "stop")
    #expect(guest.events() == ["woken by finger", "stop.pressed(label Stop) by finger"])
    guest.engine.setBlank(true)
    _ = guest.events()
    guest.tap(plain, at: 2)
    #expect(guest.events() == ["woken by finger"])
  }

  @Test func `during a page change, the new page's controls take touches`() throws {
    var guest = try Guest(kiosk())
    guest.advance(to: 1)
    guest.engine.go(to: "other")
    _ = guest.events()
    guest.tap(Point(60, 340), at: 1.1)
    guest.tap(stop, at: 1.2)
    #expect(guest.events("pressed") == ["halt.pressed(label Halt) by finger"])
  }

  @Test func `a swipe doesn't steal its finger`() throws {
    for (start, holder) in [(stop, "stop"), (plain, nil)] {
      var guest = try Guest(kiosk())
      guest.touch(.down, start, at: 1)
      guest.touch(.move, start - Vector(40, 0), at: 1.1)
      #expect(guest.holder() == holder)
    }
  }

  @Test func `two resting fingers don't take its finger to start speech`() throws {
    var guest = try Guest(kiosk("blank_after: 900", "speech: {start: fingers}"))
    guest.touch(.down, stop, at: 1)
    guest.touch(.down, Point(200, 300), at: 1, finger: 1)
    guest.advance(to: 5)
    #expect(guest.holder() == "stop" && !guest.engine.isSpeaking)
  }

  @Test func `a disabled one swallows touches, and an invisible one lets them pass`() throws {
    var guest = try Guest(kiosk())
    try guest.set("stop.enabled", .flag(false))
    guest.engine.setBlank(true)
    guest.tap(stop, at: 1)
    guest.tap(stop, at: 2)
    try guest.engine.apply(.show(page: "help"))
    guest.tap(stop, at: 3)
    #expect(guest.events("pressed") == [] && guest.over == "help")
    try guest.set("stop.enabled", .flag(true))
    try guest.set("stop.visible", .flag(false))
    guest.tap(stop, at: 4)
    #expect(guest.events("pressed") == [] && guest.over == "")
    guest.tap(stop, at: 5)
    #expect(guest.events("pressed") == ["pressed(page home) by finger"])
  }

  @Test func `it is hit before other controls of its page`() throws {
    var guest = try Guest(
      page(
        """
        - {button: a, at: [100, 100], size: [90, 90], text: A, always: true}
        - {button: b, at: [100, 100], size: [90, 90], text: B}
        """))
    guest.tap(Point(100, 100), at: 1)
    #expect(guest.events("pressed") == ["a.pressed(label A) by finger"])
    #expect(guest.texts == ["B", "A"])
  }

  @Test(arguments: [
    "{pinwheel: x, at: [200, 200], radius: 90, wedges: [{id: a}]}",
    "{dial: x, at: [200, 200], radius: 90, labels: 9}",
    "{menu: x, at: [200, 200], radius: 40, items: [{id: a}]}",
    "{slots: x, at: [200, 200], size: [200, 100], reels: [{id: r, items: [A, B]}]}",
    "{picker: x, at: [200, 200], size: [200, 200], rows: 3, wheels: [{id: w, items: [A, B, C]}]}",
    "{resistor: x, at: [200, 200], size: [300, 200], value: [brown, black, red, gold]}",
    "{button: x, at: [200, 200], size: [90, 90], text: B}",
    "{label: x, at: [200, 200], text: L, on: {pressed: [{emit: hit}]}}",
    "{image: x, at: [200, 200], size: [90, 90], file: a.png, on: {pressed: [{emit: hit}]}}",
    "{ring: x, at: [200, 200], radius: 90, min: 0, max: 9, interactive: true}",
    "{bar: x, at: [200, 200], size: [200, 40], min: 0, max: 9, interactive: true}",
    "{color: x, at: [200, 200], radius: 90}",
    "{toggle: x, at: [200, 200], size: [90, 50]}",
    "{keypad: x, at: [200, 200], size: [200, 200]}",
    "{list: x, at: [200, 200], size: [200, 200], row_height: 50, items: [A, B]}",
  ])
  func `every type of control can have it`(control: String) throws {
    var guest = try Guest(
      """
      kiosk: k
      screen: {size: [400, 400], dwell: 1, debounce: 1}
      pages:
        - page: home
          controls: [\(control.dropLast()), always: true}]
        - page: ask
          over: true
          modal: true
          controls: [{button: "yes", at: [200, 200], size: [390, 390], text: Sure}]
      """)
    try guest.engine.apply(.show(page: "ask"))
    guest.engine.setBlank(true)
    let control = try #require(guest.engine.placedControl("x")?.control)
    let target = [Point(200, 200), Point(200, 118)].first { control.contains($0, at: .zero) }
    guest.touch(.down, target ?? Point(200, 200), at: 1)
    #expect(guest.holder() == "x")
  }

  // MARK: Keys

  @Test func `keys reach it after the over page's own controls`() throws {
    var guest = try Guest(kiosk())
    try guest.engine.apply(.show(page: "ask"))
    var stops: [String?] = []
    for _ in 0..<3 {
      try guest.engine.apply(.key(.next))
      stops.append(guest.engine.focusedControl)
    }
    #expect(stops == ["yes", "stop", "yes"])
    try guest.engine.apply(.key(.previous))
    _ = guest.events()
    try guest.engine.apply(.key(.enter))
    #expect(guest.events("stop").count == 3)
  }

  @Test func `a key presses it through the question, and other controls not`() throws {
    for (control, count) in [("stop", 3), ("plain", 0)] {
      var guest = try Guest(kiosk("home_after: 30, warn: 10"))
      repeat { try guest.engine.apply(.key(.next)) } while guest.engine.focusedControl != control
      guest.advance(to: 25)
      #expect(guest.engine.isAsking)
      _ = guest.events()
      try guest.engine.apply(.key(.enter))
      #expect(guest.events(control).count == count && !guest.engine.isAsking)
    }
  }

  @Test func `an encoder and a keypad reach it through an over page and the question`() throws {
    let controls = """
      {ring: ring, at: [120, 300], radius: 60, from: 0, to: 9, value: 5, always: true}
            - {keypad: pad, at: [300, 260], size: [200, 200], layout: digits, always: true}
      """
    func file(_ isAlways: Bool) -> String {
      let file = kiosk("home_after: 30, warn: 10")
        .replacing("- page: home", with: "- page: home\n    encoder: ring")
        .replacing("{button: stop,", with: controls + "\n      - {button: stop,")
      guard !isAlways else { return file }
      return file.replacing("5, always: true", with: "5")
        .replacing("digits, always: true", with: "digits")
    }
    for isAlways in [true, false] {
      var guest = try Guest(file(isAlways))
      try guest.engine.apply(.key(.right))
      try guest.engine.apply(.show(page: "help"))
      try guest.engine.apply(.key(.right))
      try guest.engine.apply(.key(.symbol(try #require(Keysym("4")))))
      guest.advance(to: 25)
      let isAsking = guest.engine.isAsking
      try guest.engine.apply(.key(.right))
      guest.advance(to: 29)
      #expect(isAsking && !guest.engine.isAsking)
      #expect(guest["ring.value"] == .number(isAlways ? 8 : 6))
      #expect(guest["pad.value"] == .text(isAlways ? "4" : ""))
    }
  }

  @Test func `the focus leaves it when its page is left under an over page`() throws {
    var guest = try Guest(kiosk())
    try guest.engine.apply(.show(page: "ask"))
    try guest.engine.apply(.key(.next))
    try guest.engine.apply(.key(.next))
    #expect(guest.engine.focusedControl == "stop")
    guest.engine.go(to: "other")
    #expect(guest.engine.focusedControl == "yes")
    try guest.engine.apply(.key(.next))
    #expect(guest.engine.focusedControl == "halt")
  }

  // MARK: Pictures and reloads

  @Test func `it is drawn above the over page and the question`() throws {
    var guest = try Guest(kiosk("home_after: 30, warn: 10"))
    guest.tap(plain, at: 0)
    #expect(guest.texts == ["Plain", "Stop"])
    try guest.engine.apply(.show(page: "ask"))
    #expect(guest.texts == ["Plain", "Sure", "Stop"])
    guest.advance(to: 25)
    #expect(guest.engine.isAsking && guest.texts.last == "Stop")
  }

  @Test func `a new file without the key ends its press and its focus`() throws {
    var guest = try Guest(kiosk())
    try guest.engine.apply(.show(page: "ask"))
    try guest.engine.apply(.key(.next))
    try guest.engine.apply(.key(.next))
    try guest.reload(kiosk())
    #expect(guest.engine.focusedControl == "stop")
    try guest.reload(kiosk().replacing(", always: true", with: ""))
    #expect(guest.engine.focusedControl == nil)
    try guest.reload(kiosk())
    guest.touch(.down, stop, at: 1)
    try guest.reload(kiosk())
    #expect(guest.holder() == "stop")
    _ = guest.events()
    try guest.reload(kiosk().replacing(", always: true", with: ""))
    #expect(guest.holder() == nil)
    #expect(guest.events("stop.cancelled").count == 1)
  }
}

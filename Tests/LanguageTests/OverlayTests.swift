// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import TestSupport
import Testing
@testable import KioskFile

private let kiosk = """
  kiosk: k
  screen: {size: [800, 600], home_after: 60, blank_after: 300}
  values: {n: 0, told: ""}
  pages:
    - page: start
      on: {hidden: [{emit: start-hidden}]}
      controls:
        - button: hold
          at: [100, 100]
          size: [80, 80]
          on: {pressed: [{emit: down}], cancelled: [{emit: up}], selected: [{show: help}]}
        - {timer: beat, every: 10, on: {due: [{set: {n: "{n + 1}"}}]}}
        - {label: over, at: [400, 30], text: "[{over}]"}
    - page: other
      controls: [{label: other, at: [400, 500], text: Other}]
    - page: help
      over: true
      on: {shown: [{emit: help-shown}], hidden: [{emit: help-hidden}]}
      controls:
        - {button: close, at: [400, 300], size: [100, 60], text: Close, on: {selected: [{go: back}]}}
        - {button: leave, at: [400, 380], size: [100, 60], text: Leave, on: {selected: [{go: other}]}}
    - page: ask
      over: true
      modal: true
      controls:
        - {button: "yes", at: [400, 300], size: [100, 60], text: Sure, on: {selected: [{go: back}]}}
  """

private let messages =
  kiosk + """

      - page: message
        over: true
        controls:
          - {label: title, at: [400, 200], size: [300, 60], text: "{message.title}"}
          - {label: text, at: [400, 300], size: [300, 60], text: "{message.text} ({message.level})"}
          - {button: ok, at: [400, 400], size: [100, 60], text: Fine, on: {selected: [{go: back}]}}
    """

extension Guest {
  /// The open page over the current one, or an empty string.
  fileprivate var over: String { self["over"]?.display ?? "nothing" }

  fileprivate mutating func notify(
    _ text: String, _ level: Message.Level = .info, seconds: Double = 0
  ) throws {
    try engine.apply(.notify(Message(text, level: level, seconds: seconds)))
  }
}

@Suite struct OverlayTests {
  @Test func `a page over another ends the press below and leaves the rest running`() throws {
    var guest = try Guest(kiosk)
    guest.touch(.down, Point(100, 100), at: 1)
    _ = guest.events()
    try guest.engine.apply(.show(page: "help"))
    #expect(guest.page == "start" && guest.over == "help")
    #expect(guest.engine.takeEvents().map(\.name) == ["cancelled", "emit", "emit"])
    guest.touch(.up, Point(100, 100), at: 2)
    #expect(guest.events() == [])
    guest.advance(to: 35)
    #expect(guest["n"] == .number(3))
    #expect(guest.texts.contains("[help]") && guest.texts.contains("Close"))
  }

  @Test func `the upper page alone takes touches`() throws {
    var guest = try Guest(kiosk)
    try guest.engine.apply(.show(page: "ask"))
    _ = guest.events()
    guest.tap(Point(100, 100), at: 1)
    #expect(guest.events() == [] && guest.over == "ask")
    try guest.tap("yes", at: 2)
    #expect(guest.over == "")
    guest.tap(Point(100, 100), at: 3)
    #expect(guest.over == "help")
    #expect(throws: TargetError.self) { try Target("hold")?.point(in: guest.engine) }
  }

  @Test func `a touch outside closes the upper page and does nothing else`() throws {
    var guest = try Guest(kiosk)
    try guest.engine.apply(.show(page: "help"))
    _ = guest.events()
    guest.tap(Point(100, 100), at: 1)
    #expect(guest.over == "")
    #expect(guest.events() == ["emit(name help-hidden) by action"])
  }

  @Test func `back closes a page by a key, but not a modal page`() throws {
    var guest = try Guest(kiosk)
    try guest.engine.apply(.show(page: "help"))
    try guest.engine.apply(.key(.back))
    #expect(guest.over == "")
    try guest.engine.apply(.show(page: "ask"))
    try guest.engine.apply(.key(.back))
    #expect(guest.over == "ask" && guest.engine.focusedControl == "yes")
    try guest.engine.apply(.key(.enter))
    #expect(guest.over == "")
  }

  @Test func `a second page waits until the first is closed`() throws {
    var guest = try Guest(kiosk)
    try guest.engine.apply(.show(page: "help"))
    try guest.engine.apply(.show(page: "ask"))
    try guest.engine.apply(.show(page: "help"))
    #expect(guest.over == "help")
    try guest.engine.apply(.go(page: "back"))
    #expect(guest.over == "ask")
    try guest.engine.apply(.go(page: "back"))
    #expect(guest.over == "")
  }

  @Test func `a page change of the upper page closes it, another leaves it open`() throws {
    var guest = try Guest(kiosk)
    try guest.engine.apply(.show(page: "help"))
    try guest.engine.apply(.go(page: "other"))
    #expect(guest.page == "other" && guest.over == "help")
    try guest.engine.apply(.go(page: "start"))
    try guest.tap("leave", at: 1)
    #expect(guest.page == "other" && guest.over == "")
  }

  @Test func `going home closes pages, but not messages`() throws {
    var guest = try Guest(kiosk)
    try guest.tap("hold", at: 1)
    try guest.engine.apply(.show(page: "ask"))
    guest.advance(to: 100)
    #expect(guest.over == "" && guest.page == "start")
    try guest.engine.apply(.go(page: "other"))
    try guest.notify("Tea")
    guest.advance(to: 200)
    #expect(guest.over == "message" && guest.page == "start")
    try guest.engine.apply(.reset(nil))
    #expect(guest.over == "")
  }

  @Test func `unsuitable pages are refused by name`() throws {
    var guest = try Guest(kiosk)
    #expect(throws: CommandError.self) { try guest.engine.apply(.go(page: "help")) }
    #expect(throws: CommandError.self) { try guest.engine.apply(.show(page: "other")) }
    #expect(throws: CommandError.self) { try guest.engine.apply(.show(page: "nobody")) }
  }

  @Test func `errors of pages over others are found in the file`() {
    func errors(_ pages: String, _ head: String = "") -> [String] {
      let file = "kiosk: k\n\(head)\npages: [\(pages)]"
      return ParsedKiosk(Array(file.utf8), path: "k.yaml", assets: StubAssets()).diagnostics
        .map(\.message)
    }
    let first = "controls: [{label: l, at: [9, 9], text: x}]"
    let second = "controls: [{label: m, at: [9, 9], text: x}]"
    #expect(
      errors("{page: a, over: true, \(first)}, {page: b, \(second)}") == [
        "the first page is shown over others (expected a first page without \"over\")"
      ])
    #expect(
      errors("{page: b, \(first)}, {page: a, modal: true, \(second)}") == [
        "\"modal\" without \"over\" (expected \"over: true\")"
      ])
    #expect(
      errors("{page: b, \(first)}, {page: a, over: true, swipe: {left: b}, \(second)}") == [
        "\"swipe\" on a page over others (expected a control with \"go: back\")"
      ])
    #expect(
      errors(
        "{page: b, \(first)}, {page: a, over: true, \(second)}",
        "on: {started: [{go: a}, {show: b}]}") == [
          "the page \"a\" is shown over others (expected \"show\")",
          "the page \"b\" is not shown over others (expected \"go\", or a page with \"over: true\")",
        ])
    #expect(
      errors("{page: a, controls: [{label: l, at: [9, 9], text: \"{message.body}\"}]}").first?
        .hasPrefix("there is no field of message \"body\"") == true)
  }

  // MARK: Messages

  @Test(arguments: [kiosk, messages])
  func `a message is shown once, over any page, until it is dismissed`(_ file: String) throws {
    var guest = try Guest(file)
    try guest.engine.apply(.notify(Message("Tea is ready.", title: "Kitchen")))
    #expect(guest.over == "message" && guest.page == "start")
    #expect(guest["message.text"] == .text("Tea is ready."))
    #expect(
      guest.events() == [
        "notified(text Tea is ready., title Kitchen, level info) by command"
      ])
    #expect(guest.texts.contains("Kitchen"))
    #expect(guest.texts.contains { $0.hasPrefix("Tea is ready.") })
    guest.advance(to: 200)
    #expect(guest.over == "message")
    try guest.tap(file == kiosk ? "@ok" : "ok", at: 201)
    #expect(guest.over == "" && guest["message.text"] == .text(""))
    #expect(
      guest.events("dismissed") == [
        "dismissed(text Tea is ready., title Kitchen, level info) by action"
      ])
    #expect(!guest.texts.contains("Kitchen"))
  }

  @Test func `a message closes after its time without other wake-ups`() throws {
    var guest = try Guest(page("- {label: l, at: [9, 9], text: x}"))
    try guest.notify("Tea", seconds: 20)
    #expect(guest.engine.nextChange == Instant(seconds: 20))
    guest.advance(to: 19.9)
    #expect(guest.over == "message")
    guest.advance(to: 20)
    #expect(guest.over == "" && guest.engine.nextChange == nil)
    #expect(guest.events("dismissed").count == 1)
  }

  @Test func `messages are shown in order, alarms first`() throws {
    var guest = try Guest(messages)
    for text in ["one", "two"] { try guest.notify(text) }
    try guest.notify("fire", .alarm)
    try guest.notify("flood", .alarm)
    var seen: [String] = []
    while guest.over != "" {
      seen.append(guest["message.text"]?.display ?? "")
      try guest.engine.apply(.go(page: "back"))
    }
    #expect(seen == ["fire", "flood", "one", "two"])
    // The postponed message is reported once.
    #expect(
      guest.events("notified").map { $0.prefix(14) } == [
        "notified(text ", "notified(text ", "notified(text ", "notified(text ",
      ])
  }

  @Test func `an alarm wakes the panel, and other messages wait until it wakes`() throws {
    var guest = try Guest(kiosk)
    guest.engine.setBlank(true)
    try guest.notify("Tea")
    #expect(guest.engine.isBlank && guest.over == "")
    try guest.notify("Fire", .alarm)
    #expect(!guest.engine.isBlank && guest["message.text"] == .text("Fire"))
    try guest.engine.apply(.go(page: "back"))
    #expect(guest["message.text"] == .text("Tea"))
    try guest.engine.apply(.go(page: "back"))
    guest.engine.setBlank(true)
    try guest.notify("Milk")
    guest.tap(Point(100, 100), at: 5)
    #expect(guest["message.text"] == .text("Milk"))
  }

  @Test func `the oldest info beyond 32 waiting messages is dropped with one failure`() throws {
    var guest = try Guest(kiosk)
    try guest.notify("open")
    try guest.notify("alarm", .alarm)
    for number in 0..<35 { try guest.notify("\(number)") }
    #expect(guest.failures().count == 4)
    var seen: [String] = []
    while guest.over != "" {
      seen.append(guest["message.text"]?.display ?? "")
      try guest.engine.apply(.go(page: "back"))
    }
    #expect(seen == ["alarm"] + (3..<35).map { "\($0)" })
  }

  @Test func `actions show messages with templates`() throws {
    var guest = try Guest(
      page(
        """
        - button: b
          at: [100, 100]
          size: [80, 80]
          on:
            selected:
              - notify: {text: "{n} cups", title: T, level: "{n > 1 ? 'alarm' : 'info'}", seconds: "{n * 2}"}
              - notify: Short
        """, "values: {n: 2}\non: {notified: [{emit: \"{event.level} {event.text}\"}]}"))
    try guest.tap("b", at: 1)
    #expect(
      guest.events("emit") == [
        "emit(name alarm 2 cups) by action"
      ])
    guest.advance(to: 6)
    #expect(guest.events("emit") == ["emit(name info Short) by action"])
  }

  @Test func `a wrong level of a message is one failure`() throws {
    var guest = try Guest(
      page(
        """
        - button: b
          at: [100, 100]
          size: [80, 80]
          on: {selected: [{notify: {text: a, level: "{'loud'}"}}]}
        """))
    try guest.tap("b", at: 1)
    #expect(guest.failures() == ["notify: \"level\" takes info or alarm"])
    #expect(guest.over == "")
  }

  // MARK: Succession

  @Test func `a reload keeps the open page and the waiting messages`() throws {
    var guest = try Guest(kiosk)
    try guest.notify("one")
    try guest.notify("two")
    guest.touch(.down, Point(400, 462), at: 1)
    _ = guest.events()
    try guest.reload(messages)
    #expect(guest.over == "message" && guest["message.text"] == .text("one"))
    #expect(guest.texts.contains { $0.hasPrefix("one (info)") })
    #expect(guest.events("notified") == [])
    guest.touch(.up, Point(400, 462), at: 2)
    try guest.tap("ok", at: 3)
    #expect(guest["message.text"] == .text("two"))
    try guest.tap("ok", at: 4)
  }

  @Test func `a page that doesn't read the message leaves messages to the built-in page`() throws {
    var guest = try Guest(
      kiosk + """

          - page: message
            over: true
            controls: [{label: plain, at: [400, 200], text: Plain}]
        """)
    try guest.engine.apply(.show(page: "message"))
    #expect(guest.over == "message")
    try guest.notify("one")
    try guest.engine.apply(.go(page: "back"))
    #expect(guest.over == "@message")
    #expect(guest["message.text"] == .text("one"))
  }

  @Test func `another process continues with the open and the waiting ones`() throws {
    var guest = try Guest(messages)
    try guest.engine.apply(.show(page: "help"))
    try guest.notify("one", seconds: 5)
    try guest.notify("two", .alarm)
    let past = guest.engine.handoverState
    var next = Engine(
      guest.engine.description, seed: 1, clock: Engine.defaultClock, continuing: past)
    #expect(next.takeEvents() == [] && next.overlayName == "message")
    #expect(next.handoverState.overlays == past.overlays)
    var seen: [String] = []
    while next.overlayName != "" {
      seen.append("\(next.overlayName) \(next.value(of: "text", of: "message")?.display ?? "")")
      next.go(to: "back")
    }
    #expect(seen == ["message two", "help ", "message one"])
  }

  @Test func `a restart closes everything and says so`() throws {
    var guest = try Guest(kiosk)
    try guest.notify("one")
    try guest.engine.apply(.show(page: "help"))
    _ = guest.events()
    guest.engine.restart(guest.engine.description, seed: 1)
    #expect(guest.over == "")
    #expect(guest.events("dismissed").count == 1)
  }

  @Test(arguments: [true, false])
  func `a restart and a reset dismiss a postponed message, too`(_ restarts: Bool) throws {
    var guest = try Guest(kiosk)
    try guest.notify("one")
    try guest.notify("two", .alarm)
    try guest.notify("three")
    _ = guest.events()
    if restarts {
      guest.engine.restart(guest.engine.description, seed: 1)
    } else {
      try guest.engine.apply(.reset(nil))
    }
    #expect(guest.over == "")
    #expect(
      guest.events("dismissed").map { $0.prefix(18) } == [
        "dismissed(text two", "dismissed(text one",
      ])
  }

  @Test func `speech reads a message and the focus on it`() throws {
    var guest = try Guest("speech: {start: always}\n" + kiosk)
    try guest.engine.apply(.key(.next))
    _ = guest.engine.takeUtterances()
    try guest.engine.apply(.notify(Message("Tea is ready.", title: "Kitchen")))
    let spoken = guest.engine.takeUtterances().compactMap { utterance in
      if case .text(let text, _, _) = utterance { text } else { nil }
    }
    #expect(spoken.prefix(2) == ["Kitchen", "Tea is ready."])
    #expect(spoken.count == 3 && spoken.last?.hasPrefix("OK") == true)
  }

  @Test func `speech reads each message, and a postponed message again after the alarm`() throws {
    var guest = try Guest("speech: {start: always}\n" + kiosk)
    for text in ["Tea", "Tea"] { try guest.notify(text) }
    try guest.notify("Fire", .alarm)
    for _ in 0..<3 { try guest.engine.apply(.go(page: "back")) }
    let spoken = guest.engine.takeUtterances().compactMap { utterance in
      if case .text(let text, _, _) = utterance { text } else { nil }
    }
    #expect(spoken == ["start", "Tea", "Fire", "Tea", "Tea", "start"])
  }

  @Test func `a value called over hides the name of the upper page`() throws {
    let reading = ParsedKiosk(
      Array(page("- {label: l, at: [9, 9], text: x}", "values: {over: 3}").utf8), path: "k.yaml",
      assets: StubAssets())
    #expect(reading.diagnostics.count == 1)
    let engine = Engine(try #require(reading.description), seed: 1)
    #expect(engine.value(of: .value("over")) == .number(3))
  }
}

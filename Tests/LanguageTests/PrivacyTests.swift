// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import TestSupport
import Testing

@Suite struct PrivacyTests {
  private static let file = """
    kiosk: k
    screen: {size: [800, 480], home_after: 30}
    speech: {start: key}
    values:
      name: {value: "", private: true}
      greeting: "Hello {name}"
      copy: ""
      cups: 1
    pages:
      - page: a
        on: {shown: [{set: {cups: 2}}]}
        controls:
          - keypad: typed
            at: [200, 240]
            size: [300, 400]
            value: "{name}"
            private: true
            on: {entered: [{set: {copy: "{event.text}"}}, {run: [print, "{event.text}"]}, {emit: {name: done, text: "{event.text}"}}]}
          - {label: shown, at: [600, 100], text: "{greeting}", private: true}
          - {button: next, at: [600, 300], size: [200, 100], text: Next, enabled: "{name != ''}", on: {selected: [{go: b}]}}
      - page: b
        controls: [{button: home, at: [300, 300], size: [100, 100], text: Home, on: {selected: [{go: home}]}}]
    """

  private static let secret = "74109"

  /// The file without the action that `check` warns about.
  private static let quiet = file.replacing(
    ", {emit: {name: done, text: \"{event.text}\"}}", with: "")

  /// A kiosk whose guest has typed the secret.
  private func guest() throws -> Guest {
    var guest = try Guest(Self.quiet)
    for (index, key) in (Self.secret.map(String.init) + ["enter"]).enumerated() {
      try guest.tap("typed/\(key)", at: 1 + Double(index))
    }
    return guest
  }

  @Test func `everything that follows from a private value is private`() throws {
    let guest = try guest()
    #expect(guest["copy"] == .text(Self.secret))
    for name in ["name", "greeting", "copy", "typed.value", "shown.text", "next.enabled"] {
      let reference = try #require(Reference(name))
      #expect(guest.engine.isPrivate(reference), "\(name)")
      #expect(guest.engine.publicValue(of: reference) == nil, "\(name)")
    }
    for name in ["cups", "next.text", "page", "now"] {
      #expect(!guest.engine.isPrivate(try #require(Reference(name))), "\(name)")
    }
    #expect(guest.engine.isPrivate(control: "shown") && !guest.engine.isPrivate(control: "next"))
  }

  @Test func `actions and programs get private content`() throws {
    var guest = try guest()
    #expect(guest.engine.takePrograms() == [["print", Self.secret]])
  }

  @Test func `events of private controls are marked, and so are sentences about them`() throws {
    var guest = try guest()
    let typed = guest.engine.takeEvents().filter { $0.control == "typed" }
    #expect(typed.count > 5)
    for event in typed { #expect(event.isPrivate, "\(event)") }
    try guest.engine.apply(.key(.right))
    try guest.engine.apply(.key(.right))
    for event in guest.engine.takeEvents()
    where event.name == "spoken" && "\(event.fields)".contains("741") {
      #expect(event.isPrivate, "\(event)")
    }
    let isSecret = guest.engine.typesSecret(.key(.right))
    #expect(isSecret == (guest.engine.focusedControl == "typed"))
  }

  @Test(arguments: ["home", "go", "reset", "restart"])
  func `private content is cleared`(by way: String) throws {
    var guest = try guest()
    switch way {
    case "home":
      try guest.engine.apply(.go(page: "b"))
      guest.advance(to: 100)
    case "go": try guest.engine.apply(.go(page: "home"))
    case "reset": try guest.engine.apply(.reset(nil))
    default: guest.engine.restart(guest.engine.description, seed: 1)
    }
    #expect(guest["name"] == .text("") && guest["copy"] == .text(""))
    #expect(guest["typed.value"] == .text("") && guest["greeting"] == .text("Hello "))
  }

  @Test func `another process doesn't get private content`() throws {
    let guest = try guest()
    let state = guest.engine.handoverState
    #expect(!"\(state)".contains(Self.secret))
    #expect(state.values["cups"] == .number(2))
  }

  @Test func `a failure of an action with a private value is marked`() throws {
    var guest = try Guest(
      Self.file.replacing(
        "{emit: {name: done, text: \"{event.text}\"}}", with: "{set: {cups: \"{int(name)/0}\"}}"))
    for (index, key) in (Self.secret.map(String.init) + ["enter"]).enumerated() {
      try guest.tap("typed/\(key)", at: 1 + Double(index))
    }
    let failures = guest.engine.takeEvents().filter { $0.name == "failed" }
    #expect(!failures.isEmpty)
    for event in failures { #expect(event.isPrivate) }
  }

  @Test func `check warns where private content leaves, and of controls that show it`() {
    let found = diagnostics(
      Self.file.replacing(
        "private: true}\n      - {button", with: "visible: true}\n      - {button"
      )
      .replacing(
        "value: \"\", private: true", with: "value: \"\", private: true, to: {mqtt: guest}"))
    #expect(found.count == 3, "\(found)")
    for text in [
      "\"to\" sends the private value \"name\"", "\"emit done\" contains private content",
      "\"shown\" shows or sets a private value",
    ] {
      #expect(found.contains { $0.contains(text) }, "\(text) in \(found)")
    }
  }

  @Test func `a private value cannot be persistent`() {
    let found = diagnostics(
      Self.file.replacing(
        "private: true}\n  greeting", with: "private: true, keep: true}\n  greeting"))
    #expect(found.contains { $0.contains("a private value cannot be persistent") }, "\(found)")
  }

  /// After random use, no printed event, answer or handover contains the typed characters.
  @Test(arguments: 0..<20)
  func `random use prints no private character`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var guest = try Guest(
      Self.quiet.replacing(
        "{value: \"\", private: true}", with: "{value: \"Zyzz\", private: true}"
      ).replacing("speech: {start: key}", with: "speech: {start: always}"))
    var now = 0.0
    var printed = ""
    for _ in 0..<200 {
      now += Double.random(in: 0.05...3, using: &generator)
      guest.advance(to: now)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: try guest.engine.apply(.key(Keystroke.allCases.randomElement(using: &generator)!))
      case 1: try? guest.engine.apply(.go(page: Bool.random(using: &generator) ? "a" : "b"))
      case 2: try? guest.set("name", .text("Zyzz\(Int.random(in: 0..<9, using: &generator))"))
      case 3: try? guest.engine.apply(.reset("shown"))
      default:
        guest.tap(
          Point(
            Double.random(in: 0...800, using: &generator),
            Double.random(in: 0...480, using: &generator)), at: now)
      }
      for event in guest.engine.takeEvents() where !event.isPrivate {
        printed += "\(event.item ?? "") \(event.fields) \(event.secrets)"
      }
      for name in ["name", "greeting", "copy", "typed.value", "shown.text"] {
        printed += guest.engine.publicValue(of: Reference(name)!)?.display ?? ""
      }
      printed += "\(guest.engine.handoverState)"
    }
    #expect(!printed.contains("Zyzz"))
    #expect(printed.contains("page"))
  }
}

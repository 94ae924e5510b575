// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelMotion
import TestSupport
import Testing

extension Guest {
  fileprivate mutating func press(_ keys: Keystroke..., at seconds: Double) throws {
    advance(to: seconds)
    for key in keys { try engine.apply(.key(key)) }
  }
}

/// Support for users who are slow, have a tremor or see little.
@Suite struct AccessTests {
  private func kiosk(_ screen: String, _ head: String = "") -> String {
    page(
      """
      - {button: ok, at: [100, 100], size: [90, 90], text: Fine}
      - {dial: d, at: [280, 280], radius: 80, labels: 9}
      """, head
    ).replacing("size: [400, 400]", with: "size: [400, 400], \(screen)")
  }

  // MARK: The question

  @Test func `before it goes home, the kiosk asks in text and speech`() throws {
    var guest = try Guest(kiosk("home_after: 30, warn: 10", "speech: {start: key}"))
    try guest.press(.next, at: 1)
    _ = guest.events()
    guest.advance(to: 20.9)
    #expect(guest.events() == [] && !guest.engine.isAsking)
    guest.advance(to: 21)
    #expect(
      guest.events() == ["warned(seconds 10) by time", "spoken(text Still there?) by time"])
    #expect(guest.texts.suffix(2) == ["Still there?", "Yes"])
    guest.advance(to: 31)
    #expect(!guest.engine.isAsking && !guest.engine.isSpeaking)
  }

  @Test func `a touch or a key answers the question and does nothing else, however often`() throws {
    var guest = try Guest(kiosk("home_after: 30, warn: 10"))
    guest.tap(Point(300, 20), at: 0.5)
    var now = 0.5
    for round in 1...12 {
      now += 25
      guest.advance(to: now)
      #expect(guest.engine.isAsking)
      _ = guest.events()
      if round.isMultiple(of: 2) {
        guest.tap(Point(100, 100), at: now)
      } else {
        try guest.press(.enter, at: now)
        #expect(guest.engine.focusedControl == nil)
      }
      #expect(guest.events() == [] && !guest.engine.isAsking)
    }
    guest.tap(Point(100, 100), at: now + 1)
    #expect(guest.events("selected").count == 1)
    guest.advance(to: now + 1 + 30.1)
    #expect(!guest.engine.isAsking)
  }

  @Test func `the kiosk asks before it sleeps, but only after it was used`() throws {
    var guest = try Guest(kiosk("blank_after: 30, warn: 5"))
    guest.advance(to: 29)
    #expect(!guest.engine.isAsking)
    guest.advance(to: 30)
    #expect(guest.engine.isBlank)
    guest.tap(Point(300, 20), at: 40)
    guest.advance(to: 65.1)
    #expect(guest.engine.isAsking)
    guest.advance(to: 70.1)
    #expect(guest.engine.isBlank && !guest.engine.isAsking)
  }

  @Test func `a page can ask sooner, with the author's wording`() throws {
    var guest = try Guest(
      kiosk(
        "home_after: 30, warn: 5",
        "languages: [en]\ntexts: {still_there: {en: Hello?}, still_here: {en: Yep}}"
      ).replacing("  - page: home", with: "  - page: home\n    warn: 20"))
    guest.tap(Point(300, 20), at: 0)
    guest.advance(to: 10.1)
    #expect(guest.texts.suffix(2) == ["Hello?", "Yep"])
  }

  // MARK: Fingers

  @Test func `a trembling finger counts once`() throws {
    var guest = try Guest(kiosk("debounce: 0.5"))
    guest.tap(Point(100, 100), at: 1)
    guest.tap(Point(102, 100), at: 1.3)
    guest.tap(Point(100, 100), at: 1.6)
    #expect(guest.events("selected").count == 1)
    guest.tap(Point(100, 100), at: 2.2)
    #expect(guest.events("selected").count == 1)
  }

  @Test func `a touch counts at its resting position`() throws {
    var guest = try Guest(kiosk("dwell: 0.4"))
    guest.tap(Point(100, 100), at: 1)
    #expect(guest.events() == [])
    guest.touch(.down, Point(300, 20), at: 2)
    guest.touch(.move, Point(100, 100), at: 2.2)
    guest.advance(to: 2.5)
    #expect(guest.events() == ["ok.pressed(label Fine) by finger"])
    guest.touch(.up, Point(100, 100), at: 3)
    #expect(guest.events("selected").count == 1)
  }

  // MARK: Appearance

  @Test func `touches and speech work in a dark view until it is lit or the guest leaves`() throws {
    var guest = try Guest(
      kiosk("home_after: 30", "speech: {start: key}\non: {started: [{blank: view}]}"))
    #expect(guest.engine.isDark && !guest.engine.isBlank && guest.texts.isEmpty)
    try guest.press(.next, .enter, at: 1)
    #expect(guest.events("selected").count == 1)
    guest.engine.setBlank(false)
    #expect(!guest.engine.isDark && !guest.texts.isEmpty)
    try guest.engine.apply(.darken)
    #expect(guest.engine.isDark)
    guest.advance(to: 40)
    #expect(!guest.engine.isDark)
  }

  @Test func `a value scales the text within its limits`() throws {
    var guest = try Guest(kiosk("background: black"))
    func size(_ guest: Guest) -> Double {
      guest.engine.displayList.items.flatMap(\.tiles).compactMap { tile in
        if case .text(let run) = tile.shape, run.text == "Fine" { run.size } else { nil }
      }.first ?? 0
    }
    let usual = size(guest)
    #expect(usual > 0 && guest["text_scale"] == .number(1))
    try guest.set("text_scale", .number(1.5))
    #expect(size(guest) == usual * 1.5)
    try guest.set("text_scale", .number(9))
    #expect(guest["text_scale"] == .number(2) && size(guest) == usual * 2)
    guest.engine.go(to: "home")
    try guest.engine.apply(.reset(nil))
    #expect(guest["text_scale"] == .number(1))
    #expect(throws: PropertyError.self) { try guest.set("text_scale", .text("big")) }
  }

  @Test func `the contrast theme has 7:1 text and outlines usable controls`() throws {
    let theme = Theme.contrast
    for background in [theme.background, theme.surface] {
      for ink in [theme.text, theme.muted, theme.accent] {
        #expect(ink.contrast(with: background) >= 7)
      }
    }
    let plain = try Guest(kiosk("background: black", "theme: dark"))
    let strong = try Guest(kiosk("background: black", "theme: contrast"))
    let count = { (guest: Guest) in guest.engine.displayList.items.count }
    #expect(count(strong) == count(plain) + 2)
  }

  @Test func `with less motion, pages change without a transition`() throws {
    let file = kiosk("motion: less", "transition: slide")
    let description = try Guest.description(file)
    #expect(description.transition.kind == .none && description.screen.hasLessMotion)
  }
}

/// Kiosks of random controls, operated only by keys.
@Suite struct KeyboardTests {
  private static let controls: [@Sendable (Int, Double, Double) -> String] = [
    { "- {button: c\($0), at: [\($1), \($2)], size: [60, 60]}" },
    { "- {toggle: c\($0), at: [\($1), \($2)], size: [80, 40], label: T}" },
    { "- {dial: c\($0), at: [\($1), \($2)], radius: 40, labels: 5}" },
    { "- {ring: c\($0), at: [\($1), \($2)], radius: 40, step: 10}" },
    { "- {menu: c\($0), at: [\($1), \($2)], label: M, items: [{id: a\($0)}, {id: b\($0)}]}" },
    { "- {pinwheel: c\($0), at: [\($1), \($2)], radius: 60, wedges: [{id: w}, {id: v}]}" },
    { "- {picker: c\($0), at: [\($1), \($2)], size: [80, 80], wheels: [{id: p, items: [x, y]}]}" },
    { "- {slots: c\($0), at: [\($1), \($2)], size: [80, 80], reels: [{id: r, items: [x, y]}]}" },
    { "- {keypad: c\($0), at: [\($1), \($2)], size: [90, 120], layout: pin}" },
    { "- {keypad: c\($0), at: [\($1), \($2)], size: [90, 120]}" },
    { "- {list: c\($0), at: [\($1), \($2)], size: [90, 90], row_height: 40, items: [A, B, C]}" },
    { "- {resistor: c\($0), at: [\($1), \($2)], size: [180, 120]}" },
    { "- {label: c\($0), at: [\($1), \($2)], text: L, on: {selected: [{emit: e}]}}" },
  ]

  /// From every state that random keys lead to, Tab reaches each usable control, and Enter has an
  /// effect on each.
  @Test(arguments: 0..<20)
  func `no control traps the focus, and every control is reachable`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let count = Int.random(in: 2...6, using: &generator)
    let lines = (0..<count).compactMap { index in
      Self.controls.randomElement(using: &generator)?(
        index, Double(80 + 240 * (index % 2)), Double(60 + 130 * (index / 2)))
    }
    let file = page(lines.joined(separator: "\n"))
    let reading = try Guest.lenient(file)
    var guest = Guest(engine: reading)
    let all = (0..<count).map { "c\($0)" }
    for step in 0..<60 {
      let key = Keystroke.allCases.randomElement(using: &generator) ?? .enter
      try guest.press(key, at: Double(step) * 0.3)
      guard step.isMultiple(of: 10) else { continue }
      var copy = guest
      var reached: Set<String> = []
      for _ in 0..<(4 * count + 8) {
        try copy.press(.next, at: copy.engine.now.seconds + 0.1)
        if let id = copy.engine.focusedControl { reached.insert(id) }
      }
      #expect(reached == Set(all), "\(file) after \(step) keys")
    }
  }
}

extension Guest {
  fileprivate init(engine: Engine) { self.engine = engine }

  /// Creates an engine from a file and ignores warnings.
  fileprivate static func lenient(_ file: String) throws -> Engine {
    let reading = ParsedKiosk(Array(file.utf8), path: "k.yaml", assets: StubAssets())
    return Engine(
      try #require(reading.description, "\(reading.diagnostics.map(\.description)) \(file)"),
      seed: 1)
  }
}

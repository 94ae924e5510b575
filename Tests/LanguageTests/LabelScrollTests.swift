// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import TestSupport
import Testing

private let story = """
  kiosk: k
  screen: {size: [400, 800]}
  values: {story: ""}
  pages:
    - page: main
      swipe: {left: next}
      controls:
        - label: story
          at: [200, 400]
          size: [300, 400]
          font_size: 30
          scroll: true
          text: "{story}"
          on: {selected: [{emit: tapped}]}
    - page: next
      controls: [{label: end, at: [200, 400], text: End}]
  """

@Suite struct LabelScrollTests {
  private static let long = String(repeating: "Letters of a story. ", count: 60)

  /// The fraction of the overflowing text that is above the frame.
  private func scrolled(_ guest: Guest) throws -> Double {
    let runs = guest.engine.displayList.items.flatMap(\.tiles).compactMap { tile -> TextRun? in
      if case .text(let run) = tile.shape { run } else { nil }
    }
    guard case .column(_, let scrolled) = try #require(runs.first?.bounds) else { return .nan }
    return scrolled
  }

  private func guest(_ text: String = long) throws -> Guest {
    var guest = try Guest(story)
    try guest.set("story", .text(text))
    _ = guest.events()
    return guest
  }

  @Test func `a finger scrolls a label, which keeps its position`() throws {
    var guest = try guest()
    guest.touch(.down, Point(200, 400), at: 1)
    guest.touch(.move, Point(200, 390), at: 1.1)
    guest.touch(.move, Point(200, 290), at: 1.2)
    let held = try scrolled(guest)
    #expect(held > 0.01 && held < 0.9)
    guest.touch(.move, Point(200, 290), at: 2)
    guest.touch(.up, Point(200, 290), at: 2.1)
    guest.advance(to: 5)
    #expect(try scrolled(guest) == held)
    #expect(guest.engine.nextChange == nil)
  }

  @Test func `a flung text stops at its last line`() throws {
    var guest = try guest()
    for throwing in 0..<20 {
      let start = 1 + Double(throwing) * 0.2
      guest.touch(.down, Point(200, 550), at: start)
      guest.touch(.move, Point(200, 400), at: start + 0.05)
      guest.touch(.move, Point(200, 250), at: start + 0.1)
      guest.touch(.up, Point(200, 250), at: start + 0.1)
    }
    guest.advance(to: 20)
    #expect(try scrolled(guest) == 1)
    #expect(guest.engine.isStill)
  }

  @Test func `scrolling ends a press, and a tap remains a tap`() throws {
    var guest = try guest()
    guest.touch(.down, Point(200, 400), at: 1)
    guest.touch(.move, Point(200, 350), at: 1.1)
    guest.touch(.up, Point(200, 350), at: 1.2)
    let reported = guest.events().map { String($0.prefix { $0 != "(" }) }
    #expect(reported == ["story.pressed", "story.cancelled"])
    guest.advance(to: 5)
    guest.tap(Point(200, 400), at: 6)
    #expect(guest.events("emit") == ["emit(name tapped) by action"])
  }

  @Test func `a drag across swipes the page, a drag along the text doesn't`() throws {
    var guest = try guest()
    guest.touch(.down, Point(300, 400), at: 1)
    guest.touch(.move, Point(300, 300), at: 1.1)
    guest.touch(.move, Point(10, 300), at: 1.2)
    guest.touch(.up, Point(10, 300), at: 1.3)
    guest.advance(to: 3)
    #expect(guest.page == "main")
    guest.touch(.down, Point(300, 400), at: 4)
    guest.touch(.move, Point(280, 400), at: 4.05)
    guest.touch(.move, Point(20, 400), at: 4.1)
    guest.touch(.up, Point(20, 400), at: 4.15)
    guest.advance(to: 6)
    #expect(guest.page == "next")
  }

  @Test func `a short text doesn't scroll, and a new text starts at its first line`() throws {
    var guest = try guest("Short.")
    guest.touch(.down, Point(200, 400), at: 1)
    guest.touch(.move, Point(200, 300), at: 1.1)
    #expect(try scrolled(guest) == 0)
    guest.touch(.up, Point(200, 300), at: 1.2)
    try guest.set("story", .text(Self.long))
    guest.touch(.down, Point(200, 400), at: 2)
    guest.touch(.move, Point(200, 300), at: 2.1)
    guest.touch(.move, Point(200, 200), at: 2.2)
    guest.touch(.up, Point(200, 200), at: 3)
    #expect(try scrolled(guest) > 0)
    try guest.set("story", .text(Self.long + "More. " + Self.long))
    #expect(try scrolled(guest) == 0)
  }

  // MARK: The end

  private func position(_ guest: Guest) -> Value? { guest["story.position"] }

  @Test func `a position that is set scrolls the text, and the end is reported once`() throws {
    var guest = try guest()
    #expect(position(guest) == .number(0))
    try guest.set("story.position", .number(0.25))
    guest.advance(to: 2)
    #expect(position(guest) == .number(0.25))
    #expect(try scrolled(guest) == 0.25)
    try guest.set("story.position", .number(1))
    guest.advance(to: 4)
    #expect(position(guest) == .number(1))
    #expect(guest.events("ended") == ["story.ended by command"])
    try guest.set("story.position", .number(0))
    guest.advance(to: 6)
    try guest.set("story.position", .number(1))
    guest.advance(to: 8)
    #expect(guest.events("ended") == [])
    #expect(throws: PropertyError.self) { try guest.set("story.position", .number(1.5)) }
  }

  @Test func `a text that fits is at its end when it is shown`() throws {
    var guest = try Guest(story.replacing("story: \"\"", with: "story: Hi"))
    #expect(guest.events("ended") == ["story.ended by time"])
    #expect(position(guest) == .number(1))
    try guest.set("story", .text(Self.long))
    #expect(guest.events("ended") == [])
    #expect(position(guest) == .number(0))
    try guest.set("story", .text("Short."))
    #expect(guest.events("ended").count == 1)
  }

  @Test func `a finger reports the end where the text rests, or while it holds it there`() throws {
    var guest = try guest()
    try guest.set("story.position", .number(0.99))
    guest.advance(to: 1)
    guest.touch(.down, Point(200, 500), at: 2)
    guest.touch(.move, Point(200, 480), at: 2.1)
    #expect(guest.events("ended") == [])
    guest.touch(.move, Point(200, 300), at: 2.2)
    guest.touch(.move, Point(200, 250), at: 2.3)
    guest.touch(.up, Point(200, 250), at: 4)
    guest.advance(to: 6)
    #expect(guest.events("ended") == ["story.ended by finger"])
  }

  @Test func `the next guest reads the text again`() throws {
    var guest = try guest()
    try guest.set("story.position", .number(1))
    guest.advance(to: 2)
    guest.engine.go(to: "next")
    guest.engine.go(to: "main")
    guest.advance(to: 4)
    #expect(guest.events("ended").count == 1)
    #expect(position(guest) == .number(0))
    try guest.set("story.position", .number(1))
    guest.advance(to: 6)
    #expect(guest.events("ended").count == 1)
  }

  @Test func `arrow keys scroll to the end, and then move the focus`() throws {
    var guest = try Guest(story)
    try guest.set("story", .text(Self.long))
    guest.advance(to: 1)
    _ = guest.events()
    try guest.engine.apply(.key(.down))
    #expect(guest.engine.focusedControl == "story")
    var presses = 0
    while guest.events("ended").isEmpty, presses < 50 {
      try guest.engine.apply(.key(.down))
      presses += 1
      guest.advance(to: 1 + Double(presses))
    }
    #expect((2..<20).contains(presses))
    #expect(position(guest) == .number(1))
    try guest.engine.apply(.key(.enter))
    #expect(guest.events("selected") != [], "Enter presses a label with actions")
  }

  @Test func `speech reaches the end of a text unless it is interrupted`() throws {
    let text = story.replacing("values:", with: "speech: {start: key}\nvalues:")
    var guest = try Guest(text)
    try guest.set("story", .text(Self.long))
    guest.advance(to: 1)
    _ = guest.events()
    try guest.engine.apply(.key(.down))
    guest.advance(to: 30)
    try guest.engine.apply(.key(.louder))
    guest.advance(to: 300)
    #expect(guest.events("ended") == [])
    try guest.engine.apply(.key(.repeat))
    guest.advance(to: 600)
    #expect(guest.events("ended") == [])
    try guest.engine.apply(.key(.back))
    try guest.engine.apply(.key(.down))
    guest.advance(to: 640)
    #expect(guest.events("ended") == [])
    guest.advance(to: 900)
    #expect(guest.events("ended") == ["story.ended by time"])
    #expect(position(guest) == .number(1))
  }

  @Test func `a reload and another process keep the position`() throws {
    for place in [0.0, 0.3, 1] {
      var guest = try guest()
      try guest.set("story.position", .number(place))
      guest.advance(to: 2)
      let present = try #require(position(guest))
      _ = guest.events()
      let next = Engine(
        guest.engine.description, seed: 1, clock: guest.engine.clock,
        continuing: guest.engine.handoverState)
      #expect(next.value(of: Reference("story.position")!) == present)
      try guest.reload(story.replacing("font_size: 30", with: "font_size: 30\n        color: red"))
      #expect(position(guest) == present)
      try guest.reload(story)
      guest.advance(to: 3)
      #expect(position(guest) == present)
      #expect(guest.events("ended") == [])
    }
  }

  @Test func `a smaller font reports an end that comes into view`() throws {
    let text = story.replacing("font_size: 30", with: "font_size: \"{em}\"")
      .replacing("values: {", with: "values: {em: 30, ")
    var guest = try Guest(text)
    try guest.set("story", .text(String(repeating: "Letters of a story. ", count: 16)))
    guest.advance(to: 1)
    _ = guest.events()
    #expect(position(guest) == .number(0))
    try guest.set("em", .number(10))
    #expect(position(guest) == .number(1))
    #expect(guest.events("ended").count == 1)
  }

  @Test func `a scrolling text requires a size`() {
    let found = diagnostics(story.replacing("        size: [300, 400]\n", with: ""))
    #expect(found.count == 1)
    #expect(found.first?.contains("a label without a size cannot scroll") == true, "\(found)")
  }
}

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

  @Test func `a scrolling text requires a size`() {
    let found = diagnostics(story.replacing("        size: [300, 400]\n", with: ""))
    #expect(found.count == 1)
    #expect(found.first?.contains("a label without a size cannot scroll") == true, "\(found)")
  }
}

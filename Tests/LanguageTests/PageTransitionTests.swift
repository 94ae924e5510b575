// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing
@testable import KioskFile

private func kiosk(
  _ transition: String, of second: String = "", shape: String = "rectangle"
) -> String {
  """
  kiosk: k
  screen: {size: [400, 300], shape: \(shape)}
  \(transition)
  pages:
    - page: a
      controls: [{button: next, at: [100, 100], size: [80, 80], on: {selected: [{go: b}]}}]
    - page: b\(second)
      controls: [{button: back, at: [300, 200], size: [80, 80], on: {selected: [{go: a}]}}]
    - page: c
      controls: [{label: end, at: [300, 200], text: End}]
  """
}

extension Guest {
  fileprivate var transition: DisplayList.Transition? { engine.displayList.transition }
  fileprivate mutating func go(_ page: String, at seconds: Double) {
    advance(to: seconds)
    engine.go(to: page)
  }
}

@Suite struct PageTransitionTests {
  @Test func `a page slides forward to a later page and back to an earlier one`() throws {
    var guest = try Guest(kiosk("transition: {slide, seconds: 0.4}"))
    let before = guest.engine.displayList
    guest.go("b", at: 1)
    #expect(guest.page == "b" && guest.engine.isMoving && !guest.engine.isStill)
    #expect(guest.transition == .slide(from: before, towards: .left, progress: 0))
    guest.advance(to: 1.2)
    #expect(guest.transition == .slide(from: before, towards: .left, progress: 0.5))
    #expect(guest.engine.nextChange == Instant(seconds: 1.4))
    guest.advance(to: 1.4)
    #expect(guest.transition == nil && !guest.engine.isMoving && guest.engine.isStill)
    guest.go("a", at: 2)
    guard case .slide(_, .right, 0) = guest.transition else {
      Issue.record("does not slide back")
      return
    }
  }

  @Test(arguments: ["slide", "fade"])
  func `the bezel of a round panel doesn't move with the pages`(kind: String) throws {
    let head = "transition: {\(kind), seconds: 0.4}"
    var guest = try Guest(kiosk(head, shape: "round"))
    let bezel = try #require(guest.engine.displayList.bezel)
    #expect(bezel.innerRadius == 150)
    guest.go("b", at: 1)
    guest.advance(to: 1.2)
    #expect(guest.transition != nil && guest.engine.displayList.bezel == bezel)
    #expect(guest.transition?.from.bezel == nil)
    #expect(try Guest(kiosk(head)).engine.displayList.bezel == nil)
  }

  @Test(arguments: [
    ("transition: fade", 0.3, true), ("transition: {fade, seconds: 1}", 1, true),
    ("transition: {kind: fade, seconds: 2}", 2, true), ("transition: slide", 0.3, false),
    ("transition: {slide}", 0.3, false),
  ])
  func `a transition takes the configured time`(head: String, seconds: Double, fades: Bool) throws {
    var guest = try Guest(kiosk(head))
    guest.go("b", at: 0)
    #expect(guest.engine.nextChange == Instant(seconds: seconds))
    if case .fade? = guest.transition { #expect(fades) } else { #expect(!fades) }
  }

  @Test func `without a transition, the default, a page appears immediately`() throws {
    for head in ["", "transition: none", "transition: {none, seconds: 1}"] {
      var guest = try Guest(kiosk(head))
      guest.go("b", at: 1)
      #expect(guest.transition == nil && guest.engine.isStill)
    }
  }

  @Test func `a page can have its own transition`() throws {
    var guest = try Guest(kiosk("transition: slide", of: "\n    transition: none"))
    guest.go("b", at: 1)
    #expect(guest.transition == nil)
    guest.go("c", at: 2)
    #expect(guest.transition != nil)
  }

  @Test func `touches go to the new page immediately`() throws {
    var guest = try Guest(kiosk("transition: slide"))
    guest.go("b", at: 1)
    guest.tap(Point(300, 200), at: 1.01)
    #expect(guest.page == "a")
  }

  @Test func `an interrupted transition starts from the current picture`() throws {
    var guest = try Guest(kiosk("transition: {slide, seconds: 0.4}"))
    guest.go("b", at: 1)
    guest.advance(to: 1.1)
    let seen = guest.engine.displayList
    guest.go("c", at: 1.1)
    #expect(guest.transition == .slide(from: seen, towards: .left, progress: 0))
    guest.advance(to: 1.5)
    #expect(guest.transition == nil)
  }

  @Test func `however often it is interrupted, a transition keeps only the last pictures`() throws {
    var guest = try Guest(kiosk("transition: {fade, seconds: 5}"))
    for step in 0..<100 { guest.go(step % 2 == 0 ? "b" : "a", at: 1 + Double(step) / 100) }
    var depth = 0
    var list: DisplayList? = guest.engine.displayList
    while let from = list?.transition?.from {
      depth += 1
      list = from
    }
    #expect((2...5).contains(depth))
  }

  @Test func `of several simultaneous page changes only the visible one counts`() throws {
    var guest = try Guest(kiosk("transition: slide"))
    let before = guest.engine.displayList
    guest.go("b", at: 1)
    guest.go("c", at: 1)
    #expect(guest.transition == .slide(from: before, towards: .left, progress: 0))
  }

  @Test func `sleep and a restart end a transition`() throws {
    var guest = try Guest(kiosk("transition: {slide, seconds: 5}"))
    guest.go("b", at: 1)
    guest.engine.setBlank(true)
    #expect(guest.transition == nil)
    guest.engine.setBlank(false)
    #expect(guest.transition == nil && !guest.engine.isMoving)
    guest.go("a", at: 2)
    guest.engine.restart(guest.engine.description, seed: 1)
    #expect(guest.transition == nil)
  }

  @Test func `errors suggest the intended name`() {
    #expect(
      diagnostics(kiosk("transition: slid")) == [
        "\"transition\" is \"slid\" "
          + "(expected none, slide or fade; did you mean \"slide\"?)"
      ])
    #expect(
      diagnostics(kiosk("transition: {slide, fade}")) == [
        "a transition of several kinds "
          + "(expected one of none, slide and fade, such as {slide, seconds: 0.3})"
      ])
    #expect(diagnostics(kiosk("transition: {fade, seconds: 0}")).count == 1)
  }
}

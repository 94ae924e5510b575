// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import TestSupport
import Testing

@testable import KioskFile

private let file = """
  kiosk: k
  values: {cups: 1, level: 0, heat: 5}
  pages:
    - page: a
      controls:
        - {toggle: lamp, at: [100, 100], size: [120, 80], on: {changed: [{set: {cups: 3}}]}}
        - {ring: heating, at: [400, 300], radius: 100, min: 0, max: 10, value: "{heat}"}
        - {timer: tick, every: 1, on: {due: [{set: {level: "{level + 1}"}}, {go: b}]}}
    - page: b
      controls: [{label: l, at: [100, 100], text: x}]
  """

@Suite struct CauseTests {
  private func cause(_ name: String, _ guest: Guest) throws -> Cause {
    guest.engine.cause(ofLastChangeOf: [try #require(Reference(name))])
  }

  @Test func `changes by a finger, a client and an action have different causes`() throws {
    var guest = try Guest(file)
    #expect(try cause("cups", guest) == .time)
    try guest.tap("lamp", at: 0.1)
    #expect(try cause("lamp.value", guest) == .finger)
    #expect(try cause("cups", guest) == .action)
    try guest.set("cups", .number(7))
    #expect(try cause("cups", guest) == .command)
    guest.advance(to: 1.5)
    #expect(try cause("level", guest) == .action)
    #expect(try cause("page", guest) == .action)
    guest.engine.go(to: "a")
    #expect(try cause("page", guest) == .command)
  }

  @Test func `a finger on a bound control changes the value`() throws {
    var guest = try Guest(file)
    // On the right of the ring.
    guest.tap(Point(490, 300), at: 0.1)
    guest.advance(to: 0.9)
    #expect(try #require(guest["heat"]) != .number(5))
    #expect(try cause("heat", guest) == .finger)
  }

  @Test func `the cause of several names is the cause of the last change`() throws {
    var guest = try Guest(file)
    let names = try ["lamp.value", "cups", "level"].map { try #require(Reference($0)) }
    try guest.set("level", .number(2))
    try guest.tap("lamp", at: 0.1)
    #expect(guest.engine.cause(ofLastChangeOf: names) == .action)
    #expect(guest.engine.cause(ofLastChangeOf: [names[0], names[2]]) == .finger)
    #expect(guest.engine.cause(ofLastChangeOf: []) == .time)
  }

  // MARK: Events

  private static let bound = page(
    """
    - {ring: ring, at: [100, 100], radius: 90, min: 0, max: 10, value: "{n}"}
    - {ring: other, at: [300, 100], radius: 90, min: 0, max: 10, value: "{ring.value}"}
    - {toggle: lamp, at: [100, 300], size: [120, 80], value: "{n > 4}"}
    - {label: share, at: [300, 300], text: "{10 / (n - 7)}"}
    - {button: b, at: [200, 380], size: [99, 30], on: {pressed: [{set: {n: 8}}]}}
    """, "values: {n: 1}")

  @Test func `a bound property has the cause of the value's change`() throws {
    var guest = try Guest(Self.bound)
    _ = guest.events()
    try guest.set("n", .number(7))
    guest.advance(to: 2)
    #expect(
      guest.events() == [
        "lamp.changed(label , value true) by command",
        "failed(message share.text: division by zero) by command",
        "ring.settled(index 70, label 7, value 7) by command",
        "other.settled(index 70, label 7, value 7) by command",
      ])
    try guest.tap("b", at: 3)
    guest.advance(to: 5)
    #expect(
      guest.events() == [
        "b.pressed(label ) by finger", "b.selected(label ) by finger",
        "b.confirmed(label ) by finger", "ring.settled(index 80, label 8, value 8) by action",
        "other.settled(index 80, label 8, value 8) by action",
      ])
    // At the right end of the ring.
    guest.tap(Point(185, 100), at: 6)
    guest.advance(to: 8)
    let causes = Set(guest.events().compactMap { $0.split(separator: " ").last })
    #expect(causes == ["finger"])
  }

  @Test func `a property bound to the clock always has time as its cause`() throws {
    var guest = try Guest(
      page(
        """
        - {toggle: lamp, at: [100, 100], size: [120, 80], value: "{now.getMinutes() % 2 == 1}"}
        - {label: l, at: [300, 300], text: x}
        """))
    _ = guest.events()
    guest.tap(Point(390, 390), at: 59)
    guest.advance(to: 61)
    #expect(guest.events() == ["lamp.changed(label , value true) by time"])
  }

  private static let blinking = page(
    """
    - {button: b, at: [200, 200], size: [99, 99], blink: {count: 2}, on: {selected: [{set: {b.enabled: false}}]}}
    """)

  @Test func `a blink keeps its cause when an action disables the button`() throws {
    var guest = try Guest(Self.blinking)
    try guest.tap("b", at: 1)
    guest.advance(to: 3)
    #expect(guest.events("b.confirmed") == ["b.confirmed(label ) by finger"])
  }

  @Test(arguments: [Cause.command, .time])
  func `a continuing blink keeps its cause after a reload`(_ cause: Cause) throws {
    var guest = try Guest(Self.blinking)
    try guest.tap("b", at: 1)
    _ = guest.events()
    guest.engine.replace(with: try Guest.description(Self.blinking), seed: 1, by: cause)
    guest.advance(to: 3)
    #expect(guest.events() == ["reloaded by \(cause)", "b.confirmed(label ) by finger"])
  }

  @Test func `ends caused by a restart or reload have its cause`() throws {
    let file = page("- {dial: d, at: [200, 200], radius: 150, labels: 12}")
    for cause in [Cause.command, .time] {
      var guest = try Guest(file)
      guest.touch(.down, Point(200, 80), at: 1)
      _ = guest.events()
      let next = file.replacing("radius: 150", with: "radius: 140")
      guest.engine.replace(with: try Guest.description(next), seed: 1, by: cause)
      #expect(guest.events("d.settled") == ["d.settled(index 0, label 0, value 0) by \(cause)"])
    }
    var guest = try Guest(file)
    guest.touch(.down, Point(200, 80), at: 1)
    _ = guest.events()
    guest.engine.restart(try Guest.description(file), seed: 1)
    #expect(
      guest.events() == [
        "d.settled(index 0, label 0, value 0) by command", "restarted by command",
      ])
  }

  @Test func `a waiting write keeps its cause`() throws {
    var guest = try Guest(page("- {dial: d, at: [200, 200], radius: 150, labels: 12}"))
    guest.touch(.down, Point(200, 80), at: 1)
    try guest.set("d.value", .number(3))
    guest.touch(.up, Point(200, 80), at: 3)
    guest.advance(to: 5)
    #expect(
      guest.events() == [
        "d.pressed(index 0, label 0, value 0) by finger",
        "d.settled(index 0, label 0, value 0) by finger",
        "d.settled(index 3, label 3, value 3) by command",
      ])
  }

  @Test func `a finger that does not affect a motion is not its cause`() throws {
    var guest = try Guest(
      page("- {slots: s, at: [200, 200], size: [200, 200], reels: [{id: r, items: [a, b]}]}"))
    guest.engine.perform("spin", on: "s")
    guest.tap(Point(200, 200), at: 1)
    guest.advance(to: 9)
    let events = guest.events()
    #expect(events.first == "s.started by command")
    #expect(events.last?.hasPrefix("s.settled(") == true)
    #expect(events.last?.hasSuffix(" by command") == true)
  }

  @Test func `setting a dial during a fling replaces the cause`() throws {
    var guest = try Guest(page("- {dial: d, at: [200, 200], radius: 150, labels: 12}"))
    guest.touch(.down, Point(200, 80), at: 1)
    guest.touch(.move, Point(230, 85), at: 1.02)
    guest.touch(.up, Point(260, 95), at: 1.04)
    // Setting a colour doesn't change the cause of the fling.
    try guest.set("d.color", .text("red"))
    guest.advance(to: 1.1)
    #expect(guest.events().allSatisfy { $0.hasSuffix("by finger") })
    try guest.set("d.value", .number(5))
    guest.advance(to: 3)
    #expect(guest.events("d.settled") == ["d.settled(index 5, label 5, value 5) by command"])
  }

  @Test func `a timer's events always have time as their cause`() throws {
    var guest = try Guest(
      page("- {timer: t, every: 1}\n- {label: l, at: [200, 200], text: x}"))
    guest.advance(to: 1.5)
    try guest.set("t.running", .flag(false))
    try guest.set("t.running", .flag(true))
    guest.advance(to: 3.6)
    #expect(Set(guest.events()) == ["t.due by time"])
  }

  @Test func `a bound wheel turns with the cause of its value's change`() throws {
    var guest = try Guest(
      page(
        """
        - {picker: p, at: [200, 200], size: [300, 300], wheels: [{id: w, items: [a, b, c], value: "{n}"}]}
        """, "values: {n: 0}"))
    _ = guest.events()
    try guest.set("n", .number(2))
    guest.advance(to: 2)
    #expect(guest.events() == ["p.settled(wheel w, index 2, label c, value c) by command"])
  }

  @Test func `a failure in an action has the action as its cause`() throws {
    var guest = try Guest(
      page(
        """
        - {button: b, at: [200, 200], size: [99, 99], on: {pressed: [{emit: x, when: 1 / n > 0}, {emit: "{1 / n}"}]}}
        """, "values: {n: 0}"))
    try guest.tap("b", at: 1)
    #expect(
      guest.events("failed") == [
        "failed(message when 1 / n > 0: division by zero) by action",
        "failed(message emit an event: division by zero) by action",
      ])
  }

  @Test func `a reload keeps the causes of changes`() throws {
    var guest = try Guest(file)
    try guest.tap("lamp", at: 0.1)
    try guest.set("cups", .number(7))
    guest.engine.replace(with: try Guest.description(file), seed: 1)
    #expect(try cause("cups", guest) == .command)
    #expect(try cause("lamp.value", guest) == .finger)
  }
}

// SPDX-License-Identifier: MIT

import Expressions
import Geometry
import Kiosk
import Motion
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

  @Test func `a finger, a client and an action are told apart in what they change`() throws {
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

  @Test func `a finger on a control that is bound to a value changes that value`() throws {
    var guest = try Guest(file)
    // On the ring's right.
    guest.tap(Point(490, 300), at: 0.1)
    guest.advance(to: 0.9)
    #expect(try #require(guest["heat"]) != .number(5))
    #expect(try cause("heat", guest) == .finger)
  }

  @Test func `of several names the last that has changed counts`() throws {
    var guest = try Guest(file)
    let names = try ["lamp.value", "cups", "level"].map { try #require(Reference($0)) }
    try guest.set("level", .number(2))
    try guest.tap("lamp", at: 0.1)
    #expect(guest.engine.cause(ofLastChangeOf: names) == .action)
    #expect(guest.engine.cause(ofLastChangeOf: [names[0], names[2]]) == .finger)
    #expect(guest.engine.cause(ofLastChangeOf: []) == .time)
  }
}

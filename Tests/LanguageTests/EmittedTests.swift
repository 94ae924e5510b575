// SPDX-License-Identifier: MIT

import RoundelExpressions
import Kiosk
import TestSupport
import Testing
@testable import KioskFile

@Suite struct EmittedTests {
  private let kiosk = page(
    "- {button: b, at: [100, 100], size: [80, 80], on: {selected: [{emit: {name: sold, cups: 9}}]}}",
    """
    values: {cups: 0, sold: ""}
    on:
      emitted:
        - {set: {cups: "{event.cups}"}, when: "event.name == 'sold'"}
        - {set: {sold: "{event.name}"}}
    """)

  @Test func `an emit of a client triggers the kiosk's actions with its fields`() throws {
    var guest = try Guest(kiosk)
    try guest.engine.apply(.emit("sold", [Field("cups", .number(3))]))
    #expect(guest["cups"] == .number(3) && guest["sold"] == .text("sold"))
    #expect(guest.events("emit") == ["emit(name sold, cups 3) by command"])
  }

  @Test func `a missing field is a failure, and the value stays`() throws {
    var guest = try Guest(kiosk)
    try guest.engine.apply(.emit("sold", []))
    #expect(guest.failures().count == 1)
    #expect(guest["cups"] == .number(0) && guest["sold"] == .text("sold"))
  }

  @Test func `an emit of an action triggers nothing`() throws {
    var guest = try Guest(kiosk)
    try guest.tap("b", at: 1)
    #expect(guest["cups"] == .number(0))
  }
}

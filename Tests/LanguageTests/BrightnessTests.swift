// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import Kiosk
import RoundelMotion
import TestSupport
import Testing

@testable import KioskFile

private func kiosk(_ brightness: String) -> String {
  """
  kiosk: k
  screen: {\(brightness)}
  values: {night: false, light: 0.5}
  pages: [{page: a, controls: [{label: l, at: [9, 9], text: x}]}]
  """
}

@Suite struct BrightnessTests {
  @Test func `the kiosk doesn't change the brightness unless the file sets it`() throws {
    #expect(try Guest(kiosk("")).engine.brightness == nil)
    #expect(try Guest(kiosk("brightness: 0.7")).engine.brightness == 0.7)
  }

  @Test func `a template dims the panel at any time`() throws {
    var guest = try Guest(kiosk("brightness: \"{night ? 0.2 : 1}\""))
    #expect(guest.engine.brightness == 1)
    try guest.set("night", .flag(true))
    #expect(guest.engine.brightness == 0.2)
    try guest.set("night", .flag(false))
    #expect(guest.engine.brightness == 1)
  }

  @Test func `the brightness follows the clock without repainting`() throws {
    var guest = try Guest(kiosk("brightness: \"{now.getHours() >= 20 ? 0.2 : 1}\""))
    let before = guest.engine.revision
    guest.advance(to: 20 * 3600 - 1)
    #expect(guest.engine.brightness == 1)
    guest.advance(to: 20 * 3600)
    #expect(guest.engine.brightness == 0.2 && guest.engine.revision == before)
  }

  @Test func `the brightness is clamped to its range`() throws {
    var guest = try Guest(kiosk("brightness: \"{light}\""))
    for (light, brightness) in [(7.0, 1.0), (-3, 0), (0.25, 0.25)] {
      try guest.set("light", .number(light))
      #expect(guest.engine.brightness == brightness)
    }
  }

  @Test func `a client sets the brightness if nothing else determines it`() throws {
    var guest = try Guest(kiosk("brightness: 0.7"))
    try guest.set("screen.brightness", .number(0.3))
    #expect(guest.engine.brightness == 0.3 && guest["screen.brightness"] == .number(0.3))
    try guest.set("screen.brightness", .number(7))
    #expect(guest.engine.brightness == 1)
    for value in [Value.text("bright"), .number(.nan), .flag(true)] {
      #expect(throws: PropertyError.self) { try guest.set("screen.brightness", value) }
    }
  }

  @Test func `if a value determines the brightness, a client sets that value`() throws {
    var guest = try Guest(kiosk("brightness: \"{light}\""))
    try guest.set("screen.brightness", .number(0.2))
    #expect(guest["light"] == .number(0.2) && guest.engine.brightness == 0.2)
  }

  @Test func `a brightness bound to an expression can't be set`() throws {
    var guest = try Guest(kiosk("brightness: \"{night ? 0.2 : 1}\""))
    #expect(throws: PropertyError.bound("screen.brightness")) {
      try guest.set("screen.brightness", .number(0.2))
    }
  }

  @Test func `a control named screen has no brightness`() throws {
    var guest = try Guest(
      "{kiosk: k, pages: [{page: a, controls: [{label: screen, at: [9, 9], text: x}]}]}")
    #expect(guest["screen.brightness"] == nil)
    #expect(throws: PropertyError.self) { try guest.set("screen.brightness", .number(0.2)) }
  }

  @Test func `an undefined brightness changes nothing and fails once`() throws {
    var guest = try Guest(kiosk("brightness: \"{1 / light}\""))
    try guest.set("light", .number(4))
    #expect(guest.engine.brightness == 0.25)
    try guest.set("light", .number(0))
    #expect(guest.engine.brightness == 0.25)
    #expect(guest.failures().count == 1)
  }

  @Test(arguments: [
    ("brightness: 2", "\"brightness\" is out of range: 2 (expected a number from 0 to 1)"),
    (
      "brightness: dark",
      "\"brightness\" has the wrong type: \"dark\" (expected a number from 0 to 1)"
    ),
    (
      "brightness: \"{night}\"", "\"brightness\" is bound to a flag (expected a number from 0 to 1)"
    ),
    (
      "brightness: \"{light} %\"",
      "\"brightness\" is bound to a string (expected a number from 0 to 1)"
    ),
  ])
  func `errors suggest the intended name`(_ brightness: String, diagnostic: String) {
    #expect(diagnostics(kiosk(brightness)) == [diagnostic])
  }
}

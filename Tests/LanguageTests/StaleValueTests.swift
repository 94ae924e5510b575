// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import Kiosk
import KioskFile
import RoundelMotion
import Testing

@Suite struct StaleValueTests {
  private static let file = page(
    """
    - {label: l, at: [200, 40], text: "{room} {twice}"}
    - {label: m, at: [200, 80], text: "{texts.t}"}
    """,
    """
    values:
      room: {value: 7, from: {mqtt: zigbee2mqtt/living, path: list.0.temp}, stale: 600}
      twice: "{room * 2}"
      was: {value: 3, from: {mqtt: a/b}}
      cold: false
    languages: [en]
    texts: {t: {en: "It is {room}"}}
    reactions: [{when: room < 5, do: [{set: {cold: true}}]}]
    """)

  @Test func `a value is undefined until it is set, and again when it is stale`() throws {
    var guest = try Guest(Self.file)
    #expect(guest.texts == ["– –", "–"])
    #expect(guest["room"] == nil && guest.failures() == [])
    guest.advance(to: 1000)
    #expect(guest.engine.nextChange == nil)
    try guest.set("room", .number(20))
    #expect(guest.texts == ["20 40", "It is 20"])
    #expect(guest.engine.nextChange == Instant(seconds: 1600))
    guest.advance(to: 1300)
    // Setting the same value refreshes it, too.
    try guest.set("room", .number(20))
    guest.advance(to: 1899.999_999)
    #expect(guest["twice"] == .number(40))
    guest.advance(to: 3000)
    #expect(guest.texts == ["– –", "–"])
    let failed = guest.engine.takeEvents().filter { $0.name == "failed" }
    #expect(failed.map(\.time) == [Instant(seconds: 1900)])
    #expect(
      failed[0].fields.map(\.value.display) == ["room: not set for 600 seconds"])
    try guest.set("room", .number(4))
    #expect(guest.texts == ["4 8", "It is 4"] && guest["cold"] == .flag(true))
  }

  @Test func `a colour bound to an undefined value doesn't change, and nothing fails`() throws {
    var guest = try Guest(
      page(
        """
        - {button: b, at: [200, 40], size: [200, 60], text: "{room}", color: "{room < 5 ? 'blue' : 'red'}"}
        - {label: l, at: [200, 80], text: x, color: "#{room:03d}"}
        """,
        "values: {room: {value: 7, from: {mqtt: a/b}, stale: 600}}"))
    #expect(guest.failures() == [] && guest.texts == ["–", "x"])
    let before = guest["b.color"]
    try guest.set("room", .number(4))
    #expect(guest["b.color"] == .text("blue") && guest["l.color"] == .text("#004"))
    #expect(before != guest["b.color"])
    guest.advance(to: 1000)
    #expect(guest.texts == ["–", "x"])
    #expect(guest["b.color"] == .text("blue") && guest["l.color"] == .text("#004"))
    #expect(guest.failures() == ["room: not set for 600 seconds"])
    // An invalid colour is still reported.
    try guest.set("room", .number(99999))
    #expect(guest.failures().map { $0.hasPrefix("l.color: ") } == [true])
  }

  @Test func `the picture doesn't depend on the size of time steps`() throws {
    for step in [0.7, 13, 250, 5000] {
      var guest = try Guest(Self.file)
      try guest.set("room", .number(1))
      for time in stride(from: step, through: 5000, by: step) { guest.advance(to: time) }
      guest.advance(to: 5000)
      #expect(
        guest.engine.takeEvents().filter { $0.name == "failed" }.map(\.time) == [
          Instant(seconds: 600)
        ])
      #expect(guest.texts == ["– –", "–"])
    }
  }

  @Test func `a reload keeps the age of values, and a reset keeps values from outside`() throws {
    var guest = try Guest(Self.file)
    try guest.set("room", .number(20))
    try guest.set("was", .number(9))
    try guest.set("cold", .flag(true))
    guest.advance(to: 500)
    guest.engine.replace(with: try Guest.description(Self.file), seed: 1)
    guest.engine.replace(with: try Guest.description(Self.file), seed: 1)
    try guest.engine.apply(.reset(nil))
    #expect(guest["room"] == .number(20) && guest["was"] == .number(9))
    #expect(guest["cold"] == .flag(false))
    guest.advance(to: 599.9)
    #expect(guest["room"] == .number(20))
    guest.advance(to: 600)
    #expect(guest["room"] == nil)
    guest.engine.replace(with: try Guest.description(Self.file), seed: 1)
    #expect(guest["room"] == nil)
    try guest.set("room", .number(1))
    guest.engine.restart(guest.engine.description, seed: 1)
    #expect(guest["room"] == nil && guest["was"] == .number(3))
    // If an edit adds `stale`, the age counts from the edit.
    var other = try Guest(Self.file.replacing(", stale: 600", with: ""))
    other.advance(to: 100)
    other.engine.replace(with: try Guest.description(Self.file), seed: 1)
    #expect(other["room"] == .number(7) && other.engine.nextChange == Instant(seconds: 700))
  }

  @Test(arguments: [
    (
      "{value: 0, from: {mqtt: \"a/#\"}}", "30: error: a topic with the wildcard \"#\""
    ),
    ("{value: 0, from: {mqtt: a/+/b}}", "30: error: a topic with the wildcard \"+\""),
    ("{value: 0, to: {mqtt: \"\"}}", "28: error: an empty topic (expected one topic"),
    (
      "{value: 0, from: {mqtt: \(String(repeating: "t", count: 65_536))}}",
      "30: error: a topic of 65536 bytes"
    ),
    ("{value: 0, from: {path: a}}", "23: error: missing key \"mqtt\""),
    ("{value: 0, from: {mqtt: a, path: a..b}}", "39: error: an empty name in a path"),
    ("{value: 0, to: {mqtt: a, payload: \"{valeu}\"}}", "40: error: a message without the value"),
    ("{value: 0, gone: x}", "23: error: \"gone\" without \"to\" (expected \"to\" with a topic)"),
    ("{value: 0, from: {mqtt: a}, gone: x}", "40: error: \"gone\" without \"to\""),
    (
      "{value: 0, to: {mqtt: a}, gone: \"{value}\"}",
      "38: error: {value} in \"gone\" (expected a fixed message)"
    ),
    (
      "{value: 0, to: {mqtt: a}, gone: \(String(repeating: "g", count: 65_536))}",
      "38: error: \"gone\" of 65536 bytes (expected at most 65535 bytes)"
    ),
    ("{value: 0, to: {mqtt: \"a/#\"}, gone: x}", "28: error: a topic with the wildcard \"#\""),
    ("{value: 0, to: {mqtt: a}, gone: [x]}", "38: error: "),
    ("{value: 0, stale: 0}", "24: error: \"stale\" is out of range"),
    ("{value: 0, stale: 60, keep: true}", "34: error: a value with \"stale\" cannot be persistent"),
    ("{value: \"{1}\", from: {mqtt: a}}", "21: error: a computed value has no \"from\""),
    ("{value: \"{1}\", stale: 5}", "21: error: a computed value has no \"stale\""),
  ])
  func `errors are found at their location`(_ value: String, _ words: String) {
    let file = page("- {label: l, at: [1, 2], text: x}", "values:\n  a: \(value)")
    let diagnostics = ParsedKiosk(Array(file.utf8), path: "k.yaml", assets: StubAssets())
      .diagnostics
    #expect(diagnostics.map { "\($0)".hasPrefix("k.yaml:4:\(words)") } == [true], "\(diagnostics)")
  }

  @Test func `a kiosk has at most sixteen values with gone`() throws {
    for count in [16, 17] {
      let values = (1...count).map { "  v\($0): {value: 0, to: {mqtt: t/\($0)}, gone: off}\n" }
      let file = page("- {label: l, at: [1, 2], text: x}", "values:\n" + values.joined())
      let diagnostics = ParsedKiosk(Array(file.utf8), path: "k.yaml", assets: StubAssets())
        .diagnostics
      #expect(diagnostics.count == count - 16)
      #expect(
        diagnostics.allSatisfy {
          "\($0)".hasPrefix("k.yaml:20:")
            && "\($0)".contains("17 values with \"gone\" (expected at most 16:")
        }, "\(diagnostics)")
    }
  }

  @Test func `gone may be a flag, a number or empty, also for a computed value`() throws {
    let guest = try Guest(
      page(
        "- {label: l, at: [1, 2], text: x}",
        """
        values:
          a: {value: true, to: {mqtt: t}, gone: false}
          b: {value: 1, to: {mqtt: t}, gone: 0}
          c: {value: x, to: {mqtt: t}, gone: ""}
          d: {value: "{b * 2}", to: {mqtt: t}, gone: "{\\"speed\\": 0}"}
          e: {value: 1, to: {mqtt: t}}
        """))
    #expect(
      guest.engine.description.values.map(\.gone) == ["false", "0", "", #"{"speed": 0}"#, nil])
  }

  @Test func `a topic of the maximum length is accepted`() throws {
    let topic = String(repeating: "t", count: 65_535)
    _ = try Guest(
      page("- {label: l, at: [1, 2], text: x}", "values: {a: {value: 0, from: {mqtt: \(topic)}}}"))
  }
}

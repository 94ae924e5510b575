// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelExpressions
import Kiosk
import RoundelMotion
import Testing

@testable import KioskFile

/// Values kept until midnight, and a value kept forever.
@Suite struct DailyTests {
  private func description() throws -> Description {
    let reading = read(
      """
      kiosk: k
      values: {today: {value: 0, keep: day}, ever: {value: 0, keep: true}}
      pages: [{page: home, controls: [{label: l, at: [1, 2], text: "{today} {ever}"}]}]
      """)
    #expect(reading.diagnostics.filter { $0.severity == .error } == [])
    return try #require(reading.description)
  }

  private func engine(
    _ clock: String, kept: [String: Value] = [:]
  ) throws -> Engine {
    Engine(
      try description(), seed: 1, clock: try #require(CivilTime(clock)), persistentValues: kept)
  }

  private func used(_ clock: String) throws -> Engine {
    var engine = try engine(clock)
    try engine.set(.value("today"), to: .number(3))
    try engine.set(.value("ever"), to: .number(4))
    return engine
  }

  private func shown(_ engine: Engine) -> Value? { engine.value(of: "text", of: "l") }

  @Test func `daily values are reset at midnight, and no earlier`() throws {
    var engine = try used("2026-11-21T23:59:58")
    engine.advance(to: Instant(seconds: 1.999))
    #expect(shown(engine) == .text("3 4"))
    engine.advance(to: Instant(seconds: 2))
    #expect(shown(engine) == .text("0 4"))
    try engine.set(.value("today"), to: .number(1))
    engine.advance(to: Instant(seconds: 86_401))
    #expect(shown(engine) == .text("1 4"))
    engine.advance(to: Instant(seconds: 86_402))
    #expect(shown(engine) == .text("0 4"))
  }

  @Test(arguments: [
    ("2026-11-21T23:00:00", "3 4"), ("2026-11-22T00:00:00", "0 4"), ("2027-01-01T00:00:00", "0 4"),
  ])
  func `a midnight while the process isn't running counts`(_ next: String, _ text: String) throws {
    let before = try used("2026-11-21T08:00:00")
    #expect(shown(try engine(next, kept: before.persistentValues)) == .text(text))
  }

  @Test func `a clock that starts in the past doesn't reset daily values`() throws {
    let before = try used("2026-11-21T08:00:00")
    var engine = try engine("1970-01-01T00:00:05", kept: before.persistentValues)
    engine.advance(to: Instant(seconds: 30))
    engine.setClock(try #require(CivilTime("2026-11-21T08:02:00")))
    #expect(shown(engine) == .text("3 4"))
    engine.setClock(try #require(CivilTime("2026-11-22T00:00:00")))
    #expect(shown(engine) == .text("0 4"))
  }

  @Test func `keep is a flag or day`() {
    #expect(
      diagnostics(
        "kiosk: k\nvalues: {n: {value: 0, keep: days}}\npages: [{page: home, controls: [{label: l, "
          + "at: [1, 2], text: t}]}]"
      ).first
        == "2:30: error: \"keep\" has the wrong type: \"days\" (expected true or false, or day)")
  }
}

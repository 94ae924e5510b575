// SPDX-License-Identifier: MIT

import RoundelExpressions
import Testing

@Suite struct CivilTimeTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00", 0), ("1970-01-01T00:00", 0), ("1969-12-31T23:59:59.999999", -1),
    ("2000-02-29T12:34:56.5", 951_827_696_500_000),
    ("0000-01-01T00:00:00", -62_167_219_200_000_000),
    ("9999-12-31T23:59:59.9999999", 253_402_300_799_999_999),
    ("2026-11-21T08:00:00.000001", 1_795_248_000_000_001),
  ])
  func `valid times are parsed`(_ text: String, _ microseconds: Int) throws {
    let time = try #require(CivilTime(text))
    #expect(time.microseconds == microseconds)
    #expect(CivilTime(time.description) == time)
  }

  @Test(arguments: [
    "", "2026", "2026-11-21", "2026-11-21T08", "2026-11-21T08:00:", "2026-11-21T08:00:00.",
    "2026-11-21 08:00:00", "2026-11-21T08:00:00Z", "2026-13-01T00:00", "2026-00-01T00:00",
    "2026-02-29T00:00", "1900-02-29T00:00", "2026-04-31T00:00", "2026-01-00T00:00",
    "2026-01-01T24:00", "2026-01-01T00:60", "2026-01-01T00:00:60", "-026-01-01T00:00",
    "+2026-01-01T00:00", "2026-1-1T0:0", "٢٠٢٦-01-01T00:00", "20260-01-01T00:00",
  ])
  func `invalid times are rejected`(_ text: String) { #expect(CivilTime(text) == nil) }

  @Test func `each day of 400 years follows the previous one`() throws {
    var expected = (year: 1800, month: 1, day: 1)
    var weekday = 3  // 1800-01-01 was a Wednesday.
    var dayOfYear = 1
    var time = try #require(CivilTime("1800-01-01T00:00"))
    while expected.year < 2200 {
      let made = CivilTime(year: expected.year, month: expected.month, day: expected.day)
      let isRight =
        made == time && time.date == expected && time.weekday == weekday
        && time.dayOfYear == dayOfYear
      // Checking all 146 097 days with #expect would take seconds.
      if !isRight { Issue.record("\(time) is not \(expected)") }
      let isLeap =
        expected.year.isMultiple(of: 4) && !expected.year.isMultiple(of: 100)
        || expected.year.isMultiple(of: 400)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      weekday = (weekday + 1) % 7
      dayOfYear += 1
      expected.day += 1
      if expected.day > lengths[expected.month - 1] {
        expected = (expected.year, expected.month + 1, 1)
      }
      if expected.month > 12 {
        expected = (expected.year + 1, 1, 1)
        dayOfYear = 1
      }
      time = try #require(time.next(.day))
    }
  }

  @Test(arguments: [
    Int.min, Int.min + 1, -1, 0, 1, Int.max - 1, Int.max, -62_167_219_200_000_001,
    253_402_300_800_000_000,
  ])
  func `any number of microseconds is a valid time`(_ microseconds: Int) throws {
    let time = CivilTime(microseconds: microseconds)
    for unit in [CivilTime.Unit.second, .minute, .hour, .day] {
      #expect(time.next(unit).map { $0 > time } ?? (microseconds > Int.max - 86_400_000_000))
    }
    #expect((1...12).contains(time.month) && (1...31).contains(time.day))
    #expect((0..<24).contains(time.hour) && (0..<7).contains(time.weekday))
    #expect(!time.description.isEmpty)
    let names = Names(values: ["now": .time(time)])
    #expect(try !names.text("{now:%c %F %j %U %V %G %g %C %_Y}").contains("–"))
  }

  @Test func `the next unit starts at a whole one`() throws {
    let time = try #require(CivilTime("1969-12-31T23:59:58.5"))
    #expect(time.next(.second)?.description == "1969-12-31T23:59:59")
    #expect(time.next(.minute)?.description == "1970-01-01T00:00:00")
    #expect(time.next(.hour)?.next(.hour)?.description == "1970-01-01T01:00:00")
    #expect(time.next(.day)?.next(.day)?.description == "1970-01-02T00:00:00")
  }
}

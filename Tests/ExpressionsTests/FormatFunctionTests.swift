// SPDX-License-Identifier: MIT

import Testing

@testable import RoundelExpressions

@Suite struct FormatFunctionTests {
  private static let german: Names = {
    var names = Names.kiosk
    names.values["texts.decimal_point"] = .text(",")
    names.values["texts.thousands_separator"] = .text("\u{202f}")
    names.values["format"] = .number(8)
    return names
  }()

  @Test(arguments: [
    ("format(temperature, '.2f')", "21.50"), ("format(cups * 1000, ',d')", "3,000"),
    ("'<' + format(guest, '>5') + '>'", "<  Ada>"), ("format(now, '%H:%M') + '!'", "08:05!"),
    ("format(now, '%A')", "Samstag"), ("format(cups > 2 ? 0.5 : 1, \".0%\")", "50%"),
  ])
  func `the format function formats like a template`(_ expression: String, _ text: String) throws {
    #expect(try Names.kiosk.value(expression) == .text(text))
    let again = try Expression(expression).description
    #expect(try Names.kiosk.value(again) == .text(text))
  }

  @Test(arguments: [
    ("format(temperature, '.' + string(cups - 1) + 'f')", "21.50"),
    ("format(now, guest + '%H')", "Ada08"),
    ("format(guest, open ? '>5' : '<5')", "  Ada"), ("format(now, '%' + 'A')", "Samstag"),
  ])
  func `a format may be computed`(_ expression: String, _ text: String) throws {
    #expect(try Names.kiosk.value(expression) == .text(text))
    #expect(throws: EvaluationError.self) { try Names.kiosk.value("format(cups, '%' + 'H')") }
    #expect(throws: EvaluationError.self) { try Names.kiosk.value("format(cups, '>' + '1000')") }
    let german = try Template("{format(1234.5, ',.' + string(cups) + 'f')}").resolved(
      in: Self.german)
    var budget = Names.budget
    #expect(
      try german.value(in: Self.german, budget: &budget) == .text("1\u{202f}234,500"))
    #expect(Set(german.names) == ["cups", "texts.decimal_point", "texts.thousands_separator"])
  }

  @Test func `format without a call is the name of a value`() throws {
    #expect(try Self.german.value("format * 2") == .number(16))
    #expect(try Self.german.text("{format:.1f} {format(format, '.2f')}") == "8,0 8,00")
  }

  @Test(arguments: [
    ("{1234567.5:,.2f}", "1\u{202f}234\u{202f}567,50"),
    ("{-1234.5:012,.1f}", "-0\u{202f}001\u{202f}234,5"),
    ("{0.5:.1%}", "50,0%"), ("{1234}", "1234"), ("{0.5}", "0.5"), ("{12345.678:.3e}", "1,235e+04"),
    ("{format(1234.5, ',.1f')}", "1\u{202f}234,5"), ("{cups:>4d}|", "   3|"), ("{guest:.2}", "Ad"),
  ])
  func `formatted numbers use the kiosk's separators`(_ template: String, _ text: String) throws {
    #expect(try Self.german.text(template) == text)
  }

  @Test func `a format depends on the translations of its separators and names`() throws {
    let number = try Template("{format(cups, '.1f')}").resolved(in: Self.german)
    #expect(
      Set(number.names) == ["cups", "texts.decimal_point", "texts.thousands_separator"])
    let time = try Template("{format(now, '%A')}").resolved(in: Self.german)
    #expect(time.names.contains("texts.saturday"))
  }

  @Test(arguments: [
    ("format(now, '%H')", CivilTime.Unit.hour), ("format(now, '%B')", .month),
    ("format(now.getMinutes(), '02d')", .minute), ("now.getMonth() > 3", .month),
    ("now.getFullYear()", .year), ("now.getFullYear() + now.getDate()", .day),
  ])
  func `the clock is read as often as the smallest unit changes`(
    _ text: String, _ unit: CivilTime.Unit
  ) throws {
    #expect(try Expression(text).resolved(in: Names.kiosk).clockUnit == unit)
  }

  @Test func `months and years start on their first day`() throws {
    let time = try #require(CivilTime("2026-12-21T08:05:09"))
    #expect(time.next(.month)?.description == "2027-01-01T00:00:00")
    #expect(time.next(.year)?.description == "2027-01-01T00:00:00")
    #expect(time.start(of: .month)?.description == "2026-12-01T00:00:00")
    #expect(time.start(of: .year)?.description == "2026-01-01T00:00:00")
    for microseconds in [Int.min, -1, 0, Int.max] {
      let time = CivilTime(microseconds: microseconds)
      for unit in [CivilTime.Unit.month, .year] {
        #expect(time.next(unit).map { $0 > time } ?? true)
        #expect(time.start(of: unit).map { $0 <= time } ?? true)
      }
    }
  }

  @Test(arguments: [
    ("format(cups)", "\"format\" takes a value and a format"),
    ("format(cups, '.2q')", "\".2q\" is not a format"),
    ("format(cups, '%H')", "\"%H\" is not a format"),
    ("cups.format('.2f')", "unknown method \"format\""),
    ("cups > 0 ? '{cups:.2f}' : 'x'", "a template inside a string of an expression"),
    ("'{{' + guest", "\"{{\" inside a string of an expression"),
    ("{cups} > 3", "a brace inside an expression"),
    ("cups + {cups}", "a brace inside an expression"),
  ])
  func `invalid formats and misplaced templates are errors`(_ text: String, _ words: String) {
    do {
      _ = try Expression(text).resolved(in: Names.kiosk)
      Issue.record("\(text) is accepted")
    } catch {
      #expect("\(error)".hasPrefix(words), "\(error)")
    }
  }

  @Test(arguments: ["'{'", "'}'", "'{\"a\": 1}'", "'{ }'", "'{cups'", "\"\\x7bcups\\x7d\""])
  func `braces that aren't a template stay in the text`(_ text: String) throws {
    #expect(try Names.kiosk.value(text).kind == .text)
  }
}

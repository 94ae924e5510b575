// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import Testing

private func code(_ words: String, _ edition: ResistorColor.Edition = .year2016) -> ResistorCode? {
  ResistorCode(
    words.split(separator: " ").compactMap { ResistorColor(rawValue: String($0)) },
    edition: edition)
}

@Suite struct ResistorCodeTests {
  @Test(arguments: [
    ("brown black red gold", 1_000.0, "1 kΩ ±5 %"),
    ("yellow violet red gold", 4_700, "4.7 kΩ ±5 %"),
    ("red violet green gold", 2_700_000, "2.7 MΩ ±5 %"),
    ("orange orange green gold", 3_300_000, "3.3 MΩ ±5 %"),
    ("red red silver", 0.22, "0.22 Ω ±20 %"),
    ("brown black black gold brown", 10, "10 Ω ±1 %"),
    ("red red blue brown brown", 2_260, "2.26 kΩ ±1 %"),
    ("orange orange black", 33, "33 Ω ±20 %"),
    ("blue grey brown", 680, "680 Ω ±20 %"),
    ("red black red", 2_000, "2 kΩ ±20 %"),
    ("green brown orange", 51_000, "51 kΩ ±20 %"),
    ("yellow violet yellow", 470_000, "470 kΩ ±20 %"),
    ("white white white silver", 99_000_000_000, "99 GΩ ±10 %"),
    ("brown black pink gold", 0.01, "10 mΩ ±5 %"),
    ("brown red orange red violet red", 12_300, "12.3 kΩ ±0.1 % 50 ppm/K"),
    ("black black black", 0, "0 Ω ±20 %"),
    ("black", 0, "0 Ω"),
  ])
  func `published colour codes are read correctly`(words: String, ohms: Double, text: String) throws
  {
    let message = try #require(code(words))
    #expect(message.resistance.ohms == ohms)
    #expect(message.text == text)
  }

  @Test(arguments: [
    ("brown black red gold", "950 Ω", "1.05 kΩ"),
    ("yellow violet red gold", "4.465 kΩ", "4.935 kΩ"),
    ("brown black red grey", "999.9 Ω", "1.0001 kΩ"),
    ("red red silver", "0.176 Ω", "0.264 Ω"),
    ("black", "0 Ω", "0 Ω"),
  ])
  func `the tolerance gives the minimum and maximum`(
    words: String, least: String, greatest: String
  ) throws {
    let message = try #require(code(words))
    #expect(message.minimum.text == least && message.maximum.text == greatest)
  }

  @Test func `the colours have the meanings of the 2016 table`() {
    let rows: [(ResistorColor, Int?, Int?, Int?, Int?)] = [
      (.pink, nil, -3, nil, nil), (.silver, nil, -2, 1000, nil), (.gold, nil, -1, 500, nil),
      (.black, 0, 0, nil, 250), (.brown, 1, 1, 100, 100), (.red, 2, 2, 200, 50),
      (.orange, 3, 3, 5, 15), (.yellow, 4, 4, 2, 25), (.green, 5, 5, 50, 20),
      (.blue, 6, 6, 25, 10), (.violet, 7, 7, 10, 5), (.grey, 8, 8, 1, 1), (.white, 9, 9, nil, nil),
    ]
    #expect(rows.map(\.0) == ResistorColor.allCases)
    for (color, digit, exponent, tolerance, temperature) in rows {
      #expect(color.digit == digit && color.exponent(in: .year2016) == exponent)
      #expect(color.tolerance(in: .year2016) == tolerance)
      #expect(color.temperatureCoefficient == temperature)
    }
  }

  @Test func `the 2005 edition has no pink and uses different tolerances`() {
    #expect(ResistorColor.pink.exponent(in: .year2005) == nil)
    #expect(ResistorColor.grey.tolerance(in: .year2005) == 5)
    for color in [ResistorColor.orange, .yellow] {
      #expect(color.tolerance(in: .year2005) == nil)
    }
    for color in [ResistorColor.silver, .gold, .brown, .red, .green, .blue, .violet] {
      #expect(color.tolerance(in: .year2005) == color.tolerance(in: .year2016))
    }
    #expect(code("brown black red orange", .year2005) == nil)
    #expect(code("brown black pink gold", .year2005) == nil)
  }

  @Test func `each role has as many colours as the standard defines`() {
    let count = { ResistorColor.choices(for: $0, in: $1).count }
    #expect(count(.digit, .year2016) == 10 && count(.multiplier, .year2016) == 13)
    #expect(count(.tolerance, .year2016) == 10 && count(.temperature, .year2016) == 9)
    #expect(count(.multiplier, .year2005) == 12 && count(.tolerance, .year2005) == 8)
  }

  @Test(arguments: [
    "", "brown", "brown black", "gold black red gold", "brown black red white",
    "brown black black red brown white", "brown black red gold gold gold gold",
  ])
  func `meaningless bands aren't a code`(words: String) { #expect(code(words) == nil) }

  @Test func `every representable resistance is found from its ohms`() throws {
    let standard = try #require(code("brown black red gold"))
    for exponent in -3...9 {
      for digits in [10, 22, 47, 99] {
        let ohms = Resistance(digits, exponent: exponent).ohms
        #expect(standard.with(ohms: ohms)?.resistance == Resistance(digits, exponent: exponent))
      }
    }
    #expect(standard.with(ohms: 4_712)?.resistance == Resistance(47, exponent: 2))
    #expect(standard.with(ohms: 99.6)?.resistance == Resistance(100))
    #expect(standard.with(ohms: 0)?.bands == [.black, .black, .black, .gold])
    for wrong in [-1, 1e12, Double.nan, .infinity] { #expect(standard.with(ohms: wrong) == nil) }
  }
}

@Suite struct ResistanceTests {
  @Test(arguments: [
    (47, 2, "4.7 kΩ"), (1, 0, "1 Ω"), (22, -2, "0.22 Ω"), (22, -3, "22 mΩ"), (999, 9, "999 GΩ"),
    (100, 0, "100 Ω"), (1000, 0, "1 kΩ"), (9999, -1, "999.9 Ω"), (5, -4, "0.5 mΩ"), (0, 7, "0 Ω"),
  ])
  func `a resistance is formatted in engineering notation`(digits: Int, exponent: Int, text: String)
  {
    #expect(Resistance(digits, exponent: exponent).text == text)
  }

  @Test func `ohms are rounded only once`() {
    #expect(Resistance(22, exponent: -2).ohms == 0.22)
    #expect(Resistance(47, exponent: -1).ohms == 4.7)
    #expect(Resistance(68, exponent: 9).ohms == 68e9)
  }
}

@Suite struct PreferredSeriesTests {
  @Test func `E24 is a table, and E12 to E3 are subsets of it`() {
    #expect(
      PreferredSeries.e24.values == [
        10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75,
        82, 91,
      ])
    #expect(PreferredSeries.e12.values == [10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82])
    #expect(PreferredSeries.e6.values == [10, 15, 22, 33, 47, 68])
    #expect(PreferredSeries.e3.values == [10, 22, 47])
  }

  @Test func `E48 to E192 follow the formula except for 920`() {
    for series in [PreferredSeries.e48, .e96, .e192] {
      #expect(series.values.count == series.rawValue)
      #expect(
        Set(series.values).count == series.rawValue && series.values == series.values.sorted())
    }
    #expect(PreferredSeries.e192.values[185] == 920 && !PreferredSeries.e192.values.contains(919))
    #expect(
      Array(PreferredSeries.e48.values.prefix(8)) == [100, 105, 110, 115, 121, 127, 133, 140])
    #expect(Array(PreferredSeries.e96.values.suffix(4)) == [909, 931, 953, 976])
    // Each series contains the next coarser one.
    #expect(Set(PreferredSeries.e48.values).isSubset(of: PreferredSeries.e96.values))
    #expect(Set(PreferredSeries.e96.values).isSubset(of: PreferredSeries.e192.values))
  }

  @Test(arguments: [
    (PreferredSeries.e24, 4_700.0, 4_700.0), (.e24, 4_800, 4_700), (.e24, 4_901, 5_100),
    (.e96, 3.3, 3.32), (.e24, 3.3, 3.3), (.e24, 99, 100), (.e24, 96, 100), (.e24, 95, 91),
    (.e3, 330, 220), (.e192, 919, 920), (.e6, 0.22, 0.22), (.e96, 2_260, 2_260),
  ])
  func `the nearest preferred value is in its series`(
    series: PreferredSeries, ohms: Double, nearest: Double
  ) {
    let resistance = Resistance(Int((ohms * 100).rounded()), exponent: -2)
    #expect(series.nearest(to: resistance)?.ohms == nearest)
  }

  @Test func `a zero resistance has no nearest value`() {
    #expect(PreferredSeries.e24.nearest(to: Resistance(0)) == nil)
  }

  @Test(arguments: [
    ("brown black red", PreferredSeries.e6), ("brown black red silver", .e12),
    ("brown black red gold", .e24), ("brown black red red", .e48),
    ("brown black red brown", .e96), ("brown black red green", .e192),
    ("brown black red violet", .e192),
  ])
  func `each tolerance has its series`(words: String, series: PreferredSeries) {
    #expect(code(words)?.series == series)
  }
}

private let middle = Point(500, 400)

private func calculator(_ words: String, _ edition: ResistorColor.Edition = .year2016)
  -> Stage<Resistor>
{
  guard let code = code(words, edition) else { preconditionFailure("no code: \(words)") }
  return Stage(Resistor(center: middle, size: Size(800, 700), code: code))
}

extension Stage<Resistor> {
  fileprivate var bands: [String] { bands(of: value("bands")) }

  fileprivate func bands(of value: Value?) -> [String] {
    guard case .list(let values)? = value else { return [] }
    return values.map(\.display)
  }

  /// Taps `rows` rows below the centre row of a wheel.
  fileprivate mutating func tap(wheel: Int, rows: Double, at seconds: Double) {
    let width = 800 / Double(control.roles.count)
    let height = 700 * 0.56
    tap(
      Point(100 + width * (Double(wheel) + 0.5), 750 - height / 2 + rows * height / 5),
      at: seconds)
  }
}

@Suite struct ResistorTests {
  @Test func `each band has its wheel, and turning a wheel changes the value`() {
    var stage = calculator("yellow violet red gold")
    stage.tap(wheel: 2, rows: 1, at: 0)
    stage.advance(to: 1)
    #expect(stage.value("text") == .text("47 kΩ ±5 %"))
    #expect(stage.value("ohms") == .number(47_000))
    #expect(stage.value("tolerance") == .number(5))
    #expect(stage.bands == ["yellow", "violet", "orange", "gold"])
    #expect(stage.eventNames == ["pressed", "passing", "settled"])
  }

  @Test func `events report the value at their time`() {
    var stage = calculator("brown black red gold")
    stage.tap(wheel: 0, rows: 2, at: 0)
    stage.advance(to: 1)
    let texts = stage.events.map { event in event.fields.first { $0.name == "text" }?.value }
    #expect(
      texts == ["1 kΩ ±5 %", "2 kΩ ±5 %", "3 kΩ ±5 %", "3 kΩ ±5 %"].map { Value.text($0) })
    #expect(
      stage.events.allSatisfy { $0.fields.map(\.name) == ["bands", "ohms", "tolerance", "text"] })
  }

  @Test(arguments: [
    ("red red silver", 3), ("brown black red gold", 4), ("brown black black brown brown", 5),
    ("brown black black brown brown red", 6),
  ])
  func `three to six bands have three to six wheels`(words: String, count: Int) {
    let stage = calculator(words)
    #expect(stage.bands.count == count)
    let strips = stage.picture.items.filter { item in
      if case .strip = item.tiles[0].fill { true } else { false }
    }
    #expect(strips.count == count)
  }

  @Test func `a wheel wraps from white to black`() {
    var stage = calculator("white black black gold")
    stage.tap(wheel: 0, rows: 1, at: 0)
    stage.advance(to: 1)
    #expect(stage.bands[0] == "black")
  }

  @Test func `setting bands turns their wheels and settles once`() throws {
    var stage = calculator("brown black red gold")
    try stage.set(
      "bands", to: .list(["red", "violet", "green", "silver"].map { .text($0) }), at: 1)
    stage.advance(to: 1.1)
    #expect(stage.control.isMoving(at: stage.now))
    stage.advance(to: 3)
    #expect(stage.eventNames == ["settled"] && stage.times(of: "settled") == [1.3])
    #expect(stage.value("text") == .text("2.7 MΩ ±10 %"))
  }

  @Test func `the resistance and the tolerance can be set`() throws {
    var stage = calculator("brown black black brown brown")
    try stage.set("ohms", to: .number(2_260), at: 0)
    stage.advance(to: 1)
    try stage.set("tolerance", to: .number(0.25), at: 1)
    stage.advance(to: 2)
    #expect(stage.bands == ["red", "red", "blue", "brown", "blue"])
    #expect(stage.value("nearest") == .number(2_260) && stage.value("series") == .text("E192"))
    #expect(stage.value("minimum") == .number(2254.35))
    #expect(stage.value("maximum") == .number(2265.65))
  }

  @Test(arguments: [
    ("bands", Value.list([.text("red")])), ("bands", .text("red")), ("ohms", .number(-1)),
    ("bands", .list(["red", "red", "red", "white"].map { .text($0) })),
    ("tolerance", .number(3)), ("text", .text("1 kΩ")), ("colour", .number(1)),
    ("ohms", .number(.nan)),
  ])
  func `an invalid value is rejected`(property: String, value: Value) {
    var stage = calculator("brown black red gold")
    #expect(throws: PropertyError.self) { try stage.set(property, to: value, at: 0) }
    #expect(!stage.control.isMoving(at: .zero))
  }

  @Test func `two simultaneous wheels settle when both are at rest`() {
    var stage = calculator("brown black red gold")
    stage.touch(.down, Point(200, 550), at: 0)
    stage.touch(.down, Point(400, 550), finger: 1, at: 0)
    stage.touch(.move, Point(200, 480), at: 0.3)
    stage.touch(.move, Point(400, 480), finger: 1, at: 0.3)
    stage.touch(.up, at: 0.5)
    stage.advance(to: 2)
    #expect(!stage.eventNames.contains("settled"))
    stage.touch(.up, finger: 1, at: 2)
    stage.advance(to: 4)
    #expect(stage.eventNames.filter { $0 == "settled" }.count == 1)
    #expect(stage.value("ohms") == .number(2_100))
  }

  @Test func `the resistor shows its bands in order, with a gap before the tolerance`() throws {
    for (words, tolerance) in [("yellow violet red gold", 3), ("red red blue brown green", 4)] {
      let stage = calculator(words)
      let stripes = stage.picture.items.compactMap { item -> (Color, Double)? in
        guard case .roundedRect(let rounded) = item.tiles[0].shape, item.clip == nil,
          case .color(let color) = item.tiles[0].fill, rounded.rect.width < rounded.rect.height,
          rounded.rect.y1 < 400, rounded.radius == 0
        else { return nil }
        return (color, rounded.rect.center.x)
      }
      let colors = stage.bands.compactMap { ResistorColor(rawValue: $0)?.color }
      #expect(stripes.map(\.0) == colors)
      let gaps = zip(stripes.dropFirst(), stripes).map { $0.1 - $1.1 }
      #expect(gaps.allSatisfy { $0 > 0 })
      #expect(gaps[tolerance - 1] > 1.4 * gaps[0])
    }
  }

  @Test func `the text contains the value, its range and the edition`() {
    func message(_ edition: ResistorColor.Edition) -> String {
      calculator("yellow violet red gold", edition).picture.items.compactMap { item in
        if case .text(let run) = item.tiles[0].shape { run.text } else { nil }
      }.joined(separator: " ")
    }
    for part in ["4.7 kΩ ±5 %", "4.465 kΩ", "4.935 kΩ", "E24", "IEC 60062:2016"] {
      #expect(message(.year2016).contains(part))
    }
    #expect(message(.year2005).contains("IEC 60062:2005"))
  }

  @Test func `a new calculator keeps the bands`() {
    var new = calculator("brown black red gold").control
    new.resume(calculator("yellow violet red silver").control, at: .zero)
    #expect(new.code.text == "4.7 kΩ ±10 %")
    var other = calculator("red red silver").control
    other.resume(new, at: .zero)
    #expect(other.code.text == "0.22 Ω ±20 %")
  }
}

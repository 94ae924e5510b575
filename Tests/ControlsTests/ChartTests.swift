// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import TestSupport
import Testing

@testable import RoundelControls

/// A chart of 100 columns, one per second.
private func chart(
  seconds: Double = 100, value: Double? = nil, min: Double? = 0, max: Double? = 10,
  gap: Double? = nil, color: ThemeColor = .accent
) -> Stage<Chart> {
  var stage = Stage(
    Chart(
      center: Point(100, 100), size: Size(100, 100), value: value, seconds: seconds, minimum: min,
      maximum: max, gap: gap, hasAxis: false, color: color))
  stage.appear(at: 0)
  return stage
}

extension Stage<Chart> {
  /// The extremes of the newest columns, newest first.
  fileprivate func last(_ count: Int64) -> [[Double]] {
    (0..<count).map { back in
      let column = control.history.extremes(
        in: control.edge - back, edge: control.edge)
      return column.isEmpty ? [] : [column.low, column.high]
    }
  }

  fileprivate mutating func write(_ value: Double, at seconds: Double) throws {
    try set("value", to: .number(value), at: seconds)
  }

  /// The polygons of the line, without the area below it.
  fileprivate var lines: [[Point]] {
    picture.items.flatMap(\.tiles).compactMap { tile in
      guard case .polygon(let corners) = tile.shape, case .color(let color) = tile.fill,
        color.isOpaque
      else { return nil }
      return corners
    }
  }
}

@Suite struct ChartTests {
  @Test func `a value holds until the next one, then the line steps`() throws {
    var stage = chart()
    try stage.write(2, at: 0.5)
    try stage.write(8, at: 20.5)
    stage.advance(to: 22.5)
    #expect(stage.last(5) == [[8, 8], [8, 8], [2, 8], [2, 2], [2, 2]])
    #expect(stage.lines.count == 1)
  }

  @Test func `straight lines join frequent values`() throws {
    var stage = chart()
    try stage.write(0, at: 10.5)
    try stage.write(8, at: 14.5)
    #expect(stage.last(5) == [[8, 8], [6, 6], [4, 4], [2, 2], [0, 0]])
  }

  @Test func `nothing is drawn before the first value`() throws {
    var stage = chart()
    #expect(stage.lines == [])
    stage.advance(to: 50)
    try stage.write(5, at: 50)
    #expect(stage.last(2) == [[5, 5], []])
  }

  @Test func `a second value at the same time replaces the first`() throws {
    var stage = chart(value: 3)
    #expect(stage.last(2) == [[3, 3], []])
    try stage.write(7, at: 0)
    #expect(stage.last(2) == [[7, 7], []])
    #expect(stage.value("lowest") == .number(7))
  }

  @Test func `an undefined value leaves a gap`() throws {
    for nothing in [Value.number(.nan), .number(.infinity), .text("–"), .text("")] {
      var stage = chart()
      try stage.write(5, at: 0.5)
      try stage.set("value", to: nothing, at: 10.5)
      stage.advance(to: 20)
      #expect(stage.lines.count == 1)
      try stage.write(5, at: 20.5)
      stage.advance(to: 30)
      #expect(stage.lines.count == 2)
      #expect(stage.last(12).last == [])
    }
  }

  @Test func `with a gap a value lasts only that long, unless it is repeated`() throws {
    var stage = chart(gap: 10)
    try stage.write(5, at: 0.5)
    stage.advance(to: 16)
    #expect(stage.last(5) == [[], [], [], [], []])
    try stage.write(5, at: 16.5)
    for time in 1...4 { try stage.write(5, at: 16.5 + 8 * Double(time)) }
    #expect(stage.lines.count == 2)
    #expect(stage.last(33).allSatisfy { $0 == [5, 5] })
    #expect(stage.last(35).last == [])
  }

  @Test func `no number of values hides a peak between two columns`() throws {
    var stage = chart(seconds: 3_600)
    for index in 0..<3_600 {
      try stage.write(index == 1_800 ? 9 : 1 + 0.001 * Double(index % 7), at: Double(index) * 0.01)
    }
    #expect(stage.value("highest") == .number(9))
    #expect(stage.value("lowest") == .number(1))
    stage.advance(to: 3_500)
    #expect(stage.value("highest") == .number(9))
    stage.advance(to: 3_700)
    #expect(stage.value("highest") != .number(9))
  }

  @Test func `a chart with a value per second for an hour wakes only for its columns`() throws {
    var stage = chart(seconds: 3_600)
    for second in 0..<200 {
      try stage.write(Double(second % 9), at: Double(second) + 0.3)
      let next = try #require(stage.control.nextChange(after: stage.now))
      #expect(next.seconds >= Double(second) + 1.3)
    }
    // Without new values, it moves one column at a time, on whole seconds.
    var times: [Double] = []
    let end = stage.now + 360
    while let next = stage.control.nextChange(after: stage.now), next < end {
      stage.advance(to: next.seconds)
      times.append(next.seconds)
    }
    #expect((9...11).contains(times.count))
    #expect(times.allSatisfy { $0 == $0.rounded() })
  }

  @Test func `a hidden chart doesn't move, and catches up when shown`() throws {
    var stage = chart()
    var shown = stage
    for time in [3.0, 4, 30, 31, 60] {
      if time == 30 { stage.reset(at: 30) }
      try stage.write(time / 10, at: time)
      try shown.write(time / 10, at: time)
    }
    #expect(stage.control.nextChange(after: stage.now) == nil)
    #expect(shown.control.nextChange(after: shown.now) != nil)
    stage.appear(at: 75)
    // A slow chart may wait a little for the next value.
    try stage.write(8, at: 75)
    try shown.write(8, at: 75)
    #expect(stage.picture == shown.picture)
  }

  @Test func `an empty chart needs no update`() throws {
    var stage = chart()
    #expect(stage.control.nextChange(after: .zero) == nil)
    try stage.write(5, at: 1)
    try stage.set("value", to: .number(.nan), at: 2)
    #expect(stage.control.nextChange(after: stage.now) != nil)
    stage.advance(to: 110)
    #expect(stage.control.nextChange(after: stage.now) == nil)
  }

  @Test func `a rebuilt chart keeps its history, resampled to its new columns`() throws {
    var stage = chart()
    for time in 0..<80 { try stage.write(Double(time % 10), at: Double(time) + 0.5) }
    let before = stage.last(100)
    stage.remake(as: chart(color: .hex(0xff0000)).control, at: 80)
    #expect(stage.last(100) == before || stage.last(101).dropFirst() == before[...])
    #expect(stage.value("value") == .number(9))
    // Twice the duration, so half as many columns.
    stage.remake(as: chart(seconds: 200).control, at: 80)
    #expect(stage.value("highest") == .number(9))
    #expect(stage.lines.count == 1)
    stage.remake(as: chart(seconds: 50).control, at: 80)
    #expect(stage.value("lowest") == .number(0))
    #expect(stage.lines.count == 1)
    #expect(stage.last(100).filter { $0 == [] }.count < 3)
  }

  @Test func `the scale has round ends around the values, and keeps them`() throws {
    func axis(_ numbers: [Double], min: Double? = nil, max: Double? = nil) throws -> [Double] {
      var stage = chart(min: min, max: max)
      for (index, number) in numbers.enumerated() { try stage.write(number, at: Double(index)) }
      return [stage.control.axis.low, stage.control.axis.high]
    }
    #expect(try axis([21.4, 24.1]) == [20, 26])
    #expect(try axis([0, 0]) == [0, 1] || axis([0, 0]) == [-1, 1])
    #expect(try axis([3, 97]) == [0, 150] || axis([3, 97]) == [0, 100])
    #expect(try axis([-40, 8])[0] <= -40)
    // Configured ends don't change.
    #expect(try axis([-5, 200], min: 0, max: 100) == [0, 100])
    #expect(try axis([-5, 50], min: 0)[0] == 0)
    #expect(try axis([5, 50], max: 60)[1] == 60)
    let flat = try axis([21.5, 21.5])
    #expect(flat[0] < 21.5 && flat[1] > 21.5)
  }

  /// The labels of a 60-second chart after these values.
  private func texts(_ numbers: [Double], format: String? = nil) throws -> [String] {
    var stage = Stage(
      Chart(center: Point(300, 150), size: Size(600, 300), format: format, unit: " %"))
    for (index, number) in numbers.enumerated() { try stage.write(number, at: Double(index)) }
    return stage.control.axis.ticks.map(\.text).filter { !$0.isEmpty }
  }

  @Test func `its numbers use the language's separators`() throws {
    var stage = Stage(
      Chart(center: Point(300, 150), size: Size(600, 300), format: ",.1f", unit: " €"))
    try stage.write(1000, at: 0)
    try stage.write(2500.5, at: 1)
    var context = DrawingContext(now: Instant(seconds: 1), font: "sans-serif")
    context.numberSymbols.point = ","
    context.numberSymbols.separator = "."
    var list = DisplayList(background: .black)
    stage.control.draw(into: &list, in: context)
    let shown = list.tiles.compactMap { tile in
      if case .text(let run) = tile.shape { run.text } else { nil }
    }
    #expect(shown.contains("2.000,0 €"), "\(shown)")
    #expect(!shown.contains { $0.contains(".0 €") })
  }

  @Test func `a format too coarse to distinguish ticks gets fewer of them`() throws {
    #expect(try texts([91.1, 93.3], format: ".0f") == ["91 %", "92 %", "93 %", "94 %"])
    #expect(try texts([91.3, 92.7], format: ".0f") == ["90 %", "91 %", "92 %", "93 %", "94 %"])
    #expect(try texts([0.42, 0.437], format: ".0%").count == 4)
    for format in [".0f", ".1f", "d", ".0%", ".1e", ".2g", "6.0f", ",d"] {
      for high in [1e-9, 0.04, 0.7, 1, 42.3, 97.2, 1e6, 9.9e14] {
        let found = try texts([high * 0.97, high], format: format)
        #expect(Set(found).count == found.count && !found.isEmpty, "\(format) \(high): \(found)")
      }
    }
  }

  @Test func `a constant value is centred between round ticks`() throws {
    #expect(try texts([42, 42]) == ["41 %", "42 %", "43 %"])
    #expect(try texts([21.5]) == ["21.0 %", "21.5 %", "22.0 %"])
    #expect(try texts([100, 99.99]) == ["98 %", "100 %", "102 %"])
    #expect(try texts([0, 0]) == ["0 %", "1 %"])
    #expect(try texts([-4]) == ["-4.1 %", "-4.0 %", "-3.9 %"])
  }

  @Test func `without a value there are no numbers, unless the ends are configured`() throws {
    #expect(try texts([]) == [])
    #expect(try texts([.nan]) == [])
    let chart = Chart(center: Point(300, 150), size: Size(600, 300), minimum: 0, maximum: 100)
    #expect(chart.axis.ticks.map(\.text) == ["0", "20", "40", "60", "80", "100"])
  }

  @Test func `ends that leave no space for the values still give a scale`() throws {
    for (low, high, number): (Double?, Double?, Double) in [
      (50, nil, 3), (nil, -50, 3), (1e15, nil, 0), (nil, nil, 1e15), (nil, nil, 1e-15),
      (-1e15, 1e15, 0), (1e15 - 0.125, 1e15, 5), (nil, nil, -1e15),
    ] {
      var stage = chart(min: low, max: high)
      try stage.write(number, at: 1)
      #expect(stage.control.axis.low < stage.control.axis.high)
      #expect(stage.control.axis.ticks.count < 20)
      for corner in stage.lines.joined() { #expect(stage.control.frame.contains(corner)) }
    }
  }

  @Test func `a chart rejects text and numbers beyond any scale`() throws {
    var stage = chart()
    for value in [Value.number(1e16), .text("warm"), .flag(true), .list([])] {
      #expect(throws: PropertyError.self) { try stage.set("value", to: value, at: 1) }
    }
    #expect(throws: PropertyError.readOnly("lowest")) {
      try stage.set("lowest", to: .number(1), at: 1)
    }
    #expect(stage.lines == [])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `the line never leaves the chart or moves backwards`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var stage = Stage(
      Chart(
        center: Point(100, 100),
        size: Size(.random(in: 8...300, using: &random), .random(in: 8...200, using: &random)),
        seconds: .random(in: 1...5_000, using: &random),
        gap: Bool.random(using: &random) ? .random(in: 0.05...50, using: &random) : nil))
    stage.appear(at: 0)
    var time = 0.0
    for _ in 0..<200 {
      time +=
        Double.random(in: 0...1, using: &random) < 0.9 ? .random(in: 0...3, using: &random) : 900
      let number = Double.random(in: -1...1, using: &random)
      let scale: Double = [1.0, 1e-12, 1e15, 40].randomElement(using: &random) ?? 1
      try stage.write(number < -0.9 ? .nan : number * scale, at: time)
      for corner in stage.picture.items.flatMap(\.tiles) {
        guard case .polygon(let corners) = corner.shape else { continue }
        for corner in corners {
          #expect(stage.control.frame.inset(by: -1e-6).contains(corner), "\(seed) at \(time)")
        }
      }
      for line in stage.lines {
        let turn = line.firstIndex { $0.x == line.map(\.x).max() } ?? 0
        #expect(zip(line[..<turn], line[1...turn]).allSatisfy { $0.x <= $1.x })
        #expect(zip(line[turn...], line[turn...].dropFirst()).allSatisfy { $0.x >= $1.x })
      }
    }
  }
}

@Suite struct ChartAgeTests {
  @Test(arguments: [
    (60.0, 4, ["−15 s", "−30 s", "−45 s", "−60 s"]), (3_600, 2, ["−30 min", "−60 min"]),
    (40, 4, ["−10 s", "−20 s", "−30 s", "−40 s"]),
    (86_400, 4, ["−6 h", "−12 h", "−18 h", "−24 h"]),
    (604_800, 4, ["−2 d", "−4 d", "−6 d"]), (31_622_400, 3, ["−180 d", "−360 d"]), (1, 3, ["−1 s"]),
  ])
  func `ages are round, in a suitable unit`(_ seconds: Double, _ count: Int, _ texts: [String]) {
    #expect(ChartAxis.ages(upTo: seconds, count: count).map(\.text) == texts)
  }

  @Test func `a series spans the chart and keeps every peak`() {
    var numbers = Array(repeating: 2.0, count: 1_000)
    (numbers[313], numbers[0], numbers[999]) = (9, 1, 5)
    var stage = chart()
    let old = stage.control
    stage.control.items = numbers
    stage.control.keysChanged(since: old, at: .zero)
    let columns = stage.last(100)
    #expect(columns[99][0] == 1 && columns[0][1] == 5)
    #expect(columns.filter { $0 == [2, 9] }.count == 1 && columns[68] == [2, 9])
    stage.advance(to: 1e6)
    #expect(stage.last(100) == columns, "time does not move it")
    #expect(stage.control.nextChange(after: stage.now) == nil && stage.control.ages == [])
    #expect(throws: (any Error).self) { try stage.set("value", to: .number(1), at: 1e6) }
  }

  @Test(arguments: [[], [4], [4, 4], [-1e15, 1e15]] as [[Double]])
  func `a series may have any length`(_ numbers: [Double]) {
    var stage = chart(min: nil, max: nil)
    let old = stage.control
    stage.control.items = numbers
    stage.control.keysChanged(since: old, at: .zero)
    #expect(stage.last(100).allSatisfy { $0.isEmpty == numbers.isEmpty })
    #expect(stage.lines.isEmpty == numbers.isEmpty)
  }
}

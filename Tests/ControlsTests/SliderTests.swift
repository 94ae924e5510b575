// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import TestSupport
import Testing

private let middle = Point(640, 400)

private func scale(_ step: Double = 1, from low: Double = 0, to high: Double = 100) -> Scale {
  guard let scale = Scale(from: low, to: high, step: step) else { fatalError("no scale") }
  return scale
}

/// A horizontal bar from 0 to 100, whose track is 1000 pixels long.
private func bar(
  _ range: ClosedRange<Double>? = nil, gap: Double = 0, value: Double? = nil,
  peak: Double? = nil, size: Size = Size(1_075.2, 80), continuous: Bool = false
) -> Stage<Bar> {
  Stage(
    Bar(
      center: middle, size: size, scale: scale(), isContinuous: continuous, value: value,
      range: range, minimumGap: gap, peakSeconds: peak))
}

extension Stage {
  fileprivate func number(_ name: String) -> Double {
    if case .number(let value)? = value(name) { value } else { .nan }
  }

  fileprivate func values(of name: String, _ item: String? = nil) -> [Double] {
    events.filter { $0.name == name && $0.item == item }.map { event in
      if case .number(let value)? = event.fields.last?.value { value } else { .nan }
    }
  }

  fileprivate func place(_ item: String) -> Point {
    control.place(of: item, at: now) ?? Point(.nan, .nan)
  }
}

@Suite struct SliderTests {
  // MARK: One number

  @Test func `a finger drags a bar's number by its own distance`() {
    var stage = bar(value: 50)
    #expect(stage.place("0").distance(to: middle - Vector(500, 0)) < 0.01)
    #expect(stage.place("100").distance(to: middle + Vector(500, 0)) < 0.01)
    stage.touch(.down, middle + Vector(200, 0), at: 1)
    stage.touch(.move, middle + Vector(230, 0), at: 2)
    #expect(stage.values(of: "pressed") == [50] && stage.values(of: "passing") == [51, 52, 53])
    stage.touch(.up, middle + Vector(230, 0), at: 3)
    stage.advance(to: 4)
    #expect(stage.values(of: "settled") == [53] && stage.number("value") == 53)
  }

  @Test func `an upright bar grows upwards`() {
    var stage = bar(value: 50, size: Size(80, 600))
    #expect(stage.place("100").y < stage.place("0").y && stage.place("50").x == middle.x)
    stage.touch(.down, middle, at: 1)
    stage.touch(.move, middle - Vector(0, 100), at: 2)
    #expect(stage.number("value") > 60)
  }

  @Test func `a bar on a reflected page grows to the left`() {
    var stage = bar(value: 20)
    stage.control.notice(places: [], on: Rect(size: Size(1280, 800)), isReflected: true)
    #expect(stage.place("100").x < stage.place("0").x)
    stage.tap(middle + Vector(400, 0), at: 1)
    stage.advance(to: 2)
    #expect(stage.number("value") == 10)
  }

  @Test func `the mark of the highest value stays and then falls back`() throws {
    var stage = bar(value: 10, peak: 1.5)
    try stage.set("value", to: .number(80), at: 1)
    try stage.set("value", to: .number(20), at: 2)
    stage.advance(to: 3)
    func shapes() -> Int { stage.picture.tiles.count }
    let marked = shapes()
    #expect(!stage.control.isMoving(at: stage.now))
    stage.advance(to: 3.6)
    #expect(stage.control.isMoving(at: stage.now))
    stage.advance(to: 4.1)
    #expect(!stage.control.isMoving(at: stage.now) && shapes() == marked - 1)
    #expect(stage.control.nextChange(after: stage.now) == nil)
  }

  // MARK: Two numbers

  @Test func `each finger drags the knob that it grabs, and events name it`() {
    var stage = bar(20...80)
    stage.touch(.down, stage.place("low"), finger: 1, at: 1)
    stage.touch(.down, stage.place("high"), finger: 2, at: 1)
    stage.touch(.move, stage.place("20") + Vector(30, 0), finger: 1, at: 2)
    stage.touch(.move, stage.place("80") - Vector(20, 0), finger: 2, at: 2)
    #expect(stage.values(of: "passing", "low") == [21, 22, 23])
    #expect(stage.values(of: "passing", "high") == [79, 78])
    stage.touch(.up, stage.place("low"), finger: 1, at: 3)
    stage.touch(.up, stage.place("high"), finger: 2, at: 3)
    stage.advance(to: 4)
    #expect(stage.values(of: "settled", "low") == [23])
    #expect(stage.values(of: "settled", "high") == [78])
    #expect(stage.value("value") == nil && stage.number("low") == 23)
  }

  @Test func `a knob stops at the gap and follows its finger when the other makes room`() {
    var stage = bar(20...40, gap: 5)
    stage.touch(.down, stage.place("low"), finger: 1, at: 1)
    stage.touch(.move, stage.place("60"), finger: 1, at: 2)
    #expect(stage.number("low") == 35)
    stage.touch(.down, stage.place("high"), finger: 2, at: 3)
    stage.touch(.move, stage.place("50"), finger: 2, at: 4)
    #expect(stage.number("high") == 50 && stage.number("low") == 45)
    stage.touch(.move, stage.place("90"), finger: 2, at: 5)
    #expect(stage.number("low") == 60)
  }

  @Test func `a second finger on a held knob is ignored`() {
    var stage = bar(20...80)
    stage.touch(.down, stage.place("low"), finger: 1, at: 1)
    stage.touch(.down, stage.place("low"), finger: 2, at: 1)
    stage.touch(.move, stage.place("50"), finger: 2, at: 2)
    #expect(stage.number("low") == 20 && stage.number("high") == 80)
  }

  @Test func `of two knobs in one place, a finger moves the knob with free space`() {
    for (target, item) in [(30.0, "low"), (70, "high")] {
      var stage = bar(50...50)
      stage.touch(.down, stage.place("50"), at: 1)
      stage.touch(.move, stage.place("\(target)"), at: 2)
      stage.touch(.up, stage.place("\(target)"), at: 3)
      stage.advance(to: 4)
      #expect(stage.number(item) == target)
      let pressed = stage.events.filter { $0.name == "pressed" }.count
      #expect(pressed == stage.events.filter { $0.name == "settled" }.count)
    }
  }

  @Test func `a set number moves the other number out of its gap`() throws {
    var stage = bar(10...20, gap: 5)
    try stage.set("low", to: .number(50), at: 1)
    stage.advance(to: 3)
    #expect(stage.number("low") == 50 && stage.number("high") == 55)
    try stage.set("high", to: .number(2), at: 4)
    stage.advance(to: 6)
    #expect(stage.number("low") == 0 && stage.number("high") == 5)
    #expect(throws: PropertyError.self) { try stage.set("low", to: .number(.nan), at: 7) }
  }

  @Test func `keys turn one knob after the other`() {
    var stage = bar(20...21)
    var part: Int?
    func press(_ key: Keystroke) -> Bool {
      var events: [ControlEvent] = []
      let taken = stage.control.handle(key, on: &part, at: stage.now, events: &events)
      stage.advance(to: stage.now.seconds + 1)
      return taken
    }
    #expect(press(.enter) && part == 0 && stage.control.item(ofPart: 0, at: stage.now) == "low")
    #expect(press(.right) && press(.right) && stage.number("low") == 21)
    #expect(press(.next) && part == 1 && press(.up) && stage.number("high") == 22)
    #expect(press(.enter) && part == nil)
  }

  @Test func `a ring has two knobs with its guards`() {
    var ring = Ring(
      center: middle, radius: 200, thickness: 40, scale: scale(10), range: 20...80)
    ring.slider.grab = .knob
    ring.slider.takesTaps = false
    var stage = Stage(ring)
    #expect(!stage.control.answers(stage.place("50"), at: .zero))
    #expect(stage.control.items(at: .zero).map(\.id) == ["low", "high"])
    stage.touch(.down, stage.place("high"), at: 1)
    stage.touch(.move, stage.place("60"), at: 2)
    #expect(stage.values(of: "passing", "high") == [70, 60])
    let words = stage.control.wording(of: nil, at: stage.now)
    #expect(words.range == Wording.Range(low: "20", high: "60"))
  }

  // MARK: Laws

  /// Moves two fingers at random, sets numbers, presses keys, and reloads with other gaps.
  @Test(arguments: 0..<40)
  func `the numbers keep their order and gap, whatever happens`(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var gap = Double.random(in: 0...30, using: &random)
    let isContinuous = Bool.random(using: &random)
    var stage = bar(20...60, gap: gap, continuous: isContinuous)
    var held: Set<Int> = []
    for step in 1...400 {
      let time = Double(step) * 0.03
      let point = middle + Vector(.random(in: -600...600, using: &random), 0)
      let finger = Int.random(in: 0...1, using: &random)
      switch Int.random(in: 0..<13, using: &random) {
      case 0..<6:
        stage.touch(held.contains(finger) ? .move : .down, point, finger: finger, at: time)
        held.insert(finger)
      case 6, 7:
        stage.touch(.up, point, finger: finger, at: time)
        held.remove(finger)
      case 8, 9:
        let name = finger == 0 ? "low" : "high"
        try stage.set(name, to: .number(.random(in: -9...109, using: &random)), at: time)
      case 10:
        var (part, events): (Int?, [ControlEvent]) = (finger, [])
        _ = stage.control.handle(
          Bool.random(using: &random) ? .left : .right, on: &part, at: stage.now,
          events: &events)
      case 11:
        gap = .random(in: 0...30, using: &random)
        stage.remake(as: bar(20...60, gap: gap, continuous: isContinuous).control, at: time)
      default: stage.advance(to: time)
      }
      let (low, high) = (stage.number("low"), stage.number("high"))
      try #require(low >= 0 && high <= 100 && high - low >= gap - 1e-6, "\(low) \(high) \(gap)")
      let places = (stage.place("low").x, stage.place("high").x)
      try #require(places.0 <= places.1 + 1e-6, "\(places) at step \(step)")
    }
  }

  @Test func `a reload keeps both numbers, their fingers and motions`() {
    var stage = bar(20...60, gap: 5)
    stage.touch(.down, stage.place("low"), at: 1)
    stage.touch(.move, stage.place("30"), at: 2)
    stage.remake(as: bar(20...60, gap: 5).control, at: 2.5)
    stage.touch(.move, stage.place("90"), at: 3)
    #expect(stage.number("low") == 55 && stage.values(of: "settled", "low").isEmpty)
    stage.remake(as: bar(20...60, gap: 25).control, at: 4)
    stage.touch(.up, stage.place("55"), at: 5)
    stage.advance(to: 6)
    #expect(stage.number("high") - stage.number("low") >= 25)
  }
}

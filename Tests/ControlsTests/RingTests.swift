// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import TestSupport
import Testing

private let middle = Point(640, 400)

/// A ring from 0 to 100 in steps of 10, whose centre line has a radius of 180.
private func ring(
  value: Double? = nil, from: Double = -135, to: Double = 135, step: Double? = 10,
  max: Double = 100, interactive: Bool = true
) -> Stage<Ring> {
  let scale = step.map { Scale(from: 0, to: max, step: $0) } ?? Scale(from: 0, to: max)
  guard let scale else { fatalError("no scale") }
  return Stage(
    Ring(
      center: middle, radius: 200, thickness: 40, from: .degrees(from), to: .degrees(to),
      scale: scale, isContinuous: step == nil, value: value, isInteractive: interactive))
}

extension Color {
  fileprivate var isGreen: Bool { Int(green) > Int(max(red, blue)) + 20 }
}

private func place(_ degrees: Double, _ distance: Double = 180) -> Point {
  middle + Angle.degrees(degrees).unit * distance
}

extension Stage<Ring> {
  /// Turns a finger about the centre in steps of 8 ms.
  fileprivate mutating func turn(
    from start: Double, to end: Double, by part: Double = 3, at seconds: Double
  ) {
    touch(.down, place(start), at: seconds)
    let steps = max(1, Int(abs(end - start) / part))
    for step in 1...steps {
      let direction = start + (end - start) * Double(step) / Double(steps)
      touch(.move, place(direction), at: seconds + 0.008 * Double(step))
    }
  }

  fileprivate func values(of name: String) -> [Double] {
    events.filter { $0.name == name }.map { event in
      if case .number(let value)? = event.fields.last?.value { value } else { .nan }
    }
  }

  fileprivate var number: Double {
    if case .number(let value)? = value("value") { value } else { .nan }
  }
}

@Suite struct RingTests {
  // MARK: Fingers

  @Test func `a drag keeps its grab offset and reports each passed step`() {
    var stage = ring(value: 50)
    stage.turn(from: -100, to: -100 + 85, at: 1)
    // 85° of 270° are slightly more than three steps, from the centre of the scale.
    #expect(stage.values(of: "pressed") == [50])
    #expect(stage.values(of: "passing") == [60, 70, 80])
    #expect(stage.number == 80)
    stage.touch(.up, place(-15), at: 2)
    stage.advance(to: 4)
    #expect(stage.values(of: "settled") == [80])
    #expect(stage.control.place(of: "knob", at: stage.now) == place(81))
  }

  @Test func `a jump of the finger skips no step`() {
    var stage = ring(value: 0)
    stage.touch(.down, place(-135), at: 1)
    stage.touch(.move, place(30), at: 1.1)
    #expect(stage.values(of: "passing") == [10, 20, 30, 40, 50, 60])
  }

  @Test(arguments: [3.0, 90, 170])
  func `a finger that crosses the gap leaves the value at the end until it returns`(
    _ part: Double
  ) {
    var stage = ring(value: 90)
    stage.turn(from: 108, to: 108 + 150, by: part, at: 1)
    // The finger is now on the other side of the gap, over the arc's beginning.
    #expect(stage.number == 100)
    stage.touch(.move, place(180), at: 3)
    #expect(stage.number == 100)
    stage.touch(.move, place(100), at: 3.1)
    stage.touch(.move, place(81), at: 3.2)
    #expect(stage.number == 80)
    #expect(stage.values(of: "passing") == [100, 90, 80])
  }

  @Test func `after a whole turn beyond an end, the finger is at that end again`() {
    var stage = ring(value: 100)
    stage.turn(from: 135, to: 135 + 370, at: 1)
    #expect(stage.number == 100)
    stage.turn(from: 135, to: 81, at: 20)
    var moved = ring(value: 100)
    moved.turn(from: 135, to: 135 + 370, at: 1)
    for direction in stride(from: 145.0, through: 81, by: -4) {
      moved.touch(.move, place(direction), at: 10 + (145 - direction) / 100)
    }
    moved.touch(.move, place(81), at: 12)
    #expect(moved.number == 80)
  }

  @Test func `a tap moves to its position through all steps, once`() {
    var stage = ring(value: 10)
    stage.tap(place(54), at: 1)
    stage.advance(to: 3)
    #expect(stage.values(of: "passing") == [20, 30, 40, 50, 60, 70])
    #expect(stage.values(of: "settled") == [70])
    #expect(stage.eventNames.last == "settled")
    let times = stage.times(of: "passing")
    #expect(times == times.sorted() && times[0] > 1.08 && times[5] < 1.4)
  }

  @Test func `a long press without movement changes nothing`() {
    var stage = ring(value: 10)
    stage.tap(place(54), at: 1, for: 0.5)
    stage.advance(to: 3)
    #expect(stage.eventNames == ["pressed", "settled"])
    #expect(stage.number == 10)
  }

  @Test func `a tap beyond an end of the arc goes to that end`() {
    for (direction, value) in [(140.0, 100.0), (-140, 0)] {
      var stage = ring(value: 50)
      stage.tap(place(direction), at: 1)
      stage.advance(to: 3)
      #expect(stage.number == value)
    }
  }

  @Test func `touches reach the painted ring and a margin, but not its centre`() {
    let control = ring(value: 50).control
    for (point, distance) in [
      (place(0), 0.0), (place(0, 200), 0), (place(0, 160), 0), (place(0, 215), 15),
      (place(90, 150), 10), (place(139), 0),
    ] {
      let found = control.distance(to: point, at: .zero) ?? .nan
      #expect(abs(found - distance) < 1e-6, "\(point)")
    }
    for point in [middle, place(0, 130), place(0, 230), place(180), Point(.nan, 0)] {
      #expect(control.distance(to: point, at: .zero) == nil, "\(point)")
    }
    let gauge = ring(value: 50, interactive: false).control
    #expect(!gauge.contains(place(0), at: .zero))
  }

  @Test func `a second finger has no effect`() {
    var stage = ring(value: 50)
    stage.touch(.down, place(0), finger: 0, at: 1)
    stage.touch(.down, place(90), finger: 1, at: 1.1)
    stage.touch(.move, place(130), finger: 1, at: 1.2)
    stage.touch(.up, place(130), finger: 1, at: 1.3)
    #expect(stage.eventNames == ["pressed"])
    #expect(stage.number == 50)
  }

  @Test func `a touch catches a moving ring, which then settles at the nearest step`() throws {
    var stage = ring(value: 0)
    try stage.set("value", to: .number(100), at: 1)
    stage.touch(.down, place(0), at: 1.1)
    let caught = stage.number
    #expect(caught > 0 && caught < 100)
    stage.advance(to: 2)
    #expect(stage.number == caught)
    stage.touch(.cancel, place(0), at: 2.5)
    stage.advance(to: 4)
    #expect(stage.values(of: "settled") == [caught])
  }

  @Test func `a counterclockwise arc fills counterclockwise`() {
    var stage = ring(value: 0, from: 180, to: 0)
    stage.turn(from: 180, to: 91, at: 1)
    #expect(stage.number == 50)
    #expect(stage.control.place(of: "100", at: .zero) == place(0))
  }

  @Test func `a full circle doesn't turn across its seam`() {
    var stage = ring(value: 90, from: 0, to: 360)
    stage.turn(from: 324, to: 380, at: 1)
    #expect(stage.number == 100)
  }

  // MARK: Values

  @Test func `a set value is clamped and rounded, and reached silently`() throws {
    var stage = ring(value: 0)
    for (given, expected) in [(73.0, 70.0), (1e9, 100), (-5, 0)] {
      try stage.set("value", to: .number(given), at: stage.now.seconds + 1)
      stage.advance(to: stage.now.seconds + 1)
      #expect(stage.number == expected)
    }
    #expect(stage.eventNames == ["settled", "settled", "settled"])
  }

  @Test func `without a step a set value is exact, and a finger selects round ones`() throws {
    var stage = ring(value: 0, step: nil)
    try stage.set("value", to: .number(21.537), at: 1)
    stage.advance(to: 2)
    #expect(stage.number == 21.537)
    stage.turn(from: 0, to: 10, at: 3)
    #expect(stage.values(of: "passing").first == 23)
    #expect(stage.values(of: "passing").last == 25)
  }

  @Test func `the value follows the animation`() throws {
    var stage = ring(value: 0)
    try stage.set("value", to: .number(100), at: 1)
    var seen: [Double] = []
    for frame in 1...40 {
      stage.advance(to: 1 + Double(frame) / 60)
      seen.append(stage.number)
    }
    #expect(seen == seen.sorted() && Set(seen).count > 6 && seen.last == 100)
  }

  @Test func `a held ring still updates its text, but not its value`() throws {
    #expect(ring().control.isHeld("value") && !ring().control.isHeld("text"))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a non-finite number is rejected and changes nothing`(_ number: Double) {
    var stage = ring(value: 50)
    #expect(throws: PropertyError.unsuitable("value", expected: "a finite number")) {
      try stage.set("value", to: .number(number), at: 1)
    }
    #expect(throws: PropertyError.self) { try stage.set("value", to: .text("5"), at: 1) }
    stage.advance(to: 2)
    #expect(stage.number == 50 && stage.events.isEmpty)
  }

  @Test func `scale values are exact decimals`() {
    let scale = Scale(from: -1, to: 1, step: 0.1)
    #expect(scale?.value(at: 13) == 0.3)
    #expect(scale?.lastIndex == 20)
    #expect(Scale(from: 0, to: 10, step: 3).map { $0.value(at: $0.lastIndex) } == 9)
    #expect(Scale(from: 0, to: 1)?.step == 0.01)
    #expect(Scale(from: 16, to: 28)?.step == 0.1)
    #expect(Scale(from: 0, to: 255)?.step == 1)
    for (low, high, step) in [
      (0.0, 0.0, 1.0), (1, 0, 1), (0, 1, 0), (0, 1, -1), (0, 1, 2), (0, 1e9, 1), (.nan, 1, 1),
      (0, .infinity, 1), (0, 1, .nan),
    ] {
      #expect(Scale(from: low, to: high, step: step) == nil, "\(low) \(high) \(step)")
    }
  }

  @Test func `another scale keeps the value and its target`() throws {
    var stage = ring(value: 40)
    try stage.set("value", to: .number(90), at: 1)
    stage.remake(as: ring(max: 50).control, at: 1.1)
    #expect(stage.number <= 50)
    stage.advance(to: 3)
    #expect(stage.number == 50)
    #expect(stage.eventNames == ["settled"])
  }

  // MARK: Pictures

  @Test func `a drag changes only a few items of the picture`() {
    var stage = ring(value: 50)
    stage.touch(.down, place(0), at: 1)
    stage.touch(.move, place(5), at: 1.01)
    let before = stage.picture
    stage.touch(.move, place(6), at: 1.02)
    let after = stage.picture
    #expect(before.items.count == after.items.count)
    let changed = zip(before.items, after.items).count { $0 != $1 }
    // The last segment, its end, and the three discs of the knob with the light on them.
    #expect((1...7).contains(changed))
  }

  @Test func `a spinning ring shows no value and turns evenly without end`() {
    var stage = Stage(
      Ring(
        center: middle, radius: 200, scale: Scale(from: 0, to: 1, step: 1) ?? { fatalError() }(),
        isSpinning: true))
    #expect(stage.control.isMoving(at: .zero))
    #expect(stage.control.nextChange(after: .zero) == nil)
    #expect(!stage.control.contains(place(0), at: .zero))
    let first = stage.picture
    stage.advance(to: 0.7)
    #expect(stage.picture != first)
    stage.advance(to: 1.4)
    #expect(stage.picture == first)
  }

  @Test func `a needle ends before the numbers, or at the arc if there aren't any`() throws {
    let scale = try #require(Scale(from: 0, to: 100, step: 10))
    /// The radii of the needle's end and of the nearest number; ticks don't count.
    func reach(labelEvery: Double?) -> (needle: Double, number: Double) {
      let ring = Ring(
        center: middle, radius: 200, thickness: 40, scale: scale, value: 50, isInteractive: false,
        hasNeedle: true, ticks: Ring.Ticks(every: 10, labelEvery: labelEvery))
      var (needle, number) = (0.0, Double.infinity)
      for tile in Stage(ring).picture.tiles {
        switch tile.shape {
        case .polygon(let corners) where corners.contains { $0.distance(to: middle) < 20 }:
          needle = corners.map { $0.distance(to: middle) }.max() ?? 0
        case .text(let run): number = min(number, run.anchor.distance(to: middle) - run.size / 2)
        default: break
        }
      }
      return (needle, number)
    }
    let (short, long) = (reach(labelEvery: 50), reach(labelEvery: nil))
    #expect(short.needle > 80 && short.needle <= short.number)
    #expect(long.needle > 150 && long.number == .infinity)
  }

  /// The colours of a ring with a green and a red half.
  private func bandColors(
    value: Double?, interactive: Bool = false, needle: Bool = false
  ) throws -> Set<Color> {
    let bands = [
      Ring.Band(to: 50, color: .hex(0x00aa00)), Ring.Band(to: 100, color: .hex(0xaa0000)),
    ]
    let ring = try Ring(
      center: middle, radius: 200, scale: #require(Scale(from: 0, to: 100, step: 1)), value: value,
      isInteractive: interactive, hasNeedle: needle, bands: bands)
    return Set(
      Stage(ring).picture.tiles.compactMap { tile in
        if case .color(let color) = tile.fill { color } else { nil }
      })
  }

  @Test func `bands colour the filled part, and the rest fainter`() throws {
    let colors = try bandColors(value: 75)
    #expect(colors.isSuperset(of: [Color(hex: 0x00aa00), Color(hex: 0xaa0000)]))
    // Two fainter colours, for the rest of each band.
    #expect(colors.contains { $0.isGreen && $0 != Color(hex: 0x00aa00) })
  }

  @Test func `bands keep their colours with a knob, with a needle, or without a value`() throws {
    for colors in try [
      bandColors(value: 10, interactive: true), bandColors(value: 10, needle: true),
      bandColors(value: nil),
    ] {
      #expect(colors.isSuperset(of: [Color(hex: 0x00aa00), Color(hex: 0xaa0000)]))
      #expect(!colors.contains { $0.isGreen && $0 != Color(hex: 0x00aa00) })
    }
  }

  @Test func `a ring without a value dims its bands once a value is set`() throws {
    var stage = Stage(
      try Ring(
        center: middle, radius: 200, scale: #require(Scale(from: 0, to: 100, step: 1)),
        isInteractive: false, bands: [Ring.Band(to: 100, color: .hex(0x00aa00))]))
    let scale = stage.picture
    try stage.set("value", to: .number(0), at: 1)
    #expect(stage.picture != scale)
  }

  /// The directions of a ring's ticks and numbers, in degrees.
  private func ticks(
    from low: Double, to high: Double, over arc: ClosedRange<Double> = 0...270, _ ticks: Ring.Ticks
  ) throws -> (lines: [Double], numbers: [String: Double]) {
    let ring = try Ring(
      center: middle, radius: 200, from: .degrees(arc.lowerBound), to: .degrees(arc.upperBound),
      scale: #require(Scale(from: low, to: high, step: 1)), isInteractive: false, ticks: ticks)
    var (lines, numbers): ([Double], [String: Double]) = ([], [:])
    func degrees(_ point: Point) -> Double {
      Angle(of: point - middle).normalized.degrees.rounded()
    }
    for tile in Stage(ring).picture.tiles {
      switch tile.shape {
      case .polygon(let corners):
        let sum = corners.reduce(Vector(0, 0)) { $0 + ($1 - middle) }
        lines.append(degrees(middle + sum * 0.25))
      case .text(let run): numbers[run.text] = degrees(run.anchor)
      default: break
      }
    }
    return (lines, numbers)
  }

  @Test func `ticks are at multiples of their distance at any start of the scale`() throws {
    let (lines, numbers) = try ticks(
      from: 10, to: 200, over: 10...200, Ring.Ticks(every: 50, labelEvery: 100))
    #expect(lines == [50, 100, 150, 200])
    #expect(numbers == ["100": 100, "200": 200])
    #expect(try ticks(from: -15, to: 15, Ring.Ticks(every: 10)).lines == [45, 135, 225])
  }

  @Test func `on a full circle the first tick is also the last, unless the scale ends elsewhere`()
    throws
  {
    #expect(
      try ticks(from: 0, to: 4, over: 0...360, Ring.Ticks(every: 1)).lines == [0, 90, 180, 270])
    #expect(
      try ticks(from: 1, to: 9, over: 0...360, Ring.Ticks(every: 2)).lines
        == [45, 135, 225, 315])
  }

  @Test(arguments: [0, -1, 1e-9, 1e300, .nan, .infinity, -.infinity])
  func `an unusable distance draws no ticks`(_ distance: Double) throws {
    let given = Ring.Ticks(every: distance, labelEvery: distance)
    let (lines, numbers) = try ticks(from: -100, to: 100, given)
    #expect(lines == (distance == 1e300 ? [135] : []))
    #expect(numbers == (distance == 1e300 ? ["0": 135] : [:]))
  }
}

/// A thermostat that resists accidental touches.
private func guarded(
  grab: Slider.Grab = .knob, tap: Bool = false, hold: Double = 0.3, value: Double = 50
) -> Stage<Ring> {
  var stage = ring(value: value)
  stage.control.slider.grab = grab
  stage.control.slider.takesTaps = tap
  stage.control.slider.hold = hold
  return stage
}

@Suite struct GuardedRingTests {
  @Test func `random taps, swipes and resting hands never change a guarded ring`() {
    var random = SplitMix64(seed: 2_026)
    for _ in 0..<1_000 {
      var stage = guarded(value: 10 * Double(Int.random(in: 0...10, using: &random)))
      let value = stage.number
      let point = Point(
        middle.x + .random(in: -250...250, using: &random),
        middle.y + .random(in: -250...250, using: &random))
      stage.touch(.down, point, at: 1)
      var end = 1.0
      switch Int.random(in: 0..<3, using: &random) {
      case 0: end += .random(in: 0.02...0.4, using: &random)
      case 1:
        let distance = Angle.degrees(.random(in: 0..<360, using: &random)).unit
        let speed = Double.random(in: 200...2_000, using: &random)
        for step in 1...Int.random(in: 5...60, using: &random) {
          end = 1 + 0.01 * Double(step)
          stage.touch(.move, point + distance * (speed * 0.01 * Double(step)), at: end)
        }
      default:
        for step in 1...Int.random(in: 10...300, using: &random) {
          end = 1 + 0.01 * Double(step)
          let tremble = Vector(
            .random(in: -5...5, using: &random), .random(in: -5...5, using: &random))
          stage.touch(.move, point + tremble, at: end)
        }
      }
      stage.touch(.up, point, at: end + 0.01)
      stage.advance(to: end + 2)
      #expect(stage.number == value && stage.values(of: "passing").isEmpty)
    }
  }

  @Test func `a finger that rests on the knob starts a drag, and reports it from then`() {
    var stage = guarded()
    stage.touch(.down, place(0), at: 1)
    stage.advance(to: 1.29)
    #expect(stage.eventNames == [])
    stage.touch(.move, place(1), at: 1.4)
    #expect(stage.eventNames == ["pressed"] && stage.times(of: "pressed") == [1.3])
    for direction in 2...60 { stage.touch(.move, place(Double(direction)), at: 2) }
    stage.touch(.up, place(60), at: 3)
    stage.advance(to: 4)
    #expect(stage.values(of: "passing") == [60, 70])
    #expect(stage.values(of: "settled") == [70])
  }

  @Test func `a touch away from the knob is swallowed without an event`() {
    var stage = guarded()
    #expect(stage.control.contains(place(90), at: .zero))
    #expect(!stage.control.answers(place(90), at: .zero))
    #expect(stage.control.answers(place(0), at: .zero))
    stage.turn(from: 90, to: -90, at: 1)
    stage.touch(.up, at: 9)
    #expect(stage.eventNames == [])
  }

  @Test func `with taps enabled, a touch away from the knob taps but doesn't drag`() {
    var stage = guarded(tap: true, hold: 0)
    stage.turn(from: 90, to: 120, at: 1)
    stage.touch(.up, at: 2)
    #expect(stage.eventNames == [])
    stage.tap(place(81), at: 3)
    stage.advance(to: 5)
    #expect(stage.values(of: "pressed") == [50])
    #expect(stage.values(of: "settled") == [80])
  }

  @Test func `without taps, the arc can be dragged anywhere and a tap doesn't move it`() {
    var stage = guarded(grab: .track, hold: 0)
    stage.tap(place(81), at: 1)
    stage.advance(to: 3)
    #expect(stage.number == 50 && stage.eventNames == ["pressed", "settled"])
    stage.turn(from: 90, to: 117, at: 4)
    #expect(stage.number == 60)
  }
}

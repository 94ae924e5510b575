// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import Testing

private let middle = Point(640, 400)

private func dial(
  _ count: Int = 12, value: Int = 0, drag: Dial.Drag = .relative,
  inertia: Wheel.Inertia = .normal, wraps: Bool = true, pointer: Double = 0
) -> Stage<Dial> {
  Stage(
    Dial(
      center: middle, radius: 300, labels: Dial.numbers(count), value: value, labelOffset: 40,
      drag: drag, inertia: inertia, wraps: wraps, pointer: .degrees(pointer)))
}

private func place(_ degrees: Double, _ distance: Double = 250) -> Point {
  middle + Angle.degrees(degrees).unit * distance
}

extension Stage {
  /// Turns a finger about the centre in steps of 8 ms, and lifts it at the end.
  fileprivate mutating func turn(
    from start: Double, to end: Double, over duration: Double = 0.4, at seconds: Double,
    distance: Double = 250, rest: Double = 0, finger: Int = 0
  ) {
    touch(.down, place(start, distance), finger: finger, at: seconds)
    let steps = max(1, Int(duration / 0.008))
    for step in 1...steps {
      let part = Double(step) / Double(steps)
      touch(
        .move, place(start + (end - start) * part, distance), finger: finger,
        at: seconds + duration * part)
    }
    touch(.up, finger: finger, at: seconds + duration + rest)
  }

  fileprivate var indexes: [Int] { indexes(of: "passing") }

  fileprivate func indexes(of name: String) -> [Int] {
    events.filter { $0.name == name }.map { event in
      guard case .number(let index)? = event.fields.first?.value else { return -1 }
      return Int(index)
    }
  }

  fileprivate var angle: Double {
    if case .number(let angle)? = value("angle") { angle } else { .nan }
  }
}

/// The text runs of a display list.
private func texts(_ list: DisplayList) -> [TextRun] {
  list.items.compactMap { item in
    if case .text(let run) = item.tiles[0].shape { run } else { nil }
  }
}

@Suite struct DialTouchTests {
  @Test(arguments: [20.0, 137, 301])
  func `a touch never makes the dial jump`(direction: Double) {
    var stage = dial(value: 4)
    let before = texts(stage.picture)
    stage.touch(.down, place(direction), at: 1)
    #expect(stage.angle == 240)
    #expect(texts(stage.picture) == before)
    stage.touch(.up, at: 3)
    stage.advance(to: 5)
    #expect(stage.eventNames == ["pressed", "settled"])
    #expect(stage.value("value") == .integer(4))
  }

  @Test(arguments: [60.0, 250, 290, 900])
  func `the face follows the finger's direction, so touches farther out are finer`(
    distance: Double
  ) {
    var stage = dial()
    stage.touch(.down, place(10, 250), at: 0)
    stage.touch(.move, place(10, distance), at: 0.1)
    #expect(abs(stage.angle) < 1e-5)
    for degrees in [50, 90, 130, 170, 210] {
      stage.touch(.move, place(Double(degrees), distance), at: Double(degrees) / 100)
      #expect(abs(stage.angle - Double(degrees - 10)) < 1e-5)
    }
  }

  @Test func `events of a labelled face report its index as the value, like the property`() throws {
    var stage = dial()
    try stage.set("value", to: .integer(4), at: 1)
    stage.advance(to: 2)
    #expect(
      stage.events.last?.fields == [
        Field("index", .integer(4)), Field("label", .text("4")), Field("value", .integer(4)),
      ])
  }

  @Test func `turning clockwise by a step selects the previous index`() {
    var stage = dial(value: 5)
    stage.turn(from: 80, to: 110, at: 0, rest: 0.1)
    stage.advance(to: 2)
    #expect(stage.value("value") == .integer(4))
    stage.turn(from: 200, to: 140, at: 3, rest: 0.1)
    stage.advance(to: 5)
    #expect(stage.value("value") == .integer(6))
    #expect(stage.value("label") == .text("6"))
    #expect(
      stage.eventNames == [
        "pressed", "passing", "settled", "pressed", "passing", "passing", "settled",
      ])
  }

  @Test func `one stroke can turn several times in either direction`() {
    var stage = dial()
    stage.turn(from: 0, to: -1080 - 90, over: 4, at: 0, rest: 0.1)
    stage.advance(to: 6)
    #expect(stage.indexes == (1...39).map { $0 % 12 })
    #expect(stage.indexes(of: "settled") == [3])
  }

  @Test func `the finger may leave the circle and keep turning`() {
    var stage = dial()
    stage.touch(.down, place(0), at: 0)
    stage.touch(.move, place(-30, 3000), at: 0.2)
    stage.touch(.move, place(-90, 3000), at: 0.4)
    #expect(stage.value("value") == .integer(3))
    stage.touch(.up, at: 1)
    stage.advance(to: 2)
    #expect(stage.indexes(of: "settled") == [3])
  }

  @Test func `a finger trembling at the centre doesn't turn the dial`() {
    var stage = dial()
    stage.touch(.down, place(0, 250), at: 0)
    stage.touch(.move, place(0, 20), at: 0.1)
    for step in 0..<40 {
      stage.touch(.move, place(Double(step * 137), 9), at: 0.2 + Double(step) * 0.01)
    }
    #expect(stage.angle == 0)
    // On the other side it continues from there, without a jump.
    stage.touch(.move, place(180, 50), at: 0.7)
    #expect(stage.angle == 0)
    stage.touch(.move, place(210, 50), at: 0.8)
    #expect(abs(stage.angle - 30) < 1e-5)
  }

  @Test func `a touch at the exact centre turns the dial once it has a direction`() {
    var stage = dial()
    stage.touch(.down, middle, at: 0)
    stage.touch(.move, place(90, 100), at: 0.1)
    #expect(stage.angle == 0)
    stage.touch(.move, place(60, 100), at: 0.2)
    #expect(abs(stage.angle - 330) < 1e-5)
  }

  @Test func `an absolute drag moves the first label under the finger immediately`() {
    var stage = dial(drag: .absolute)
    stage.touch(.down, place(90), at: 0)
    #expect(abs(stage.angle - 90) < 1e-5)
    #expect(stage.indexes == [11, 10, 9])
    stage.touch(.move, place(120), at: 0.1)
    #expect(stage.value("value") == .integer(8))
  }

  @Test func `a tap on a label of an absolute face turns that label to the pointer`() {
    var stage = dial(drag: .absolute)
    stage.tap(place(90), at: 0)
    stage.advance(to: 2)
    #expect(stage.value("value") == .integer(3))
    #expect(stage.eventNames.last == "settled")
  }

  @Test func `a tap turns the label that is at its position when it ends`() {
    var stage = dial(4)
    stage.touch(.down, place(90), at: 0)
    // The face stays at label 0, which is now the second one.
    var other = Dial(
      center: middle, radius: 300, labels: ["1", "0", "3", "2"], labelOffset: 40)
    other.resume(stage.control, at: stage.now)
    stage.control = other
    stage.touch(.up, at: 0.05)
    stage.advance(to: 2)
    #expect(stage.value("value") == .integer(2))
  }

  @Test func `an absolute drag with stops never crosses the gap`() {
    var stage = dial(drag: .absolute, wraps: false)
    stage.touch(.down, place(30), at: 0)
    #expect(stage.value("value") == .integer(11))
    stage.touch(.up, at: 0.5)
    stage.touch(.down, place(-30), at: 1)
    #expect(stage.value("value") == .integer(1))
    #expect(stage.indexes == Array(1...11) + (1...10).reversed())
  }

  @Test func `a second finger has no effect`() {
    var alone = dial()
    alone.turn(from: 0, to: -100, at: 0, rest: 0.1)
    var both = dial()
    both.touch(.down, place(0), at: 0)
    both.touch(.down, place(180), finger: 1, at: 0)
    for step in 1...50 {
      let time = 0.4 * Double(step) / 50
      both.touch(.move, place(180 + Double(step) * 7), finger: 1, at: time)
      both.touch(.move, place(-2 * Double(step)), at: time)
    }
    both.touch(.up, at: 0.5)
    both.touch(.up, finger: 1, at: 0.6)
    alone.advance(to: 3)
    both.advance(to: 3)
    #expect(both.events == alone.events)
  }

  @Test func `a cancelled touch settles without a fling`() {
    var stage = dial()
    stage.touch(.down, place(0), at: 0)
    for step in 1...10 {
      stage.touch(.move, place(-10 * Double(step)), at: Double(step) * 0.01)
    }
    stage.touch(.cancel, at: 0.1)
    stage.advance(to: 2)
    #expect(stage.indexes(of: "settled") == [3])
  }
}

@Suite struct DialMotionTests {
  @Test(arguments: [(Wheel.Inertia.normal, 2.0020), (.fast, 10.0503)])
  func `a fling lands on the label nearest to the projected angle`(
    inertia: Wheel.Inertia, rate: Double
  ) {
    for speed in [-700.0, -333, -90, 120, 480, 1500] {
      var stage = dial(60, inertia: inertia)
      stage.turn(from: 0, to: speed * 0.2, over: 0.2, at: 0)
      stage.advance(to: 30)
      // In labels of 6 degrees each; clockwise counts down.
      let projected = Int((-(speed * 0.2 + speed / rate) / 6).rounded())
      #expect(stage.indexes(of: "settled") == [((projected % 60) + 60) % 60])
      #expect(stage.angle == Double(((-projected * 6) % 360 + 360) % 360))
    }
  }

  @Test func `without inertia the released dial settles on its current label`() {
    var stage = dial(inertia: .none)
    stage.turn(from: 0, to: -100, over: 0.1, at: 0)
    stage.advance(to: 0.6)
    #expect(stage.indexes(of: "settled") == [3])
  }

  @Test func `a finger that rests before it lifts doesn't fling`() {
    var stage = dial(60)
    stage.turn(from: 0, to: -62, over: 0.1, at: 0, rest: 0.06)
    stage.advance(to: 5)
    #expect(stage.indexes(of: "settled") == [10])
  }

  @Test func `a touch catches a fling without a jump`() {
    var stage = dial()
    stage.turn(from: 0, to: -200, over: 0.2, at: 0)
    stage.advance(to: 0.5)
    let before = stage.angle
    stage.touch(.down, place(77), at: 0.5)
    #expect(stage.angle == before)
    stage.advance(to: 1)
    #expect(stage.angle == before)
    #expect(!stage.eventNames.contains("settled"))
    stage.touch(.up, at: 1)
    stage.advance(to: 3)
    #expect(stage.eventNames.filter { $0 == "settled" }.count == 1)
    #expect(stage.eventNames.last == "settled")
  }

  @Test func `a dial always comes to rest with a label under the pointer`() {
    for count in [1, 2, 3, 7, 12, 60, 10_000] {
      for end in [-3.0, 40, 95.5, -211] {
        var stage = dial(count)
        stage.turn(from: 15, to: 15 + end, over: 0.15, at: 0)
        stage.advance(to: 60)
        let labels = stage.angle / (360 / Double(count))
        #expect(abs(labels - labels.rounded()) < 1e-3)
        #expect(stage.eventNames.last == "settled" && !stage.control.isMoving(at: stage.now))
      }
    }
  }

  @Test func `the same touches give the same events at any frame rate`() {
    func events(step: Double?) -> [ControlEvent] {
      var stage = dial(24)
      for (start, from, to) in [(0.0, 0.0, -150.0), (1.5, 20, 400), (4, 90, 85), (4.9, 0, -720)] {
        if let step { stage.advance(to: start, step: step) }
        stage.turn(from: from, to: to, over: 0.3, at: start)
      }
      if let step { stage.advance(to: 30, step: step) }
      stage.advance(to: 30)
      return stage.events
    }
    let whole = events(step: nil)
    #expect(whole.filter { $0.name == "passing" }.count > 100)
    for rate in [30.0, 60, 144] { #expect(events(step: 1 / rate) == whole) }
  }

  @Test func `a dial with stops gives, springs back, and never passes the end`() {
    var stage = dial(value: 10, wraps: false)
    stage.turn(from: 0, to: -200, over: 0.6, at: 0, rest: 0.1)
    #expect(stage.angle < 30 && stage.angle > 30 - 30 * 0.45)
    stage.advance(to: 3)
    #expect(stage.indexes == [11] && stage.indexes(of: "settled") == [11])
    stage.turn(from: 0, to: 300, over: 0.2, at: 3)
    stage.advance(to: 20)
    #expect(stage.indexes == [11] + (0...10).reversed())
    #expect(stage.value("value") == .integer(0))
  }

  @Test func `a set value turns the face without passing events, and settles after 0.3 s`() throws {
    var stage = dial()
    try stage.set("value", to: .integer(9), at: 1)
    #expect(stage.control.isMoving(at: stage.now))
    stage.advance(to: 1.15)
    // The shorter direction: three labels clockwise.
    #expect(abs(stage.angle - 45) < 0.01)
    stage.advance(to: 2)
    #expect(stage.eventNames == ["settled"] && stage.times(of: "settled") == [1.3])
    #expect(stage.value("value") == .integer(9))
    try stage.set("label", to: .text("10"), at: 2)
    stage.advance(to: 3)
    #expect(stage.value("label") == .text("10"))
  }

  @Test func `with stops, a set value turns the face between them`() throws {
    var stage = dial(wraps: false)
    try stage.set("value", to: .integer(11), at: 0)
    stage.advance(to: 0.15)
    #expect(abs(stage.angle - (360 - 165)) < 0.01)
  }

  @Test func `a touch during a set value catches the moving face`() throws {
    var stage = dial()
    try stage.set("value", to: .integer(4), at: 0)
    stage.touch(.down, place(200), at: 0.2)
    let caught = stage.angle
    stage.touch(.move, place(195), at: 0.3)
    #expect(abs(stage.angle - (caught - 5)) < 1e-4)
    stage.touch(.up, at: 0.6)
    stage.advance(to: 3)
    #expect(stage.eventNames.filter { $0 == "settled" }.count == 1)
  }

  @Test func `a set value takes the face from the finger`() throws {
    var stage = dial()
    stage.touch(.down, place(0), at: 0)
    try stage.set("value", to: .integer(6), at: 0.1)
    stage.touch(.move, place(90), at: 0.2)
    stage.touch(.up, at: 0.25)
    stage.advance(to: 2)
    #expect(stage.eventNames == ["pressed", "settled"])
    #expect(stage.value("value") == .integer(6))
  }

  @Test(arguments: [
    ("value", Value.number(12)), ("value", .number(-1)), ("value", .number(0.5)),
    ("value", .number(.nan)), ("value", .text("1")), ("label", .text("noon")),
    ("label", .number(1)), ("angle", .number(1)), ("colour", .text("red")),
  ])
  func `an invalid value is rejected and turns nothing`(property: String, value: Value) {
    var stage = dial()
    #expect(throws: PropertyError.self) { try stage.set(property, to: value, at: 0) }
    stage.advance(to: 1)
    #expect(stage.events.isEmpty)
  }

  @Test func `a reset from any state leaves the dial at rest on a label`() throws {
    var flung = dial()
    flung.turn(from: 0, to: -200, over: 0.2, at: 0)
    flung.reset(at: 0.5)
    var held = dial()
    held.touch(.down, place(0), at: 0)
    held.touch(.move, place(-40), at: 0.1)
    held.reset(at: 0.2)
    var turning = dial()
    try turning.set("value", to: .integer(5), at: 0)
    turning.reset(at: 0.1)
    for stage in [flung, held, turning] {
      #expect(!stage.control.isMoving(at: stage.now))
      #expect(stage.control.nextChange(after: stage.now) == nil)
      #expect(stage.eventNames.last == "settled")
    }
    #expect(held.value("value") == .integer(1))
    #expect(turning.value("value") == .integer(5))
  }
}

@Suite struct EndlessDialTests {
  private func knob() -> Stage<Dial> {
    var control = dial().control
    let old = control
    control.texts = nil
    control.isEndless = true
    control.keysChanged(since: old, at: .zero)
    return Stage(control)
  }

  private func steps(_ stage: Stage<Dial>) -> [Double] {
    stage.events.filter { $0.name == "turned" }.map { event in
      if case .number(let steps)? = event.fields.first?.value { steps } else { .nan }
    }
  }

  @Test func `a knob reports its steps, positive clockwise, and counts its turns`() {
    var stage = knob()
    stage.turn(from: 0, to: 900, over: 2, at: 1, rest: 0.5)
    stage.advance(to: 10)
    #expect(stage.eventNames.first == "pressed" && stage.eventNames.last == "settled")
    #expect(stage.eventNames.filter { $0 == "passing" } == [])
    #expect(steps(stage).allSatisfy { $0 == 1 })
    #expect(steps(stage).reduce(0, +) == 60 && stage.value("turns") == .number(2.5))
    stage.turn(from: 0, to: -360, over: 1, at: 11, rest: 0.5)
    stage.advance(to: 20)
    #expect(stage.value("turns") == .number(1.5))
    #expect(steps(stage).reduce(0, +) == 36)
  }

  @Test func `simultaneous steps are reported in one event`() {
    var stage = knob()
    stage.touch(.down, place(0), at: 1)
    stage.touch(.move, place(60), at: 1.01)
    #expect(steps(stage) == [4])
  }

  @Test func `the right arrow key turns the knob clockwise`() {
    var stage = knob()
    var part: Int?
    var events: [ControlEvent] = []
    _ = stage.control.handle(.enter, on: &part, at: stage.now, events: &events)
    _ = stage.control.handle(.right, on: &part, at: stage.now, events: &events)
    stage.advance(to: 2)
    #expect(steps(stage) == [1])
  }

  @Test func `a knob has no settable value and no labels, and keeps counting`() throws {
    var stage = knob()
    stage.turn(from: 0, to: 360, over: 1, at: 1, rest: 0.5)
    stage.advance(to: 5)
    #expect(throws: PropertyError.self) { try stage.set("value", to: .number(3), at: 6) }
    #expect(stage.control.items(at: stage.now).isEmpty)
    stage.remake(as: knob().control, at: 7)
    #expect(stage.value("turns") == .number(1))
    #expect(dial().value("turns") == nil)
  }
}

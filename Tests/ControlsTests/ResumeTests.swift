// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import QRCodes
import TestSupport
import Testing

private let middle = Point(200, 200)

/// A step of a test script.
private enum Step {
  case down(Point, Int), move(Point, Int), up(Int)
  case perform(String)
  case set(String, Value)
}

/// The steps of a finger that comes down, moves evenly and lifts.
private func stroke(
  _ points: [Point], from start: Double, to end: Double, finger: Int = 0
) -> [(time: Double, step: Step)] {
  let pause = (end - start) / Double(points.count)
  let steps = points.enumerated().map { index, point in
    (start + pause * Double(index), index == 0 ? Step.down(point, finger) : .move(point, finger))
  }
  return steps + [(end, .up(finger))]
}

private func line(from: Point, to: Point) -> [Point] {
  (0...6).map { from + (to - from) * (Double($0) / 6) }
}

private func arc(_ degrees: Double, radius: Double = 80) -> [Point] {
  (0...6).map { middle + Angle.degrees(degrees * Double($0) / 6).unit * radius }
}

extension Stage {
  fileprivate mutating func run(
    _ script: [(time: Double, step: Step)], until end: Double
  ) throws {
    for (time, step) in script where time > now.seconds - 1e-9 && time < end {
      switch step {
      case .down(let point, let finger): touch(.down, point, finger: finger, at: time)
      case .move(let point, let finger): touch(.move, point, finger: finger, at: time)
      case .up(let finger): touch(.up, finger: finger, at: time)
      case .perform(let command): perform(command, at: time)
      case .set(let property, let value): try set(property, to: value, at: time)
      }
    }
    advance(to: end)
  }
}

/// Rebuilds a control with other keys at many times of a session, and compares it with a control
/// that had these keys from the beginning.
private func expectNothingToChange<Subject: Control>(
  _ script: [(time: Double, step: Step)], until end: Double = 4,
  _ make: (_ isOther: Bool) -> Subject
) throws {
  let script = script.sorted { $0.time < $1.time }
  let grid = stride(from: 0.083, to: end, by: end / 24).map { $0 }
  var whole = Stage(make(true))
  var first = Stage(make(false))
  whole.appear(at: 0)
  first.appear(at: 0)
  var expected: [(picture: DisplayList, next: Instant?)] = []
  for time in grid {
    try whole.run(script, until: time)
    expected.append((whole.picture, whole.control.nextChange(after: whole.now)))
  }
  try whole.run(script, until: end)
  #expect(!whole.events.isEmpty)

  for (place, time) in grid.enumerated() {
    try first.run(script, until: time)
    var stage = first
    stage.remake(as: make(true), at: time)
    for (later, time) in grid.enumerated() where later >= place {
      try stage.run(script, until: time)
      #expect(stage.picture == expected[later].picture, "made at \(grid[place]), seen at \(time)")
      #expect(stage.control.nextChange(after: stage.now) == expected[later].next)
    }
    try stage.run(script, until: end)
    #expect(stage.events == whole.events, "made at \(time)")
  }
}

private let (red, blue) = (ThemeColor.hex(0xaa3322), ThemeColor.hex(0x2233aa))

@Suite struct ResumeTests {
  @Test func `a reloaded pinwheel keeps its presses and blinks`() throws {
    let script: [(time: Double, step: Step)] =
      stroke(
        [Point(200, 120), Point(205, 125), Point(200, 280), Point(200, 121)], from: 0.2, to: 0.5)
      + stroke([Point(120, 200), Point(122, 200)], from: 0.3, to: 0.9, finger: 1)
      + stroke([Point(280, 200), Point(20, 20)], from: 0.6, to: 1.2, finger: 2)
    try expectNothingToChange(script, until: 2) { isOther in
      Pinwheel(
        center: middle, radius: 100,
        wedges: ["n", "e", "s", "w"].map { .init(id: $0, color: isOther ? red : blue) })
    }
  }

  @Test func `a reloaded button keeps its presses and blinks`() throws {
    let script: [(time: Double, step: Step)] =
      stroke([middle, Point(20, 20), middle], from: 0.2, to: 0.5)
      + stroke([middle, middle], from: 0.4, to: 0.8, finger: 1)
    try expectNothingToChange(script, until: 2) { isOther in
      Button(
        center: middle, size: Size(80, 80), text: "Go", color: isOther ? red : blue,
        blink: Blink.Pattern())
    }
  }

  @Test(arguments: [true, false])
  func `a reloaded dial keeps its touch, fling and set value`(wraps: Bool) throws {
    let script: [(time: Double, step: Step)] =
      stroke(arc(-120), from: 0.2, to: 0.4) + stroke(arc(20), from: 2.5, to: 3.2)
      + [(3.6, Step.set("value", .integer(9)))]
    try expectNothingToChange(script, until: 5) { isOther in
      Dial(
        center: middle, radius: 100, labels: Dial.numbers(12), value: 1,
        color: isOther ? red : blue, wraps: wraps)
    }
  }

  @Test func `a reloaded dial keeps ticking`() throws {
    let script: [(time: Double, step: Step)] =
      [(0.1, Step.set("ticking", .flag(true)))] + stroke(arc(50), from: 1.1, to: 1.5)
      + [(3.3, Step.set("ticking", .flag(false)))]
    try expectNothingToChange(script) { isOther in
      Dial(
        center: middle, radius: 100, labels: Dial.numbers(12), color: isOther ? red : blue,
        ticks: Dial.Ticks(every: 0.7, step: -1))
    }
  }

  @Test func `a reloaded ring keeps its touch, tap and set value`() throws {
    let scale = try #require(Scale(from: 0, to: 60, step: 3))
    let script: [(time: Double, step: Step)] =
      stroke(arc(100, radius: 90), from: 0.2, to: 0.9)
      + stroke([middle + Angle.degrees(-90).unit * 90], from: 1.5, to: 1.6)
      + [(2.4, Step.set("value", .number(30))), (2.5, Step.set("text", .text("half")))]
    try expectNothingToChange(script, until: 4) { isOther in
      Ring(
        center: middle, radius: 100, thickness: 20, scale: scale, value: 6,
        color: isOther ? red : blue)
    }
  }

  @Test func `a reloaded toggle keeps its touch and its animation`() throws {
    let script: [(time: Double, step: Step)] =
      stroke([middle, middle], from: 0.2, to: 0.5) + stroke([middle, middle], from: 1, to: 1.5)
      + [(2, Step.set("value", .flag(true)))]
    try expectNothingToChange(script, until: 3) { isOther in
      Toggle(center: middle, size: Size(200, 80), onColor: isOther ? red : blue)
    }
  }

  @Test func `a reloaded menu continues opening, selecting and closing`() throws {
    let leaf = middle + Angle.degrees(120).unit * 100
    let script: [(time: Double, step: Step)] =
      stroke([middle], from: 0.1, to: 0.2) + stroke([leaf], from: 0.8, to: 0.9)
      + stroke([leaf, Point(20, 20), leaf], from: 1.7, to: 2.1)
      + stroke([leaf + Angle.degrees(120).unit * 105], from: 2.5, to: 2.6)
      + stroke([middle, leaf, leaf, leaf], from: 3, to: 4.2)
      + [(4.5, Step.perform("close"))]
    let items = (0..<3).map { outer in
      Menu.Item(
        id: "o\(outer)", label: "Outer",
        items: (0..<3).map { Menu.Item(id: "i\(outer)\($0)", label: "Inner") })
    }
    try expectNothingToChange(script, until: 5.2) { isOther in
      Menu(
        center: middle, screen: Size(800, 800), label: "Eat", distance: 100,
        color: isOther ? red : blue, items: items)
    }
  }

  @Test func `reloaded slots keep spinning with the same random numbers`() throws {
    let script: [(time: Double, step: Step)] =
      stroke([middle, middle], from: 0.1, to: 0.3) + [(2.0, Step.perform("spin"))]
      + [(2.5, Step.set("r1.index", .integer(3))), (3.6, Step.set("r0.index", .integer(2)))]
    try expectNothingToChange(script, until: 5) { isOther in
      Slots(
        center: middle, size: Size(300, 200), duration: 1, sharpen: isOther ? 0.2 : 0.4,
        reels: (0..<3).map {
          .init(
            id: "r\($0)", items: (0..<20).map { "item \($0)" },
            direction: $0 == 1 ? .up : .down)
        })
    }
  }

  @Test func `a reloaded picker keeps its touches and flings`() throws {
    let script: [(time: Double, step: Step)] =
      stroke(line(from: Point(100, 250), to: Point(110, 120)), from: 0.2, to: 0.35)
      + stroke(line(from: Point(300, 120), to: Point(300, 300)), from: 0.3, to: 0.9, finger: 1)
      + stroke([Point(300, 230)], from: 2.6, to: 2.7)
      + [(3.1, Step.set("w0.index", .integer(7)))]
    try expectNothingToChange(script, until: 5) { isOther in
      Picker(
        center: middle, size: Size(400, 200), color: isOther ? red : blue,
        columns: (0..<2).map { wheel in
          .init(
            id: "w\(wheel)", items: (0..<30).map { .init(label: "row \($0)") },
            wraps: wheel == 0, value: 3)
        })
    }
  }

  @Test func `a reloaded resistor keeps its touches and flings`() throws {
    let code = try #require(Resistor.standard(bands: 4))
    let script: [(time: Double, step: Step)] =
      stroke(line(from: Point(50, 300), to: Point(50, 200)), from: 0.2, to: 0.35)
      + stroke(line(from: Point(250, 300), to: Point(250, 200)), from: 0.3, to: 0.9, finger: 1)
      + [(2.5, Step.set("ohms", .number(4700)))]
    try expectNothingToChange(script) { isOther in
      Resistor(
        center: middle, size: Size(400, 400), code: code, muteColor: isOther ? red : blue)
    }
  }

  @Test func `a reloaded label keeps the text set at run time, unless its own changes`() throws {
    func make(_ text: String, _ color: ThemeColor) -> Label {
      Label(center: middle, text: text, color: color)
    }
    var stage = Stage(make("a", red))
    try stage.set("text", to: .text("b"), at: 0)
    stage.remake(as: make("a", blue), at: 1)
    #expect(stage.value("text") == .text("b"))
    stage.remake(as: make("c", blue), at: 2)
    #expect(stage.value("text") == .text("c"))
  }

  @Test func `a control of another type isn't changed by resuming`() {
    for first in RandomControl.all {
      for second in RandomControl.all where first.name != second.name {
        var random = SeededGenerator(seed: 1)
        let (old, new) = (first.make(&random), second.make(&random))
        var resumed = new
        resumed.resume(old, at: .zero)
        #expect(picture(resumed, .zero) == picture(new, .zero))
      }
    }
  }
}

// MARK: Other parts

@Suite struct ResumeWithOtherPartsTests {
  private func wheel(_ ids: [String]) -> Pinwheel {
    Pinwheel(center: middle, radius: 100, wedges: ids.map { .init(id: $0) })
  }

  @Test func `a blink continues on the wedge with its id, wherever it is now`() {
    var stage = Stage(wheel(["n", "s"]))
    stage.tap(Point(200, 120), at: 0)
    stage.remake(as: wheel(["s", "x", "n"]), at: 0.15)
    #expect(stage.control.litWedges(at: stage.now) == [2])
    #expect(stage.value("item") == .text("n"))
    stage.advance(to: 1)
    #expect(stage.eventNames == ["pressed n", "selected n", "confirmed n"])
  }

  @Test func `a finger on a removed wedge selects nothing`() {
    var stage = Stage(wheel((0..<12).map(String.init)))
    let place = stage.control.place(of: "11", at: .zero) ?? .zero
    stage.touch(.down, place, at: 0)
    stage.remake(as: wheel(["a", "b", "c"]), at: 0.1)
    stage.touch(.move, Point(120, 200), at: 0.2)
    stage.touch(.up, at: 0.3)
    #expect(stage.eventNames == ["pressed 11", "cancelled 11"])
  }

  @Test func `a held dial with fewer labels stays held`() {
    func make(_ count: Int) -> Dial {
      Dial(center: middle, radius: 100, labels: Dial.numbers(count), value: 11)
    }
    var stage = Stage(make(12))
    stage.touch(.down, Point(200, 120), at: 0)
    stage.remake(as: make(3), at: 0.1)
    #expect(stage.value("value") == .integer(2))
    for point in arc(-100) { stage.touch(.move, point, at: stage.now.seconds + 0.1) }
    stage.touch(.up, at: 1.5)
    stage.advance(to: 9)
    #expect(stage.eventNames.filter { $0 != "passing" } == ["pressed", "settled"])
    #expect(stage.eventNames.contains("passing"))
  }

  @Test func `a turning dial continues to the same label`() throws {
    func make(_ labels: [String]) -> Dial { Dial(center: middle, radius: 100, labels: labels) }
    var stage = Stage(make(["a", "b", "c", "d"]))
    try stage.set("label", to: .text("c"), at: 0)
    stage.remake(as: make(["a", "c", "e"]), at: 0.1)
    stage.advance(to: 0.31)
    #expect(stage.value("label") == .text("c"))
    #expect(stage.eventNames == ["settled"])
    #expect(stage.events[0].time == Instant(seconds: 0.3))
  }

  @Test func `an open menu whose ring is gone opens the ring around it`() {
    func make(_ inner: [Menu.Item]) -> Menu {
      Menu(
        center: middle, screen: Size(800, 800), distance: 100,
        items: [Menu.Item(id: "a", items: inner), Menu.Item(id: "b")])
    }
    var stage = Stage(make([Menu.Item(id: "x"), Menu.Item(id: "y")]))
    stage.tap(middle, at: 0)
    stage.tap(middle + Angle.zero.unit * 100, at: 1)
    stage.advance(to: 2)
    stage.remake(as: make([]), at: 2)
    #expect(stage.value("open") == .flag(true))
    stage.tap(middle + Angle.zero.unit * 100, at: 3)
    #expect(stage.eventNames == ["opened", "passing a", "passing a", "selected a", "closed"])
  }

  @Test func `a spin with other items ends on time, and once`() {
    func make(_ items: [String], reels: Int) -> Slots {
      Slots(
        center: middle, size: Size(300, 200), duration: 1,
        reels: (0..<reels).map { .init(id: "r\($0)", items: items, direction: .down) })
    }
    for reels in [1, 2, 4] {
      var stage = Stage(make(["a", "b", "c"], reels: 2))
      stage.perform("spin", at: 0)
      stage.remake(as: make(["c", "x", "y", "z", "a"], reels: reels), at: 0.4)
      stage.advance(to: 3)
      #expect(stage.eventNames == ["started", "settled"])
      #expect(stage.events[1].time == Instant(seconds: 1))
    }
  }

  @Test func `a flung wheel that is gone settles like the nearest one`() {
    func make(_ ids: [String]) -> Picker {
      Picker(
        center: middle, size: Size(400, 200),
        columns: ids.map { .init(id: $0, items: (0..<9).map { .init(label: "row \($0)") }) })
    }
    var stage = Stage(make(["a", "b"]))
    for (index, point) in line(from: Point(300, 250), to: Point(300, 150)).enumerated() {
      stage.touch(index == 0 ? .down : .move, point, at: 0.02 * Double(index))
    }
    stage.remake(as: make(["x"]), at: 0.13)
    stage.touch(.up, at: 0.14)
    stage.advance(to: 9)
    #expect(stage.eventNames.filter { $0 != "passing" } == ["pressed", "settled"])
  }

  @Test func `a ticking dial settles when it gets a stop`() throws {
    func make(_ wraps: Bool) -> Dial {
      Dial(
        center: middle, radius: 100, labels: ["a", "b"], value: 1, wraps: wraps,
        ticks: Dial.Ticks(every: 1, step: 1))
    }
    var stage = Stage(make(true))
    try stage.set("ticking", to: .flag(true), at: 0)
    stage.remake(as: make(false), at: 0.2)
    stage.advance(to: 9)
    #expect(stage.eventNames == ["settled"])
    #expect(stage.value("ticking") == .flag(false))
  }
}

// MARK: At random

private func picture(_ control: any Control, _ now: Instant) -> DisplayList {
  var list = DisplayList()
  control.draw(into: &list, in: DrawingContext(now: now, font: "sans-serif"))
  return list
}

/// A control type whose instances have random keys.
struct RandomControl: Sendable, CustomTestStringConvertible {
  var name: String
  /// The events that start an interaction, and the events that end it.
  var begin: Set<String> = ["pressed"]
  var end: Set<String>
  /// Whether each start has its own end; otherwise one end may close several.
  var isPaired: Bool
  var make: @Sendable (inout SeededGenerator) -> any Control

  var testDescription: String { name }

  static let all = [
    RandomControl(name: "pinwheel", end: ["selected", "cancelled"], isPaired: true) { random in
      let count = Int.random(in: 1...12, using: &random)
      return Pinwheel(
        center: middle, radius: 150, hole: 10,
        blink: Blink.Pattern(count: Int.random(in: 0...3, using: &random)),
        wedges: (0..<count).map { index in
          .init(
            id: "\(index * Int.random(in: 1...2, using: &random))-\(index)",
            isEnabled: Int.random(in: 0...4, using: &random) > 0)
        })
    },
    RandomControl(name: "button", end: ["selected", "cancelled"], isPaired: true) { random in
      Button(
        center: middle, size: Size(Double.random(in: 50...300, using: &random), 200), text: "Go",
        blink: Blink.Pattern(count: Int.random(in: 0...3, using: &random)))
    },
    RandomControl(name: "dial", end: ["settled"], isPaired: false) { random in
      let count = Int.random(in: 1...14, using: &random)
      return Dial(
        center: middle, radius: 150, labels: labels(count, &random),
        drag: Bool.random(using: &random) ? .relative : .absolute,
        inertia: Wheel.Inertia.allCases.randomElement(using: &random) ?? .normal,
        wraps: Bool.random(using: &random),
        ticks: Bool.random(using: &random)
          ? Dial.Ticks(
            every: Double.random(in: 0.1...2, using: &random),
            step: Bool.random(using: &random) ? 1 : -3) : nil)
    },
    RandomControl(name: "menu", begin: ["opened"], end: ["closed"], isPaired: true) { random in
      func items(_ depth: Int, _ random: inout SeededGenerator) -> [Menu.Item] {
        labels(Int.random(in: 1...5, using: &random), &random).map { id in
          Menu.Item(
            id: id, label: id, isEnabled: Int.random(in: 0...4, using: &random) > 0,
            items: depth > 0 && Bool.random(using: &random) ? items(depth - 1, &random) : [])
        }
      }
      return Menu(
        center: middle, screen: Size(400, 400),
        arc: .degrees(Bool.random(using: &random) ? 360 : 120),
        opening: Spring.Tuning(
          damping: Double.random(in: 0.2...2, using: &random), duration: 0.4),
        items: items(2, &random))
    },
    RandomControl(name: "slots", begin: ["started"], end: ["settled"], isPaired: false) {
      random in
      Slots(
        center: middle, size: Size(300, 300), duration: Double.random(in: 0.3...2, using: &random),
        seed: Bool.random(using: &random) ? 1 : nil, triggers: [.touch, .shake],
        reels: labels(Int.random(in: 1...4, using: &random), &random).map { id in
          .init(
            id: id, items: labels(Int.random(in: 1...9, using: &random), &random),
            direction: Bool.random(using: &random) ? .up : .down)
        })
    },
    RandomControl(name: "picker", end: ["settled"], isPaired: false) { random in
      Picker(
        center: middle, size: Size(300, 300), rows: Int.random(in: 1...7, using: &random),
        inertia: Wheel.Inertia.allCases.randomElement(using: &random) ?? .normal,
        columns: labels(Int.random(in: 1...4, using: &random), &random).map { id in
          .init(
            id: id,
            items: labels(Int.random(in: 1...9, using: &random), &random).map { .init(label: $0) },
            wraps: Bool.random(using: &random))
        })
    },
    RandomControl(name: "resistor", end: ["settled"], isPaired: false) { random in
      let edition: ResistorColor.Edition = Bool.random(using: &random) ? .year2005 : .year2016
      let bands = Int.random(in: 3...6, using: &random)
      guard let code = Resistor.standard(bands: bands, edition: edition) else {
        preconditionFailure("there is one for each number of bands")
      }
      return Resistor(
        center: middle, size: Size(300, 300), code: code,
        rows: Int.random(in: 1...7, using: &random))
    },
    RandomControl(name: "label", end: [], isPaired: true) { random in
      Label(center: middle, text: labels(1, &random)[0])
    },
    RandomControl(name: "image", end: [], isPaired: true) { _ in
      Picture(center: middle, image: "a.png", size: Size(9, 9))
    },
    RandomControl(name: "qr", end: [], isPaired: true) { random in
      guard
        let code = try? QRCode(center: middle, size: Size(300, 300), text: labels(1, &random)[0])
      else { preconditionFailure("a few letters fit") }
      return code
    },
    RandomControl(name: "keypad", end: [], isPaired: true) { random in
      let layouts = [KeypadLayout.digits, .pin, .text, KeypadLayout(rows: [labels(4, &random)])]
      return Keypad(
        center: middle, size: Size(300, 300), layout: layouts.randomElement(using: &random) ?? .pin,
        length: Int.random(in: 1...9, using: &random),
        shape: Keypad.Shape.allCases.randomElement(using: &random) ?? .grid)
    },
    RandomControl(name: "list", end: [], isPaired: true) { random in
      let count = [0, 1, 5, 16].randomElement(using: &random) ?? 1
      return List(
        center: middle, size: Size(300, 300),
        rowHeight: Double.random(in: 20...200, using: &random),
        items: labels(count, &random).map {
          .init(
            id: Bool.random(using: &random) ? $0 : nil, label: $0,
            isEnabled: Bool.random(using: &random))
        })
    },
    RandomControl(name: "timer", end: [], isPaired: true) { random in
      Timer(
        every: Double.random(in: 0.05...3, using: &random), isRunning: Bool.random(using: &random))
    },
  ]

  /// Distinct labels from a small set.
  private static func labels(_ count: Int, _ random: inout SeededGenerator) -> [String] {
    Array((0..<16).map { "l\($0)" }.shuffled(using: &random).prefix(count))
  }
}

@Suite struct RandomResumeTests {
  @Test(arguments: RandomControl.all, Cases.of(12))
  func `controls with random keys never trap, and every start has an end`(
    type: RandomControl, seed: Int
  ) {
    var random = SeededGenerator(seed: UInt64(seed) &* 7919 &+ 3)
    var control = type.make(&random)
    var (now, events) = (Instant.zero, [ControlEvent]())
    var down: Set<Int> = []
    func point() -> Point {
      Point(
        Double.random(in: -20...420, using: &random), Double.random(in: -20...420, using: &random))
    }
    for _ in 0..<400 {
      switch Int.random(in: 0...99, using: &random) {
      case 0..<30:
        let until = now + Double.random(in: 0...0.5, using: &random)
        while let next = control.nextChange(after: now), next > now, next <= until {
          now = next
          control.advance(to: now, events: &events)
        }
        now = until
        control.advance(to: now, events: &events)
      case 30..<75:
        let (finger, place) = (Int.random(in: 0...3, using: &random), point())
        let phase: Touch.Phase =
          switch Int.random(in: 0...9, using: &random) {
          case 0..<3: .down
          case 3..<7: .move
          case 7..<9: .up
          default: .cancel
          }
        if phase == .down {
          // Half of the time the same finger comes down twice, which the engine prevents.
          guard control.contains(place, at: now) else { continue }
          down.insert(finger)
        }
        control.handle(
          Touch(finger: finger, phase: phase, position: place), at: now, events: &events)
      case 75..<80:
        if let command = control.commands.randomElement(using: &random) {
          control.perform(command, at: now, events: &events)
        }
      case 80..<86:
        if let property = control.properties.randomElement(using: &random) {
          let values: [Value] = [
            .integer(Int.random(in: -2...15, using: &random)), .flag(Bool.random(using: &random)),
            .text("l\(Int.random(in: 0...15, using: &random))"),
          ]
          for value in values {
            try? control.set(property, to: value, at: now, events: &events)
          }
        }
      case 86..<94:
        let count = events.count
        var new = type.make(&random)
        new.resume(control, at: now)
        control = new
        #expect(events.count == count)
      case 94..<96: control.appear(at: now, events: &events)
      case 96: control.disappear(at: now)
      case 97: control.letGo(at: now, events: &events)
      default:
        control.reset(at: now, events: &events)
        expectEnds(of: type, events)
        #expect(!control.isMoving(at: now))
        #expect(control.nextChange(after: now) == nil)
      }
      _ = picture(control, now)
      _ = control.items(at: now)
      for property in control.properties { _ = control.value(of: property, at: now) }
    }
    control.reset(at: now, events: &events)
    expectEnds(of: type, events)
    let times = events.map(\.time)
    #expect(times.allSatisfy { $0 <= now })
  }

  /// After a reset, every started interaction has ended.
  private func expectEnds(of type: RandomControl, _ events: [ControlEvent]) {
    let begun = events.filter { type.begin.contains($0.name) }.count
    let ended = events.filter { type.end.contains($0.name) }.count
    if type.isPaired {
      #expect(begun == ended)
    } else if let last = events.last(where: {
      type.begin.contains($0.name) || type.end.contains($0.name)
    }) {
      #expect(type.end.contains(last.name))
    }
  }
}

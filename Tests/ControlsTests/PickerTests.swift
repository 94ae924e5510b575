// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import TestSupport
import Testing

// Rows of 60 pixels; the centre row is from y = 270 to 330.
private let size = Size(400, 300)
private let middle = Point(500, 300)

private func items(_ count: Int) -> [Picker.Item] {
  (0..<count).map { Picker.Item(label: "row \($0)", color: .fixed(.palette($0, of: count))) }
}

private func picker(
  _ counts: [Int] = [10], wraps: Bool = true, value: Int = 0, rows: Int = 5,
  inertia: Wheel.Inertia = .normal
) -> Stage<Picker> {
  Stage(
    Picker(
      center: middle, size: size, rows: rows, inertia: inertia,
      columns: counts.enumerated().map { index, count in
        Picker.Column(id: "w\(index)", items: items(count), wraps: wraps, value: value)
      }))
}

extension Stage<Picker> {
  /// Drags a finger down by `distance` pixels (up if negative), in steps of 8 ms.
  fileprivate mutating func drag(
    by distance: Double, over duration: Double = 0.4, at seconds: Double, x: Double = 500,
    rest: Double = 0, finger: Int = 0
  ) {
    touch(.down, Point(x, 300), finger: finger, at: seconds)
    let steps = max(1, Int(duration / 0.008))
    for step in 1...steps {
      let part = Double(step) / Double(steps)
      touch(.move, Point(x, 300 + distance * part), finger: finger, at: seconds + duration * part)
    }
    touch(.up, finger: finger, at: seconds + duration + rest)
  }

  fileprivate func indexes(of name: String, wheel: String = "w0") -> [Int] {
    events.filter { $0.name == name && $0.fields.first?.value == .text(wheel) }.map { event in
      guard case .number(let index) = event.fields[1].value else { return -1 }
      return Int(index)
    }
  }

  /// The opacity of the mute over each visible row of each wheel, from the top.
  fileprivate var veils: [(rows: Strip, veils: [Double])] {
    var result: [(Strip, [Double])] = []
    for item in picture.items {
      switch item.tiles[0].fill {
      case .strip(let strip): result.append((strip, []))
      case .color(let color) where item.clip != nil && item.text == nil:
        result[result.count - 1].1.append(Double(color.alpha) / 255)
      default: break
      }
    }
    return result.map { (rows: $0.0, veils: $0.1) }
  }
}

extension DisplayItem {
  fileprivate var text: TextRun? {
    if case .text(let run) = tiles[0].shape { run } else { nil }
  }
}

@Suite struct PickerTouchTests {
  @Test func `a drag by a row's height moves one row, downwards towards the first`() {
    var stage = picker(value: 5)
    stage.drag(by: 60, at: 0, rest: 0.1)
    stage.advance(to: 2)
    #expect(stage.value("w0.index") == .integer(4))
    stage.drag(by: -180, at: 2, rest: 0.1)
    stage.advance(to: 4)
    #expect(stage.value("w0.index") == .integer(7))
    #expect(stage.indexes(of: "passing") == [4, 5, 6, 7])
    #expect(stage.indexes(of: "settled") == [4, 7])
  }

  @Test func `a wrapping wheel goes round, and a wheel with stops gives`() {
    var round = picker(value: 1)
    round.drag(by: 240, at: 0, rest: 0.1)
    round.advance(to: 2)
    #expect(round.indexes(of: "passing") == [0, 9, 8, 7])

    var stopped = picker(wraps: false, value: 1)
    stopped.drag(by: 240, at: 0, rest: 0.1)
    #expect(stopped.control.isMoving(at: stopped.now))
    stopped.advance(to: 2)
    #expect(stopped.indexes(of: "passing") == [0] && stopped.indexes(of: "settled") == [0])
  }

  @Test func `each wheel has its own wrap setting`() {
    var stage = Stage(
      Picker(
        center: middle, size: size,
        columns: [
          Picker.Column(id: "w0", items: items(3)),
          Picker.Column(id: "w1", items: items(3), wraps: false),
        ]))
    stage.drag(by: 60, at: 0, x: 400, rest: 0.1)
    stage.drag(by: 60, at: 1, x: 600, rest: 0.1)
    stage.advance(to: 3)
    #expect(stage.value("w0.index") == .integer(2))
    #expect(stage.value("w1.index") == .integer(0))
  }

  @Test(arguments: [(150.0, -2), (210, -1), (330, 1), (389, 1), (390, 2)])
  func `tapping a row turns to it in 0.3 s, reporting each row`(y: Double, distance: Int) {
    var stage = picker(value: 5)
    stage.tap(Point(500, y), at: 1)
    stage.advance(to: 1.2)
    #expect(stage.control.isMoving(at: stage.now))
    stage.advance(to: 3)
    #expect(stage.value("w0.index") == .integer(5 + distance))
    let passed = distance < 0 ? (5 + distance...4).reversed() : Array(6...5 + distance)
    #expect(stage.indexes(of: "passing") == passed)
    #expect(stage.times(of: "settled") == [1.38])
  }

  @Test func `a tap turns to the tapped row, not by the shorter way to its copy`() {
    for (y, passed) in [(180.0, [2, 1]), (420, [1, 2])] {
      var stage = picker([3])
      stage.tap(Point(500, y), at: 0)
      stage.advance(to: 1)
      #expect(stage.indexes(of: "passing") == passed)
    }
  }

  @Test func `a tap beyond the last row of a wheel with stops selects the last`() {
    var stage = picker([3], wraps: false, value: 2)
    stage.tap(Point(500, 420), at: 0)
    stage.advance(to: 2)
    #expect(stage.eventNames == ["pressed", "settled"])
    #expect(stage.indexes(of: "settled") == [2])
  }

  @Test func `a trembling finger taps, a dragging one doesn't`() {
    var tap = picker(value: 5)
    tap.touch(.down, Point(500, 360), at: 0)
    tap.touch(.move, Point(503, 364), at: 0.05)
    tap.touch(.up, at: 0.1)
    tap.advance(to: 2)
    #expect(tap.value("w0.index") == .integer(6))

    var drag = picker(value: 5)
    drag.touch(.down, Point(500, 360), at: 0)
    drag.touch(.move, Point(500, 372), at: 0.05)
    drag.touch(.move, Point(500, 360), at: 0.5)
    drag.touch(.up, at: 1)
    drag.advance(to: 3)
    #expect(drag.value("w0.index") == .integer(5))
  }

  @Test func `catching a wheel isn't a tap`() {
    var stage = picker([100])
    stage.drag(by: -300, over: 0.1, at: 0)
    stage.advance(to: 0.3)
    stage.tap(Point(500, 420), at: 0.3)
    let caught = stage.indexes(of: "passing").last
    stage.advance(to: 2)
    #expect(stage.indexes(of: "settled").count == 1)
    #expect(abs((stage.indexes(of: "settled").last ?? -9) - (caught ?? 0)) <= 1)
  }

  @Test func `several fingers turn several wheels at once`() {
    var stage = picker([10, 10, 10])
    for step in 0...20 {
      let time = Double(step) * 0.02
      for (finger, x) in [350.0, 500, 650].enumerated() {
        let distance = Double(step * (finger + 1)) * 3
        stage.touch(
          step == 0 ? .down : .move, Point(x, 300 - distance), finger: finger, at: time)
      }
    }
    for finger in 0...2 { stage.touch(.up, finger: finger, at: 0.6) }
    stage.advance(to: 3)
    #expect(["w0", "w1", "w2"].map { stage.value("\($0).index") } == [1, 2, 3].map(Value.integer))
    #expect(stage.eventNames.filter { $0 == "settled" }.count == 3)
  }

  @Test func `a second finger on the same wheel has no effect`() {
    var stage = picker()
    stage.touch(.down, Point(450, 300), at: 0)
    stage.touch(.down, Point(550, 300), finger: 1, at: 0.1)
    stage.touch(.move, Point(550, 100), finger: 1, at: 0.2)
    stage.touch(.up, finger: 1, at: 0.3)
    #expect(stage.eventNames == ["pressed"])
  }
}

@Suite struct PickerMotionTests {
  @Test func `a hard fling passes hundreds of rows and ends where friction stops it`() {
    var stage = picker([7], rows: 5)
    // 24 000 pixels per second: 400 rows per second.
    stage.drag(by: -2400, over: 0.1, at: 0)
    stage.advance(to: 60)
    let projected = Int((40 + 400 / 2.0020).rounded())
    #expect(stage.indexes(of: "passing").count == projected)
    #expect(stage.indexes(of: "passing") == (1...projected).map { $0 % 7 })
    #expect(stage.indexes(of: "settled") == [projected % 7])
  }

  @Test func `repeated flings never reach a stop`() {
    var stage = picker([3])
    for round in 0..<30 { stage.drag(by: -900, over: 0.05, at: Double(round) * 0.2) }
    stage.advance(to: 60)
    #expect(stage.indexes(of: "passing").count > 1500)
    #expect(stage.indexes(of: "settled").count == 1)
    #expect(stage.veils[0].rows.rows.count <= 7)
  }

  @Test(arguments: [1, 2, 3, 10_000]) func `a wheel with any number of items turns`(count: Int) {
    var stage = picker([count])
    stage.drag(by: 500, over: 0.1, at: 0)
    stage.advance(to: 60)
    let passed = stage.indexes(of: "passing")
    #expect(passed.count > 40)
    #expect(passed.enumerated().allSatisfy { $1 == ((-$0 - 1) % count + count) % count })
    #expect(stage.indexes(of: "settled") == [passed.last])
  }

  @Test func `the same touches give the same events at any frame rate`() {
    func events(step: Double?) -> [ControlEvent] {
      var stage = picker([12, 5])
      for (start, x, distance) in [
        (0.0, 400.0, -700.0), (0.5, 600, 900), (2, 400, 80), (2.1, 600, -60),
      ] {
        if let step { stage.advance(to: start, step: step) }
        stage.drag(by: distance, over: 0.08, at: start, x: x)
      }
      if let step { stage.advance(to: 20, step: step) }
      stage.advance(to: 20)
      return stage.events
    }
    let whole = events(step: nil)
    #expect(whole.filter { $0.name == "passing" }.count > 100)
    #expect(whole.map(\.time) == whole.map(\.time).sorted())
    for rate in [30.0, 60, 144] { #expect(events(step: 1 / rate) == whole) }
  }

  @Test func `a set value turns a wheel silently and settles after 0.3 s`() throws {
    var stage = picker([10, 4])
    try stage.set("w0.index", to: .integer(8), at: 1)
    try stage.set("w1.label", to: .text("row 2"), at: 1)
    stage.advance(to: 3)
    #expect(
      stage.eventNames == ["settled", "settled"] && stage.times(of: "settled") == [1.3, 1.3])
    #expect(stage.value("w0.index") == .integer(8))
    #expect(stage.value("w1.value") == .text("row 2"))
  }

  @Test func `events and properties use an item's value`() throws {
    var stage = Stage(
      Picker(
        center: middle, size: size,
        columns: [
          Picker.Column(
            id: "size",
            items: [
              Picker.Item(label: "small", value: .number(0.3)), Picker.Item(label: "5"),
              Picker.Item(label: "large", value: .flag(true)),
            ])
        ]))
    #expect(stage.value("size.value") == .number(0.3))
    try stage.set("size.value", to: .number(5), at: 0)
    stage.advance(to: 1)
    #expect(stage.value("size.label") == .text("5"))
    #expect(stage.control.properties == ["size.index", "size.label", "size.value"])
  }

  @Test(arguments: [
    ("w0.index", Value.number(10)), ("w0.index", .text("1")), ("w0.label", .text("none")),
    ("w0.value", .text("none")), ("w0", .number(1)), ("w9.index", .number(1)),
    ("w0.index", .number(.infinity)),
  ])
  func `an invalid value is rejected`(property: String, value: Value) {
    var stage = picker()
    #expect(throws: PropertyError.self) { try stage.set(property, to: value, at: 0) }
    #expect(!stage.control.isMoving(at: .zero))
  }

  @Test func `a reset leaves every wheel at rest on a row`() {
    var stage = picker([10, 10])
    stage.drag(by: -900, over: 0.1, at: 0, x: 400)
    stage.touch(.down, Point(600, 300), finger: 1, at: 0.2)
    stage.touch(.move, Point(600, 230), finger: 1, at: 0.3)
    stage.reset(at: 0.4)
    #expect(!stage.control.isMoving(at: stage.now))
    #expect(stage.eventNames.filter { $0 == "settled" }.count == 2)
    #expect(stage.value("w1.index") == .integer(1))
  }

  @Test func `a new picker keeps the rows of wheels with the same id`() throws {
    var old = picker([10, 4])
    try old.set("w0.label", to: .text("row 7"), at: 0)
    old.advance(to: 1)
    var new = Picker(
      center: middle, size: size,
      columns: [
        Picker.Column(id: "other", items: items(3)), Picker.Column(id: "w0", items: items(8)),
      ])
    new.resume(old.control, at: old.now)
    #expect(new.value(of: "w0.index", at: .zero) == .integer(7))
    #expect(new.value(of: "other.index", at: .zero) == .integer(0))
  }
}

@Suite struct PickerLookTests {
  @Test func `only the centre row of a wheel at rest isn't muted`() throws {
    var stage = picker([10, 3], value: 2)
    stage.drag(by: -700, over: 0.1, at: 0, x: 400)
    stage.advance(to: 30)
    for (rows, veils) in stage.veils {
      #expect(rows.rows.count == 7 || rows.rows.count == 5)
      #expect(veils.count == 4 && veils.allSatisfy { $0 == 153.0 / 255 })
    }
  }

  @Test(arguments: [0.0, 1, 15, 30, 47, 60])
  func `rows turn below the mute, which stays outside the marks`(distance: Double) {
    var stage = picker(value: 3)
    stage.touch(.down, Point(500, 300), at: 0)
    stage.touch(.move, Point(500, 300 - distance), at: 0.1)
    // Between the marks are only the labels and the veil of the held wheel.
    let between = Rect(x0: 300, y0: 270, x1: 700, y1: 330)
    let (mute, held) = (Color.white.faded(to: 0.6), Color.white.faded(to: 0.15))
    var muted = 0.0
    for item in stage.picture.items {
      guard let clip = item.clip, case .color(let color) = item.tiles[0].fill else { continue }
      let isBetween = clip.y1 > between.y0 + 1e-6 && clip.y0 < between.y1 - 1e-6
      if item.text != nil {
        #expect(clip.intersection(between) == (isBetween ? clip : clip.intersection(between)))
        #expect(isBetween == (color.alpha == 255))
      } else {
        #expect(color == (isBetween ? held : mute))
        if !isBetween { muted += clip.height }
      }
    }
    #expect(abs(muted - 240) < 1e-6)
  }

  @Test func `rows run downwards in order, with the selected row in the centre`() {
    let runs = picker(value: 1).picture.items.compactMap(\.text)
    let labels = [-2.0, 0, 1].map { row in
      runs.first { abs($0.anchor.y - (300 + 60 * row)) < 1e-9 }?.text
    }
    #expect(labels == ["row 9", "row 1", "row 2"])
  }

  @Test func `a wheel is empty beyond its stops`() {
    #expect(picker([2], wraps: false).picture.items.compactMap(\.text).count == 2)
  }

  @Test(arguments: [
    (Color(hex: 0xff0000), Color(hex: 0xff9999)), (.black, Color(hex: 0x999999)),
    (Color(hex: 0x964b00), Color(hex: 0xd5b799)), (Color(hex: 0x6495ed), Color(hex: 0xc1d5f8)),
    (.white, .white),
  ])
  func `muting a colour is like drawing white at 0.6 over it`(color: Color, muted: Color) {
    #expect(Color.white.faded(to: 0.6).over(color) == muted)
  }

  @Test func `drawing costs only the visible rows`() {
    #expect(picker([10_000]).picture.items.count == picker([9]).picture.items.count)
    #expect(picker([10_000]).veils[0].rows.rows.count <= 7)
  }
}

@Suite struct PickerStormTests {
  @Test(arguments: 0..<20) func `after random touches nothing is held or moving`(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    var stage = picker(
      [[1], [3, 1], [12, 60, 2, 9]].randomElement(using: &chance) ?? [1],
      wraps: .random(using: &chance),
      inertia: Wheel.Inertia.allCases.randomElement(using: &chance) ?? .normal)
    var time = 0.0
    for _ in 0..<400 {
      time += [0, 0.001, 0.008, 0.05, 0.4, -3].randomElement(using: &chance) ?? 0
      let strange = [Double.nan, .infinity, 1e300, -1e300, 300].randomElement(using: &chance) ?? 0
      let point =
        .random(using: &chance)
        ? Point(.random(in: 300...700, using: &chance), .random(in: 150...450, using: &chance))
        : Point(500, strange)
      let finger = Int.random(in: 0...4, using: &chance)
      switch Int.random(in: 0..<20, using: &chance) {
      case 0: try? stage.set("w0.index", to: .integer(.random(in: 0...9, using: &chance)), at: time)
      case 1: stage.reset(at: time)
      case 2: time += 86_400
      case 3...5: stage.touch(.down, point, finger: finger, at: time)
      case 6...8: stage.touch(.up, point, finger: finger, at: time)
      case 9: stage.touch(.cancel, point, finger: finger, at: time)
      default: stage.touch(.move, point, finger: finger, at: time)
      }
      _ = stage.picture
    }
    for finger in 0...4 { stage.touch(.up, Point(500, 300), finger: finger, at: time) }
    stage.advance(to: stage.now.seconds + 60)
    #expect(!stage.control.isMoving(at: stage.now))
    #expect(stage.control.nextChange(after: stage.now) == nil)
    let rests = stage.eventNames.filter { $0 == "settled" }.count
    stage.tap(middle, at: stage.now.seconds + 1)
    stage.advance(to: stage.now.seconds + 2)
    #expect(stage.eventNames.filter { $0 == "settled" }.count == rests + 1)
  }
}

@Suite struct PickerRowTests {
  private func picker(_ enabled: [Bool], wraps: Bool = true) -> Stage<Picker> {
    let items = enabled.enumerated().map { index, isEnabled in
      var item = Picker.Item(label: "\(index)")
      item.isEnabled = isEnabled
      return item
    }
    return Stage(
      Picker(
        center: Point(100, 150), size: Size(100, 300), rows: 5,
        columns: [.init(id: "w", items: items, wraps: wraps)]))
  }

  private func index(_ stage: Stage<Picker>) -> Value? { stage.value("w.index") }

  @Test(arguments: [true, false])
  func `a wheel continues from a disabled row to the nearest enabled one`(_ wraps: Bool) {
    var stage = picker([true, false, false, true, true, true], wraps: wraps)
    // A tap two rows below the centre row.
    stage.tap(Point(100, 150 + 120), at: 1)
    stage.advance(to: 5)
    #expect(index(stage) == .number(3))
    #expect(stage.eventNames.filter { $0 == "settled" }.count == 1)
    #expect(stage.eventNames.last == "settled")
  }

  @Test func `a wheel let go at once doesn't stop on a disabled row`() {
    var stage = picker([true, false, true, true, true, true])
    stage.touch(.down, Point(100, 150), at: 1)
    stage.touch(.move, Point(100, 88), at: 1.5)
    stage.letGo(at: 1.6)
    #expect(index(stage) == .number(2) || index(stage) == .number(0))
    #expect(stage.eventNames.last == "settled")
  }

  @Test(arguments: [true, false])
  func `a wheel doesn't start on a disabled row`(_ wraps: Bool) {
    #expect(index(picker([false, true, true, true], wraps: wraps)) == .number(1))
    #expect(index(picker([false, false, false, true], wraps: wraps)) == .number(3))
  }

  @Test func `a wheel without enabled rows rests anywhere`() {
    var stage = picker([false, false, false])
    stage.tap(Point(100, 150 + 60), at: 1)
    stage.advance(to: 5)
    #expect(index(stage) == .number(1))
  }
}

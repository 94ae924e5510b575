// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import TestSupport
import Testing

private let center = Point(400, 240)
private let words = ["Thai", "Sushi", "Tacos", "Pizza", "Curry", "Ramen", "Salad"]

private func machine(
  counts: [Int] = [5, 7, 3], directions: [Slots.Direction] = [.down, .up, .down],
  duration: Double = 5, stagger: Double = 0, sharpen: Double = 0.3, seed: UInt64 = 1,
  triggers: Set<Slots.Trigger> = [.touch]
) -> Stage<Slots> {
  let reels = counts.enumerated().map { index, count in
    Slots.Reel(
      id: "r\(index)", items: (0..<count).map { "\(words[$0 % words.count]) \($0)" },
      direction: directions[index % directions.count])
  }
  return Stage(
    Slots(
      center: center, size: Size(600, 300), duration: duration, stagger: stagger, sharpen: sharpen,
      seed: seed,
      triggers: triggers, reels: reels))
}

extension Stage<Slots> {
  /// The strips of a picture, from left to right.
  fileprivate var strips: [Strip] {
    picture.items.flatMap(\.tiles).compactMap { tile in
      if case .strip(let strip) = tile.fill { strip } else { nil }
    }
  }

  /// The labels exactly in the centre.
  fileprivate var shown: [String?] {
    strips.map { strip in
      let row = (strip.frame.height / 2 - strip.offset) / strip.rowHeight - 0.5
      return Int(exactly: row).flatMap { label(strip.rows[$0]) }
    }
  }

  private func label(_ row: Strip.Row) -> String? {
    if case .text(let run)? = row.content?.shape { run.text } else { nil }
  }

  fileprivate func indexes() -> [Int] {
    control.reels.map { reel in
      if case .number(let index)? = value("\(reel.id).index") { Int(index) } else { -1 }
    }
  }
}

@Suite struct SlotsSpinTests {
  @Test func `a touch spins the reels for exactly the duration`() {
    var stage = machine()
    stage.tap(center, at: 1)
    stage.advance(to: 20)
    #expect(stage.eventNames == ["started", "settled"])
    #expect(stage.events.map(\.time.microseconds) == [1_080_000, 6_080_000])
    let fields = stage.control.reels.enumerated().map { reel, own in
      let index = stage.indexes()[reel]
      return Field(
        own.id,
        .record([Field("index", .integer(index)), Field("label", .text(own.items[index].label))]))
    }
    #expect(stage.events[1].fields == [Field("values", .record(fields))])
  }

  @Test(arguments: [0.4, 2.5, 5, 12])
  func `the duration is configurable`(duration: Double) {
    var stage = machine(duration: duration)
    stage.perform("spin", at: 2)
    stage.advance(to: 30)
    #expect(stage.times(of: "settled") == [2 + duration])
  }

  @Test func `every reel stops exactly on the reported item`() {
    for seed in 0..<30 {
      var stage = machine(seed: UInt64(seed))
      stage.perform("spin", at: 0)
      stage.advance(to: 6)
      let reported = zip(stage.control.reels, stage.indexes()).map { Optional($0.items[$1].label) }
      #expect(stage.shown == reported)
    }
  }

  @Test func `reels alternate in direction and never reverse`() {
    var stage = machine()
    for round in 0..<3 {
      stage.perform("spin", at: Double(round) * 6)
      for frame in 1..<100 {
        stage.advance(to: Double(round) * 6 + Double(frame) * 0.05)
        let velocities = stage.velocities(over: 1e-4)
        for (velocity, sign) in zip(velocities, [-1.0, 1, -1]) { #expect(velocity * sign >= -1e-6) }
        if (5..<60).contains(frame) { #expect(velocities.allSatisfy { abs($0) > 1 }) }
      }
      stage.advance(to: Double(round) * 6 + 5)
    }
  }

  @Test func `spins and touches during a spin are ignored until its very end`() {
    var stage = machine()
    stage.perform("spin", at: 0)
    for time in [0.0, 0.5, 3, 4.7, 4.8, 4.9, 4.999_999] { stage.perform("spin", at: time) }
    #expect(stage.eventNames == ["started"])
    stage.touch(.down, center, at: 4.999_999_4)
    stage.touch(.up, center, at: 5.1)
    #expect(stage.eventNames == ["started", "settled"])
    stage.perform("spin", at: 5.1)
    #expect(stage.eventNames == ["started", "settled", "started"])
  }

  @Test func `the next spin may begin exactly when one ends`() {
    var stage = machine()
    stage.perform("spin", at: 0)
    stage.perform("spin", at: 5)
    #expect(stage.eventNames == ["started", "settled", "started"])
    #expect(stage.times(of: "started") == [0, 5])
  }

  @Test func `a touch that is lifted outside, cancelled or disabled starts nothing`() {
    var stage = machine()
    stage.touch(.down, center, at: 0)
    stage.touch(.move, Point(5, 5), at: 0.1)
    stage.touch(.up, at: 0.2)
    stage.touch(.down, center, at: 1)
    stage.touch(.cancel, at: 1.1)
    stage.touch(.up, at: 1.2)
    stage.tap(Point(5, 5), at: 2)
    #expect(stage.eventNames == [])
    var remote = machine(triggers: [])
    remote.tap(center, at: 0)
    #expect(remote.eventNames == [])
    #expect(remote.control.contains(center, at: .zero))
  }

  @Test func `shaking starts a spin only if enabled`() {
    var stage = machine(triggers: [.shake])
    #expect(stage.control.commands == ["spin", "shake"])
    stage.perform("shake", at: 1)
    #expect(stage.eventNames == ["started"])
    var other = machine()
    #expect(other.control.commands == ["spin"])
    other.perform("shake", at: 1)
    #expect(other.eventNames == [])
  }
}

@Suite struct SlotsLookTests {
  @Test func `the blur is the distance of a sixtieth of a second`() {
    var stage = machine()
    stage.perform("spin", at: 0)
    for time in [0.05, 0.5, 0.8, 1, 2, 3, 4] {
      stage.advance(to: time)
      if time == 0.8 { #expect(stage.strips[0].blur > stage.strips[0].rowHeight) }
      let speeds = stage.velocities(over: 1e-5)
      for (strip, speed) in zip(stage.strips, speeds) {
        #expect(abs(strip.blur - abs(speed) / 60 * strip.rowHeight) < 0.05 + strip.blur * 0.01)
      }
    }
  }

  @Test(arguments: [0.3, 1, 2.5])
  func `reels are sharp for the set time before the end, and move until the end`(sharpen: Double) {
    var stage = machine(sharpen: sharpen)
    stage.perform("spin", at: 0)
    stage.advance(to: 5 - sharpen - 0.01)
    #expect(stage.strips.allSatisfy { $0.blur > 0 })
    stage.advance(to: 5 - sharpen)
    #expect(stage.strips.allSatisfy { $0.blur == 0 })
    #expect(stage.control.isMoving(at: Instant(seconds: 4.999)))
    #expect(!stage.control.isMoving(at: Instant(seconds: 5)))
  }

  @Test func `rows fill the whole window at rest and in motion`() {
    for counts in [[1, 1, 1], [2, 2, 2], [5, 7, 10_000]] {
      var stage = machine(counts: counts)
      stage.perform("spin", at: 0.1)
      for frame in 0...110 {
        stage.advance(to: Double(frame) * 0.05)
        for strip in stage.strips {
          #expect(strip.offset <= -strip.blur / 2 + 1e-6)
          let bottom = strip.offset + Double(strip.rows.count) * strip.rowHeight
          #expect(bottom >= strip.frame.height + strip.blur / 2 - 1e-6)
          #expect(strip.rows.count < 40)
        }
      }
    }
  }

  @Test func `rows continue in order endlessly`() {
    var stage = machine()
    stage.perform("spin", at: 0)
    for frame in 0...100 {
      stage.advance(to: Double(frame) * 0.05)
      for (strip, reel) in zip(stage.strips, stage.control.reels) {
        let labels = strip.rows.compactMap { row -> Int? in
          guard case .text(let run)? = row.content?.shape else { return nil }
          return reel.items.firstIndex { $0.label == run.text }
        }
        for (a, b) in zip(labels, labels.dropFirst()) { #expect((a + 1) % reel.items.count == b) }
      }
    }
  }

  @Test func `the picture doesn't jump at the end of a spin`() {
    var stage = machine()
    stage.perform("spin", at: 0)
    stage.advance(to: 4.999_999)
    let before = stage.strips.map(\.offset)
    stage.advance(to: 5)
    for (a, b) in zip(before, stage.strips.map(\.offset)) {
      let rows = (a - b) / 100
      #expect(abs(rows - rows.rounded()) < 1e-6)
    }
    #expect(stage.control.nextChange(after: stage.now) == nil)
  }
}

extension Stage<Slots> {
  /// The position of each reel in rows, from 0 to its count.
  fileprivate var positions: [Double] { positions(at: now) }

  private func positions(at time: Instant) -> [Double] {
    var list = DisplayList()
    control.draw(into: &list, in: DrawingContext(now: time, font: "sans-serif"))
    let strips = list.items.flatMap(\.tiles).compactMap { tile -> Strip? in
      if case .strip(let strip) = tile.fill { strip } else { nil }
    }
    return zip(strips, control.reels).map { strip, reel in
      guard case .text(let run)? = strip.rows[0].content?.shape,
        let first = reel.items.firstIndex(where: { $0.label == run.text })
      else { return .nan }
      let row = (strip.frame.height / 2 - strip.offset) / strip.rowHeight - 0.5
      return (row + Double(first)).truncatingRemainder(dividingBy: Double(reel.items.count))
    }
  }

  /// Rows per second, measured from the picture.
  fileprivate func velocities(over step: Double) -> [Double] {
    let later = Instant(microseconds: now.microseconds + Int64(step * 1e6))
    return zip(zip(positions(at: now), positions(at: later)), control.reels).map { pair, reel in
      let count = Double(reel.items.count)
      var distance = (pair.1 - pair.0).remainder(dividingBy: count)
      // Half a turn or more per step would be read as the other direction.
      if abs(distance) >= count / 2 { distance = 0 }
      return distance / (later - now)
    }
  }
}

@Suite struct SlotsChanceTests {
  @Test func `each reel draws from its own items uniformly`() {
    var stage = machine(counts: [2, 5, 7], duration: 0.001)
    var counts = [[Int]](repeating: [Int](repeating: 0, count: 7), count: 3)
    for round in 0..<7000 {
      stage.perform("spin", at: Double(round) * 0.01)
      stage.advance(to: Double(round) * 0.01 + 0.005)
      for (reel, index) in stage.indexes().enumerated() { counts[reel][index] += 1 }
    }
    for (reel, count) in [2, 5, 7].enumerated() {
      let expected = 7000 / Double(count)
      // Chi-squared with six degrees of freedom exceeds 30 about once in ten thousand tries.
      let deviation = counts[reel].prefix(count).reduce(0.0) {
        $0 + (Double($1) - expected) * (Double($1) - expected) / expected
      }
      #expect(deviation < 30)
      #expect(counts[reel].dropFirst(count).allSatisfy { $0 == 0 })
    }
  }

  @Test func `random numbers are unbiased`() {
    var chance = SplitMix64(seed: 0)
    // The generator's published first number for seed 0.
    let first = chance.next()
    #expect(first == 0xe220_a839_7b1d_cdaf)
    for count in [1, 2, 3, 1000, Int.max] {
      for _ in 0..<100 {
        let index = chance.index(below: count)
        #expect((0..<count).contains(index))
      }
    }
  }

  @Test func `the same seed gives the same results, another seed different ones`() {
    func results(_ seed: UInt64, kiosk: UInt64? = nil) -> [[Int]] {
      var stage = machine(counts: [100, 100, 100], seed: seed)
      if let kiosk { stage.control.seed(kiosk) }
      return (0..<4).map { round in
        stage.perform("spin", at: Double(round) * 6)
        stage.advance(to: Double(round) * 6 + 5)
        return stage.indexes()
      }
    }
    #expect(results(7) == results(7))
    #expect(results(7) != results(8))
    // The file's seed takes precedence over the kiosk's.
    #expect(results(7, kiosk: 99) == results(7))
  }

  @Test func `slots without a seed use the kiosk's`() {
    func result(_ seed: UInt64) -> [Int] {
      let reel = Slots.Reel(id: "a", items: (0..<1000).map(String.init), direction: .up)
      var stage = Stage(Slots(center: center, size: Size(100, 100), reels: [reel]))
      stage.control.seed(seed)
      stage.perform("spin", at: 0)
      stage.advance(to: 5)
      return stage.indexes()
    }
    #expect(result(1) == result(1))
    #expect(result(1) != result(2))
  }
}

@Suite struct SlotsSettingTests {
  @Test func `setting an item at rest turns to it in 0.3 seconds`() throws {
    var stage = machine()
    try stage.set("r1.index", to: .number(4), at: 1)
    #expect(stage.control.isMoving(at: Instant(seconds: 1.2)))
    stage.advance(to: 2)
    #expect(stage.eventNames == ["settled"])
    #expect(stage.events[0].time == Instant(seconds: 1.3))
    #expect(stage.indexes() == [0, 4, 0])
    #expect(stage.value("r1.label") == .text("Curry 4"))
    #expect(stage.shown[1] == "Curry 4")
  }

  @Test func `an item set at rest is shown and doesn't fix the next spin`() throws {
    var results: Set<Int> = []
    for seed in 0..<8 {
      var (set, other) = (
        machine(counts: [50, 50, 50], seed: UInt64(seed)),
        machine(
          counts: [50, 50, 50], seed: UInt64(seed))
      )
      try set.set("r0.label", to: .text("Pizza 3"), at: 0)
      set.advance(to: 1)
      #expect(set.shown[0] == "Pizza 3")
      set.perform("spin", at: 2)
      set.advance(to: 8)
      other.perform("spin", at: 2)
      other.advance(to: 8)
      #expect(set.indexes() == other.indexes())
      results.insert(set.indexes()[0])
    }
    #expect(results.count > 3)
  }

  @Test func `a spin while turning to a set item keeps its position and speed`() throws {
    var stage = machine(counts: [100, 100, 100])
    try stage.set("r1.index", to: .number(40), at: 0)
    stage.advance(to: 0.1)
    let (before, speed) = (stage.positions[1], stage.velocities(over: 1e-5)[1])
    stage.perform("spin", at: 0.1)
    #expect(abs(stage.positions[1] - before) < 1e-6)
    #expect(abs(stage.velocities(over: 1e-5)[1] - speed) < 0.5 + abs(speed) * 0.01)
    stage.advance(to: 6)
    #expect(stage.eventNames == ["started", "settled"])
  }

  @Test(arguments: [0.0, 0.01, 0.5, 1, 2.5, 4, 4.5, 4.7, 4.9, 4.999])
  func `setting a result during a spin causes no jump, reversal or delay`(time: Double) throws {
    for item in [0, 1, 6, 9] {
      var stage = machine(counts: [10, 10, 10])
      stage.perform("spin", at: 0)
      stage.advance(to: time)
      let (before, speed) = (stage.positions, stage.velocities(over: 1e-5))
      for reel in 0..<3 {
        try stage.set("r\(reel).index", to: .number(Double(item)), at: time)
      }
      for reel in 0..<3 {
        #expect(abs(stage.positions[reel] - before[reel]) < 1e-6)
        // Near the end the remaining distance is long for the time, so the speed rises at once.
        let tolerance = time < 4 ? 0.6 + abs(speed[reel]) * 0.01 : 1e4
        #expect(abs(stage.velocities(over: 1e-5)[reel] - speed[reel]) < tolerance)
      }
      while stage.now < Instant(seconds: 5) {
        for (reel, sign) in [-1.0, 1, -1].enumerated() {
          #expect(stage.velocities(over: 1e-5)[reel] * sign >= -1e-6)
        }
        stage.advance(to: stage.now.seconds + 0.0401)
      }
      stage.advance(to: 7)
      #expect(stage.eventNames == ["started", "settled"])
      #expect(stage.times(of: "settled") == [5])
      #expect(stage.indexes() == [item, item, item])
    }
  }

  @Test func `during a spin properties have the items from before it`() {
    var stage = machine()
    stage.perform("spin", at: 0)
    stage.advance(to: 5)
    let before = stage.indexes()
    stage.perform("spin", at: 6)
    stage.advance(to: 10.999)
    #expect(stage.indexes() == before)
    #expect(stage.value("spinning") == .flag(true))
    stage.advance(to: 11)
    #expect(stage.value("spinning") == .flag(false))
  }

  @Test func `an invalid value is rejected with the valid ones`() {
    var stage = machine()
    for (property, value) in [
      ("r0.index", Value.number(5)), ("r0.index", .number(-1)), ("r0.index", .number(0.5)),
      ("r0.index", .number(.nan)), ("r0.index", .text("1")), ("r0.label", .text("Nothing")),
      ("r0.label", .number(1)), ("r9.index", .number(0)), ("spinning", .flag(true)),
      ("r0.", .number(0)), ("r0", .number(0)),
    ] {
      #expect(throws: PropertyError.self) { try stage.set(property, to: value, at: 1) }
    }
    #expect(stage.eventNames == [])
  }
}

@Suite struct SlotsRobustnessTests {
  @Test func `reels of one, two and ten thousand items all land`() throws {
    var stage = machine(counts: [1, 2, 10_000])
    stage.perform("spin", at: 0)
    try stage.set("r2.index", to: .number(9_999), at: 4.95)
    stage.advance(to: 5)
    #expect(stage.eventNames == ["started", "settled"])
    #expect(stage.indexes()[0] == 0)
    #expect(stage.indexes()[2] == 9_999)
    #expect(stage.shown[2]?.hasSuffix(" 9999") == true)
  }

  @Test func `one reel and twelve reels work like three`() {
    for count in [1, 12] {
      var stage = machine(counts: [Int](repeating: 4, count: count))
      stage.tap(center, at: 0)
      stage.advance(to: 6)
      #expect(stage.eventNames == ["started", "settled"])
      #expect(stage.strips.count == count)
    }
  }

  @Test func `a reset leaves a result and nothing held or moving`() {
    var stage = machine()
    stage.perform("spin", at: 0)
    stage.reset(at: 2)
    #expect(stage.eventNames == ["started", "settled"])
    #expect(stage.times(of: "settled") == [2])
    #expect(!stage.control.isMoving(at: stage.now))
    #expect(stage.control.nextChange(after: stage.now) == nil)
    stage.touch(.down, center, at: 3)
    #expect(stage.control.isHeld)
    stage.reset(at: 3.1)
    #expect(!stage.control.isHeld)
    stage.touch(.up, center, at: 3.2)
    #expect(stage.eventNames == ["started", "settled"])
  }

  @Test func `a finger highlights the result row, and the others keep their shade`() {
    var stage = machine()
    let rest = stage.picture.items
    stage.touch(.down, center, at: 1)
    let added = stage.picture.items.filter { !rest.contains($0) }
    #expect(added.count == 3)
    let row = Rect(center: center, size: Size(600, 100))
    for item in added { #expect(item.clip == row) }
    #expect(rest.allSatisfy(stage.picture.items.contains))
    stage.touch(.up, center, at: 1.1)
    #expect(!stage.picture.items.contains { added.contains($0) })
  }

  @Test func `invalid touches have no effect`() {
    var stage = machine()
    for point in [Point(.nan, .nan), Point(.infinity, 0), Point(1e300, -1e300)] {
      #expect(!stage.control.contains(point, at: .zero))
      stage.touch(.down, center, at: 0)
      stage.touch(.move, point, at: 0)
      stage.touch(.up, at: 0)
    }
    for step in 0..<10 { stage.touch(.down, center, at: 1 + Double(step)) }
    stage.touch(.up, finger: 7, at: 12)
    stage.touch(.up, finger: 0, at: 12)
    stage.advance(to: 86_400 * 2)
    #expect(stage.eventNames == ["started", "settled"])
  }

  @Test func `random touches, sets and spins end at rest`() throws {
    for seed in 1...30 {
      var chance = SeededGenerator(seed: UInt64(seed))
      var stage = machine(seed: UInt64(seed))
      var time = 0.0
      for _ in 0..<150 {
        time += Double.random(in: 0...1, using: &chance)
        let finger = Int.random(in: 0...2, using: &chance)
        switch Int.random(in: 0...5, using: &chance) {
        case 0: stage.touch(.down, center, finger: finger, at: time)
        case 1: stage.touch(.up, finger: finger, at: time)
        case 2: stage.touch(.cancel, finger: finger, at: time)
        case 3: stage.perform("spin", at: time)
        case 4:
          let index = Double(Int.random(in: 0..<3, using: &chance))
          try stage.set("r\(finger).index", to: .number(index), at: time)
        default: stage.advance(to: time)
        }
      }
      stage.advance(to: time + 10)
      for finger in 0...2 { stage.touch(.cancel, finger: finger, at: time + 10) }
      #expect(!stage.control.isMoving(at: stage.now))
      #expect(!stage.control.isHeld)
      let shown = zip(stage.control.reels, stage.indexes()).map { Optional($0.items[$1].label) }
      #expect(stage.shown == shown)
      #expect(
        stage.eventNames.filter { $0 == "started" }.count
          <= stage.eventNames.filter { $0 == "settled" }.count)
    }
  }

  @Test(arguments: [1.0 / 30, 1.0 / 60, 1.0 / 144, 3.3])
  func `the same touches give the same events at any frame rate`(step: Double) throws {
    func events(_ step: Double) throws -> [ControlEvent] {
      var stage = machine()
      for (index, time) in [0.5, 3, 5.6, 7, 20].enumerated() {
        stage.advance(to: time, step: step)
        stage.tap(center, at: time, for: 0.013)
        try stage.set("r2.index", to: .number(Double(index % 3)), at: time + 0.4)
      }
      stage.advance(to: 30, step: step)
      return stage.events
    }
    #expect(try events(step) == events(1.0 / 60))
  }

  @Test func `a changed file keeps the items, and a spin if the reels are the same`() {
    var old = machine()
    old.perform("spin", at: 0)
    old.advance(to: 2)
    var same = machine()
    same.control.resume(old.control, at: old.now)
    same.advance(to: 6)
    old.advance(to: 6)
    #expect(same.events.last == old.events.last)

    let reels = old.control.reels.map { reel in
      Slots.Reel(
        id: reel.id, items: reel.items.reversed() + [.init(label: "new")], direction: reel.direction
      )
    }
    var other = Slots(center: center, size: Size(600, 300), reels: reels.reversed())
    other.resume(old.control, at: old.now)
    for reel in reels {
      #expect(
        other.value(of: "\(reel.id).label", at: old.now)
          == old.control.value(of: "\(reel.id).label", at: old.now))
    }
  }
}

@Suite struct SlotsStaggerTests {
  @Test func `each reel stops a stagger after the previous one, and the last ends the spin`()
    throws
  {
    var stage = machine(duration: 2, stagger: 0.5)
    stage.perform("spin", at: 0)
    for (time, moving) in [
      (1.95, [true, true, true]), (2.01, [false, true, true]),
      (2.45, [false, true, true]), (2.51, [false, false, true]), (2.95, [false, false, true]),
    ] {
      stage.advance(to: time)
      #expect(stage.velocities(over: 1e-3).map { $0 != 0 } == moving, "at \(time)")
      #expect(stage.eventNames == ["started"])
    }
    stage.advance(to: 5)
    #expect(stage.times(of: "settled") == [3])
  }

  @Test func `each reel is sharp before its own stop`() {
    var stage = machine(duration: 2, stagger: 1, sharpen: 0.5)
    stage.perform("spin", at: 0)
    for (time, blurred) in [
      (1.4, [true, true, true]), (1.6, [false, true, true]),
      (2.6, [false, false, true]), (3.6, [false, false, false]),
    ] {
      stage.advance(to: time)
      #expect(stage.strips.map { $0.blur > 0 } == blurred, "at \(time)")
    }
  }

  @Test func `a stopped reel can be set while others spin`() throws {
    var stage = machine(duration: 1, stagger: 2)
    stage.perform("spin", at: 0)
    stage.advance(to: 2)
    let other = (stage.indexes()[0] + 2) % 5
    try stage.set("r0.index", to: .number(Double(other)), at: 2)
    stage.advance(to: 2.35)
    #expect(stage.shown[0] == stage.control.reels[0].items[other].label)
    stage.advance(to: 6)
    #expect(stage.times(of: "settled") == [5])
    #expect(stage.indexes()[0] == other)
  }

  @Test func `a stopped reel stays when the file changes`() {
    var stage = machine(duration: 1, stagger: 2)
    stage.perform("spin", at: 0)
    stage.advance(to: 2)
    let shown = stage.shown[0]
    let reels = stage.control.reels.map { reel in
      Slots.Reel(
        id: reel.id, items: [.init(label: "new")] + reel.items, direction: reel.direction)
    }
    var changed = Stage(
      Slots(
        center: center, size: Size(600, 300), duration: 1, stagger: 2, seed: 1, reels: reels))
    changed.control.resume(stage.control, at: stage.now)
    changed.advance(to: 2.1)
    #expect(changed.shown[0] == shown)
    changed.advance(to: 6)
    #expect(changed.times(of: "settled") == [5])
    #expect(changed.shown[0] == shown)
  }
}

@Suite struct SlotsWeightTests {
  /// The number of times that each item came up, for `seeds` seeds.
  private func counts(_ weights: [Double], seeds: Int) -> [Int] {
    let items = weights.enumerated().map { Slots.Item(label: "\($0)", weight: $1) }
    var counts = weights.map { _ in 0 }
    for seed in 0..<seeds {
      var slots = Slots(
        center: center, size: Size(100, 100), duration: 0.1, seed: UInt64(seed),
        reels: [.init(id: "r0", items: items, direction: .down)])
      var events: [ControlEvent] = []
      slots.perform("spin", at: .zero, events: &events)
      slots.reset(at: .zero, events: &events)
      if case .number(let index)? = slots.value(of: "r0.index", at: .zero) {
        counts[Int(index)] += 1
      }
    }
    return counts
  }

  @Test(arguments: [[1, 2, 3, 4], [0.5, 0, 8, 0, 1.5], [1e9, 1e9, 5e8], [1, 1, 1, 1, 1, 0]])
  func `an item is as likely as its weight`(weights: [Double]) {
    let seeds = 4000
    let whole = weights.reduce(0, +)
    var square = 0.0
    for (count, weight) in zip(counts(weights, seeds: seeds), weights) {
      let expected = Double(seeds) * weight / whole
      guard expected > 0 else {
        #expect(count == 0)
        continue
      }
      square += (Double(count) - expected) * (Double(count) - expected) / expected
    }
    // Chi-squared with at most four degrees of freedom exceeds this once in a thousand tries.
    #expect(square < 18.5, "\(square)")
  }

  @Test func `an item with zero weight can only be set`() throws {
    let items = [Slots.Item(label: "often"), Slots.Item(label: "never", weight: 0)]
    var stage = Stage(
      Slots(
        center: center, size: Size(100, 100), duration: 1, seed: 1,
        reels: [.init(id: "r0", items: items, direction: .down)]))
    stage.perform("spin", at: 0)
    try stage.set("r0.label", to: .text("never"), at: 0.5)
    stage.advance(to: 2)
    #expect(stage.shown == ["never"])
  }

  @Test func `equal weights give the same results as none`() {
    #expect(counts([3, 3, 3], seeds: 100) == counts([1, 1, 1], seeds: 100))
  }
}

@Suite struct SlotsImageTests {
  @Test func `an item's image is shown whole within its row, at rest and in motion`() {
    let items = [Slots.Item(label: "cherry", image: "cherry.png"), Slots.Item(label: "bar")]
    var stage = Stage(
      Slots(
        center: center, size: Size(200, 300), seed: 1,
        reels: [.init(id: "r0", items: items, direction: .down)]))
    func images() -> [Tile] {
      stage.strips[0].rows.compactMap(\.content).filter { tile in
        if case .image("cherry.png", _, .contain, _, _) = tile.fill { true } else { false }
      }
    }
    #expect(!images().isEmpty)
    stage.perform("spin", at: 0)
    stage.advance(to: 1)
    #expect(stage.strips[0].blur > 0 && !images().isEmpty)
    for case .image(_, let frame, _, _, _) in images().map(\.fill) {
      #expect(frame.y0 >= 0 && frame.y1 <= 100 && frame.x0 >= 0 && frame.x1 <= 200)
    }
  }
}

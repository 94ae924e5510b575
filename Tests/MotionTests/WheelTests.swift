// SPDX-License-Identifier: MIT

import RoundelMotion
import Testing

/// A wheel with a finger and a clock.
private struct Bench {
  var wheel: Wheel
  var changes: [Wheel.Change] = []
  var now = Instant.zero

  init(count: Int = 12, wraps: Bool = true, index: Int = 0, inertia: Wheel.Inertia = .normal) {
    wheel = Wheel(
      detents: Detents(count: count, wraps: wraps), index: index, inertia: inertia, pitch: 80)
  }

  mutating func advance(to seconds: Double) {
    now = Instant(seconds: seconds)
    wheel.advance(to: now, changes: &changes)
  }

  /// Drags evenly by `distance` detents in `duration` seconds, and releases.
  mutating func throwing(
    _ distance: Double, in duration: Double, at seconds: Double, steps: Int = 10
  ) {
    advance(to: seconds)
    wheel.grab(at: now)
    for step in 1...steps {
      advance(to: seconds + duration * Double(step) / Double(steps))
      wheel.drag(by: distance / Double(steps), at: now, changes: &changes)
    }
    wheel.release(at: now, changes: &changes)
  }

  var passed: [Int] {
    changes.compactMap { if case .passing(let index, _) = $0 { index } else { nil } }
  }
  var settled: [Int] {
    changes.compactMap { if case .settled(let index, _) = $0 { index } else { nil } }
  }
}

@Suite struct WheelTests {
  @Test(arguments: [0.9, 3.4, -7.7, 21, -160])
  func `a fling lands on the detent nearest to its projection`(velocity: Double) {
    var bench = Bench(count: 1000, index: 500)
    bench.throwing(velocity * 0.1, in: 0.1, at: 0)
    let projected = 500 + velocity * 0.1 + velocity / 2.0020
    bench.advance(to: 60)
    #expect(bench.settled == [Int(projected.rounded())])
    #expect(bench.wheel.position(at: bench.now) == projected.rounded())
  }

  @Test(arguments: [2.0, 9, 40], [Wheel.Inertia.normal, .fast])
  func `the last half of a detent takes a third of a second, smoothly`(
    velocity: Double, inertia: Wheel.Inertia
  ) {
    var bench = Bench(count: 1000, index: 500, inertia: inertia)
    bench.throwing(velocity * 0.1, in: 0.1, at: 0)
    bench.advance(to: 60)
    guard case .settled(let index, let end)? = bench.changes.last else {
      Issue.record("it has not settled")
      return
    }
    let passed = bench.changes.compactMap { change -> Instant? in
      if case .passing(index, let time) = change { time } else { nil }
    }
    #expect(passed.last.map { end - $0 < 0.4 } ?? true)
    var again = Bench(count: 1000, index: 500, inertia: inertia)
    again.throwing(velocity * 0.1, in: 0.1, at: 0)
    var speed = Double.infinity
    while again.now < end {
      let now = again.wheel.velocity(at: again.now)
      // The spring may accelerate a slow wheel to the speed at which it catches a fast one.
      #expect(now <= max(speed, 5.2) + 1e-6)
      speed = now
      again.advance(to: again.now.seconds + 0.01)
    }
  }

  @Test func `fast inertia has a fifth of the distance, and no inertia none`() {
    for (inertia, distance) in [(Wheel.Inertia.fast, 10.0 / 10.0503), (.none, 0)] {
      var bench = Bench(count: 1000, index: 500, inertia: inertia)
      bench.throwing(1.2, in: 0.12, at: 0)
      bench.advance(to: 60)
      #expect(bench.settled == [Int((501.2 + distance).rounded())])
    }
  }

  @Test func `each passed detent is reported once, in order, and the rest once`() {
    var bench = Bench(count: 12)
    bench.throwing(4, in: 0.1, at: 0)
    bench.advance(to: 60)
    let expected = (1...24).map { $0 % 12 }
    #expect(bench.passed == expected)
    #expect(bench.settled == [0])
    let times = bench.changes.map { change in
      switch change {
      case .passing(_, let time), .settled(_, let time): time
      }
    }
    #expect(times == times.sorted())
  }

  @Test(arguments: [4.0, -2.6, 0.8])
  func `a detent is reported exactly when the wheel reaches it`(distance: Double) {
    var bench = Bench(count: 1000, index: 500)
    bench.throwing(distance, in: 0.1, at: 0)
    let thrown = bench.wheel
    let released = bench.now
    bench.advance(to: 60)
    let times = bench.changes.compactMap { change in
      if case .passing(_, let time) = change, time > released { time } else { nil }
    }
    let target = Int((500 + distance + distance / 0.1 / 2.0020).rounded())
    let first = Int((500 + distance).rounded())
    #expect(times.count == abs(target - first))
    for (place, time) in times.enumerated() {
      let edge = Double(first) + (Double(place) + 0.5) * (distance > 0 ? 1 : -1)
      #expect(abs(thrown.position(at: time) - edge) < 1e-4)
    }
  }

  @Test func `sending a row passes the rows in between in order`() {
    var bench = Bench(count: 40)
    bench.wheel.grab(at: .zero)
    bench.wheel.send(by: -3, duration: 0.3, at: .zero, changes: &bench.changes)
    bench.advance(to: 1)
    #expect(bench.passed == [39, 38, 37] && bench.settled == [37])
    let times = bench.changes.compactMap { change in
      if case .passing(_, let time) = change { time.seconds } else { nil }
    }
    // After half the time it is halfway: in the middle of the second row.
    #expect(times[0] > 0.05 && abs(times[1] - 0.15) < 1e-5 && times[2] < 0.25)
  }

  @Test func `a caught wheel stops and rests at the nearest detent`() {
    var bench = Bench()
    bench.throwing(3, in: 0.1, at: 0)
    bench.advance(to: 0.4)
    let before = bench.wheel.position(at: bench.now)
    #expect(bench.wheel.velocity(at: bench.now) > 5)
    bench.wheel.grab(at: bench.now)
    #expect(abs(bench.wheel.position(at: bench.now) - before) < 1e-12)
    bench.advance(to: 0.9)
    #expect(abs(bench.wheel.position(at: bench.now) - before) < 1e-12)
    #expect(bench.settled.isEmpty)
    bench.wheel.release(at: bench.now, changes: &bench.changes)
    #expect(abs(bench.wheel.position(at: bench.now) - before) < 1e-9)
    bench.advance(to: 5)
    #expect(bench.settled == [Int(before.rounded()) % 12])
  }

  @Test func `a wheel released between two detents springs to the nearer one`() {
    for (distance, index) in [(0.4, 0), (0.6, 1), (-0.4, 0), (-0.6, 11)] {
      var bench = Bench()
      bench.throwing(distance, in: 0.5, at: 0)
      bench.advance(to: 0.6)
      bench.wheel.grab(at: bench.now)
      bench.wheel.release(at: bench.now, changes: &bench.changes)
      bench.advance(to: 1.2)
      #expect(bench.settled == [index])
    }
  }

  @Test func `a slow push over an edge doesn't creep for seconds`() {
    var bench = Bench()
    bench.throwing(0.49, in: 3, at: 0, steps: 100)
    bench.advance(to: 3.6)
    #expect(bench.settled.count == 1)
  }

  @Test func `beyond a stop a wheel gives less and less, reports nothing, and springs back`() {
    var bench = Bench(count: 5, wraps: false, index: 4)
    bench.wheel.grab(at: .zero)
    bench.wheel.drag(by: 100, at: .zero, changes: &bench.changes)
    let far = bench.wheel.position(at: .zero)
    #expect(far > 4.4 && far < 4.5)
    // The finger must first push back the excess distance.
    bench.wheel.drag(by: -50, at: .zero, changes: &bench.changes)
    #expect(bench.wheel.position(at: .zero) > 4.4)
    bench.wheel.release(at: .zero, changes: &bench.changes)
    bench.advance(to: 2)
    #expect(bench.passed == [] && bench.settled == [4])
  }

  @Test func `a fling against a stop bounces a little and settles there`() {
    var bench = Bench(count: 12, wraps: false, index: 3)
    bench.throwing(2, in: 0.05, at: 0)
    var furthest = 0.0
    for step in 1...400 {
      bench.advance(to: 0.05 + Double(step) * 0.005)
      furthest = max(furthest, bench.wheel.position(at: bench.now))
    }
    #expect(furthest > 11.1 && furthest < 11.5)
    #expect(bench.passed == Array(4...11))
    #expect(bench.settled == [11])
  }

  @Test func `a commanded turn reports only its end, after its duration`() {
    var bench = Bench(count: 60)
    bench.wheel.turn(to: 45, duration: 0.3, at: .zero, changes: &bench.changes)
    bench.advance(to: 0.15)
    // The shorter way: 15 back, not 45 forward.
    #expect(abs(bench.wheel.position(at: bench.now) + 7.5) < 1e-9)
    #expect(bench.wheel.index == 53 || bench.wheel.index == 52)
    bench.advance(to: 5)
    #expect(bench.changes == [.settled(index: 45, at: Instant(seconds: 0.3))])
  }

  @Test func `a new turn starts with the current position and velocity`() {
    var bench = Bench(count: 60)
    bench.wheel.turn(to: 20, duration: 0.3, at: .zero, changes: &bench.changes)
    bench.advance(to: 0.1)
    let position = bench.wheel.position(at: bench.now)
    let velocity = bench.wheel.velocity(at: bench.now)
    bench.wheel.turn(to: 2, duration: 0.3, at: bench.now, changes: &bench.changes)
    #expect(bench.wheel.position(at: bench.now) == position)
    #expect(abs(bench.wheel.velocity(at: bench.now) - velocity) < 1e-9)
    bench.advance(to: 1)
    #expect(bench.changes == [.settled(index: 2, at: Instant(seconds: 0.4))])
  }

  @Test func `a turn to the current row does nothing`() {
    var bench = Bench(index: 3)
    bench.wheel.turn(to: 3, duration: 0.3, at: .zero, changes: &bench.changes)
    bench.advance(to: 1)
    #expect(bench.changes == [] && !bench.wheel.isMoving)
  }

  @Test func `finishing reports all passed detents and rests at the final one`() {
    var bench = Bench(count: 40)
    bench.throwing(2, in: 0.1, at: 0)
    var other = bench
    other.advance(to: 60)
    bench.advance(to: 0.3)
    bench.wheel.finish(at: bench.now, changes: &bench.changes)
    #expect(bench.passed == other.passed && bench.settled == other.settled)
    #expect(!bench.wheel.isMoving && bench.wheel.nextChange == nil)
  }

  @Test func `the next change happens at its predicted time`() throws {
    var bench = Bench(count: 12)
    bench.throwing(4, in: 0.1, at: 0)
    var whole = bench
    whole.advance(to: 60)
    var last = bench.now
    while let next = bench.wheel.nextChange {
      #expect(next > last)
      let reported = bench.changes.count
      bench.wheel.advance(to: next + -1e-6, changes: &bench.changes)
      #expect(bench.changes.count == reported)
      bench.wheel.advance(to: next, changes: &bench.changes)
      #expect(bench.changes.count == reported + 1)
      last = next
    }
    #expect(bench.changes == whole.changes)
  }
}

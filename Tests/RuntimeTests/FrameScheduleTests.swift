// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelGeometry
import Kiosk
import RoundelMotion
import RoundelPresentation
import RoundelRuntime
import TestSupport
import Testing

/// A finger on a dial on a 60 Hz panel, and a loop with realistic wake-ups.
private final class DialFixture {
  let panel = VblankPanel()
  let cycle: FrameCycle
  var random: SeededGenerator
  /// The delay of wake-ups, in seconds.
  var lateness = 0.0...0.0
  private(set) var wakeUps = 0
  /// The report times of the touches.
  private(set) var touches: [Timestamp] = []
  private var handled = 0
  private var turned = 0.0
  /// Degrees between touches.
  var step = 3.0
  /// The touches that lift the finger.
  private var lifts: Set<Int> = []
  /// The number of touches that each frame shows.
  private(set) var shown: [Int] = []

  init(cost: ClosedRange<Double>, seed: UInt64 = 1) {
    random = SeededGenerator(seed: seed)
    cycle = FrameCycle(dialKiosk(), on: panel, seed: 0) { [panel] in panel.now }
    setCost(cost)
    run(until: 0.5)
  }

  func setCost(_ cost: ClosedRange<Double>) {
    panel.cost = { [unowned self] in
      shown.append(handled)
      return Double.random(in: cost, using: &random)
    }
  }

  /// Moves the finger at a time.
  func touch(at seconds: Double) { touches.append(Timestamp(seconds: seconds)) }

  func lift(at seconds: Double) {
    lifts.insert(touches.count)
    touch(at: seconds)
  }

  /// Moves the finger at the rate of good touch panels, unsynchronised with the blanks.
  func drag(from start: Double, to end: Double) {
    var time = start
    while time < end {
      touch(at: time)
      time += 0.0079 + Double.random(in: -0.001...0.001, using: &random)
    }
  }

  /// Runs the loop until a time.
  func run(until seconds: Double) {
    let end = Timestamp(seconds: seconds)
    while true {
      let deadline = cycle.turn()
      let quiet = cycle.nextFrame.flatMap { $0 > panel.now ? $0 : nil }
      let touch = handled < touches.count ? touches[handled] : nil
      let wake = [deadline, quiet ?? touch, quiet ?? panel.flip].compactMap { $0 }.min()
      guard let wake, wake <= end else { break }
      wakeUps += 1
      panel.pass(to: max(wake, panel.now) + Double.random(in: lateness, using: &random))
      while handled < touches.count, touches[handled] <= panel.now { handle() }
    }
    panel.pass(to: end)
  }

  private func handle() {
    let phase: Touch.Phase = handled == 0 ? .down : lifts.contains(handled) ? .up : .move
    turned += step
    let place = Point(100, 100) + Angle.degrees(turned).unit * 60
    let time = touches[handled]
    handled += 1
    cycle.handle(Touch(finger: 0, phase: phase, position: place), at: time)
  }

  /// The times from each moving touch to its flip, in frames, in ascending order.
  var latencies: [Double] {
    latencies(after: 0)
  }

  /// The latencies of touches after a time.
  func latencies(after seconds: Double) -> [Double] {
    var frame = 0
    var result: [Double] = []
    for touch in touches.indices.dropFirst() {
      while frame < panel.flips.count, shown[frame] <= touch { frame += 1 }
      guard frame < panel.flips.count else { break }
      guard touches[touch].seconds > seconds else { continue }
      result.append((panel.flips[frame] - touches[touch]) / panel.refreshInterval)
    }
    return result.sorted()
  }

  /// The numbers of blanks between the flips during motion.
  func steps(after seconds: Double) -> [Int] {
    let flips = panel.flips.filter { $0.seconds > seconds }
    return zip(flips, flips.dropFirst()).map {
      Int((($1 - $0) / panel.refreshInterval).rounded())
    }
  }
}

extension [Double] {
  /// The quantile of a sorted list.
  fileprivate func quantile(_ share: Double) -> Double {
    self[Int((share * Double(count)).rounded(.up)) - 1]
  }
}

@Suite struct FrameScheduleTests {
  @Test func `a dragged dial follows the finger within 0.7 frames and misses no frame`() {
    let fixture = DialFixture(cost: 0.0008...0.002)
    fixture.lateness = 0.00002...0.0002
    fixture.drag(from: 1, to: 13)
    fixture.run(until: 14)
    let all = fixture.latencies
    print(
      "touch to flip in frames: median \(all.quantile(0.5)), 95 % \(all.quantile(0.95)),",
      "99 % \(all.quantile(0.99)), worst \(all.quantile(1)) of \(all.count) touches")
    #expect(all.count == fixture.touches.count - 1)
    #expect(all.quantile(0.5) <= 0.7)
    #expect(all.quantile(0.99) <= 1.3)
    #expect(fixture.cycle.frames.late == 0)
    #expect(fixture.steps(after: 1.1).allSatisfy { $0 == 1 })
    #expect(fixture.steps(after: 1.1).count > 700)
    // One wake-up per frame, and a few when the finger comes down and lifts.
    #expect(fixture.wakeUps <= fixture.panel.flips.count + 6)
    // The kiosk measures the same latency.
    let own = fixture.cycle.latency[.total]
    // The first touch counts, too, because the held face looks different.
    #expect(own.count == all.count + 1)
    for share in [0.5, 0.95, 0.99] {
      let seconds = all.quantile(share) * fixture.panel.refreshInterval
      #expect(abs((own.quantile(share) ?? 0) - seconds) < seconds * 0.04)
    }
  }

  /// Render times in seconds, and the latency that they add to the average wait of half a frame.
  @Test(arguments: [0.0002...0.001, 0.003...0.004, 0.006...0.009, 0.01...0.0135])
  func `only the render time adds to the wait for the next frame`(cost: ClosedRange<Double>) {
    let fixture = DialFixture(cost: cost)
    fixture.drag(from: 1, to: 6)
    fixture.run(until: 2)
    // One late frame is needed to learn the render time.
    let late = fixture.cycle.frames.late
    #expect(late <= 1)
    fixture.run(until: 7)
    let budget = cost.upperBound * 1.125 / fixture.panel.refreshInterval + 1.0 / 32
    let all = fixture.latencies(after: 2)
    #expect(all.quantile(0.5) <= 0.5 + budget + 0.03)
    #expect(all.quantile(1) <= 1 + budget + 0.03)
    #expect(fixture.cycle.frames.late == late)
    #expect(fixture.steps(after: 2.1).allSatisfy { $0 == 1 })
  }

  @Test func `frames longer than an interval start right after the previous one`() {
    let fixture = DialFixture(cost: 0.018...0.02)
    fixture.lateness = 0.003...0.004
    fixture.drag(from: 1, to: 3)
    fixture.run(until: 4)
    #expect(fixture.steps(after: 1.1).dropLast().allSatisfy { $0 == 2 })
  }

  @Test func `an occasional frame longer than an interval delays no other`() {
    let fixture = DialFixture(cost: 0.001...0.002)
    let cheap = fixture.panel.cost
    var count = 0
    fixture.panel.cost = {
      count += 1
      return cheap() + (count % 30 == 0 ? 0.02 : 0)
    }
    fixture.drag(from: 1, to: 6)
    fixture.run(until: 7)
    #expect(fixture.latencies.quantile(0.5) <= 0.75)
    #expect(fixture.steps(after: 1.1).count { $0 > 1 } <= 10)
  }

  @Test func `a stall delays no later frame`() {
    let fixture = DialFixture(cost: 0.001...0.002)
    let cheap = fixture.panel.cost
    var count = 0
    var stalls = 0
    // Slow frames leave no spare time as long as they are remembered.
    fixture.panel.cost = {
      count += 1
      guard count % 50 == 0 else { return cheap() + (count % 80 == 0 ? 0.0135 : 0) }
      stalls += 1
      return cheap() + 0.1
    }
    fixture.drag(from: 1, to: 9)
    fixture.run(until: 10)
    #expect(stalls > 5)
    #expect(fixture.steps(after: 1.1).count { $0 > 2 } == stalls)
    // A stall takes 6 intervals.
    #expect(fixture.latencies.quantile(1) <= 8)
  }

  @Test func `a touch in time for a blank is shown at it`() throws {
    let fixture = DialFixture(cost: 0.001...0.001)
    let frame = fixture.panel.refreshInterval
    fixture.drag(from: 1, to: 3)
    fixture.run(until: 3)
    // Frames now start a millisecond and a thirty-second of a frame before a blank.
    for early in [0.0016, 0.002, 0.01] {
      let blank = fixture.panel.vblank(after: fixture.panel.now + 2 * frame)
      fixture.touch(at: (blank + -3 * frame).seconds + 0.001)
      fixture.touch(at: (blank + -2 * frame).seconds + 0.001)
      fixture.touch(at: (blank + -early).seconds)
      fixture.run(until: blank.seconds + 0.0001)
      #expect(fixture.panel.flips.last == blank)
      #expect(fixture.shown.last == fixture.touches.count)
    }
  }

  @Test func `after a pause a touch is drawn immediately`() {
    let fixture = DialFixture(cost: 0.003...0.003)
    fixture.touch(at: 0.7)
    fixture.touch(at: 9.9995)
    fixture.run(until: 9.9999)
    // The blank times are unknown by now, so the frame misses the blank half a millisecond later.
    #expect(fixture.panel.flip == fixture.panel.vblank(after: Timestamp(seconds: 10.001)))
    fixture.run(until: 10.1)
    let blank = fixture.panel.vblank(after: fixture.panel.now)
    // The next blank is known, and the frame can catch it.
    fixture.touch(at: blank.seconds - 0.012)
    fixture.run(until: blank.seconds - 0.0119)
    #expect(fixture.panel.flip == blank)
    fixture.run(until: 10.2)
    // The frame is too late for the blank, so it waits for newer touches.
    let next = fixture.panel.vblank(after: fixture.panel.now)
    fixture.touch(at: next.seconds - 0.001)
    fixture.touch(at: next.seconds + 0.01)
    fixture.run(until: next.seconds + fixture.panel.refreshInterval)
    #expect(fixture.panel.flips.last == fixture.panel.vblank(after: next + 0.001))
    #expect(fixture.shown.last == fixture.touches.count)
    #expect(fixture.cycle.frames.late == 0)
  }

  @Test func `a display that needs frames early gets them early after a few misses`() {
    let fixture = DialFixture(cost: 0.001...0.002)
    fixture.panel.latch = 0.003
    fixture.drag(from: 1, to: 11)
    fixture.run(until: 2)
    let early = fixture.cycle.frames.late
    #expect((1...4).contains(early))
    fixture.run(until: 12)
    // One attempt with less time is allowed.
    #expect(fixture.cycle.frames.late <= early + 1)
  }

  @Test func `a frame that takes too long is one miss, and later frames get more time`() {
    let fixture = DialFixture(cost: 0.001...0.002)
    fixture.drag(from: 1, to: 6)
    fixture.run(until: 2)
    fixture.setCost(0.009...0.01)
    fixture.run(until: 3)
    #expect(fixture.cycle.frames.late == 1)
    fixture.setCost(0.001...0.002)
    fixture.run(until: 4.5)
    fixture.run(until: 7)
    #expect(fixture.cycle.frames.late == 1)
    // A second later they start as late as before.
    #expect(fixture.latencies(after: 3.2).quantile(1) > 1.5)
    #expect(fixture.latencies(after: 4.2).quantile(1) < 1.2)
  }

  @Test func `a flung dial causes one wake-up per frame, however many detents it passes`() {
    let fixture = DialFixture(cost: 0.001...0.002)
    fixture.step = 15
    var passed = 0
    fixture.cycle.onEvent = { if $0.name == "passing" { passed += 1 } }
    fixture.drag(from: 1, to: 1.2)
    fixture.lift(at: 1.205)
    fixture.run(until: 1.25)
    let (wakeUps, frames) = (fixture.wakeUps, fixture.panel.flips.count)
    passed = 0
    fixture.run(until: 1.75)
    #expect(fixture.panel.flips.count - frames == 30)
    #expect(passed > 35)
    #expect(fixture.wakeUps - wakeUps <= 31)
  }

  @Test func `a resting finger causes no wake-ups`() {
    let fixture = DialFixture(cost: 0.001...0.002)
    fixture.drag(from: 1, to: 2)
    fixture.run(until: 2.1)
    let before = fixture.wakeUps
    #expect(fixture.cycle.turn() == nil && fixture.cycle.nextFrame == nil)
    fixture.run(until: 100)
    #expect(fixture.wakeUps == before)
  }
}

// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import Kiosk
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import RoundelRuntime
import RoundelSession
import Synchronization
import Testing
import RoundelText

/// A dial that records its rotation in each frame.
private struct WatchedDial: Control {
  final class Notes: Sendable {
    let turns = Mutex<[Double]>([])
    var last: Double { turns.withLock { $0.last ?? 0 } }
  }

  var dial: Dial
  let notes: Notes

  func contains(_ point: Point, at now: Instant) -> Bool { dial.contains(point, at: now) }
  mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    dial.handle(touch, at: now, events: &events)
  }
  mutating func follow(_ position: (Int) -> Point?, at now: Instant) {
    dial.follow(position, at: now)
  }
  mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    dial.advance(to: now, events: &events)
  }
  func nextChange(after now: Instant) -> Instant? { dial.nextChange(after: now) }
  func isMoving(at now: Instant) -> Bool { dial.isMoving(at: now) }
  func draw(into list: inout DisplayList, in context: DrawingContext) {
    notes.turns.withLock { $0.append(dial.turn(at: context.now).degrees) }
    dial.draw(into: &list, in: context)
  }
}

/// A finger that turns a dial on a 60 Hz panel, and a loop with realistic wake-ups.
private final class DialFixture {
  let panel = VblankPanel()
  let notes = WatchedDial.Notes()
  let cycle: FrameCycle
  private(set) var events: [Event] = []
  private(set) var steps: [Recording.Step] = []
  private(set) var wakeUps = 0
  /// The dial's rotation in each displayed frame.
  private(set) var turns: [Double] = []
  /// Whether the current picture was on the display, after each turn of the loop.
  private(set) var wasShown: [Bool] = []
  /// Whether the touches come from a client.
  var isClient = false

  init(resamples: Bool, control: (any Control)? = nil) {
    let dial = Dial(
      center: Point(100, 100), radius: 95, labels: Dial.numbers(24), labelOffset: 12, fontSize: 8)
    let control = control ?? WatchedDial(dial: dial, notes: notes)
    cycle = FrameCycle(
      Content(
        Description(
          name: "k", screen: Screen(size: Size(200, 200)),
          pages: [Page(name: "p", controls: [PlacedControl(id: "dial", control: control)])]),
        fonts: FontLibrary()),
      on: panel, seed: 0
    ) { [panel] in panel.now }
    if resamples { cycle.resampler = TouchResampler() }
    panel.cost = { [unowned self] in
      turns.append(notes.last)
      return 0.002
    }
    cycle.onEvent = { [unowned self] in events.append($0) }
    cycle.onTouch = { [unowned self] touch, time in
      steps.append(.init(Instant(microseconds: time.microseconds), .touch(touch)))
    }
    run(until: 0.5)
  }

  /// Turns the dial by `speed` degrees per second with `rate` samples per second, and lifts the
  /// finger with the last sample if `lifts` is true.
  func drag(
    from start: Double, to end: Double, rate: Double, speed: Double = 180, lifts: Bool = false
  ) {
    var sample = 0
    while start + Double(sample) / rate < end {
      let time = start + Double(sample) / rate
      run(until: time)
      handle(sample == 0 ? .down : .move, (time - start) * speed, at: time)
      sample += 1
    }
    guard lifts else { return }
    let time = start + Double(sample) / rate
    run(until: time)
    handle(.up, (time - start) * speed, at: time)
  }

  func handle(_ phase: Touch.Phase, _ degrees: Double, at time: Double) {
    let place = Point(100, 100) + Angle.degrees(degrees).unit * 60
    if isClient {
      cycle.handle(Touch(finger: 0, phase: phase, position: place), at: Timestamp(seconds: time))
      return
    }
    // The canvas has 80 pixels for 200 design pixels.
    cycle.handle(
      finger: 0, phase, at: Point(place.x * 0.4, place.y * 0.4), time: Timestamp(seconds: time))
  }

  /// Runs the loop until a time.
  func run(until seconds: Double) {
    let end = Timestamp(seconds: seconds)
    while true {
      let deadline = cycle.turn()
      wasShown.append(cycle.isShown)
      let quiet = cycle.nextFrame.flatMap { $0 > panel.now ? $0 : nil }
      let wake = [deadline, quiet ?? panel.flip].compactMap { $0 }.min()
      guard let wake, wake < end else { break }
      wakeUps += 1
      panel.pass(to: wake)
    }
    panel.pass(to: end)
  }

  /// The pixels of the current picture.
  var pixels: [UInt32] { cycle.picture.canvas().bitmap().pixels }

  var dial: Dial? { (cycle.engine.placedControl("dial")?.control as? WatchedDial)?.dial }
}

/// The differences between consecutive values.
private func differences(_ values: some Sequence<Double>) -> [Double] {
  let values = Array(values)
  return zip(values, values.dropFirst()).map { $1 - $0 }
}

@Suite struct ResamplingTests {
  @Test(arguments: [60.7, 90, 121, 239])
  func `a dragged dial turns evenly, however samples and frames beat`(rate: Double) {
    // 3 degrees per frame; the first frames still lack a prediction.
    func unevenness(_ resamples: Bool) -> Double {
      let fixture = DialFixture(resamples: resamples)
      fixture.drag(from: 1, to: 2, rate: rate)
      let steps = differences(fixture.turns.suffix(50))
      return (steps.max() ?? 9) - (steps.min() ?? 0)
    }
    #expect(unevenness(true) < 0.02)
    #expect(unevenness(false) > 0.7)
  }

  @Test(arguments: [60.7, 90, 121, 239])
  func `a stopped finger is soon drawn at its position, without further wake-ups`(rate: Double) {
    let (fixture, plain) = (DialFixture(resamples: true), DialFixture(resamples: false))
    for fixture in [fixture, plain] {
      fixture.drag(from: 1, to: 1.5, rate: rate)
      // One and a half samples later, in the next frame.
      fixture.run(until: 1.5 + 1.5 / rate + 2.0 / 60)
    }
    let (wakeUps, frames) = (fixture.wakeUps, fixture.turns.count)
    #expect(fixture.turns.last == fixture.dial?.turn(at: .zero).degrees)
    #expect(fixture.turns.last == plain.turns.last)
    #expect(frames - plain.turns.count <= 2)
    #expect(fixture.cycle.isStill && fixture.cycle.turn() == nil && fixture.cycle.nextFrame == nil)
    #expect(fixture.pixels == plain.pixels)
    fixture.run(until: 100)
    #expect(fixture.wakeUps == wakeUps && fixture.turns.count == frames)
  }

  @Test func `a predicted picture isn't still`() {
    let fixture = DialFixture(resamples: true)
    fixture.drag(from: 1, to: 1.5, rate: 90)
    #expect(fixture.turns.last != fixture.dial?.turn(at: .zero).degrees)
    #expect(!fixture.cycle.isStill)
  }

  @Test func `a moving finger doesn't delay requested pictures`() {
    let (fixture, plain) = (DialFixture(resamples: true), DialFixture(resamples: false))
    for fixture in [fixture, plain] { fixture.drag(from: 1, to: 1.5, rate: 90) }
    #expect(fixture.wasShown == plain.wasShown)
  }

  @Test(arguments: [60.7, 90, 121, 239])
  func `events and recordings contain the samples, and a replay gives the same`(
    rate: Double
  ) throws {
    let (fixture, plain) = (DialFixture(resamples: true), DialFixture(resamples: false))
    for fixture in [fixture, plain] {
      fixture.drag(from: 1, to: 1.7, rate: rate, speed: 400, lifts: true)
      fixture.drag(from: 1.9, to: 2.5, rate: rate, speed: -90)
      fixture.handle(.cancel, 0, at: 2.6)
      fixture.run(until: 5)
    }
    #expect(fixture.turns != plain.turns)
    #expect(fixture.events == plain.events && fixture.events.count > 20)
    #expect(fixture.steps == plain.steps)
    let stage = Stage(fixture.cycle.content, seed: 0)
    var lines: [SessionLine] = []
    try Replay(
      Recording(steps: fixture.steps + [.init(Instant(seconds: 5), .end)]), on: stage
    ).run { if case .line(let line) = $0 { lines.append(line) } }
    #expect(lines.map(\.text) == fixture.events.map { SessionLine($0).text })
  }

  @Test(arguments: [60.7, 73, 90, 121, 160, 239])
  func `a flung dial doesn't jump back`(rate: Double) {
    for phase in 0..<3 {
      let fixture = DialFixture(resamples: true)
      let start = 1 + Double(phase) / 180
      fixture.drag(from: start, to: start + 0.3, rate: rate, speed: 500, lifts: true)
      fixture.run(until: 2)
      let steps = differences(fixture.turns.dropFirst(3))
      #expect(steps.allSatisfy { $0 > -1e-6 })
      // 8.3 degrees per frame; without resampling, up to twice that after a missing sample.
      #expect((steps.max() ?? 99) < 17)
    }
  }

  @Test func `touches of clients are drawn at their exact positions`() {
    let (fixture, plain) = (DialFixture(resamples: true), DialFixture(resamples: false))
    for fixture in [fixture, plain] {
      fixture.isClient = true
      fixture.drag(from: 1, to: 1.5, rate: 90)
    }
    #expect(fixture.turns == plain.turns)
  }

  @Test func `a control that doesn't follow fingers gets no extra frames`() {
    let wheel = Pinwheel(
      center: Point(100, 100), radius: 95, wedges: [.init(id: "a"), .init(id: "b")])
    let (fixture, plain) = (
      DialFixture(resamples: true, control: wheel), DialFixture(resamples: false, control: wheel)
    )
    for fixture in [fixture, plain] {
      fixture.drag(from: 1, to: 2, rate: 90, speed: 40)
      fixture.run(until: 3)
    }
    #expect(fixture.turns.count == plain.turns.count && fixture.wakeUps == plain.wakeUps)
    #expect(fixture.events == plain.events)
  }

  @Test func `leaving a page, sleep and a restart end resampling`() throws {
    for command in [Command.blank(true), .reset(nil)] {
      let fixture = DialFixture(resamples: true)
      fixture.drag(from: 1, to: 1.5, rate: 90)
      try fixture.cycle.apply(command)
      fixture.run(until: 1.6)
      #expect(fixture.cycle.isStill && fixture.cycle.turn() == nil)
    }
    let fixture = DialFixture(resamples: true)
    fixture.drag(from: 1, to: 1.5, rate: 90)
    fixture.cycle.restart()
    fixture.run(until: 1.6)
    #expect(fixture.turns.last == 0)
    #expect(fixture.cycle.isStill && fixture.cycle.turn() == nil)
    fixture.drag(from: 1.6, to: 2, rate: 90)
    #expect(fixture.turns.last ?? 0 > 10)
  }
}

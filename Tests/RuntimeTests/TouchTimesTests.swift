// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import Kiosk
import RoundelMotion
import RoundelPresentation
import RoundelRuntime
import Testing
import RoundelText

/// A control that shows the position of a moved finger, but not of its first touch.
private struct Thread: Control {
  private var start: Point?
  private var end: Point?

  func contains(_ point: Point, at now: Instant) -> Bool {
    point.distance(to: Point(100, 100)) < 100
  }

  mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    if touch.phase == .down { start = touch.position }
    if touch.phase == .move, touch.position != start { end = touch.position }
  }

  func draw(into list: inout DisplayList, in context: DrawingContext) {
    if let end { list.add(.disc(center: end, radius: 5), .white) }
  }
}

private func threadKiosk() -> Content {
  let page = Page(name: "main", controls: [PlacedControl(id: "thread", control: Thread())])
  return Content(
    Description(
      name: "thread", screen: Screen(size: Size(200, 200)), pages: [page]),
    fonts: FontLibrary())
}

@Suite struct TouchTimesTests {
  private let panel = VblankPanel(refreshInterval: 0.02)

  /// Starts at 0.001 s and shows the first picture at 0.02 s.
  private func makeCycle(_ content: Content = threadKiosk()) -> FrameCycle {
    panel.now = Timestamp(seconds: 0.001)
    let cycle = FrameCycle(content, on: panel, seed: 0) { [panel] in panel.now }
    _ = cycle.turn()
    panel.pass(to: Timestamp(seconds: 0.02))
    return cycle
  }

  /// A finger at an angle in degrees on the dial, with its times in seconds.
  private func touch(
    _ cycle: FrameCycle, _ phase: Touch.Phase, _ degrees: Double, reported: Double, read: Double,
    arrival: Double? = nil
  ) {
    panel.pass(to: Timestamp(seconds: read))
    cycle.handle(
      Touch(finger: 0, phase: phase, position: Point(100, 100) + Angle.degrees(degrees).unit * 60),
      at: Timestamp(seconds: reported), arrival: arrival.map { Timestamp(seconds: $0) })
  }

  private func expect(
    _ cycle: FrameCycle, _ stage: Latency.Stage, count: Int, worst: Double,
    _ place: SourceLocation = #_sourceLocation
  ) {
    #expect(cycle.latency[stage].count == count, sourceLocation: place)
    #expect(abs(cycle.latency[stage].worst - worst) < 2e-6, sourceLocation: place)
  }

  @Test func `each stage of a touch and the total are measured`() {
    let cycle = makeCycle()
    touch(cycle, .down, 0, reported: 1.001, read: 1.002)
    _ = cycle.turn()
    panel.pass(to: Timestamp(seconds: 1.02))
    expect(cycle, .total, count: 0, worst: 0)
    panel.cost = { [panel] in
      // The clock was read when the frame began.
      #expect(panel.now == Timestamp(seconds: 2.003))
      return 0.004
    }
    touch(cycle, .move, 20, reported: 2.0005, read: 2.002)
    panel.pass(to: Timestamp(seconds: 2.003))
    _ = cycle.turn()
    expect(cycle, .total, count: 0, worst: 0)
    panel.pass(to: Timestamp(seconds: 2.05))
    expect(cycle, .kernelToReader, count: 1, worst: 0.0015)
    expect(cycle, .readerToPaint, count: 1, worst: 0.001)
    expect(cycle, .paint, count: 1, worst: 0.004)
    expect(cycle, .commitToFlip, count: 1, worst: 0.013)
    expect(cycle, .total, count: 1, worst: 0.0195)
  }

  @Test func `a frame shown before its call returns counts as painted until then`() throws {
    let cycle = makeCycle()
    touch(cycle, .down, 0, reported: 1, read: 1)
    _ = cycle.turn()
    panel.losesFlips = true
    panel.cost = { 0.01 }
    touch(cycle, .move, 20, reported: 2.001, read: 2.002)
    _ = cycle.turn()
    panel.onFlip?(Timestamp(seconds: 2.005), try #require(panel.shownFrame))
    expect(cycle, .paint, count: 1, worst: 0.003)
    expect(cycle, .commitToFlip, count: 1, worst: 0)
    expect(cycle, .total, count: 1, worst: 0.004)
  }

  @Test func `each touch of a frame is measured separately`() {
    let cycle = makeCycle()
    touch(cycle, .down, 0, reported: 1.001, read: 1.001)
    touch(cycle, .move, 10, reported: 1.003, read: 1.003)
    touch(cycle, .move, 20, reported: 1.005, read: 1.005)
    _ = cycle.turn()
    panel.pass(to: Timestamp(seconds: 1.02))
    expect(cycle, .total, count: 3, worst: 0.019)
    #expect(abs((cycle.latency[.total].quantile(0.5) ?? 0) - 0.017) < 0.0006)
  }

  @Test func `touches without an effect don't count`() {
    let cycle = makeCycle()
    // A touch on the thread, whose press is invisible, and a touch outside it.
    touch(cycle, .down, 0, reported: 1.001, read: 1.001)
    cycle.handle(
      Touch(finger: 1, phase: .down, position: Point(1, 1)), at: Timestamp(seconds: 1.001))
    _ = cycle.turn()
    touch(cycle, .move, 0, reported: 1.3, read: 1.3)
    _ = cycle.turn()
    panel.pass(to: Timestamp(seconds: 1.5))
    expect(cycle, .total, count: 0, worst: 0)
    // An unhandled finger doesn't count with a frame that another finger changed.
    cycle.handle(
      Touch(finger: 1, phase: .move, position: Point(2, 2)), at: Timestamp(seconds: 2.001))
    touch(cycle, .move, 30, reported: 2.003, read: 2.003)
    _ = cycle.turn()
    panel.pass(to: Timestamp(seconds: 2.02))
    expect(cycle, .total, count: 1, worst: 0.017)
  }

  @Test func `a touch is shown with its own frame, even if the next has started`() throws {
    let cycle = makeCycle()
    touch(cycle, .down, 0, reported: 1, read: 1)
    _ = cycle.turn()
    // A compositor takes a frame before it has shown the last one.
    panel.losesFlips = true
    touch(cycle, .move, 20, reported: 1.001, read: 1.001)
    _ = cycle.turn()
    let first = try #require(panel.shownFrame)
    touch(cycle, .move, 30, reported: 1.101, read: 1.101)
    _ = cycle.turn()
    let second = try #require(panel.shownFrame)
    #expect(second > first)
    panel.onFlip?(Timestamp(seconds: 1.111), first)
    expect(cycle, .total, count: 1, worst: 0.11)
    panel.onFlip?(Timestamp(seconds: 1.301), second)
    expect(cycle, .total, count: 2, worst: 0.2)
  }

  @Test func `a touch whose flip is lost is shown with the next`() {
    let cycle = makeCycle()
    touch(cycle, .down, 0, reported: 1, read: 1)
    _ = cycle.turn()
    panel.losesFlips = true
    touch(cycle, .move, 20, reported: 1.001, read: 1.001)
    _ = cycle.turn()
    panel.losesFlips = false
    touch(cycle, .move, 30, reported: 1.101, read: 1.101)
    _ = cycle.turn()
    panel.pass(to: Timestamp(seconds: 1.12))
    expect(cycle, .total, count: 2, worst: 0.119)
  }

  @Test func `touches without a working panel don't count`() {
    let cycle = makeCycle()
    touch(cycle, .down, 0, reported: 1, read: 1)
    _ = cycle.turn()
    panel.state = .waiting(DisplayError(.unavailable, "unplugged"))
    touch(cycle, .move, 20, reported: 1.001, read: 1.001)
    _ = cycle.turn()
    panel.state = .showing
    panel.pass(to: Timestamp(seconds: 5))
    _ = cycle.turn()
    panel.pass(to: Timestamp(seconds: 5.02))
    #expect(panel.flips.last == Timestamp(seconds: 5.02))
    expect(cycle, .total, count: 0, worst: 0)
  }

  @Test func `a client's touch counts from its arrival`() {
    let cycle = makeCycle()
    touch(cycle, .down, 0, reported: 1, read: 1)
    touch(cycle, .move, 20, reported: 1.0, read: 1.005, arrival: 1.004)
    _ = cycle.turn()
    panel.pass(to: Timestamp(seconds: 1.02))
    #expect(abs((cycle.latency[.total].quantile(0) ?? 0) - 0.016) < 0.0006)
  }

  @Test func `a flood of touches uses no memory`() {
    let cycle = makeCycle()
    touch(cycle, .down, 0, reported: 1, read: 1)
    for count in 1...10_000 {
      touch(cycle, .move, Double(count) / 100, reported: 1, read: 1)
    }
    _ = cycle.turn()
    panel.pass(to: Timestamp(seconds: 1.02))
    #expect(cycle.latency[.total].count == 256)
  }
}

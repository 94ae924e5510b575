// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import FrameLaw
import RoundelGeometry
import Kiosk
import KioskFile
import RoundelMotion
import RoundelRaster
import RoundelRuntime
import RoundelSession
import Testing
import RoundelText

/// A running kiosk must show the same frames as its replay, and have no other wake-ups.
@Suite struct FrameLawTests {
  private let size = PixelSize(80, 50)

  private func content(_ yaml: String) throws -> Content {
    let reading = ParsedKiosk(Array(yaml.utf8), path: "k.yaml", assets: NoAssets())
    return Content(
      try #require(reading.description, "\(reading.diagnostics)"), fonts: FontLibrary())
  }

  /// Runs a kiosk until `seconds` with timed inputs.
  private func run(
    _ content: Content, on timing: DisplayTiming, at size: PixelSize? = nil,
    until seconds: Double, _ inputs: [(Double, Recording.Action)]
  ) throws -> LiveRun {
    let live = LiveRun(content, on: timing, size: size ?? self.size)
    var steps = inputs.map { Recording.Step(Instant(seconds: $0), $1) }[...]
    live.run(until: Instant(seconds: seconds)) { _ in steps.popFirst() }
    let violation = try live.violation()
    #expect(violation == nil, "\(timing)")
    return live
  }

  private func pages(_ transition: String) throws -> Content {
    try content(
      """
      kiosk: k
      transition: \(transition)
      pages:
        - page: a
          background: "#204060"
          controls: [{dial: d, at: [400, 400], radius: 300, labels: 12}]
        - page: b
          background: "#604020"
          controls: [{pinwheel: w, at: [700, 400], radius: 300, wedges: [{id: x}, {id: y}, {id: z}]}]
      """)
  }

  @Test(arguments: ["slide", "{fade, seconds: 0.5}"], DisplayTiming.all)
  func `a page transition moves as in its replay`(
    _ transition: String, _ timing: DisplayTiming
  ) throws {
    let live = try run(
      pages(transition), on: timing, until: 2,
      [
        (0.5, .command(.go(page: "b"))), (0.75, .command(.go(page: "a"))),
        (1.3, .command(.go(page: "b"))),
      ]
    )
    #expect(live.counts.frames >= (timing.isBusy ? 10 : 18))
  }

  @Test(arguments: ["slide", "{fade, seconds: 0.3}"], DisplayTiming.Flips.allCases)
  func `at 60 Hz a page transition shows every frame on time with one wake-up each`(
    _ transition: String, _ flips: DisplayTiming.Flips
  ) throws {
    let live = try run(
      pages(transition), on: DisplayTiming(rate: 60, flips: flips, isBusy: false),
      at: PixelSize(1280, 800), until: 20, [(1, .command(.go(page: "b")))])
    // The frames of 0.3 s, and the very first frame.
    #expect(live.counts.frames >= 19 && live.counts.frames <= 21, "\(live.counts)")
    #expect(live.counts.late == 0)
    #expect(Double(live.counts.wakeUps) <= Double(live.counts.frames) * 1.2 + 4, "\(live.counts)")
  }

  @Test(arguments: Direction.allCases, DisplayTiming.all)
  func `a page moved by a finger looks as in its replay`(
    _ direction: Direction, _ timing: DisplayTiming
  ) throws {
    let kiosk = try content(
      """
      kiosk: k
      pages:
        - page: a
          background: "#204060"
          swipe: {left: b, up: b, right: b}
          controls: [{dial: d, at: [1100, 700], radius: 90, labels: 12}]
        - page: b
          background: "#604020"
          swipe: {right: back}
          controls: [{pinwheel: w, at: [700, 400], radius: 300, wedges: [{id: x}, {id: y}, {id: z}]}]
      """)
    // The first drag is lifted too early, the second one reaches a page.
    var inputs: [(Double, Recording.Action)] = []
    for (start, length, duration) in [(0.5, 100.0, 0.6), (1.5, 300, 0.2)] {
      func touch(_ phase: Touch.Phase, _ part: Double) {
        let distance = direction.sign * length * part
        let place =
          Point(640, 400)
          + (direction.axis == .horizontal ? Vector(distance, 0) : Vector(0, distance))
        inputs.append(
          (start + duration * part, .touch(Touch(finger: 0, phase: phase, position: place))))
      }
      touch(.down, 0)
      for step in 1...20 { touch(.move, Double(step) / 20) }
      touch(.up, 1)
    }
    let live = try run(kiosk, on: timing, until: 4, inputs)
    #expect(live.counts.frames >= (timing.isBusy ? 10 : 16), "\(live.counts)")
  }

  @Test(arguments: DisplayTiming.all)
  func `another theme appears in the next frame, and causes no further wake-ups`(
    _ timing: DisplayTiming
  ) throws {
    let kiosk = try content(
      """
      kiosk: k
      values: {night: false}
      theme: "{night ? 'dark' : 'light'}"
      pages:
        - page: a
          controls: [{dial: d, at: [640, 400], radius: 300, labels: 12}]
      """)
    let night = Recording.Action.command(.set(.value("night"), .flag(true)))
    let live = try run(kiosk, on: timing, until: 3600, [(0.5, night)])
    #expect(live.counts.frames == 2, "\(live.counts)")
    #expect(live.counts.wakeUps <= 8, "\(live.counts)")
  }

  @Test(arguments: Example.allCases)
  func `each example runs like the replay of its recording`(_ example: Example) throws {
    let place = try #require(Example.allCases.firstIndex(of: example))
    let timing = DisplayTiming.all[place * 5 % DisplayTiming.all.count]
    let content = Content(try example.description(), fonts: FontLibrary())
    var steps = try example.recording().steps.filter {
      switch $0.what {
      case .touch, .command: true
      case .shot, .get, .size, .clock, .end: false
      }
    }[...]
    // The first ten seconds; goldens cover the rest.
    let live = LiveRun(content, on: timing, size: size)
    live.run(until: Instant(seconds: 10)) { _ in steps.popFirst() }
    let violation = try live.violation()
    #expect(violation == nil, "\(timing)")
    #expect(live.counts.frames > 2)
  }
}

// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelGeometry
import Kiosk
import RoundelMotion
import Testing

@testable import RoundelStudio

@Suite struct TestRecorderTests {
  private let kiosk = Engine(
    Description(name: "empty", pages: [Page(name: "only", controls: [])]), seed: 0)

  /// The recorded steps for touches at times and positions.
  private func steps(_ touches: [(Double, Int, Touch.Phase, Double, Double)]) -> [String] {
    var recorder = TestRecorder(at: .zero)
    return touches.flatMap { time, finger, phase, x, y in
      recorder.take(
        Touch(finger: finger, phase: phase, position: Point(x, y)), at: Instant(seconds: time),
        on: kiosk)
    }
  }

  @Test func `a tap has its position, its pause and its hold time`() {
    #expect(
      steps([
        (1, 0, .down, 10, 20), (1.1, 0, .move, 12, 20), (1.2, 0, .up, 12, 20),
        (1.3, 0, .down, 30, 40), (2.5, 0, .up, 30, 40),
      ]) == ["wait: 1", "tap: [10, 20]", "wait: 0.22", "tap: {at: [30, 40], for: 1.2}"])
  }

  @Test func `a straight stroke is a fling unless the finger rests before it lifts`() {
    let path: [(Double, Int, Touch.Phase, Double, Double)] = [
      (0, 0, .down, 0, 0), (0.1, 0, .move, 50, 1), (0.2, 0, .move, 100, 0),
    ]
    #expect(
      steps(path + [(0.22, 0, .up, 100, 0)]) == ["fling: {from: [0, 0], to: [100, 0], during: 0.2}"]
    )
    #expect(
      steps(path + [(0.5, 0, .up, 100, 0)])
        == ["drag: {from: [0, 0], to: [100, 0], during: 0.2, hold: 0.3}"])
  }

  @Test func `a stroke with a corner is recorded from corner to corner`() {
    #expect(
      steps([
        (0, 0, .down, 0, 0), (0.1, 0, .move, 50, 0), (0.2, 0, .move, 100, 0),
        (0.4, 0, .move, 100, 80), (0.5, 0, .up, 100, 80),
      ]) == [
        "press: [0, 0]", "move: {to: [100, 0], during: 0.2}", "move: {to: [100, 80], during: 0.2}",
        "wait: 0.1", "release:",
      ])
  }

  @Test func `simultaneous fingers are one step`() {
    #expect(
      steps([
        (0, 0, .down, 0, 0), (0.5, 1, .down, 100, 0), (0.7, 1, .move, 100, 50),
        (0.7, 1, .up, 100, 50), (1, 0, .up, 0, 0),
      ]) == [
        "touch: [{from: [0, 0], after: 0, hold: 1}, "
          + "{from: [100, 0], after: 0.5, to: [100, 50], during: 0.2, hold: 0}]"
      ])
  }

  @Test func `a finger that never came down is ignored`() {
    #expect(steps([(0, 3, .move, 0, 0), (1, 3, .up, 0, 0)]) == [])
  }
}

// SPDX-License-Identifier: MIT

import RoundelMotion
import Testing

@Suite struct ShakeDetectorTests {
  private typealias Sample = (seconds: Double, x: Double, y: Double, z: Double)

  /// Whether each sample starts a shake.
  private func shakes(
    _ samples: [Sample], _ detector: ShakeDetector = ShakeDetector()
  ) -> [Bool] {
    var detector = detector
    return samples.map {
      detector.shakes(x: $0.x, y: $0.y, z: $0.z, at: Timestamp(seconds: $0.seconds))
    }
  }

  @Test func `a panel at rest isn't shaken in any orientation`() {
    let rest: [Sample] = [(0, 0, 0, 1), (1, 0, -1, 0), (2, 0.6, 0.6, 0.5), (3, 1.2, 1.2, 1.2)]
    #expect(shakes(rest) == [false, false, false, false])
  }

  @Test(arguments: [(2.2, 0.0, 0.0), (0, -2.3, 0), (1.5, 1.5, -1.5)])
  func `strong acceleration in any direction is a shake`(x: Double, y: Double, z: Double) {
    #expect(shakes([(1, x, y, z)]) == [true])
  }

  @Test func `a shake counts once, and again after a pause`() {
    let toAndFro = (0..<50).map { step -> Sample in
      (Double(step) * 0.02, step % 4 < 2 ? 3 : -0.2, 0, 1)
    }
    let answers = shakes(toAndFro + [(1.2, 3, 0, 0)])
    #expect(answers.filter { $0 }.count == 2)
    #expect(answers.first == true && answers.last == true)
  }

  @Test func `threshold and interval are configurable`() {
    let samples: [Sample] = [(0, 1.6, 0, 0), (0.9, 1.6, 0, 0), (3, 1.4, 0, 0), (3, 1.6, 0, 0)]
    #expect(
      shakes(samples, ShakeDetector(threshold: 1.5, interval: 1)) == [true, false, false, true])
  }

  @Test func `samples with a NaN are ignored, and a clock set back starts a new shake`() {
    #expect(
      shakes([(0, .nan, 0, 0), (100_000, 5, 0, 0), (1, 5, 0, 0), (1.01, 5, 0, 0)])
        == [false, true, true, false])
  }
}

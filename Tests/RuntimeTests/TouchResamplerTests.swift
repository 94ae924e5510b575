// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelGeometry
import RoundelMotion
import RoundelRuntime
import Testing

/// A finger that came down at time 0 and has samples (ms, x).
private func finger(_ samples: [(Double, Double)]) -> TouchResampler {
  var resampler = TouchResampler()
  for (index, (time, x)) in samples.enumerated() {
    resampler.add(
      Touch(finger: 0, phase: index == 0 ? .down : .move, position: Point(x, 2 * x)),
      at: Timestamp(seconds: time / 1000))
  }
  return resampler
}

extension TouchResampler {
  /// The x of a finger in a frame at `time` milliseconds, or nil to use the last sample.
  fileprivate func x(_ time: Double, finger: Int = 0) -> Double? {
    position(of: finger, at: Timestamp(seconds: time / 1000)).map { ($0.x * 1000).rounded() / 1000 }
  }
}

@Suite struct TouchResamplerTests {
  @Test func `a finger is drawn two fifths of an interval before the frame`() {
    let moved = finger([(0, 0), (10, 10)])
    // Between the samples, at the newest, and after it.
    #expect(moved.x(10) == 6)
    #expect(moved.x(12) == 8)
    #expect(moved.x(14) == nil)
    #expect(moved.x(16) == 12)
    #expect(moved.x(20) == 16)
    #expect(moved.position(of: 0, at: Timestamp(seconds: 0.016)) == Point(12, 24))
  }

  @Test func `a finger is predicted until its next sample is due, and rests when it is late`() {
    let moved = finger([(0, 0), (10, 10)])
    #expect(moved.x(21) == 16)
    #expect(moved.x(25) == 16)
    #expect(moved.x(25.001) == nil)
    #expect(moved.x(1e9) == nil)
  }

  @Test func `at 50 samples per second a finger is predicted by 12 ms, and below not at all`() {
    let moved = finger([(0, 0), (20, 20)])
    #expect(moved.x(40) == 32)
    #expect(moved.x(50) == 32)
    #expect(moved.x(50.001) == nil)
    #expect(finger([(0, 0), (20.001, 20)]).x(40) == nil)
  }

  @Test func `a still finger is drawn at its position`() {
    let still = finger([(0, 7), (10, 7)])
    #expect(still.x(10) == nil && still.x(20) == nil)
  }

  @Test func `a speed needs two samples, neither too close nor too far apart`() {
    #expect(finger([(0, 0)]).x(5) == nil)
    #expect(finger([(0, 0), (1.999, 10)]).x(3) == nil)
    #expect(finger([(0, 0), (2, 10)]).x(3) == 11)
    #expect(finger([(0, 0), (20, 10)]).x(20) == 6)
    #expect(finger([(0, 0), (20.001, 10)]).x(21) == nil)
    #expect(finger([(0, 0), (10, 10), (10, 12)]).x(15) == nil)
    // After a pause, motion starts with the second sample.
    #expect(finger([(0, 0), (10, 10), (500, 20)]).x(505) == nil)
    #expect(finger([(0, 0), (10, 10), (500, 20), (510, 30)]).x(516) == 32)
  }

  @Test func `a late report counts as a sample from about its due time`() {
    // 2 ms late, a quarter of which is used.
    let late = finger([(0, 0), (10, 10), (22, 20)])
    let interval = 10 + 2.0 / 8
    let x = 20 + 10 * (22 - 20.5 - 0.4 * interval) / 10.5
    #expect(late.x(22) == (x * 1000).rounded() / 1000)
  }

  @Test func `a few evenly late reports have no lasting effect`() throws {
    var samples: [(Double, Double)] = []
    // A bus that polls once per millisecond, and a panel of 160 Hz.
    for index in 0..<200 {
      let time = Double(index) * 6.25
      samples.append(((time + 0.3).rounded(.up), time))
    }
    let last = try #require(samples.last)
    for early in [0.0, 0.25, 0.5, 0.75] {
      let x = try #require(finger(samples).x(last.0 + early))
      // Reports are 0.8 ms late on average.
      #expect(abs(x - (last.0 + early - 2.5 - 0.8)) < 0.35)
    }
  }

  @Test func `a new rate is used from its second sample`() {
    let slower = finger([(0, 0), (5, 5), (10, 10), (25, 25), (40, 40)])
    #expect(slower.x(40) == 34)
    let faster = finger([(0, 0), (16, 16), (32, 32), (37, 37), (42, 42)])
    #expect(faster.x(42) == 40)
  }

  @Test func `each finger has its own samples, from its down to its up or cancel`() {
    var resampler = TouchResampler()
    func touch(_ finger: Int, _ phase: Touch.Phase, _ x: Double, _ time: Double) {
      resampler.add(
        Touch(finger: finger, phase: phase, position: Point(x, 0)),
        at: Timestamp(seconds: time / 1000))
    }
    touch(0, .down, 0, 0)
    touch(4, .down, 100, 5)
    touch(0, .move, 10, 10)
    touch(4, .move, 90, 15)
    touch(7, .move, 10, 15)
    #expect(resampler.x(15) == 11)
    #expect(resampler.x(15, finger: 4) == 94)
    #expect(resampler.x(15, finger: 7) == nil)
    touch(0, .up, 10, 16)
    #expect(resampler.x(17) == nil)
    #expect(resampler.x(17, finger: 4) == 92)
    touch(4, .cancel, 90, 18)
    #expect(resampler.x(18, finger: 4) == nil)
    // Another finger reuses the number.
    touch(0, .down, 50, 20)
    #expect(resampler.x(21) == nil)
    touch(0, .move, 60, 30)
    #expect(resampler.x(30) == 56)
    touch(0, .down, 0, 31)
    #expect(resampler.x(32) == nil)
  }

  @Test func `up to 16 fingers are tracked, and more use no memory`() {
    var resampler = TouchResampler()
    for time in [0, 10.0] {
      for finger in 0..<1000 {
        resampler.add(
          Touch(finger: finger, phase: time == 0 ? .down : .move, position: Point(time, 0)),
          at: Timestamp(seconds: time / 1000))
      }
    }
    #expect(resampler.x(10, finger: 15) == 6)
    #expect(resampler.x(10, finger: 16) == nil)
  }

  @Test func `time that runs backwards and extreme numbers do no harm`() {
    // Back by 4 ms: the newest sample counts, without a speed.
    #expect(finger([(0, 0), (10, 10), (6, 20)]).x(8) == nil)
    #expect(finger([(0, 0), (10, 10), (6, 20), (16, 30)]).x(16) == 26)
    // A time stamp in the future.
    #expect(finger([(0, 0), (10, 10)]).x(-1) == nil)
    #expect(finger([(0, 0), (10, 10)]).x(4) == 0)
    #expect(finger([(0, -1e308), (10, 1e308)]).x(20) == nil)
    #expect(finger([(0, 0), (10, .nan)]).x(15) == nil)
    #expect(finger([(0, 0), (10, .infinity), (20, 5)]).x(20) == 3)
    #expect(finger([(0, .nan), (10, 5), (20, 10)]).x(20) == nil)
    let ends: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    for first in ends {
      for second in ends {
        for frame in ends {
          var resampler = TouchResampler()
          for (phase, time) in [(Touch.Phase.down, first), (.move, second), (.move, first)] {
            resampler.add(
              Touch(finger: .max, phase: phase, position: Point(1e300, -1e300)),
              at: Timestamp(microseconds: time))
          }
          let place = resampler.position(of: .max, at: Timestamp(microseconds: frame))
          #expect(place == nil)
        }
      }
    }
  }
}

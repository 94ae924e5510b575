// SPDX-License-Identifier: MIT

import RoundelMotion
import Testing

@Suite struct SpringTests {
  private func at(_ seconds: Double) -> Instant { Instant(seconds: seconds) }

  private static let dampings = [0.05, 0.3, 0.5, 0.8, 0.99, 1, 1.01, 1.5, 4]

  @Test(arguments: [(0.5, 0.4, 35.26), (0.8, 0.4, 23.18), (0.3, 0.5, 46.4)])
  func `frequencies for a settling time match published values`(
    damping: Double, duration: Double, frequency: Double
  ) {
    let tuning = Spring.Tuning(damping: damping, duration: duration)
    #expect(abs(tuning.frequency - frequency) < 0.05)
  }

  @Test(arguments: [(0.5, 0.163), (0.8, 0.015), (0.3, 0.37)])
  func `the first overshoot matches published values`(damping: Double, overshoot: Double) {
    let spring = Spring(
      from: 0, to: 1, at: .zero, tuning: .init(damping: damping, duration: 0.4), tolerance: 1e-6)
    let highest = (0...4000).map { spring.position(at: at(Double($0) * 1e-4)) }.max() ?? 0
    #expect(abs(highest - 1 - overshoot) < 0.005)
  }

  @Test(arguments: dampings)
  func `a spring released at rest settles exactly at its duration`(damping: Double) {
    let spring = Spring(
      from: 0, to: 100, at: at(3), tuning: .init(damping: damping, duration: 0.4), tolerance: 0.1)
    #expect(spring.end == at(3.4))
    #expect(!spring.isSettled(at: at(3.399_999)))
    #expect(spring.position(at: at(3.4)) == 100)
    #expect(spring.velocity(at: at(3.4)) == 0)
  }

  @Test(arguments: dampings)
  func `a settled spring would never leave its tolerance again`(damping: Double) {
    for velocity in [-300.0, -4, 0, 3, 250] {
      let tuning = Spring.Tuning(damping: damping, duration: 0.5)
      let spring = Spring(from: 7, velocity: velocity, to: 0, at: .zero, tuning: tuning)
      // The same motion with a finer tolerance continues beyond the end.
      let fine = Spring(
        from: 7, velocity: velocity, to: 0, at: .zero, tuning: tuning, tolerance: 1e-9)
      #expect(fine.end > spring.end)
      for step in 0..<500 {
        let time = spring.end + Double(step) * 1e-3
        #expect(abs(fine.position(at: time)) <= 0.001 + 1e-7)
      }
    }
  }

  @Test(arguments: dampings)
  func `a spring obeys the equation of a damped oscillator`(damping: Double) {
    let tuning = Spring.Tuning(damping: damping, frequency: 12)
    let spring = Spring(
      from: 3, velocity: -20, to: 1, at: .zero, tuning: tuning, tolerance: 1e-9)
    // Integrated in small steps (midpoint method) as an oracle.
    var (x, v) = (2.0, -20.0)
    let h = 1e-5
    func force(_ x: Double, _ v: Double) -> Double { -144 * x - 24 * damping * v }
    for step in 1...50_000 {
      let (mx, mv) = (x + v * h / 2, v + force(x, v) * h / 2)
      (x, v) = (x + mv * h, v + force(mx, mv) * h)
      if step % 5000 == 0 {
        let time = at(Double(step) * h)
        #expect(abs(spring.position(at: time) - 1 - x) < 1e-5)
        #expect(abs(spring.velocity(at: time) - v) < 1e-4)
      }
    }
  }

  @Test func `the regimes meet at critical damping`() {
    let positions = [1 - 1e-7, 1, 1 + 1e-7].map { damping in
      Spring(
        from: 0, velocity: 5, to: 1, at: .zero, tuning: .init(damping: damping, frequency: 20)
      ).position(at: at(0.1))
    }
    #expect(abs(positions[0] - positions[1]) < 1e-6)
    #expect(abs(positions[2] - positions[1]) < 1e-6)
  }

  @Test(arguments: dampings)
  func `an interrupted spring continues from its position and velocity`(damping: Double) {
    let first = Spring(
      from: 0, to: 1, at: .zero, tuning: .init(damping: damping, duration: 0.4))
    let caught = first.retargeted(to: 0, at: at(0.07), tuning: .init(damping: 0.8, duration: 0.4))
    #expect(caught.position(at: at(0.07)) == first.position(at: at(0.07)))
    #expect(caught.velocity(at: at(0.07)) == first.velocity(at: at(0.07)))
    #expect(caught.target == 0)
  }

  @Test(arguments: dampings)
  func `the time of reaching a position matches the position at that time`(damping: Double) throws {
    let spring = Spring(
      from: 0, velocity: -100, to: 10, at: at(1), tuning: .init(damping: damping, duration: 0.6))
    for place in [-0.005, 0.5, 5, 9.5] {
      let time = try #require(spring.reaches(place))
      #expect(abs(spring.position(at: time) - place) < 0.002)
      for earlier in stride(from: 1, to: time.seconds - 2e-6, by: 0.0005) {
        let before = spring.position(at: at(earlier)) - place
        #expect(before.sign == (-place).sign)
      }
    }
    #expect(spring.reaches(-5) == nil)
    #expect(spring.reaches(40) == nil)
  }

  @Test func `a position passed twice is found again after the first time`() throws {
    let spring = Spring(
      from: 0, to: 1, at: .zero, tuning: .init(damping: 0.3, duration: 0.5), tolerance: 1e-4)
    let up = try #require(spring.reaches(1.1))
    let down = try #require(spring.reaches(1.1, from: up + 1e-5))
    #expect(down > up)
    #expect(spring.velocity(at: up) > 0)
    #expect(spring.velocity(at: down) < 0)
  }

  @Test func `times before the start and a day later are handled`() {
    let spring = Spring(
      from: 4, velocity: 9, to: 1, at: at(100), tuning: .init(damping: 1.5, duration: 0.4))
    #expect(spring.position(at: .zero) == 4)
    #expect(spring.velocity(at: .zero) == 0)
    #expect(spring.position(at: at(86_500)) == 1)
    #expect(spring.isSettled(at: at(86_500)))
  }

  @Test func `a spring at its target is at rest`() {
    for damping in Self.dampings {
      let spring = Spring(
        from: 2, to: 2, at: at(1), tuning: .init(damping: damping, duration: 0.4))
      #expect(spring.isSettled(at: at(1)))
    }
  }
}

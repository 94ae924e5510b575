// SPDX-License-Identifier: MIT

import RoundelMotion
import Testing

@Suite struct SpinTests {
  private func at(_ seconds: Double) -> Instant { Instant(seconds: seconds) }

  @Test func `a spin starts and ends at rest, exactly in position and on time`() {
    let spin = Spin(from: 3, to: 203, start: at(1), end: at(6))
    #expect(spin.position(at: at(0)) == 3)
    #expect(spin.position(at: at(1)) == 3)
    #expect(spin.velocity(at: at(1)) == 0)
    #expect(!spin.isSettled(at: at(5.999_999)))
    #expect(spin.isSettled(at: at(6)))
    #expect(spin.position(at: at(6)) == 203)
    #expect(spin.velocity(at: at(6)) == 0)
    #expect(spin.position(at: at(90_000)) == 203)
  }

  @Test func `a spin is legible three tenths of a second before its end`() {
    let spin = Spin(from: 0, to: -200, start: at(0), end: at(5))
    #expect(abs(spin.velocity(at: at(4.7))) < 0.1)
    #expect(abs(spin.position(at: at(4.7)) + 200) < 0.01)
  }

  @Test(arguments: [-1.0, 1], [0.0, 1, 7, 100, 600])
  func `a spin never reverses, for any initial speed`(direction: Double, speed: Double) {
    for slack in [0.0, 0.001, 1, 50, 5000] {
      let distance = Spin.minimumDistance(velocity: speed, seconds: 2) + slack
      let spin = Spin(
        from: 10, velocity: direction * speed, to: 10 + direction * distance, start: at(0),
        end: at(2))
      #expect(abs(spin.velocity(at: at(0)) - direction * speed) < 1e-9)
      var last = 10.0
      for step in 1...2000 {
        let position = spin.position(at: at(Double(step) * 0.001))
        #expect((position - last) * direction >= -1e-9)
        #expect(spin.velocity(at: at(Double(step) * 0.001)) * direction >= -1e-9)
        last = position
      }
      #expect(last == 10 + direction * distance)
    }
  }

  @Test func `the velocity is the derivative of the position`() {
    let spin = Spin(from: 5, velocity: 30, to: 60, start: at(0), end: at(3))
    for step in 1..<299 {
      let t = Double(step) * 0.01
      let slope = (spin.position(at: at(t + 0.001)) - spin.position(at: at(t - 0.001))) / 0.002
      #expect(abs(slope - spin.velocity(at: at(t))) < 0.01)
    }
  }

  @Test func `a spin without duration or distance is at its end`() {
    #expect(Spin(from: 1, to: 9, start: at(4), end: at(4)).position(at: at(4)) == 9)
    #expect(Spin(from: 1, to: 9, start: at(4), end: at(2)).isSettled(at: at(4)))
    #expect(Spin(from: 1, to: 1, start: at(0), end: at(1)).velocity(at: at(0.5)) == 0)
  }
}

// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelMotion
import TestSupport
import Testing

/// A finger turns a knob, and a slow lamp reports each command late.
@Suite struct SlowLampTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var timing: String
    var interval: Double?
    var echo: Double
    var delays: ClosedRange<Double>

    var testDescription: String { "\(timing) every \(interval ?? 0) echo \(echo) in \(delays)" }
  }

  static let cases: [Case] = ["changed", "settled"].flatMap { timing in
    [nil, 0.2].flatMap { interval in
      [0.5, 6].flatMap { echo in
        [0.0...0, 2.5...2.5, 0...5].map {
          Case(timing: timing, interval: interval, echo: echo, delays: $0)
        }
      }
    }
  }

  @Test(arguments: cases)
  func `the knob never jumps under a finger, and ends at the last value`(_ given: Case) throws {
    for seed in 0..<2 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var delays = SeededGenerator(seed: seed + 100)
      var lamp = try SlowLamp(given.timing, every: given.interval, echo: given.echo) {
        .random(in: given.delays, using: &delays)
      }
      var time = 1.0
      func advance(
        by seconds: Double, steps: Double = 0.1, _ check: (inout SlowLamp) -> Void = { _ in }
      ) {
        let end = time + seconds
        while time < end {
          time = min(time + steps, end)
          lamp.step(to: time)
          check(&lamp)
        }
      }
      var degrees = 0.0
      var last = 50.0
      for _ in 0..<3 {
        // The finger grabs the knob at its current position.
        degrees = -135 + 2.7 * lamp.knob
        lamp.touch(.down, degrees)
        for _ in 0..<Int.random(in: 1...20, using: &random) {
          let turn = Double.random(in: -9...9, using: &random)
          let before = lamp.knob
          degrees = min(max(degrees + turn, -135), 135)
          lamp.touch(.move, degrees)
          let chosen = lamp.knob
          #expect(abs(chosen - before) <= abs(turn) / 2.7 + 1, "the knob jumps at \(time)")
          advance(by: .random(in: 0.01...0.2, using: &random), steps: 0.05) { lamp in
            #expect(lamp.knob == chosen, "the knob jumps at \(time)")
          }
        }
        last = lamp.knob
        lamp.touch(.up, degrees)
        advance(by: .random(in: 0...6, using: &random))
      }
      advance(by: 25)
      if given.delays.upperBound <= given.echo { #expect(lamp.knob == last) }
      #expect(lamp.knob == lamp.lampLevel && lamp.level == lamp.lampLevel)
      #expect(lamp.lampLevel == last || lamp.received.last?.level == lamp.lampLevel)
    }
  }

  @Test func `a drag of 1.5 s with five messages per second sends at most 9`() throws {
    var lamp = try SlowLamp("changed", every: 0.2, echo: 2) { 0.1 }
    lamp.step(to: 1)
    lamp.touch(.down, 0)
    for step in 1...75 {
      lamp.step(to: 1 + Double(step) * 0.02)
      lamp.touch(.move, Double(step))
    }
    lamp.touch(.up, 75)
    for step in 1...200 { lamp.step(to: 2.5 + Double(step) * 0.02) }
    #expect(lamp.received.count <= 9 && lamp.received.count > 4)
    #expect(lamp.received.last?.level == lamp.knob && lamp.knob > 70)
  }

  @Test func `a drag with settled sends one message, after the finger and the knob rest`() throws {
    var lamp = try SlowLamp("settled", every: nil, echo: 2) { 0.1 }
    lamp.step(to: 1)
    lamp.touch(.down, 0)
    for step in 1...75 {
      lamp.step(to: 1 + Double(step) * 0.02)
      lamp.touch(.move, Double(step))
    }
    for step in 1...100 { lamp.step(to: 2.5 + Double(step) * 0.02) }
    #expect(lamp.received.isEmpty)
    lamp.touch(.up, 75)
    for step in 1...100 { lamp.step(to: 4.5 + Double(step) * 0.02) }
    #expect(lamp.received.map(\.level) == [lamp.knob])
  }
}

// SPDX-License-Identifier: MIT

import Motion
import Presentation
import TestSupport
import Testing

@testable import DRMDisplay

@Suite struct BlankClockTests {
  /// What a clock makes of flips at blanks that `stamp` gives in microseconds, each `step` blanks.
  private func source(
    _ count: Int = 600, interval: Double = 1.0 / 60, every step: (Int) -> Int = { _ in 1 },
    sequence: (Int) -> UInt32 = { UInt32($0) }, _ stamp: (_ blank: Int) -> Double
  ) -> BlankSource {
    var clock = BlankClock(interval: interval)
    var blank = 1
    for index in 0..<count {
      clock.flip(
        at: Timestamp(microseconds: 5_000_000 + Int64(stamp(blank).rounded(.down))),
        sequence: sequence(blank))
      blank += step(index)
    }
    return clock.source
  }

  @Test func `stamps that lie on the mode's grid for a second are a timer's`() {
    #expect(source { Double($0) * 1e6 / 60 } == .timer)
    #expect(source(interval: 1.0 / 59.81) { Double($0) * 1e6 / 59.81 } == .timer)
    // Not every blank has a flip.
    #expect(source(every: { $0 % 3 + 1 }) { Double($0) * 1e6 / 60 } == .timer)
  }

  @Test func `a timer that had stood still begins another grid`() {
    // Each second it rests for half of one.
    let source = source(every: { $0 % 61 == 60 ? 30 : 1 }) { blank in
      Double(blank) * 1e6 / 60 + Double(blank / 90) * 1234
    }
    #expect(source == .timer)
  }

  @Test(arguments: [20.0, -20, 100, 5])
  func `a panel's crystal is another one`(_ partsPerMillion: Double) {
    #expect(source { Double($0) * 1e6 / 60 * (1 + partsPerMillion * 1e-6) } == .panel)
  }

  @Test func `an interrupt comes when it can`() {
    var random = SeededGenerator(seed: 4)
    #expect(source { Double($0) * 1e6 / 60 + .random(in: 0...15, using: &random) } == .panel)
  }

  @Test func `a driver that counts nothing has no blanks`() {
    #expect(source(sequence: { _ in 0 }) { Double($0) * 1e6 / 60 } == .none)
  }

  @Test func `a few flips say nothing yet`() {
    #expect(source(50) { Double($0) * 1e6 / 60 } == .panel)
  }

  @Test func `whatever a driver counts, nothing ends`() {
    var random = SeededGenerator(seed: 5)
    var clock = BlankClock(interval: 1.0 / 60)
    for _ in 0..<10_000 {
      clock.flip(
        at: Timestamp(microseconds: .random(in: 0...1 << 50, using: &random)),
        sequence: .random(in: 0...UInt32.max, using: &random))
    }
    #expect(clock.source != .timer)
  }
}

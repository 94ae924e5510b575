// SPDX-License-Identifier: MIT

import RoundelMotion
import RoundelPresentation
import TestSupport
import Testing

@testable import DRMDisplay

@Suite struct BlankClockTests {
  /// Classifies flips at blanks with stamps in microseconds, every `step` blanks.
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

  @Test func `time stamps on the mode's grid for a second come from a timer`() {
    #expect(source { Double($0) * 1e6 / 60 } == .timer)
    #expect(source(interval: 1.0 / 59.81) { Double($0) * 1e6 / 59.81 } == .timer)
    // Not every blank has a flip.
    #expect(source(every: { $0 % 3 + 1 }) { Double($0) * 1e6 / 60 } == .timer)
  }

  @Test func `a timer that pauses starts another grid`() {
    // The timer pauses for half of each second.
    let source = source(every: { $0 % 61 == 60 ? 30 : 1 }) { blank in
      Double(blank) * 1e6 / 60 + Double(blank / 90) * 1234
    }
    #expect(source == .timer)
  }

  @Test(arguments: [20.0, -20, 100, 5])
  func `a deviating rate comes from the panel's crystal`(_ partsPerMillion: Double) {
    #expect(source { Double($0) * 1e6 / 60 * (1 + partsPerMillion * 1e-6) } == .panel)
  }

  @Test func `jittering time stamps come from interrupts`() {
    var random = SeededGenerator(seed: 4)
    #expect(source { Double($0) * 1e6 / 60 + .random(in: 0...15, using: &random) } == .panel)
  }

  @Test func `a driver without blank counts has no blanks`() {
    #expect(source(sequence: { _ in 0 }) { Double($0) * 1e6 / 60 } == .none)
  }

  @Test func `a few flips determine nothing yet`() {
    #expect(source(50) { Double($0) * 1e6 / 60 } == .panel)
  }

  @Test func `any counts of a driver are handled`() {
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

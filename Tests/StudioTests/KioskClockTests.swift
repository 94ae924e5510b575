// SPDX-License-Identifier: MIT

import RoundelMotion
import Testing

@testable import RoundelStudio

@Suite struct KioskClockTests {
  private func machine(_ seconds: Double) -> Timestamp { Timestamp(seconds: 1000 + seconds) }

  @Test func `the kiosk's time continues at each speed`() {
    var clock = KioskClock(at: machine(0))
    #expect(clock.instant(at: machine(2)) == Instant(seconds: 2))
    clock.run(at: 4, from: machine(2))
    #expect(clock.instant(at: machine(3)) == Instant(seconds: 6))
    #expect(clock.time(of: Instant(seconds: 10)) == machine(4))
    clock.run(at: 0, from: machine(4))
    #expect(clock.instant(at: machine(100)) == Instant(seconds: 10))
    #expect(clock.time(of: Instant(seconds: 11)) == nil)
    clock.run(at: 0.25, from: machine(100))
    #expect(clock.instant(at: machine(104)) == Instant(seconds: 11))
    // An overdue time is due now.
    #expect(clock.time(of: Instant(seconds: 5)) == machine(100))
  }
}

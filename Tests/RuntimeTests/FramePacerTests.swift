// SPDX-License-Identifier: MIT

import RoundelMotion
import Testing

@testable import RoundelRuntime

@Suite struct FramePacerTests {
  @Test func `a display that reports flips immediately is paced by its refresh rate`() throws {
    var pacer = FramePacer()
    var now = Timestamp(seconds: 5)
    for _ in 0..<100 {
      now = max(now, pacer.readyAt ?? now) + 0.001
      pacer.flipped(at: now, interval: 0.016)
    }
    // 100 frames take 99 intervals, because the first doesn't wait.
    let end = try #require(pacer.readyAt)
    #expect(end - Timestamp(seconds: 5) >= 99 * 0.016)
    #expect(end - Timestamp(seconds: 5) <= 99 * 0.016 + 0.002)
  }

  @Test func `a display that times its flips is never delayed`() {
    var pacer = FramePacer()
    // Slower, faster and later than the mode's rate.
    for time in [0.0, 0.01666, 0.0331, 0.0500, 0.0667, 0.2, 0.216] {
      pacer.flipped(at: Timestamp(seconds: 1 + time), interval: 1.0 / 60)
      #expect(pacer.readyAt == Timestamp(seconds: 1 + time))
    }
  }

  @Test func `the first frame after a pause isn't delayed`() {
    var pacer = FramePacer()
    pacer.flipped(at: Timestamp(seconds: 1), interval: 0.016)
    pacer.flipped(at: Timestamp(seconds: 9), interval: 0.016)
    #expect(pacer.readyAt == Timestamp(seconds: 9))
  }
}

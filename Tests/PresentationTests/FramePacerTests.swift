// SPDX-License-Identifier: MIT

import Motion
import Presentation
import Testing

@Suite struct FramePacerTests {
  @Test func `a display that reports flips at once is paced by its refresh`() {
    var pacer = FramePacer(interval: 0.016)
    var now = Instant(seconds: 5)
    for _ in 0..<100 {
      now = max(now, pacer.readyAt) + 0.001
      pacer.flipped(at: now)
    }
    // 100 frames take 99 intervals, but for the first, which needs not wait.
    #expect(pacer.readyAt - Instant(seconds: 5) >= 99 * 0.016)
    #expect(pacer.readyAt - Instant(seconds: 5) <= 99 * 0.016 + 0.002)
  }

  @Test func `a display that times its flips is never held back`() {
    var pacer = FramePacer(interval: 1.0 / 60)
    // Slower, faster and later than the rate that the mode states.
    for moment in [0.0, 0.01666, 0.0331, 0.0500, 0.0667, 0.2, 0.216] {
      pacer.flipped(at: Instant(seconds: 1 + moment))
      #expect(pacer.readyAt == Instant(seconds: 1 + moment))
    }
  }

  @Test func `the first frame after a rest comes at once`() {
    var pacer = FramePacer(interval: 0.016)
    pacer.flipped(at: Instant(seconds: 1))
    pacer.flipped(at: Instant(seconds: 9))
    #expect(pacer.readyAt == Instant(seconds: 9))
  }
}

// SPDX-License-Identifier: MIT

import LinuxIO
import RoundelMotion
import Testing

@testable import InputDevices

@Suite struct RateLimitTests {
  private func admitted(_ milliseconds: [Double]) -> [Double] {
    var limit = RateLimit(interval: 0.015)
    return milliseconds.filter { limit.admits(at: Timestamp(microseconds: Int64($0 * 1000))) }
  }

  @Test func `slowly passed detents all tick`() {
    let slow = [0.0, 15, 40, 55, 1000]
    #expect(admitted(slow) == slow)
  }

  @Test func `a fling ticks at the maximum rate and not after its end`() {
    let fling = stride(from: 0.0, to: 300, by: 1).map { $0 }
    #expect(admitted(fling) == stride(from: 0.0, to: 300, by: 15).map { $0 })
  }

  @Test func `a dropped tick doesn't delay later ones`() {
    #expect(admitted([0, 14.999, 15, 29, 30]) == [0, 15, 30])
  }

  @Test func `detents passed in one frame are one tick`() {
    #expect(admitted([5, 5, 5, 5]) == [5])
  }
}

@Suite struct HapticsTests {
  @Test func `without haptic devices ticks do nothing`() throws {
    #expect(HapticDevice.all(in: "/nowhere").isEmpty)
    let loop = try EventLoop()
    let haptics = try Haptics(on: loop, inputDevices: "/tmp/nowhere")
    haptics.tick()
  }

  @Test func `a file that isn't a device is skipped`() {
    #expect(HapticDevice(path: "/dev/null") == nil)
    #expect(HapticDevice(path: "/proc/self/status") == nil)
  }
}

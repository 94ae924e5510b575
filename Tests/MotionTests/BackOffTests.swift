// SPDX-License-Identifier: MIT

import RoundelMotion
import Testing

@Suite struct BackOffTests {
  @Test func `the first attempt is immediate, and delays double up to a minute`() {
    var backOff = BackOff()
    #expect((0..<9).map { _ in backOff.next() } == [0, 1, 2, 4, 8, 16, 32, 64, 64])
  }

  @Test func `a success resets the delay`() {
    var backOff = BackOff()
    for _ in 0..<5 { _ = backOff.next() }
    backOff.reset()
    #expect((0..<3).map { _ in backOff.next() } == [0, 1, 2])
  }

  @Test func `ten thousand simultaneous failures never cause 200 attempts per second`() {
    var backOffs = Array(repeating: BackOff(spreadOver: 120), count: 10_000)
    let seconds = backOffs.indices.map { Int(backOffs[$0].next()) }
    let tries = Dictionary(seconds.map { ($0, 1) }, uniquingKeysWith: +)
    #expect(Set(tries.keys) == Set(0..<120))
    #expect(tries.values.allSatisfy { $0 < 200 })
    // The attempts stay spread.
    #expect(backOffs.indices.allSatisfy { backOffs[$0].next() == 120 })
  }

  @Test func `after a success the next attempt has another random delay`() {
    var backOff = BackOff(spreadOver: 120)
    let times = (0..<20).map { _ in
      backOff.reset()
      return backOff.next()
    }
    #expect(Set(times).count > 1)
    #expect(times.allSatisfy { (0..<120).contains($0) })
  }
}

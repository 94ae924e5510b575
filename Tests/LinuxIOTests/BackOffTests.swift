// SPDX-License-Identifier: MIT

import Testing

@testable import LinuxIO

@Suite struct BackOffTests {
  @Test
  func `the first try is made at once, each further one after twice the time, up to a minute`() {
    var backOff = BackOff()
    #expect((0..<9).map { _ in backOff.next() } == [0, 1, 2, 4, 8, 16, 32, 64, 64])
  }

  @Test func `after a success it begins from the start`() {
    var backOff = BackOff()
    for _ in 0..<5 { _ = backOff.next() }
    backOff.reset()
    #expect((0..<3).map { _ in backOff.next() } == [0, 1, 2])
  }
}

// SPDX-License-Identifier: MIT

import RoundelMotion
import Testing

private struct Busy: Error, Equatable {}

@Suite struct HeldStateTests {
  /// The times of attempts in seconds. The device refuses if `refuses` returns true for an index.
  private func tries(
    _ held: inout HeldState<Bool, Busy>, _ state: Bool, from start: Double = 0,
    upTo end: Double = 1000,
    refuses: (Int) -> Bool
  ) -> [Double] {
    var tries: [Double] = []
    var next: Timestamp? = Timestamp(seconds: start)
    while let now = next, now <= Timestamp(seconds: end) {
      next = held.hold(state, at: now) { _ throws(Busy) in
        tries.append(now - .zero)
        if refuses(tries.count) { throw Busy() }
      }
    }
    return tries
  }

  @Test func `a refused state is retried with growing pauses until it is accepted`() {
    var held = HeldState<Bool, Busy>()
    #expect(tries(&held, true) { $0 < 6 } == [0, 0, 1, 3, 7, 15])
    #expect(held.failure == nil)
    #expect(tries(&held, true, from: 20) { _ in true } == [])
  }

  @Test func `a device that always refuses is retried once per minute`() {
    var held = HeldState<Bool, Busy>(false)
    #expect(tries(&held, true, upTo: 300) { _ in true }.suffix(3) == [127, 191, 255])
    #expect(held.failure == Busy())
  }

  @Test func `another state is set immediately, and a retry waits for its pause`() {
    var held = HeldState<Bool, Busy>()
    #expect(tries(&held, true, upTo: 4) { _ in true } == [0, 0, 1, 3])
    #expect(held.hold(true, at: Timestamp(seconds: 5)) { _ in } == Timestamp(seconds: 7))
    #expect(tries(&held, false, from: 5) { _ in false } == [5])
    #expect(held.failure == nil)
  }

  @Test func `a released state is set again after its pause`() {
    var held = HeldState<Bool, Busy>(true)
    held.release()
    #expect(tries(&held, true, from: 2, upTo: 5) { _ in true } == [2, 2, 3, 5])
    held.release()
    #expect(held.hold(true, at: Timestamp(seconds: 6)) { _ in } == Timestamp(seconds: 9))
  }
}

// SPDX-License-Identifier: MIT

/// How long to wait before each try at something that may fail every time: not at all at first, then
/// twice as long each time, up to a maximum. Many that fail at the same moment try at moments of their own.
package struct BackOff: Sendable {
  package let maximumSeconds: Double
  private let isSpread: Bool
  private var seconds = 0.0

  package init(maximumSeconds: Double = 64) {
    self.maximumSeconds = maximumSeconds
    isSpread = false
  }

  /// Waits a random part of `period`, which is more than 0, then all of it each time, so that those that were apart
  /// at the first try stay so.
  package init(spreadOver period: Double) {
    maximumSeconds = period
    isSpread = true
  }

  /// The seconds to wait after another failure.
  package mutating func next() -> Double {
    defer { seconds = isSpread ? maximumSeconds : min(max(1, seconds * 2), maximumSeconds) }
    return isSpread && seconds == 0 ? .random(in: 0..<maximumSeconds) : seconds
  }

  /// It has succeeded: the next failure is the first again.
  package mutating func reset() { seconds = 0 }
}

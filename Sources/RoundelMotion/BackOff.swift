// SPDX-License-Identifier: MIT

/// The delay before each retry: none at first, then 1 second, doubling up to a maximum.
package struct BackOff: Sendable {
  package let maximumSeconds: Double
  private let isSpread: Bool
  private var seconds = 0.0

  package init(maximumSeconds: Double = 64) {
    self.maximumSeconds = maximumSeconds
    isSpread = false
  }

  /// Waits a random part of `period` seconds (above 0) once, then the whole period, so that
  /// machines that failed together don't retry together.
  package init(spreadOver period: Double) {
    maximumSeconds = period
    isSpread = true
  }

  /// Returns the seconds to wait after another failure.
  package mutating func next() -> Double {
    defer { seconds = isSpread ? maximumSeconds : min(max(1, seconds * 2), maximumSeconds) }
    return isSpread && seconds == 0 ? .random(in: 0..<maximumSeconds) : seconds
  }

  /// Call this after a success.
  package mutating func reset() { seconds = 0 }
}

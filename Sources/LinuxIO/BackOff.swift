// SPDX-License-Identifier: MIT

/// How long to wait before each try at something that may fail every time: not at all at first, then
/// twice as long each time, up to a maximum.
package struct BackOff: Sendable {
  private let maximumSeconds: Double
  private var seconds = 0.0

  package init(maximumSeconds: Double = 64) {
    self.maximumSeconds = maximumSeconds
  }

  /// The seconds to wait after another failure.
  package mutating func next() -> Double {
    defer { seconds = min(max(1, seconds * 2), maximumSeconds) }
    return seconds
  }

  /// It has succeeded: the next failure is the first again.
  package mutating func reset() { seconds = 0 }
}

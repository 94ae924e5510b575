// SPDX-License-Identifier: MIT

/// How long to wait before each try at something that may fail every time: not at all at first, then
/// twice as long each time, up to a maximum.
struct BackOff {
  private static let maximumSeconds = 64.0

  private var seconds = 0.0

  /// The seconds to wait after another failure.
  mutating func next() -> Double {
    defer { seconds = min(max(1, seconds * 2), Self.maximumSeconds) }
    return seconds
  }

  /// It has succeeded: the next failure is the first again.
  mutating func reset() { seconds = 0 }
}

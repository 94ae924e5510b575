// SPDX-License-Identifier: MIT

internal import Motion

/// Lines about failures, at most so many per minute: a sender of thousands of wrong messages fills no disk.
struct FailureLog {
  let maximumLines: Int
  private var start: Timestamp?
  private var count = 0

  init(maximumLines: Int) { self.maximumLines = maximumLines }

  /// The line to write, or nil after too many.
  mutating func line(_ text: String, at now: Timestamp) -> String? {
    if let start, now < start + 60 {
      count += 1
    } else {
      start = now
      count = 1
    }
    guard count <= maximumLines else { return nil }
    return count < maximumLines ? text : text + " (there is more like this in this minute)"
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelMotion

/// Limits the number of logged failures per minute, so that a faulty sender can't fill the disk.
struct FailureLog {
  let maximumLines: Int
  private var start: Timestamp?
  private var count = 0

  init(maximumLines: Int) { self.maximumLines = maximumLines }

  /// Returns nil above the limit.
  mutating func line(_ text: String, at now: Timestamp) -> String? {
    if let start, now < start + 60 {
      count += 1
    } else {
      start = now
      count = 1
    }
    guard count <= maximumLines else { return nil }
    return count < maximumLines ? text : text + " (more failures in this minute are not logged)"
  }
}

// SPDX-License-Identifier: MIT

import Motion

/// Complaints about wrong messages, so many a minute: a sender of thousands fills no disk.
struct Complaints {
  let maximumLines: Int
  private var start: Timestamp?
  private var count = 0

  init(maximumLines: Int) { self.maximumLines = maximumLines }

  /// The line to write; nil where there have been too many.
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

// SPDX-License-Identifier: MIT

package import RoundelMotion

/// Limits logged failures per minute, so that a faulty sender can't fill the disk.
package struct FailureLog {
  let maximumLines: Int
  private var start: Timestamp?
  private var count = 0

  package init(maximumLines: Int) { self.maximumLines = maximumLines }

  /// Returns nil above the limit.
  package mutating func line(_ text: String, at now: Timestamp) -> String? {
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

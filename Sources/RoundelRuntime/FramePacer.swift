// SPDX-License-Identifier: MIT

internal import RoundelMotion

/// Keeps frames a refresh interval apart, even if drivers without blanks report flips immediately.
///
/// The display timed a flip that arrives an interval after the previous one. After a much earlier
/// flip, the frame counts as shown an interval after the previous one:
///
///     display   frame ──── flip frame ──── flip frame ──── flip
///     at once   frame,flip ······ frame,flip ······ frame,flip
struct FramePacer: Hashable {
  /// The time from which the last flip permits the next frame.
  private var lastShown: Timestamp?
  /// The end of the interval of a frame without changes.
  private var skippedUntil: Timestamp?

  /// The earliest time for the next frame, or nil before the first.
  var readyAt: Timestamp? { skippedUntil ?? lastShown }

  mutating func flipped(at instant: Timestamp, interval: Double) {
    // A tenth is more than displays differ from their stated rate.
    if let start = readyAt, instant - start < interval * 0.9 {
      lastShown = start + interval
    } else {
      lastShown = instant
    }
    skippedUntil = nil
  }

  /// Records that a frame had no changes. The delay is not the display's.
  mutating func skipped(until time: Timestamp) { skippedUntil = time }

  /// Records that nothing moves, so that a later change is drawn immediately.
  mutating func rest() { skippedUntil = nil }
}

// SPDX-License-Identifier: MIT

internal import Motion

/// Keeps frames at least a refresh interval apart, even with drivers that don't support vertical blanks and report
/// each flip immediately.
///
/// A flip that arrives a whole interval after the previous one was timed by the display. If a flip arrives much
/// sooner, the frame counts as shown one interval after the previous one:
///
///     display   frame ──── flip frame ──── flip frame ──── flip
///     at once   frame,flip ······ frame,flip ······ frame,flip
struct FramePacer: Hashable {
  /// The earliest time for the next frame, after a flip was reported.
  private(set) var readyAt: Timestamp?

  /// Records that a frame was shown at `instant`, on a display with a refresh interval of `interval` seconds.
  mutating func flipped(at instant: Timestamp, interval: Double) {
    // A tenth is more than displays differ from their stated rate.
    if let lastShown = readyAt, instant - lastShown < interval * 0.9 {
      readyAt = lastShown + interval
    } else {
      readyAt = instant
    }
  }
}

// SPDX-License-Identifier: MIT

internal import Motion

/// Keeps the frames as far apart as the mode's own refresh, also on drivers that know no vertical blank and
/// report each flip immediately.
///
/// A flip that comes a whole interval after the one before was timed by the display. One that
/// comes much sooner was not; then the frame counts as shown at the display's next turn, as if it
/// had been timed:
///
///     display   frame ──── flip frame ──── flip frame ──── flip
///     at once   frame,flip ······ frame,flip ······ frame,flip
struct FramePacer: Hashable {
  /// The earliest moment for the next frame, after a flip has been reported.
  private(set) var readyAt: Timestamp?

  /// A frame was reported as shown at `instant`, on a display that shows one each `interval` seconds.
  mutating func flipped(at instant: Timestamp, interval: Double) {
    // A tenth is more than displays differ from their stated rate.
    if let lastShown = readyAt, instant - lastShown < interval * 0.9 {
      readyAt = lastShown + interval
    } else {
      readyAt = instant
    }
  }
}

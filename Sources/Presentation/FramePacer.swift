// SPDX-License-Identifier: MIT

package import Motion

/// Keeps the frames as far apart as the mode's own refresh, also on drivers that know no vertical
/// blank and report each flip at once.
///
/// A flip that comes a whole interval after the one before was timed by the display. One that
/// comes much sooner was not; then the frame counts as shown at the display's next turn, as if it
/// had been timed:
///
///     display   frame ──── flip frame ──── flip frame ──── flip
///     at once   frame,flip ······ frame,flip ······ frame,flip
package struct FramePacer: Hashable, Sendable {
  /// Seconds between two frames.
  package let interval: Double
  private var lastShown: Instant?

  package init(interval: Double) {
    self.interval = interval
  }

  /// A frame was reported as shown at `instant`.
  package mutating func flipped(at instant: Instant) {
    // A tenth is more than displays differ from their stated rate.
    if let lastShown, instant - lastShown < interval * 0.9 {
      self.lastShown = lastShown + interval
    } else {
      lastShown = instant
    }
  }

  /// The earliest moment for the next frame, after a flip has been reported.
  package var readyAt: Instant { lastShown ?? .zero }
}

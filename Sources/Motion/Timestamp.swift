// SPDX-License-Identifier: MIT

/// A moment of the machine's monotonic clock, in whole microseconds since its origin: that of input
/// events, vertical blanks and timers.
///
/// It is another type than the kiosk's own `Instant`, since the two are never to be mixed: the frame
/// cycle, which knows when the kiosk was started, converts one to the other.
package struct Timestamp: Moment {
  /// Microseconds since the clock's origin, CLOCK_MONOTONIC's where the machine's is read.
  package var microseconds: Int64

  /// The moment that is so many microseconds after the clock's origin.
  @inlinable package init(microseconds: Int64) { self.microseconds = microseconds }
}

// SPDX-License-Identifier: MIT

/// A time on the machine's monotonic clock, in whole microseconds. Used for input events, vertical blanks and
/// timers.
///
/// A separate type from the kiosk's own `Instant`, because the two must not be mixed. The frame cycle, which knows
/// when the kiosk started, converts between them.
package struct Timestamp: Moment {
  /// Microseconds since the clock's origin: CLOCK_MONOTONIC's for the machine's clock.
  package var microseconds: Int64

  /// The time `microseconds` after the clock's origin.
  @inlinable package init(microseconds: Int64) { self.microseconds = microseconds }
}

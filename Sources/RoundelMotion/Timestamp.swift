// SPDX-License-Identifier: MIT

/// A time on the machine's monotonic clock, in whole microseconds, for input events, vertical
/// blanks and timers.
///
/// A separate type from the kiosk's own `Instant`. The frame cycle converts them.
package struct Timestamp: TimePoint {
  /// Microseconds since the origin of CLOCK_MONOTONIC.
  package var microseconds: Int64

  @inlinable package init(microseconds: Int64) { self.microseconds = microseconds }
}

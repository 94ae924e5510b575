// SPDX-License-Identifier: MIT

/// A time on the kiosk's own clock, in whole microseconds since the kiosk started. The core never
/// reads a clock: times are passed in.
public struct Instant: TimePoint {
  /// Microseconds since the start, negative before it.
  public var microseconds: Int64

  /// Creates a time.
  @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }
}

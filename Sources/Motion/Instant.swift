// SPDX-License-Identifier: MIT

/// A moment in the kiosk's own time, in whole microseconds since the kiosk was started. Nothing in the
/// core reads a clock; moments come in as arguments.
public struct Instant: Moment {
  /// Whole microseconds since the start; negative before it.
  public var microseconds: Int64

  /// The moment that is so many microseconds after the start.
  @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }
}

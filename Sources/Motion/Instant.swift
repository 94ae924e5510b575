// SPDX-License-Identifier: MIT

/// A moment, in whole microseconds since an origin that the caller chooses: the start of the kiosk,
/// or that of CLOCK_MONOTONIC. The core never reads a clock; moments are arguments.
public struct Instant: Hashable, Comparable, Sendable {
  /// Whole microseconds since the origin; negative before it.
  public var microseconds: Int64

  /// A moment `microseconds` after the origin.
  @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The nearest microsecond; beyond ±292 000 years, or not a number, the nearest end or 0.
  public init(seconds: Double) {
    microseconds = seconds.isNaN ? 0 : Int64(min(max((seconds * 1e6).rounded(), -0x1p62), 0x1p62))
  }

  /// The origin.
  public static let zero = Instant(microseconds: 0)

  /// Seconds since the origin.
  @inlinable public var seconds: Double { Double(microseconds) * 1e-6 }

  /// Whether `a` is earlier than `b`.
  @inlinable public static func < (a: Instant, b: Instant) -> Bool {
    a.microseconds < b.microseconds
  }

  /// The moment `seconds` later, to the nearest microsecond.
  public static func + (a: Instant, seconds: Double) -> Instant {
    Instant(microseconds: a.microseconds &+ Instant(seconds: seconds).microseconds)
  }

  /// The seconds from `b` to `a`.
  @inlinable public static func - (a: Instant, b: Instant) -> Double {
    Double(a.microseconds &- b.microseconds) * 1e-6
  }
}

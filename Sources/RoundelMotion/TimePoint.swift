// SPDX-License-Identifier: MIT

/// A time in whole microseconds since an origin defined by its type.
public protocol TimePoint: Hashable, Comparable, Sendable {
  /// Microseconds since the origin.
  var microseconds: Int64 { get }

  /// Creates a time.
  init(microseconds: Int64)
}

extension TimePoint {
  /// Creates a time, rounded to a microsecond and clamped to ±146 000 years. NaN counts as 0.
  public init(seconds: Double) {
    self.init(
      microseconds: seconds.isNaN
        ? 0 : Int64(min(max((seconds * 1e6).rounded(), -0x1p62), 0x1p62)))
  }

  /// The origin.
  @inlinable public static var zero: Self { Self(microseconds: 0) }

  /// Seconds since the origin.
  @inlinable public var seconds: Double { Double(microseconds) * 1e-6 }

  /// Whether `a` is earlier than `b`.
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.microseconds < b.microseconds }

  /// Returns the time `seconds` later, to the nearest microsecond.
  public static func + (a: Self, seconds: Double) -> Self {
    Self(microseconds: a.microseconds &+ Self(seconds: seconds).microseconds)
  }

  /// Returns the seconds from `b` to `a`.
  @inlinable public static func - (a: Self, b: Self) -> Double {
    Double(a.microseconds &- b.microseconds) * 1e-6
  }
}

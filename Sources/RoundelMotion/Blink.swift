// SPDX-License-Identifier: MIT

/// A light that blinks: lit for `on` seconds, dark for `off`, `count` times.
///
/// A blink is a function of time, dark after `end`. Each flash starts instantly. Only the last one
/// fades out.
///
///     count 2, on 0.20, off 0.15
///     0────0.20    0.35────0.55
///     lit  │ dark  │ lit   │ dark for good
public struct Blink: Hashable, Sendable {
  /// The timing of a blink.
  public struct Pattern: Hashable, Sendable {
    /// The number of flashes.
    public var count: Int
    /// Seconds lit.
    public var on: Double
    /// Seconds dark between two flashes.
    public var off: Double

    /// Creates a timing. `on` and `off` are in seconds, not negative.
    public init(count: Int = 2, on: Double = 0.20, off: Double = 0.15) {
      self.count = count
      self.on = on
      self.off = off
    }

    /// No flashes.
    public static let none = Pattern(count: 0)
  }

  /// The start of the first flash.
  public let start: Instant
  /// The number and timing of the flashes.
  public let pattern: Pattern

  /// Creates a blink.
  public init(start: Instant, pattern: Pattern = Pattern()) {
    self.start = start
    var pattern = pattern
    pattern.count = min(pattern.count, Self.maximumCount)
    self.pattern = pattern
  }

  /// Keeps the number of edges within an `Int`.
  private static let maximumCount = 1 << 30

  /// The end of the last flash.
  public var end: Instant {
    pattern.count < 1 ? start : edge(2 * pattern.count - 1)
  }

  /// Edge 0 is the start of the first flash, 1 its end, 2 the start of the second.
  private func edge(_ index: Int) -> Instant {
    let lights = Double((index + 1) / 2)
    let pauses = Double(index / 2)
    return start + (lights * pattern.on + pauses * pattern.off)
  }

  /// Whether the light is on. Each flash includes its start and excludes its end.
  public func isLit(at now: Instant) -> Bool {
    guard now >= start, now < end else { return false }
    let period = pattern.on + pattern.off
    // The quotient may be off by a rounding error at an edge, so the neighbouring flashes are
    // checked too.
    let guess = guess(at: now, period)
    return (max(0, guess - 1)...(guess + 1)).contains {
      $0 < pattern.count && now >= edge(2 * $0) && now < edge(2 * $0 + 1)
    }
  }

  /// The index of the current or last flash, up to a rounding error.
  private func guess(at now: Instant, _ period: Double) -> Int {
    guard period > 0 else { return 0 }
    return Int(min(max(0, now - start) / period, Double(pattern.count)).rounded(.down))
  }

  private static let fading = Spring.Tuning(damping: 1, duration: 0.12)

  /// The fading of the last flash, or nil without flashes. Earlier flashes end instantly.
  private var fade: Spring? {
    guard pattern.count > 0, pattern.on > 0 else { return nil }
    return Spring(from: 1, to: 0, at: end, tuning: Self.fading, tolerance: 0.002)
  }

  /// Returns the brightness, 0 … 1.
  public func brightness(at now: Instant) -> Double {
    guard now >= end else { return isLit(at: now) ? 1 : 0 }
    return fade?.position(at: now) ?? 0
  }

  /// Whether the last flash is fading.
  public func isFading(at now: Instant) -> Bool { now >= end && now < fadeEnd }

  /// The end of the last flash's fading.
  public var fadeEnd: Instant { fade?.end ?? end }

  /// Returns the next time when the light changes or has faded, or nil from `fadeEnd` onwards.
  public func nextChange(after now: Instant) -> Instant? {
    guard now < end else { return now < fadeEnd ? fadeEnd : nil }
    let period = pattern.on + pattern.off
    let guess = guess(at: now, period)
    return (max(0, 2 * guess - 2)...(2 * guess + 4)).lazy
      .filter { $0 < 2 * pattern.count }
      .map(edge).first { $0 > now }
  }
}

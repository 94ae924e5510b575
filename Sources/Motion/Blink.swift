// SPDX-License-Identifier: MIT

/// A light that goes on and off by itself: lit for `on` seconds, dark for `off`, `count` times.
///
/// A blink is a function of time and cannot get stuck: after `end` it is dark. Two blinks of one wedge are two
/// values. Each light comes on instantly. The end of the last light fades; pauses are dark from their first moment.
///
///     count 2, on 0.20, off 0.15
///     0────0.20    0.35────0.55
///     lit  │ dark  │ lit   │ dark for good
public struct Blink: Hashable, Sendable {
  /// The rhythm of a blink.
  public struct Pattern: Hashable, Sendable {
    /// The number of lights; 0 for none.
    public var count: Int
    /// Seconds lit.
    public var on: Double
    /// Seconds dark between two lights.
    public var off: Double

    /// A rhythm of `count` lights. `on` and `off` are seconds, not negative.
    public init(count: Int = 2, on: Double = 0.20, off: Double = 0.15) {
      self.count = count
      self.on = on
      self.off = off
    }

    /// No light.
    public static let none = Pattern(count: 0)
  }

  /// When the first light comes on.
  public let start: Instant
  /// How often and how long it is lit.
  public let pattern: Pattern

  /// A blink whose first light comes on at `start`.
  public init(start: Instant, pattern: Pattern = Pattern()) {
    self.start = start
    var pattern = pattern
    pattern.count = min(pattern.count, Self.maximumCount)
    self.pattern = pattern
  }

  /// The maximum number of lights, so that their edges can be counted.
  private static let maximumCount = 1 << 30

  /// When the last light goes out.
  public var end: Instant {
    pattern.count < 1 ? start : edge(2 * pattern.count - 1)
  }

  /// The moment of the `index`-th change: 0 is the first light, 1 its end, 2 the second light.
  private func edge(_ index: Int) -> Instant {
    let lights = Double((index + 1) / 2)
    let pauses = Double(index / 2)
    return start + (lights * pattern.on + pauses * pattern.off)
  }

  /// Whether the light is on: each light includes its first moment and excludes its last.
  public func isLit(at now: Instant) -> Bool {
    guard now >= start, now < end else { return false }
    let period = pattern.on + pattern.off
    // The quotient may be off by a rounding error at an edge, so neighbouring lights are checked, too.
    let guess = guess(at: now, period)
    return (max(0, guess - 1)...(guess + 1)).contains {
      $0 < pattern.count && now >= edge(2 * $0) && now < edge(2 * $0 + 1)
    }
  }

  /// The index of the current or last light, up to a rounding error.
  private func guess(at now: Instant, _ period: Double) -> Int {
    guard period > 0 else { return 0 }
    return Int(min(max(0, now - start) / period, Double(pattern.count)).rounded(.down))
  }

  /// How the last light fades. Between two lights it is dark at once.
  private static let fading = Spring.Tuning(damping: 1, duration: 0.12)

  /// The motion of the last light's end, or nil if the pattern has no light.
  private var fade: Spring? {
    guard pattern.count > 0, pattern.on > 0 else { return nil }
    return Spring(from: 1, to: 0, at: end, tuning: Self.fading, tolerance: 0.002)
  }

  /// How bright it is, from 0 to 1, which is lit.
  public func brightness(at now: Instant) -> Double {
    guard now >= end else { return isLit(at: now) ? 1 : 0 }
    return fade?.position(at: now) ?? 0
  }

  /// Whether it fades now.
  public func isFading(at now: Instant) -> Bool { now >= end && now < fadeEnd }

  /// When the last light has faded.
  public var fadeEnd: Instant { fade?.end ?? end }

  /// The next moment after `now` at which the light changes, or has faded; nil from `fadeEnd` on.
  public func nextChange(after now: Instant) -> Instant? {
    guard now < end else { return now < fadeEnd ? fadeEnd : nil }
    let period = pattern.on + pattern.off
    let guess = guess(at: now, period)
    return (max(0, 2 * guess - 2)...(2 * guess + 4)).lazy
      .filter { $0 < 2 * pattern.count }
      .map(edge).first { $0 > now }
  }
}

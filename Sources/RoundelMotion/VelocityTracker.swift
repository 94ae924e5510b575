// SPDX-License-Identifier: MIT

/// Estimates the velocity of a finger from its positions.
///
/// The velocity is the slope, at the newest sample, of a parabola fitted to the last 100 ms by
/// least squares. A finger that slows down has its final speed, not its mean. Only the samples'
/// times matter, not the frame rate.
public struct VelocityTracker: Hashable, Sendable {
  private struct Sample: Hashable {
    var time: Instant
    var position: Double
  }
  private var samples: [Sample] = []

  /// In seconds.
  private static let window = 0.1
  /// The gap in seconds after which the finger counts as resting.
  private static let rest = 0.04
  private static let limit = 20

  /// Creates a tracker without samples, whose velocity is 0.
  public init() {}

  /// Adds a position, in any unit. If several have the same time, the last one counts. A time
  /// before the newest sample's is treated as that time.
  public mutating func add(_ position: Double, at time: Instant) {
    let time = max(time, samples.last?.time ?? time)
    if samples.last?.time == time { samples.removeLast() }
    samples.append(Sample(time: time, position: position))
    if samples.count > Self.limit { samples.removeFirst() }
  }

  /// Returns the velocity at `now`, in units per second. 0 for a resting finger, and for fewer than
  /// three samples, which may be a twitch.
  public func velocity(at now: Instant) -> Double {
    guard let newest = samples.last, now - newest.time <= Self.rest else { return 0 }
    var used: [Sample] = []
    for sample in samples.reversed() {
      if newest.time - sample.time > Self.window { break }
      if let later = used.last, later.time - sample.time > Self.rest { break }
      used.append(sample)
    }
    return used.count < 3 ? 0 : Self.slope(of: used, at: newest)
  }

  /// The slope at the newest sample of the best-fitting parabola y = a + bt + ct², with t and y
  /// relative to that sample: b from the normal equations by Cramer's rule, Sₙ = Σtⁿ and Tₙ = Σtⁿy.
  private static func slope(of samples: [Sample], at newest: Sample) -> Double {
    var s = [Double](repeating: 0, count: 5)
    var sums = [Double](repeating: 0, count: 3)
    for sample in samples {
      // In units of the window, because with powers of seconds the determinant would vanish in
      // rounding errors.
      let t = (sample.time - newest.time) / window
      let y = sample.position - newest.position
      var power = 1.0
      for n in 0..<5 {
        s[n] += power
        if n < 3 { sums[n] += power * y }
        power *= t
      }
    }
    func determinant(_ a: [Double], _ b: [Double], _ c: [Double]) -> Double {
      a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1])
        + c[0] * (a[1] * b[2] - a[2] * b[1])
    }
    let columns = [[s[0], s[1], s[2]], [s[1], s[2], s[3]], [s[2], s[3], s[4]]]
    // Non-zero for three different times.
    let whole = determinant(columns[0], columns[1], columns[2])
    guard abs(whole) > 1e-12 else { return 0 }
    return determinant(columns[0], sums, columns[2]) / whole / window
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelMotion

/// Reconstructs a touchscreen's sampling times from the timestamps of its reports.
///
/// A touchscreen samples at equal intervals, but reports wait for the bus: a USB host polls once
/// per millisecond, and interrupts may be late. An alpha–beta filter smooths this: a clock
/// corrected by a fraction of each error.
///
///     stamp   │       │         │      │       │
///     time    │       │       │       │       │
///             └interval┘
///
/// After a large error, the clock restarts: samples of unmoved fingers are missing, or the assumed
/// rate is wrong.
struct SampleClock: Hashable {
  /// The sampling time of the newest sample.
  private(set) var time: Timestamp
  /// The timestamp of its report.
  private var stamp: Timestamp
  private(set) var pace: Pace?

  struct Pace: Hashable {
    /// Seconds between samples.
    var interval: Double
    /// Seconds between the last two samples.
    var newest: Double
  }

  /// In seconds, for measuring a finger's speed, as in Android's InputTransport. For shorter ones,
  /// timestamps are too coarse. In longer ones, the finger may have reversed.
  private static let intervals = 0.002...0.02
  /// The maximum error of a timestamp, as a fraction of an interval.
  private static let tolerance = 1.0 / 3
  /// The fractions of the error that correct the time and the interval.
  private static let (alpha, beta) = (1.0 / 4, 1.0 / 8)

  init(_ stamp: Timestamp) {
    time = stamp
    self.stamp = stamp
  }

  mutating func add(_ stamp: Timestamp) {
    let apart = stamp - self.stamp
    self.stamp = stamp
    if let interval = pace?.interval {
      let late = stamp - time - interval
      let corrected = interval + late * Self.beta
      if abs(late) <= interval * Self.tolerance, Self.intervals.contains(corrected) {
        let newest = interval + late * Self.alpha
        time = time + newest
        pace = Pace(interval: corrected, newest: newest)
        return
      }
    }
    time = stamp
    pace = Self.intervals.contains(apart) ? Pace(interval: apart, newest: apart) : nil
  }
}

// SPDX-License-Identifier: MIT

internal import Motion

/// When a touch panel took its samples, by the time stamps of their reports.
///
/// A panel samples at equal intervals, but a report waits for the bus: a USB host asks once a millisecond, and
/// an interrupt is not always served immediately. An alpha–beta filter, a clock that is corrected by a part of
/// what it is off, smooths that:
///
///     stamp   │       │         │      │       │
///     time    │       │       │       │       │
///             └interval┘
///
/// A stamp that is far off is not late: samples are missing, since a finger that has not moved is not
/// reported, or the rate is another than supposed. The clock starts again there.
struct SampleClock: Hashable {
  /// When the newest sample was taken.
  private(set) var time: Timestamp
  /// The time stamp of its report.
  private var stamp: Timestamp
  /// How far apart samples are; nil while that is not known.
  private(set) var pace: Pace?

  struct Pace: Hashable {
    /// Seconds from sample to sample.
    var interval: Double
    /// Seconds from the last sample but one to the newest.
    var newest: Double
  }

  /// Seconds between samples that say how fast a finger moves; those of InputTransport in Android. In
  /// less the time stamp is too coarse, and nothing can be seen of it. In more the finger may have
  /// turned round.
  private static let intervals = 0.002...0.02
  /// The part of an interval by which a stamp may be off.
  private static let tolerance = 1.0 / 3
  /// The parts of what a stamp is off that correct the time and the interval.
  private static let (alpha, beta) = (1.0 / 4, 1.0 / 8)

  /// A clock that knows one sample.
  init(_ stamp: Timestamp) {
    time = stamp
    self.stamp = stamp
  }

  /// Adds a sample.
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

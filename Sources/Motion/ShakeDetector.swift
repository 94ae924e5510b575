// SPDX-License-Identifier: MIT

/// Detects shakes of the panel in the samples of an accelerometer.
///
/// A shake moves to and fro and crosses the threshold many times, but counts once: the next one can
/// begin after the samples have been below the threshold for the interval.
package struct ShakeDetector: Hashable, Sendable {
  /// In g, gravity's 1 g included, whatever the direction.
  package let threshold: Double
  /// Seconds.
  package let interval: Double
  /// When a sample last was above the threshold.
  private var lastStrong: Timestamp?

  /// The defaults are those of LaMarche's picker: 2.2 g and 0.1 s.
  package init(threshold: Double = 2.2, interval: Double = 0.1) {
    self.threshold = threshold
    self.interval = interval
  }

  /// Adds a sample, the acceleration along three axes in g, and returns whether a shake begins with
  /// it. A sample with a NaN is ignored.
  package mutating func shakes(x: Double, y: Double, z: Double, at now: Timestamp) -> Bool {
    guard x * x + y * y + z * z >= threshold * threshold else { return false }
    defer { lastStrong = now }
    guard let lastStrong else { return true }
    // A clock that was set back, as after a device was plugged in again, starts a new shake.
    return now < lastStrong || now - lastStrong > interval
  }
}

// SPDX-License-Identifier: MIT

/// Detects shakes of the panel in the samples of an accelerometer.
///
/// A shake crosses the threshold many times, but counts once. The next one begins after an interval
/// below the threshold.
package struct ShakeDetector: Hashable, Sendable {
  /// In g, including gravity's 1 g, in any direction.
  package let threshold: Double
  /// In seconds.
  package let interval: Double
  /// The time of the last sample above the threshold.
  private var lastStrong: Timestamp?

  /// The defaults are from LaMarche's picker.
  package init(threshold: Double = 2.2, interval: Double = 0.1) {
    self.threshold = threshold
    self.interval = interval
  }

  /// Returns whether a shake begins with the sample, in g. Ignores samples with a NaN.
  package mutating func shakes(x: Double, y: Double, z: Double, at now: Timestamp) -> Bool {
    guard x * x + y * y + z * z >= threshold * threshold else { return false }
    defer { lastStrong = now }
    guard let lastStrong else { return true }
    // A clock that was set back, for example because a device was plugged in again, starts a new
    // shake.
    return now < lastStrong || now - lastStrong > interval
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelMotion
internal import RoundelPresentation

/// Distinguishes a panel's vertical blanks from a timer's, by the times of flips.
///
/// Without a driver's blanks, the kernel may simulate them with a timer at the mode's rate
/// (drm_vblank.c), exactly on its grid. A panel has its own clock and interrupt jitter, so within a
/// second some blanks are off the grid.
struct BlankClock {
  private(set) var source = BlankSource.none
  /// Seconds between blanks, calculated from the mode.
  private let interval: Double
  /// The first blank of a sequence on one grid.
  private var first: (stamp: Timestamp, sequence: UInt32)?
  private var last: (stamp: Timestamp, sequence: UInt32)?
  private var count = 0

  /// Timestamps are in whole microseconds, and the kernel's interval in whole nanoseconds.
  private static let tolerance = 2e-6
  /// In blanks. A timer stops while no process waits for blanks, and then starts a new grid.
  private static let longestPause = 8.0
  private static let leastCount = 60
  private static let leastSeconds = 1.0

  init(interval: Double) { self.interval = interval }

  /// - Parameter sequence: 0 means that there are no blanks.
  mutating func flip(at stamp: Timestamp, sequence: UInt32) {
    guard sequence != 0, stamp != .zero else {
      self = BlankClock(interval: interval)
      return
    }
    defer { last = (stamp, sequence) }
    // A detected timer stays until a flip is reported without blanks.
    if source == .none { source = .panel }
    guard source != .timer else { return }
    guard let first, let last, Double(sequence &- last.sequence) < Self.longestPause else {
      self.first = (stamp, sequence)
      count = 1
      return
    }
    let blanks = Double(sequence &- first.sequence)
    guard abs((stamp - first.stamp) - blanks * interval) <= Self.tolerance else {
      self.first = (stamp, sequence)
      count = 1
      return
    }
    count += 1
    if count >= Self.leastCount, stamp - first.stamp >= Self.leastSeconds { source = .timer }
  }
}

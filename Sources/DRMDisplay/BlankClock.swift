// SPDX-License-Identifier: MIT

internal import Motion
internal import Presentation

/// Distinguishes the blanks of a panel from those of a timer, by the times of flips.
///
/// The driver of a panel that reports no blanks may let the kernel make them, by a timer at the mode's rate
/// (drm_vblank.c). Their stamps lie on a grid of exactly that rate for as long as the timer runs. The blanks of a
/// panel have their own clock, and the jitter of an interrupt, so that within a second some lie off the grid.
struct BlankClock {
  private(set) var source = BlankSource.none
  /// Seconds from blank to blank by the mode's numbers.
  private let interval: Double
  /// The first blank of those that lie on one grid so far.
  private var first: (stamp: Timestamp, sequence: UInt32)?
  private var last: (stamp: Timestamp, sequence: UInt32)?
  private var count = 0

  /// Stamps have whole microseconds, and the kernel's interval whole nanoseconds.
  private static let tolerance = 2e-6
  /// A timer stops while no process waits for blanks, and then begins another grid.
  private static let longestPause = 8.0
  private static let leastCount = 60
  private static let leastSeconds = 1.0

  /// A clock of a mode whose frames take so many seconds.
  init(interval: Double) { self.interval = interval }

  /// Notes a flip that was reported; a sequence of 0 means that there are no blanks.
  mutating func flip(at stamp: Timestamp, sequence: UInt32) {
    guard sequence != 0, stamp != .zero else {
      self = BlankClock(interval: interval)
      return
    }
    defer { last = (stamp, sequence) }
    // A source that was recognized stays until the mode is set again.
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

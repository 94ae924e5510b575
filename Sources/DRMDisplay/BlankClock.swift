// SPDX-License-Identifier: MIT

internal import Motion
internal import Presentation

/// Tells the blanks of a panel from those of a timer, by when flips come.
///
/// A driver of a panel that knows no blanks may have the kernel make some, by a timer at the mode's rate
/// (drm_vblank.c). Their stamps lie on a grid of exactly that rate for as long as they go on. A panel's
/// have a clock of their own, and the jitter of an interrupt, so that over a second some lie beside it.
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
  /// A timer stands still while nobody waits for blanks, and then begins another grid.
  private static let longestPause = 8.0
  private static let leastCount = 60
  private static let leastSeconds = 1.0

  /// A clock of a mode whose frames take so many seconds.
  init(interval: Double) { self.interval = interval }

  /// A flip was reported; a sequence of 0 is none.
  mutating func flip(at stamp: Timestamp, sequence: UInt32) {
    guard sequence != 0, stamp != .zero else {
      self = BlankClock(interval: interval)
      return
    }
    defer { last = (stamp, sequence) }
    // One that has been told stays so until the mode is set again.
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

// SPDX-License-Identifier: MIT

internal import Motion

/// The times of touches and wakes, and whether the panel is awake.
struct Presence: Sendable {
  /// Whether the panel sleeps.
  private(set) var isBlank = false
  /// Whether the panel is dark although it is awake.
  private(set) var isDarkView = false
  /// Whether the kiosk hasn't been used since it went home.
  private(set) var isHome = true
  /// The time of the last user input, or nil if there was none.
  private(set) var lastTouch: Instant?
  /// The time of the last page change.
  private(set) var lastPageChange: Instant
  private(set) var lastWake: Instant
  /// A counter of visible changes.
  private(set) var revision: UInt64 = 0

  init(at now: Instant) { (lastPageChange, lastWake) = (now, now) }

  mutating func notePerson(at now: Instant) {
    lastTouch = now
    isHome = false
  }

  mutating func noteHome() { isHome = true }

  mutating func notePage(at now: Instant) {
    lastPageChange = now
    isHome = false
  }

  /// Sets whether the panel sleeps. This doesn't restart time limits; see `wake(at:)`.
  mutating func set(blank: Bool) {
    isBlank = blank
    revision &+= 1
  }

  mutating func wake(at now: Instant) {
    set(blank: false)
    lastWake = now
  }

  mutating func set(darkView: Bool) {
    guard darkView != isDarkView else { return }
    isDarkView = darkView
    revision &+= 1
  }

  /// Keeps the time of the last user input after a restart.
  mutating func follow(restarted former: Presence) { lastTouch = former.lastTouch }
}

// SPDX-License-Identifier: MIT

internal import RoundelMotion

struct Presence: Sendable {
  private(set) var isBlank = false
  private(set) var isDarkView = false
  private(set) var isHome = true
  private(set) var lastTouch: Instant?
  private(set) var lastPageChange: Instant
  private(set) var lastWake: Instant
  private(set) var revision: UInt64 = 0

  init(at now: Instant) { (lastPageChange, lastWake) = (now, now) }

  mutating func recordUserInput(at now: Instant) {
    lastTouch = now
    isHome = false
  }

  mutating func recordHome() { isHome = true }

  mutating func recordPage(at now: Instant) {
    lastPageChange = now
    isHome = false
  }

  /// Doesn't restart time limits; see `wake(at:)`.
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

  mutating func adopt(restarted former: Presence) { lastTouch = former.lastTouch }
}

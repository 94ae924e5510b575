// SPDX-License-Identifier: MIT

/// Where a panel is between two pictures. At most one commit is in flight.
///
///     detached ──attached──► unset ──shown──► idle ──submitted──► flipping ──shown──► idle
///        ▲                     ▲                                     │
///        └──detached── all     ├─────────────── timedOut ────────────┤
///                              ├─────────────── refused ◄── idle     │
///     paused ──regained────────┘                                     │
///        ▲──────────────────────── lost ◄── unset, idle, flipping ───┘
///
/// Sleep is `unset` with the power off: waking sets the mode again.
enum FlipState: Hashable, CaseIterable {
  /// Nothing to show on.
  case detached
  /// There is a panel; the next picture comes with the mode.
  case unset
  /// The picture is shown; the next one can come.
  case idle
  /// A flip is pending; an event will report when it is done.
  case flipping
  /// Another program is the card's master, or is to be.
  case paused

  enum Event: Hashable, CaseIterable {
    case attached, detached
    /// A picture is shown, at once or as reported by an event.
    case shown
    case submitted
    /// The event has not come.
    case timedOut
    /// The panel was put to sleep, its link failed, or the kernel refused a flip.
    case refused
    case lost
    case regained
  }

  /// Goes along the arrows; an event that has no arrow from here changes nothing.
  mutating func handle(_ event: Event) {
    switch (self, event) {
    case (_, .detached): self = .detached
    case (.detached, .attached): self = .unset
    case (.unset, .shown), (.flipping, .shown): self = .idle
    case (.idle, .submitted): self = .flipping
    case (.flipping, .timedOut): self = .unset
    case (.idle, .refused), (.flipping, .refused): self = .unset
    case (.unset, .lost), (.idle, .lost), (.flipping, .lost): self = .paused
    case (.paused, .regained): self = .unset
    default: break
    }
  }
}

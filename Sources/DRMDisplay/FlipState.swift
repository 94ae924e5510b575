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
/// Sleep is `unset` with the power off: waking sets the mode again. A panel that is attached takes the
/// place of the one before, in each state.
enum FlipState<Panel, Obstacle> {
  /// Nothing to show on, and why.
  case detached(Obstacle)
  /// There is a panel; the next picture comes with the mode.
  case unset(Panel)
  /// The picture is shown; the next one can come.
  case idle(Panel)
  /// A flip is pending; so many CRTCs have still to report that it is done.
  case flipping(Panel, awaited: Int)
  /// Another program is the card's master, or is to be.
  case paused(Panel, Obstacle)

  enum Event {
    case attached(Panel), detached(Obstacle)
    /// A picture is shown, at once or as a CRTC reports.
    case shown
    /// So many CRTCs will report a flip.
    case submitted(awaited: Int)
    /// The event has not come.
    case timedOut
    /// The panel was put to sleep, its link failed, or the kernel refused a flip.
    case refused
    /// The card is another's now, or still.
    case lost(Obstacle)
    case regained
  }

  /// Goes along the arrows; an event that has no arrow from here changes nothing.
  mutating func handle(_ event: Event) {
    switch (self, event) {
    case (_, .detached(let why)): self = .detached(why)
    case (_, .attached(let panel)): self = .unset(panel)
    case (.flipping(let panel, let awaited), .shown) where awaited > 1:
      self = .flipping(panel, awaited: awaited - 1)
    case (.unset(let panel), .shown), (.flipping(let panel, _), .shown): self = .idle(panel)
    case (.idle(let panel), .submitted(let awaited)): self = .flipping(panel, awaited: awaited)
    case (.flipping(let panel, _), .timedOut): self = .unset(panel)
    case (.idle(let panel), .refused), (.flipping(let panel, _), .refused): self = .unset(panel)
    case (.unset(let panel), .lost(let why)), (.idle(let panel), .lost(let why)),
      (.flipping(let panel, _), .lost(let why)), (.paused(let panel, _), .lost(let why)):
      self = .paused(panel, why)
    case (.paused(let panel, _), .regained): self = .unset(panel)
    default: break
    }
  }

  /// The panel, whether it shows a picture or not.
  var panel: Panel? {
    switch self {
    case .detached: nil
    case .unset(let panel), .idle(let panel), .flipping(let panel, _), .paused(let panel, _): panel
    }
  }

  /// Whether a picture can be given now, to a panel that is awake.
  var takesFrames: Bool {
    switch self {
    case .unset, .idle: true
    case .detached, .flipping, .paused: false
    }
  }
}

extension FlipState: Equatable where Panel: Equatable, Obstacle: Equatable {}
extension FlipState: Sendable where Panel: Sendable, Obstacle: Sendable {}

// SPDX-License-Identifier: MIT

/// Where an output is between two pictures. At most one commit is in flight.
///
///     unset ──shown──► idle ──submitted──► flipping ──shown──► idle
///       ▲                                     │
///       ├─────────────── timedOut ────────────┤
///       ├─────────────── refused ◄── idle     │
///     regained                                │
///     paused ◄───────── lost ◄── unset, idle, flipping
///
/// Sleep is `unset` with the power off: waking sets the mode again.
enum FlipState<Obstacle> {
  /// The next picture comes with the mode.
  case unset
  /// The picture is shown; the next one can come.
  case idle
  /// A flip is pending.
  case flipping
  /// Another program is the card's master, or is to be.
  case paused(Obstacle)

  enum Event {
    /// A picture is shown, either immediately or as the CRTC reports.
    case shown
    /// The CRTC will report a flip.
    case submitted
    /// The event has not come.
    case timedOut
    /// The panel was put to sleep, its link failed, or the kernel refused a flip.
    case refused
    /// Another program is the master of the card now, or still.
    case lost(Obstacle)
    case regained
  }

  /// Goes along the arrows; an event that has no arrow from here changes nothing.
  mutating func handle(_ event: Event) {
    switch (self, event) {
    case (.unset, .shown), (.flipping, .shown): self = .idle
    case (.idle, .submitted): self = .flipping
    case (.flipping, .timedOut), (.idle, .refused), (.flipping, .refused): self = .unset
    case (_, .lost(let why)): self = .paused(why)
    case (.paused, .regained): self = .unset
    default: break
    }
  }

  /// Whether a picture can be given now, to a panel that is awake.
  var takesFrames: Bool {
    switch self {
    case .unset, .idle: true
    case .flipping, .paused: false
    }
  }
}

extension FlipState: Equatable where Obstacle: Equatable {}
extension FlipState: Sendable where Obstacle: Sendable {}

// SPDX-License-Identifier: MIT

/// An output's state between pictures, with at most one pending commit.
///
///     unset ──shown──► idle ──submitted──► flipping ──shown──► idle
///       ▲                                     │
///       ├─────────────── timedOut ────────────┤
///       ├─────────────── refused ◄── idle     │
///     regained                                │
///     paused ◄───────── lost ◄── unset, idle, flipping
///
/// Sleep is `unset` with the power off. Waking sets the mode again.
enum FlipState<Obstacle> {
  /// The next picture sets the mode.
  case unset
  case idle
  case flipping
  /// Another program is or should become master.
  case paused(Obstacle)

  enum Event {
    /// Immediately, or as reported by the CRTC.
    case shown
    /// The CRTC will report a flip.
    case submitted
    /// The event didn't arrive.
    case timedOut
    /// The panel sleeps, its link failed, or the kernel rejected a flip.
    case refused
    /// Another program is master.
    case lost(Obstacle)
    case regained
  }

  /// Events without a transition from the current state are ignored.
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

  var takesFrames: Bool {
    switch self {
    case .unset, .idle: true
    case .flipping, .paused: false
    }
  }
}

extension FlipState: Equatable where Obstacle: Equatable {}
extension FlipState: Sendable where Obstacle: Sendable {}

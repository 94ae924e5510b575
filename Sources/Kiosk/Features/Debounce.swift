// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelMotion

/// Ignores a touch soon after another finger lifted: the bounce of a trembling finger.
struct Debounce: Feature {
  private var lastLift: Instant?

  init(_ description: Description) {}

  mutating func admit(_ touch: Touch, _ engine: inout Engine, _ turn: inout Turn) -> Admission {
    let seconds = engine.screen.debounce
    guard seconds > 0, let lastLift, engine.now < lastLift + seconds else { return .pass }
    return .swallow
  }

  mutating func track(_ touch: Touch, _ engine: inout Engine, _ turn: inout Turn) {
    // A lost or cancelled touch isn't a lift.
    if touch.phase == .up { lastLift = engine.now }
  }
}

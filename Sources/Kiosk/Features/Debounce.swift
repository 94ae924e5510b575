// SPDX-License-Identifier: MIT

internal import Controls
internal import Motion

/// Ignores a finger that comes down soon after another one was lifted: the bounce of a trembling finger.
struct Debounce: Feature {
  /// When a finger was lifted last, or nil if none was.
  private var lastLift: Instant?

  init(_ description: Description) {}

  mutating func admit(
    _ touch: Touch, _ engine: inout Engine, _ turn: inout Turn
  ) -> Admission {
    let seconds = engine.screen.debounce
    guard seconds > 0, let lastLift, engine.now < lastLift + seconds else { return .pass }
    return .swallow
  }

  mutating func follow(_ touch: Touch, _ engine: inout Engine, _ turn: inout Turn) {
    // A lost or cancelled touch is no lift: the next touch is meant.
    if touch.phase == .up { lastLift = engine.now }
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelMotion

/// Delays the effect of a touch until the finger has rested.
struct Dwell: Feature {
  init(_ description: Description) {}

  func nextChange(in engine: Engine) -> Instant? {
    engine.touches.fingers.values.compactMap(\.dwellTime).min()
  }

  mutating func admit(_ touch: Touch, _ engine: inout Engine, _ turn: inout Turn) -> Admission {
    engine.screen.dwell > 0 ? .wait(until: engine.now + engine.screen.dwell) : .pass
  }

  mutating func advance(_ engine: inout Engine, _ turn: inout Turn) {
    for number in engine.fingers {
      guard let finger = engine.touches[number], let due = finger.dwellTime, due <= engine.now
      else { continue }
      turn.cause = .finger
      engine.putDown(number, at: finger.position, &turn)
    }
  }
}

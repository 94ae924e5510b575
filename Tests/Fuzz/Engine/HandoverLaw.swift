// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import Kiosk

/// The law of handover: a process that continues the state of a kiosk at rest has an equal state.
enum HandoverLaw {
  /// Returns the first difference, or nil.
  static func violation(of engine: Engine) -> String? {
    guard engine.fingers.isEmpty, engine.isStill,
      engine.pages.allSatisfy({ page in
        page.controls.allSatisfy { !$0.control.isMoving(at: engine.now) }
      })
    else { return nil }
    let past = engine.handoverState
    let next = Engine(engine.description, seed: 1, clock: engine.clock, continuing: past)
    guard !next.hasNews else { return "a kiosk that continues reports something" }
    var settable = past
    // Read-only properties, such as the extremes of a chart, are not handed over.
    settable.properties = past.properties.filter { path, value in
      var trial = engine
      return (try? trial.set(.property(path), to: value)) != nil
    }
    if let difference = settable.difference(from: next.handoverState) {
      return "after a handover, another \(difference)"
    }
    // The time since the start, the history of a chart, sleep, the focus and secrets are not handed over.
    guard engine.boundProperties.isEmpty, !engine.isBlank, !engine.hasFocus,
      !engine.isAsking,
      ![engine.shownPage, engine.activePage].contains(where: { page in
        engine.pages[page].controls.contains { $0.control is Chart || $0.control.isSecret }
      })
    else { return nil }
    return IdentityLaw.pictureDifference(engine, next).map { "after a handover, \($0)" }
  }
}

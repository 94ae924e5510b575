// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelMotion

/// Ends: if the actions of a start ran, the actions of its end also run before the kiosk restarts,
/// stops, or adopts another version of its file.
///
///     conclude ──► fingers let go, motion ends, menus close ──► reports ──► actions, bindings, reactions
///        ▲                                                                        │ something has begun again
///        └────────────────────────────────────────────────────────────────────────┘
extension Engine {
  /// Ends everything in progress and runs the resulting actions, before a restart or exit.
  ///
  /// Delayed actions run first: the end of a pulse may come early, but a start must not come after
  /// its end. Actions that change the page or start a motion are dropped.
  package mutating func finish(by cause: Cause = .command) {
    notice(.end)
    conclude(by: cause) { engine, turn in
      engine.record("hidden", of: .page(engine.shownPage), &turn)
    } each: { engine, turn in
      for finger in engine.fingers { engine.drop(finger, &turn) }
      for location in engine.plan.allLocations { engine.reset(location, &turn) }
      if engine.isBlank {
        engine.presence.set(blank: false)
        engine.record("woken", of: .kiosk, &turn)
      }
      let due = engine.delayed.takeAll()
      engine.closeAllOverlays(&turn)
      return due
    }
  }

  /// Ends everything that the next plan doesn't continue, by actions of the former plan. Delayed
  /// actions keep their due times.
  mutating func end(for mapping: PlanMapping, by cause: Cause, leavesPage: Bool) {
    conclude(by: cause) { engine, turn in
      guard leavesPage else { return }
      if engine.isBlank, !mapping.hasSameWaking { engine.record("woken", of: .kiosk, &turn) }
      engine.leaveOverlay(for: mapping, &turn)
      for page in engine.shownPages.reversed() where !mapping.hasSameActions(page: page) {
        engine.record("hidden", of: .page(page), &turn)
      }
    } each: { engine, turn in
      engine.releaseFingers(for: mapping, &turn)
      for location in engine.plan.allLocations where !mapping.isSame(location) {
        if engine.isContinued(location, by: mapping) {
          engine.update(location, &turn) { $0.letGo(at: $1, events: &$2) }
        } else {
          engine.reset(location, &turn)
        }
      }
      return []
    }
  }

  mutating func releaseFingers(for mapping: PlanMapping, _ turn: inout Turn) {
    for number in fingers {
      switch touches[number]?.holder {
      case .nothing, nil: break
      case .background:
        if !mapping.hasSameActions(page: activePage) { release(number, &turn) }
      case .control(let location):
        if !mapping.isSame(location) { release(number, &turn) }
      }
    }
  }

  /// Whether the next plan continues everything in progress on a control, with the same end
  /// actions.
  private func isContinued(_ location: ControlLocation, by mapping: PlanMapping) -> Bool {
    guard let next = mapping[location], mapping.page(location.page) == next.page else {
      return false
    }
    let (entry, successor) = (controls[location], mapping.next[next])
    guard successor.actions == entry.actions, successor.itemActions == entry.itemActions else {
      return false
    }
    guard entry.control.isMoving(at: now) else { return true }
    var resumed = successor.control
    resumed.resume(entry.control, at: now)
    return resumed.isMoving(at: now)
  }

  /// Runs turns until nothing is in progress, at most `maximumRounds`. `first` adds reports to the first turn, after
  /// its ends. `each` ends everything in progress, and returns the delayed actions to run.
  private mutating func conclude(
    by cause: Cause, first: (inout Engine, inout Turn) -> Void,
    each: (inout Engine, inout Turn) -> [PendingAction]
  ) {
    for round in 0..<Self.maximumRounds {
      var turn = Turn(by: cause)
      let due = each(&self, &turn)
      if round == 0 { first(&self, &turn) }
      let hasEnded = turn.reports.isEmpty && due.isEmpty
      react(due, isEnding: true, &turn)
      if hasEnded { break }
    }
  }
}

extension Event {
  /// Whether the event ends something that another event of its source started.
  var isEnd: Bool { Self.ends.contains(name) }

  private static let ends: Set<String> = [
    "selected", "cancelled", "settled", "changed", "closed", "hidden", "woken",
  ]
}

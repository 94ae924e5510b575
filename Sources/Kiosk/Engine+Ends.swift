// SPDX-License-Identifier: MIT

internal import Controls
internal import Motion

/// Ends: if the actions of a start ran, the actions of its end run, too, before the kiosk restarts, follows
/// another version of its file, or stops.
///
///     conclude ──► fingers let go, motion ends, menus close ──► reports ──► actions, bindings, reactions
///        ▲                                                                        │ something has begun again
///        └────────────────────────────────────────────────────────────────────────┘
extension Engine {
  /// Ends everything under way and runs the actions of these ends, before a restart or the end of the process.
  ///
  /// Delayed actions run immediately, before the ends: the end of a pulse may come early, and the start of
  /// something must not come after its end. Actions that change the page or start a motion are dropped.
  package mutating func finish(by cause: Cause = .command) {
    forEachFeature { _ = $0.notice(.end, &$1) }
    conclude(by: cause) { engine, turn in
      engine.note("hidden", of: .page(engine.shownPage), &turn)
    } each: { engine, turn in
      engine.letGoOfAll(except: [], &turn)
      if engine.isBlank {
        engine.presence.set(blank: false)
        engine.note("woken", of: .kiosk, &turn)
      }
      return engine.delayed.takeAll()
    }
  }

  /// Ends everything that the next version of the kiosk does not continue, and runs the actions of these ends, which
  /// belong to this version. Delayed actions wait for their time.
  mutating func finish(for next: Description, by cause: Cause) {
    let page = pages[shownPage]
    let successor = next.pages.first { $0.name == page.name }
    let isSamePage = successor?.actions == page.actions
    var successors: [String: PlacedControl] = [:]
    for page in next.pages {
      for entry in page.controls where isOnPage(entry.id, called: page.name) {
        successors[entry.id] = entry
      }
    }
    forEachFeature { $0.letGo($1) }
    conclude(by: cause) { engine, turn in
      if engine.isBlank, next.actions["woken"] != engine.description.actions["woken"] {
        engine.note("woken", of: .kiosk, &turn)
      }
      if !isSamePage { engine.note("hidden", of: .page(engine.shownPage), &turn) }
    } each: { engine, turn in
      let continued = engine.places.values.filter { place in
        let entry = engine.pages[place.page].controls[place.control]
        return successors[entry.id].map { entry.isContinued(by: $0, at: engine.now) } ?? false
      }
      engine.letGoOfAll(except: Set(continued), &turn)
      return []
    }
  }

  /// Makes turns until nothing is under way, at most as many as reactions have rounds.
  ///
  /// - Parameters:
  ///   - first: adds reports to the first turn, after its ends.
  ///   - each: ends everything under way, and returns the delayed actions to run.
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

  private func isOnPage(_ control: String, called page: String) -> Bool {
    places[control].map { pages[$0.page].name == page } ?? false
  }

  /// Detaches all fingers, and brings all controls to rest. The `continued` controls only lose their fingers and
  /// the motion that fingers caused.
  private mutating func letGoOfAll(except continued: Set<Place>, _ turn: inout Turn) {
    for finger in fingers { drop(finger, &turn) }
    for page in pages.indices {
      for control in pages[page].controls.indices {
        let place = Place(page: page, control: control)
        if continued.contains(place) {
          update(place, &turn) { control, now, events in control.letGo(at: now, events: &events) }
        } else {
          reset(place, &turn)
        }
      }
    }
  }
}

extension Event {
  /// Whether the event ends something that another event of its source began.
  var isEnd: Bool { Self.ends.contains(name) }

  private static let ends: Set<String> = [
    "selected", "cancelled", "settled", "changed", "closed", "hidden", "woken",
  ]
}

extension PlacedControl {
  /// Whether a control of another version of the file takes over everything under way, and its ends have the same
  /// actions.
  fileprivate func isContinued(by next: PlacedControl, at now: Instant) -> Bool {
    guard type(of: next.control) == type(of: control), next.actions == actions,
      next.itemActions == itemActions
    else { return false }
    guard control.isMoving(at: now) else { return true }
    var successor = next.control
    successor.resume(control, at: now)
    return successor.isMoving(at: now)
  }
}

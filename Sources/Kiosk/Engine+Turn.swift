// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelMotion

/// A turn of the engine:
///
///     change ──► reports ──► events ──► actions ─┐
///                   ▲                            │ the next action; after the last one, bindings;
///                   └────────── change ◄─────────┘ after the last binding, reactions
///
/// A change only adds reports, so no action runs before a page is left completely, or while the engine iterates over
/// controls. Reports become events in order, and their actions are appended to one queue.
extension Engine {
  mutating func update(
    _ location: ControlLocation, _ turn: inout Turn,
    _ change: (inout any Control, Instant, inout [ControlEvent]) -> Void
  ) {
    let (happened, next) = controls.update(location, at: now, change)
    report(happened, of: location, before: next, &turn)
  }

  /// Reports the effects of a change. The control's next change was due at `next` before that.
  mutating func report(
    _ happened: [ControlEvent], of location: ControlLocation, before next: Instant?,
    _ turn: inout Turn
  ) {
    recordChange(of: .control(location), &turn)
    if !happened.isEmpty { turn.recordReports(of: location) }
    let entry = controls[location]
    for event in happened {
      turn.add(
        Report(
          event: Event(
            event.name, at: event.time, control: entry.id, item: event.item, fields: event.fields,
            secrets: event.secrets, by: turn.cause),
          source: .control(location), targets: event.targets))
    }
    // A finger remains the cause until its motion settles and its choice has blinked. Later automatic motion has
    // another cause.
    let present = entry.control.nextChange(after: now)
    let continues =
      present != nil && !happened.contains { $0.name == "settled" }
      && (!happened.isEmpty || controls.causes[location] != nil)
    if !continues, !entry.control.isMoving(at: now) {
      controls.record(.time, ofMotionAt: location)
    } else if present != next {
      controls.record(turn.cause, ofMotionAt: location)
    }
  }

  func report(
    _ name: String, _ fields: [Field], of source: Report.Source = .kiosk, _ turn: inout Turn
  ) {
    var event = Event(name, at: now, fields: fields, by: turn.cause)
    event.isPrivate = turn.isPrivate
    turn.add(Report(event: event, source: source))
  }

  /// Adds a report that only triggers actions.
  func record(_ name: String, of source: Report.Source, _ turn: inout Turn) {
    turn.add(
      Report(event: Event(name, at: now, by: turn.cause), source: source, isPublished: false))
  }

  func refuse(_ message: String, _ turn: inout Turn) {
    if !turn.isPrivate { turn.add(refusal: message) }
    fail(message, &turn)
  }

  func fail(_ message: String, _ turn: inout Turn) {
    report("failed", [Field("message", .text(message))], &turn)
  }

  /// The units of a turn's budget for actions, and of its budget for expressions. An action costs
  /// 256 units, and a page change 16 more per control on the largest page. That allows 4096
  /// actions, which take some milliseconds, or 560 changes between pages of 100 controls. Changing
  /// keys costs one unit more per 256 values of the control. A new list costs 8 per row, or 1 per
  /// row of a value. An operation of an expression, or a byte of text, costs one.
  static let turnUnits = 1 << 20
  /// The units per item of a key's list: a turn accepts the longest list once.
  static let itemUnits = 8

  mutating func settle(_ turn: inout Turn) {
    let cause = turn.cause
    let first = outbox.events.count
    react(delayed.takeDue(by: now), &turn)
    outbox.set(refusals: turn.refusals)
    turn.cause = cause
    forEachFeature { $0.conclude($1.outbox.events[first...], &$1, &turn) }
  }

  /// Runs `due`, turns reports into events, runs the resulting actions, updates bindings, and evaluates reactions,
  /// within one budget. O(n) in reports, actions, and affected bindings and reactions.
  ///
  /// - Parameter isEnding: Whether everything ends, so that no action changes the page or starts a motion.
  mutating func react(_ due: [PendingAction], isEnding: Bool = false, _ turn: inout Turn) {
    guard
      !turn.reports.isEmpty || !turn.changes.isEmpty || !due.isEmpty
        || !dataflow.unevaluated.isEmpty
    else { return }
    var queue = isEnding ? due.filter { !$0.action.startsTransition } : due
    var next = 0
    turn.renewBudgets()
    var dropped: String?
    var rounds = 0
    // Actions of ends have separate budgets, so that other work cannot prevent them.
    func drop(_ message: String, _ turn: inout Turn) {
      dropped = message
      turn.renewBudgets()
    }
    repeat {
      while true {
        for var report in turn.takeReports() {
          if let id = report.event.control, isPrivate(control: id) { report.event.isPrivate = true }
          if report.isPublished { outbox.add(report.event) }
          var rest = actions(for: report)[...]
          if dropped == nil {
            guard
              let message = enqueue(
                &rest, report.event, isEnding: isEnding || report.isEnding, of: page(of: report),
                &queue, &turn)
            else { continue }
            drop(message, &turn)
          }
          guard report.event.isEnd else { continue }
          _ = enqueue(&rest, report.event, isEnding: true, of: page(of: report), &queue, &turn)
        }
        guard next < queue.count else { break }
        let pending = queue[next]
        next += 1
        (turn.cause, turn.page) = (.action, pending.page)
        let group = queue[(next - 1)...].prefix(1 + pending.action.following)
        turn.isPrivate = group.contains { plan.privacy.covers($0.action, for: $0.event) }
        // Only templates can fail.
        if group.count > 1, group.contains(where: { $0.action.command == nil }) {
          next += group.count - 1
          run(all: group, &turn)
        } else {
          run(pending, &turn)
        }
        turn.page = nil
        turn.isPrivate = false
        if pending.isEnding { turn.markEnds() }
      }
      updateBindings(&turn)
      // Reactions are never evaluated during changes, or at a time that depends on the frame rate.
      guard turn.reports.isEmpty, !turn.isPassing || !queue.isEmpty else { continue }
      let begun = evaluateReactions(&turn)
      guard dropped == nil, let first = begun.first else { continue }
      rounds += 1
      guard rounds <= Self.maximumRounds else {
        drop(
          "reactions have triggered each other \(Self.maximumRounds) times; \"\(first.reaction)\" and the "
            + "following reactions were dropped", &turn)
        continue
      }
      let event = Event("reaction", at: now, by: .action)
      for (reaction, page) in begun where dropped == nil {
        var actions = reaction.actions[...]
        let message = enqueue(
          &actions, event, isEnding: isEnding, of: page, &queue, &turn)
        if let message { drop(message, &turn) }
      }
    } while !turn.reports.isEmpty || next < queue.count
    _ = turn.takeChanges()
    _ = turn.takeValueChanges()
    assertInvariants(turn)
    guard let dropped else { return }
    outbox.add(Event("failed", at: now, fields: [Field("message", .text(dropped))], by: .action))
  }

  /// Appends triggered actions to the queue. Beyond the budget, keeps the rest in `actions` and
  /// returns a message.
  private mutating func enqueue(
    _ actions: inout ArraySlice<Action>, _ event: Event, isEnding: Bool, of page: Int?,
    _ queue: inout [PendingAction], _ turn: inout Turn
  ) -> String? {
    while let action = actions.first {
      guard !isEnding || !action.startsTransition else {
        actions.removeFirst()
        continue
      }
      guard (try? turn.actionBudget.spend(cost(of: action))) != nil else {
        return "actions take more work than one update allows; "
          + "\(action) and the following actions were dropped"
      }
      actions.removeFirst()
      if let condition = action.condition {
        if plan.bindings.readComputed(condition.names) { computeValues(&turn) }
        do throws(EvaluationError) {
          guard try condition.value(in: scope(event), budget: &turn.budget) == .flag(true) else {
            actions = actions.dropFirst(action.following)
            continue
          }
        } catch {
          turn.cause = .action
          turn.isPrivate = event.isPrivate
          fail("when \(condition): \(error)", reading: condition.names, &turn)
          turn.isPrivate = false
          actions = actions.dropFirst(action.following)
          continue
        }
      }
      let pending = PendingAction(action: action, event: event, page: page, isEnding: isEnding)
      if let delay = action.delay {
        if let loss = delayed.add(pending, at: now + delay) {
          fail(loss, &turn)
        }
      } else {
        queue.append(pending)
      }
    }
    return nil
  }

  /// The page whose end drops delayed actions, or nil for actions of the kiosk. Actions of a hidden
  /// page's controls end with the active page.
  private func page(of report: Report) -> Int? {
    switch report.source {
    case .kiosk: nil
    case .page(let page): isShown(page: page) ? page : activePage
    case .control(let location): isShown(page: location.page) ? location.page : activePage
    }
  }

  private func actions(for report: Report) -> [Action] {
    if let actions = report.actions { return actions }
    let name = report.event.name
    switch report.source {
    case .control(let location):
      let entry = controls[location]
      let parts = report.targets.flatMap { entry.itemActions[$0]?[name] ?? [] }
      return (entry.actions[name] ?? []) + parts
    case .page(let page): return pages[page].actions[name] ?? []
    case .kiosk:
      // An `emit` of an action doesn't trigger actions, which could trigger each other.
      let isEmitted = name == "emit" && report.event.cause == .command
      return description.actions[isEmitted ? "emitted" : name] ?? []
    }
  }

  private func cost(of action: Action) -> Int {
    if case .property(let path)? = action.target {
      return 256 + (locations[path.control].map(keyCost) ?? 0)
    }
    let isLarge = action.kind.traits.contains(.isLarge)
    return isLarge ? 256 + 16 * (pages.lazy.map(\.controls.count).max() ?? 0) : 256
  }

  func keyCost(_ location: ControlLocation) -> Int {
    (controls[location].source?.weight ?? 0) / 256
  }

  private mutating func run(_ pending: PendingAction, _ turn: inout Turn) {
    do throws(CommandError) {
      try perform(pending, &turn)
    } catch {
      fail("\(error)", &turn)
    }
  }

  /// Carries out all of these actions, or none of them after one failure.
  private mutating func run(all group: ArraySlice<PendingAction>, _ turn: inout Turn) {
    var (trial, trialTurn) = (self, turn)
    do throws(CommandError) {
      for pending in group { try trial.perform(pending, &trialTurn) }
      (self, turn) = (trial, trialTurn)
    } catch {
      turn.budget = trialTurn.budget
      fail("\(error)", &turn)
    }
  }

  private mutating func perform(
    _ pending: PendingAction, _ turn: inout Turn
  ) throws(CommandError) {
    let action = pending.action
    // The action reads current computed values.
    if action.reads(plan.bindings.readComputed) { computeValues(&turn) }
    let command: Command
    do throws(EvaluationError) {
      command = try action.command { (template) throws(EvaluationError) in
        try template.value(in: scope(pending.event), budget: &turn.budget)
      }
      if case (let target, .list(let rows))? = command.setting {
        let units = if case .value = target { 1 } else { Self.itemUnits }
        try turn.budget.spend(units * rows.count)
      }
    } catch {
      throw CommandError(description: "\(action): \(error)")
    }
    try execute(command, &turn)
  }
}

extension Action {
  /// Whether the action changes the page, starts a motion, or simulates user input.
  fileprivate var startsTransition: Bool {
    guard !kind.traits.isDisjoint(with: [.startsTransition, .isUserInput]) else { return false }
    return kind.parameters.first?.referent != .controls
      || arguments.first == .value(.text(CommandKind.everything))
  }
}

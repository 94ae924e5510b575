// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
internal import Motion

/// A turn of the engine:
///
///     change ──► reports ──► events ──► actions ─┐
///                   ▲                            │ the next one; when there is none, bindings;
///                   └────────── change ◄─────────┘ when nothing is left of them, reactions
///
/// A change only adds reports, so nothing else happens during it: no action runs before a page is left
/// completely, or while the engine iterates over controls. Reports become events in their order, and
/// their actions are appended to one queue.
extension Engine {
  /// A report of a control, a page or the kiosk.
  struct Report {
    var event: Event
    var source: Source
    /// The parts of a control whose actions it triggers.
    var targets: [String] = []
    /// Whether subscribers receive it as an event; otherwise it only triggers actions.
    var isPublished = true
    /// Whether leaving a page caused it. The next page is decided then, so it triggers no `go`, `spin`
    /// or `open`.
    var isEnding = false

    /// Whether delayed actions that it triggers outlive a change of page: those of the kiosk itself.
    var outlivesPage: Bool { if case .kiosk = source { true } else { false } }
  }

  enum Source {
    case control(Place)
    case page(Int)
    case kiosk
  }

  /// A triggered action that has not run.
  struct PendingAction {
    var action: Action
    var event: Event
    var isEnding: Bool
  }

  /// Changes a control and adds its reports.
  mutating func update(
    _ place: Place,
    _ change: (inout any Control, Instant, inout [ControlEvent]) -> Void
  ) {
    var happened: [ControlEvent] = []
    let next = pages[place.page].controls[place.control].control.nextChange(after: now)
    change(&pages[place.page].controls[place.control].control, now, &happened)
    report(happened, of: place, before: next)
  }

  /// Reports what a change of a control has brought about. Before the change, `next` was the moment of
  /// the control's next one.
  mutating func report(
    _ happened: [ControlEvent], of place: Place, before next: Instant?
  ) {
    noteChange(of: .control(place))
    if !happened.isEmpty { reporting[place] = cause }
    let entry = pages[place.page].controls[place.control]
    for event in happened {
      reports.append(
        Report(
          event: Event(
            event.name, at: event.time, control: entry.id, item: event.item, fields: event.fields,
            secrets: event.secrets, by: cause),
          source: .control(place), targets: event.targets))
    }
    // A finger is the cause until what it has thrown settles, and until its choice has blinked. A face
    // that turns by itself after that has another cause.
    let present = entry.control.nextChange(after: now)
    let goesOn =
      present != nil
      && !happened.contains { $0.name == "settled" }
      && (!happened.isEmpty || causes[place] != nil)
    if !goesOn, !entry.control.isMoving(at: now) {
      causes[place] = nil
    } else if present != next {
      note(cause, ofMotionAt: place)
    }
  }

  /// Notes the cause of a control's motion or blink. A motion that goes on as before keeps its cause: a button
  /// that an action disables still blinks for the finger.
  mutating func note(_ cause: Cause, ofMotionAt place: Place) {
    causes[place] = cause == .time ? nil : cause
  }

  mutating func report(_ name: String, _ fields: [Field], of source: Source = .kiosk) {
    reports.append(Report(event: Event(name, at: now, fields: fields, by: cause), source: source))
  }

  /// Adds a report that only triggers actions.
  mutating func note(_ name: String, of source: Source) {
    reports.append(
      Report(event: Event(name, at: now, by: cause), source: source, isPublished: false))
  }

  /// Reports that a property did not take the value that it follows.
  mutating func refuse(_ message: String) {
    refusals.append(message)
    fail(message)
  }

  mutating func fail(_ message: String) { report("failed", [Field("message", .text(message))]) }

  /// The budget of a turn for actions, and that for expressions. An action costs 256 units, a change of
  /// page 16 more per control on the largest page: 4096 actions, which take some milliseconds, or 560
  /// changes between pages of 100 controls. To change keys costs a unit more for 256 values of the control,
  /// and a new list 8 for each row, or 1 for a row of a value. An operation of an expression costs one
  /// unit, and so does each byte of text.
  static let turnUnits = 1 << 20
  /// The units of an item of a list that a key follows: a turn takes the longest list once.
  static let itemUnits = 8

  /// Ends a turn, and says what has happened in it where the kiosk speaks.
  mutating func settle() {
    defer { cause = .time }
    let person = cause
    let first = events.count
    refusals = []
    react(delayed.takeDue(by: now))
    if speech != nil { speak(of: events[first...], by: person) }
  }

  /// Runs the `due` actions, makes events of all reports, runs the actions that they trigger, directly or
  /// indirectly, updates bindings, and judges reactions, within one budget. O(n) in reports, actions and the
  /// bindings and reactions of what has changed.
  ///
  /// - Parameter isEnding: whether the turn ends everything under way, so that no action of it changes the page
  ///   or starts a motion.
  mutating func react(_ due: [PendingAction], isEnding: Bool = false) {
    guard !reports.isEmpty || !changes.isEmpty || !due.isEmpty || !unjudged.isEmpty else { return }
    var queue = isEnding ? due.filter { !$0.action.leadsOn } : due
    var next = 0
    var actionBudget = WorkBudget(Self.turnUnits)
    var budget = WorkBudget(Self.turnUnits)
    var dropped: String?
    var rounds = 0
    // The actions of ends have budgets of their own, so that nothing else keeps them from running.
    func drop(_ message: String) {
      dropped = message
      (actionBudget, budget) = (WorkBudget(Self.turnUnits), WorkBudget(Self.turnUnits))
    }
    repeat {
      while true {
        let reported = reports
        reports = []
        for report in reported {
          if report.isPublished { events.append(report.event) }
          var rest = actions(for: report)[...]
          if dropped == nil {
            guard
              let message = enqueue(
                &rest, report.event, isEnding: isEnding || report.isEnding,
                outlivesPage: report.outlivesPage, &queue, &actionBudget, &budget)
            else { continue }
            drop(message)
          }
          guard report.event.isEnd else { continue }
          _ = enqueue(
            &rest, report.event, isEnding: true, outlivesPage: report.outlivesPage, &queue,
            &actionBudget, &budget)
        }
        guard next < queue.count else { break }
        let pending = queue[next]
        next += 1
        cause = .action
        run(pending.action, event: pending.event, &budget)
        for index in reports.indices where pending.isEnding { reports[index].isEnding = true }
      }
      updateBindings(&budget)
      // Reactions are never judged in the midst of changes, nor at a moment that depends on the frame rate.
      guard reports.isEmpty, !isPassing || !queue.isEmpty else { continue }
      let begun = judgeReactions(&budget)
      guard dropped == nil, let first = begun.first else { continue }
      rounds += 1
      guard rounds <= Self.maximumRounds else {
        drop(
          "reactions have set each other off \(Self.maximumRounds) times; \"\(first.reaction)\" and what "
            + "followed it were dropped")
        continue
      }
      let event = Event("reaction", at: now, by: .action)
      for (reaction, isOfKiosk) in begun where dropped == nil {
        var actions = reaction.actions[...]
        let message = enqueue(
          &actions, event, isEnding: isEnding, outlivesPage: isOfKiosk, &queue,
          &actionBudget, &budget)
        if let message { drop(message) }
      }
    } while !reports.isEmpty || next < queue.count
    changes = []
    valueChanges = []
    assertAgreement()
    guard let dropped else { return }
    events.append(
      Event(
        "failed", at: now,
        fields: [Field("message", .text(dropped))], by: .action))
  }

  /// Appends the actions that an event triggers to the queue. Returns a message and leaves the rest of the actions
  /// if they exceed the budget.
  private mutating func enqueue(
    _ actions: inout ArraySlice<Action>, _ event: Event, isEnding: Bool, outlivesPage: Bool,
    _ queue: inout [PendingAction], _ actionBudget: inout WorkBudget, _ budget: inout WorkBudget
  ) -> String? {
    while let action = actions.first {
      guard !isEnding || !action.leadsOn else {
        actions.removeFirst()
        continue
      }
      guard (try? actionBudget.spend(cost(of: action))) != nil else {
        return "actions take more work than one turn allows; "
          + "\(action) and what followed it were dropped"
      }
      actions.removeFirst()
      if let condition = action.condition {
        if bindings.readComputed(condition.names) { computeValues(&budget) }
        do throws(EvaluationError) {
          guard
            try condition.value(in: scope(event), budget: &budget) == .flag(true)
          else { continue }
        } catch {
          cause = .action
          fail("when \(condition): \(error)")
          continue
        }
      }
      let pending = PendingAction(action: action, event: event, isEnding: isEnding)
      if let delay = action.delay {
        let isOfPage = !outlivesPage && !isEnding
        if let loss = delayed.add(pending, at: now + delay, isOfPage: isOfPage) { fail(loss) }
      } else {
        queue.append(pending)
      }
    }
    return nil
  }

  /// The control's own actions, then those of its parts.
  private func actions(for report: Report) -> [Action] {
    let name = report.event.name
    switch report.source {
    case .control(let place):
      let entry = pages[place.page].controls[place.control]
      let parts = report.targets.flatMap { entry.itemActions[$0]?[name] ?? [] }
      return (entry.actions[name] ?? []) + parts
    case .page(let page): return pages[page].actions[name] ?? []
    case .kiosk: return description.actions[name] ?? []
    }
  }

  private func cost(of action: Action) -> Int {
    if case .setting(.property(let path), _)? = action.command.arguments.first {
      return 256 + (places[path.control].map(keyCost) ?? 0)
    }
    let isLarge = action.command.kind.traits.contains(.isLarge)
    return isLarge ? 256 + 16 * (pages.lazy.map(\.controls.count).max() ?? 0) : 256
  }

  /// The cost of changing keys of a control, besides the way there.
  func keyCost(_ place: Place) -> Int {
    (pages[place.page].controls[place.control].source?.weight ?? 0) / 256
  }

  private mutating func run(_ action: Action, event: Event, _ budget: inout WorkBudget) {
    // An action reads values of its own moment.
    if action.command.reads(bindings.readComputed) { computeValues(&budget) }
    let command: GivenCommand
    do throws(EvaluationError) {
      command = try action.command.map { (template) throws(EvaluationError) in
        try text(template, event, &budget)
      } value: { (argument) throws(EvaluationError) in
        try value(argument, event, &budget)
      }
      if case .setting(let target, .list(let rows))? = command.arguments.first {
        if case .value = target {
          try budget.spend(rows.count)
        } else {
          try budget.spend(Self.itemUnits * rows.count)
        }
      }
    } catch {
      return fail("\(action): \(error)")
    }
    do throws(CommandError) {
      try carryOut(command)
    } catch {
      fail("\(error)")
    }
  }

  private func text(
    _ template: TextTemplate, _ event: Event, _ budget: inout WorkBudget
  ) throws(EvaluationError) -> String {
    try template.value(in: scope(event), budget: &budget).display
  }

  private func value(
    _ argument: Action.Argument, _ event: Event, _ budget: inout WorkBudget
  ) throws(EvaluationError) -> Value {
    switch argument {
    case .value(let value): value
    case .template(let template): try template.value(in: scope(event), budget: &budget)
    }
  }
}

extension Command<TextTemplate, Action.Argument> {
  /// Whether one of its templates reads some of the names that `read` knows.
  fileprivate func reads(_ areRead: ([Reference]) -> Bool) -> Bool {
    var reads = false
    _ = map { (text: TextTemplate) -> TextTemplate in
      reads = reads || areRead(text.names)
      return text
    } value: { (argument: Action.Argument) -> Action.Argument in
      if case .template(let template) = argument { reads = reads || areRead(template.names) }
      return argument
    }
    return reads
  }
}

extension Action {
  /// Whether the action changes the page, starts a motion, or stands for a person at the panel.
  fileprivate var leadsOn: Bool {
    guard !command.kind.traits.isDisjoint(with: [.leadsOn, .ofPerson]) else { return false }
    if case .controlOrAll(_?)? = command.arguments.first { return false }
    return true
  }
}

// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
internal import Motion

/// A turn of the engine:
///
///     change ──► reports ──► events ──► actions ─┐
///                   ▲                            │ the next one
///                   └────────── change ◄─────────┘
///
/// A change only reports, so nothing can happen in the middle of it: no action runs before a page is
/// wholly left, or while controls are gone through. Reports become events first in, first out, and
/// their actions are appended to one queue. So events stand in the order in which they came about.
extension Engine {
  /// What a control or the kiosk reports, and whether its page was left with it.
  struct Report {
    var event: Event
    /// The control that reports it; nil for the kiosk itself.
    var source: Place?
    /// Whether it comes of leaving a page. Where to go is decided then: it sets off no `go`, `spin`
    /// or `open`.
    var isEnding = false
  }

  /// Lets a control change, and keeps what it reports.
  mutating func update(
    _ place: Place,
    _ change: (inout any Control, Instant, inout [ControlEvent]) -> Void
  ) {
    var happened: [ControlEvent] = []
    change(&pages[place.page].controls[place.control].control, now, &happened)
    report(happened, of: place)
  }

  mutating func report(_ happened: [ControlEvent], of place: Place) {
    guard !happened.isEmpty else { return }
    let id = pages[place.page].controls[place.control].id
    for event in happened {
      reports.append(
        Report(
          event: Event(
            event.name, at: event.time, control: id, item: event.item, fields: event.fields),
          source: place))
    }
  }

  mutating func report(_ name: String, _ field: String, _ text: String) {
    reports.append(Report(event: Event(name, at: now, fields: [Field(field, .text(text))])))
  }

  mutating func fail(_ message: String) { report("failed", "message", message) }

  /// The work that the actions of one turn may set off, in all. A file may make them set each other
  /// off without end, a little more each time: a limit on their depth alone would not hold.
  ///
  /// An action takes 16 units, and a change of page one more for each control on the largest page:
  /// 4096 actions, which take some milliseconds, or 560 changes between pages of 100 controls.
  static let turnUnits = 65_536

  /// Ends a turn: makes events of all that was reported, and runs the actions that they set off, and
  /// those that these set off, within one budget of work.
  mutating func settle() {
    guard !reports.isEmpty else { return }
    var queue: [(action: Action, isEnding: Bool)] = []
    var next = 0
    var budget = WorkBudget(Self.turnUnits)
    var dropped: Action?
    while true {
      for report in reports {
        events.append(report.event)
        for action in actions(for: report) where dropped == nil {
          if (try? budget.spend(cost(of: action))) != nil {
            queue.append((action, report.isEnding))
          } else {
            dropped = action
          }
        }
      }
      reports.removeAll(keepingCapacity: true)
      guard next < queue.count else { break }
      let (action, isEnding) = queue[next]
      next += 1
      run(action)
      for index in reports.indices where isEnding { reports[index].isEnding = true }
    }
    guard let dropped else { return }
    fail(
      "actions set off more work than one turn may take (\(Self.turnUnits) units); "
        + "\(dropped) and what followed it were dropped")
    events += reports.map(\.event)
    reports = []
  }

  /// The control's own actions, then those of the item.
  private func actions(for report: Report) -> [Action] {
    guard let source = report.source else { return [] }
    let entry = pages[source.page].controls[source.control]
    let own = entry.actions[report.event.name] ?? []
    let all = own + (report.event.item.flatMap { entry.itemActions[$0]?[report.event.name] } ?? [])
    return report.isEnding ? all.filter { !$0.leadsOn } : all
  }

  /// In the units of a budget: a change of page lets go of each control on it.
  private func cost(of action: Action) -> Int {
    switch action {
    case .go, .blank: 16 + (pages.lazy.map(\.controls.count).max() ?? 0)
    default: 16
    }
  }

  private mutating func run(_ action: Action) {
    switch action {
    case .go(let page): change(toPage: page)
    case .set(let control, let property, let value):
      do throws(PropertyError) {
        try change(property, of: control, to: value)
      } catch {
        fail("set \(control).\(property): \(error)")
      }
    case .perform(let command, let control): change(control, by: command)
    case .run(let program): programs.append(program)
    case .emit(let name): report("emit", "name", name)
    case .blank(let blank): change(toBlank: blank)
    }
  }
}

extension Action {
  /// Whether it leads to somewhere else, or sets something in motion.
  fileprivate var leadsOn: Bool {
    switch self {
    case .go, .perform("spin", _), .perform("open", _): true
    default: false
    }
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelExpressions

struct Turn: Sendable {
  var cause: Cause
  /// Whether only motion happens, at a time that depends on the frame rate.
  let isPassing: Bool
  var page: Int?
  /// Whether reports contain private values.
  var isPrivate = false
  private(set) var reports: [Report] = []
  private(set) var changes: Set<Dependency> = []
  private(set) var valueChanges: Set<Dependency> = []
  /// The causes of controls' reports, for writing back.
  private(set) var reporting: [Engine.ControlLocation: Cause] = [:]
  private(set) var refusals: [String] = []
  var actionBudget = WorkBudget(Engine.turnUnits)
  /// The budget for expressions.
  var budget = WorkBudget(Engine.turnUnits)

  init(by cause: Cause = .time, isPassing: Bool = false) {
    self.cause = cause
    self.isPassing = isPassing
  }

  var isDone: Bool { reports.isEmpty && changes.isEmpty && valueChanges.isEmpty }

  mutating func add(_ report: Report) { reports.append(report) }

  mutating func takeReports() -> [Report] { exchange(&reports, for: []) }

  mutating func markEnds(from first: Int = 0) {
    for index in first..<reports.count { reports[index].isEnding = true }
  }

  mutating func record(_ dependency: Dependency, isComputing: Bool) {
    changes.insert(dependency)
    if isComputing { valueChanges.insert(dependency) }
  }

  mutating func takeChanges() -> Set<Dependency> { exchange(&changes, for: []) }
  mutating func takeValueChanges() -> Set<Dependency> { exchange(&valueChanges, for: []) }

  mutating func recordReports(of location: Engine.ControlLocation) { reporting[location] = cause }

  mutating func takeReporting() -> [Engine.ControlLocation: Cause] {
    exchange(&reporting, for: [:])
  }

  mutating func renewBudgets() {
    (actionBudget, budget) = (WorkBudget(Engine.turnUnits), WorkBudget(Engine.turnUnits))
  }

  mutating func add(refusal: String) { refusals.append(refusal) }
}

struct Report {
  var event: Event
  var source: Source
  var targets: [String] = []
  /// Whether subscribers receive an event. Otherwise, the report only triggers actions.
  var isPublished = true
  /// Whether leaving a page caused the report. The next page is already decided, so no `go`, `spin` or `open` runs.
  var isEnding = false
  /// The actions of a key, or nil for the actions of the event's name.
  var actions: [Action]?

  enum Source {
    case control(Engine.ControlLocation)
    case page(Int)
    case kiosk
  }
}

struct PendingAction: Sendable {
  var action: Action
  var event: Event
  /// The page of the action, or nil for an action of the kiosk.
  var page: Int?
  var isEnding: Bool
}

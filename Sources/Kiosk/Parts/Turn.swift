// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions

/// The pending work of a turn.
struct Turn: Sendable {
  /// The cause of the current changes.
  var cause: Cause
  /// Whether only motion happens, at a time that depends on the frame rate.
  let isPassing: Bool
  /// Reports that haven't become events yet.
  private(set) var reports: [Report] = []
  /// Changes for bindings.
  private(set) var changes: Set<Dependency> = []
  /// Changes for computed values.
  private(set) var valueChanges: Set<Dependency> = []
  /// Controls with reports, for writing back, and their causes.
  private(set) var reporting: [Engine.Place: Cause] = [:]
  /// Messages about properties that refused their bound values.
  private(set) var refusals: [String] = []

  init(by cause: Cause = .time, isPassing: Bool = false) {
    self.cause = cause
    self.isPassing = isPassing
  }

  var isDone: Bool { reports.isEmpty && changes.isEmpty && valueChanges.isEmpty }

  mutating func add(_ report: Report) { reports.append(report) }

  mutating func takeReports() -> [Report] {
    defer { reports = [] }
    return reports
  }

  /// Marks the reports starting at an index as reports of an end.
  mutating func markEnds(from first: Int = 0) {
    for index in first..<reports.count { reports[index].isEnding = true }
  }

  mutating func note(_ dependency: Dependency, isComputing: Bool) {
    changes.insert(dependency)
    if isComputing { valueChanges.insert(dependency) }
  }

  mutating func takeChanges() -> Set<Dependency> {
    defer { changes = [] }
    return changes
  }

  mutating func takeValueChanges() -> Set<Dependency> {
    defer { valueChanges = [] }
    return valueChanges
  }

  /// Records that a control has reports.
  mutating func noteReports(of place: Engine.Place) { reporting[place] = cause }

  mutating func takeReporting() -> [Engine.Place: Cause] {
    defer { reporting = [:] }
    return reporting
  }

  mutating func add(refusal: String) { refusals.append(refusal) }
}

/// A report of a control, a page or the kiosk.
struct Report {
  var event: Event
  var source: Source
  /// The items whose actions run.
  var targets: [String] = []
  /// Whether subscribers receive it as an event. Otherwise, it only triggers actions.
  var isPublished = true
  /// Whether leaving a page caused it. The next page is already decided then, so it triggers no `go`, `spin` or
  /// `open`.
  var isEnding = false

  enum Source {
    case control(Engine.Place)
    case page(Int)
    case kiosk
  }

  /// Whether delayed actions continue after a page change, as the kiosk's actions do.
  var outlivesPage: Bool { if case .kiosk = source { true } else { false } }
}

/// A triggered action that hasn't run yet.
struct PendingAction: Sendable {
  var action: Action
  var event: Event
  var isEnding: Bool
}

// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelMotion

struct ControlStore: Sendable {
  private(set) var pages: [Page] { didSet { revision &+= 1 } }
  /// Values to set once fingers release their controls. The last value wins.
  private(set) var writes: [PropertyPath: Write] = [:]
  /// The causes of current motion and blinks, except `time`.
  private(set) var causes: [Engine.ControlLocation: Cause] = [:]
  private(set) var revision: UInt64

  struct Write {
    var value: Value
    var cause: Cause
  }

  init(_ plan: Plan, seed: UInt64, revision: UInt64) {
    pages = plan.pages.seeded(seed)
    self.revision = revision
  }

  subscript(location: Engine.ControlLocation) -> PlacedControl { pages[location] }

  /// Returns the events of a change, and the time of the next change that was due before.
  mutating func update<Failure: Error>(
    _ location: Engine.ControlLocation, at now: Instant,
    _ change: (inout any Control, Instant, inout [ControlEvent]) throws(Failure) -> Void
  ) throws(Failure) -> (happened: [ControlEvent], next: Instant?) {
    var happened: [ControlEvent] = []
    let next = self[location].control.nextChange(after: now)
    try change(&pages[location.page].controls[location.control].control, now, &happened)
    return (happened, next)
  }

  mutating func set(
    _ property: PlacedControl.CommonProperty, of location: Engine.ControlLocation, to flag: Bool
  ) {
    pages.change(location) { $0[keyPath: property.flag] = flag }
  }

  mutating func disappear(_ location: Engine.ControlLocation, at now: Instant) {
    pages.change(location) { $0.control.disappear(at: now) }
  }

  /// Replaces a control with a successor with changed keys.
  mutating func execute(
    _ change: KeyChange, _ keys: [String: Value], of location: Engine.ControlLocation
  ) {
    let lists = keys.filter { $0.value.kind == .list }.keys
    pages.change(location) { entry in
      if !lists.isEmpty, let source = entry.source {
        entry.changedKeys = entry.changedKeys.filter { key, _ in
          !lists.contains { source.isKey(key, ofItemsIn: $0) }
        }
      }
      // Keys of removed items have no site.
      entry.changedKeys.merge(keys.filter { change.source[$0.key] != nil }) { $1 }
      (entry.control, entry.source) = (change.control, change.source)
    }
  }

  /// Drops waiting writes, too.
  mutating func restore(_ location: Engine.ControlLocation, to initial: PlacedControl) {
    pages.change(location) { $0 = initial }
    for path in writes.keys where path.control == initial.id { writes[path] = nil }
  }

  // MARK: Causes and waiting writes

  /// Keeps the cause of a continuing motion: a button that an action disables still blinks for the finger.
  mutating func record(_ cause: Cause, ofMotionAt location: Engine.ControlLocation) {
    causes[location] = cause == .time ? nil : cause
  }

  mutating func wait(_ value: Value, for path: PropertyPath, by cause: Cause) {
    writes[path] = Write(value: value, cause: cause)
  }

  mutating func dropWrite(for path: PropertyPath) { writes[path] = nil }

  // MARK: Succession

  /// Resumes the former state of redeclared controls.
  mutating func adopt(_ mapping: PlanMapping, seed: UInt64, at now: Instant) {
    let former = self
    pages = mapping.next.pages.seeded(seed)
    causes = [:]
    for (before, location) in mapping.successors {
      pages.change(location) { entry in
        if mapping.isSame(before) {
          let source = entry.source
          entry = former[before]
          entry.source = source.flatMap { former[before].source?.following($0) }
        } else {
          entry.control.resume(former[before].control, at: now)
        }
      }
      // A finger still causes a continuing blink.
      causes[location] = former.causes[before]
    }
    writes = writes.filter { mapping.next.locations[$0.key.control] != nil }
  }
}

extension [Page] {
  subscript(location: Engine.ControlLocation) -> PlacedControl {
    self[location.page].controls[location.control]
  }

  fileprivate mutating func change(
    _ location: Engine.ControlLocation, _ change: (inout PlacedControl) -> Void
  ) {
    change(&self[location.page].controls[location.control])
  }

  fileprivate func seeded(_ seed: UInt64) -> [Page] {
    var pages = self
    for page in pages.indices {
      for control in pages[page].controls.indices { pages[page].controls[control].seed(seed) }
    }
    return pages
  }
}

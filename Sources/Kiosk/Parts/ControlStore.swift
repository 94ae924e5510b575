// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Drawing
internal import Expressions
internal import Geometry
internal import Motion

/// The controls of all pages in their current state.
struct ControlStore: Sendable {
  /// The pages in order.
  private(set) var pages: [Page] { didSet { revision &+= 1 } }
  /// Values of properties that wait until fingers release their controls. The last value wins.
  private(set) var writes: [PropertyPath: Write] = [:]
  /// The causes of current motion and blinks. Motion caused by time has no entry.
  private(set) var causes: [Engine.Place: Cause] = [:]
  /// A counter of visible changes, except motion.
  private(set) var revision: UInt64

  struct Write {
    var value: Value
    var cause: Cause
  }

  /// The controls of a kiosk in their initial state.
  init(_ plan: Plan, seed: UInt64, revision: UInt64) {
    pages = plan.pages.seeded(seed)
    self.revision = revision
  }

  subscript(place: Engine.Place) -> PlacedControl { pages[place.page].controls[place.control] }

  /// Changes a control, and returns its events. `next` is set to the time of the next change that was due before.
  mutating func update(
    _ place: Engine.Place, at now: Instant, next: inout Instant?,
    _ change: (inout any Control, Instant, inout [ControlEvent]) -> Void
  ) -> [ControlEvent] {
    var happened: [ControlEvent] = []
    next = pages[place.page].controls[place.control].control.nextChange(after: now)
    change(&pages[place.page].controls[place.control].control, now, &happened)
    return happened
  }

  /// Sets a state property of a control.
  mutating func set(
    _ property: String, of place: Engine.Place, to value: Value, at now: Instant,
    events: inout [ControlEvent]
  ) throws(PropertyError) {
    try pages[place.page].controls[place.control].control.set(
      property, to: value, at: now, events: &events)
  }

  /// Sets a property common to all controls.
  mutating func set(
    _ property: PlacedControl.CommonProperty, of place: Engine.Place, to flag: Bool
  ) {
    pages[place.page].controls[place.control][keyPath: property.flag] = flag
  }

  mutating func disappear(_ place: Engine.Place, at now: Instant) {
    pages[place.page].controls[place.control].control.disappear(at: now)
  }

  /// Replaces a control by its successor with changed keys.
  mutating func carryOut(_ change: KeyChange, _ keys: [String: Value], of place: Engine.Place) {
    let lists = keys.filter { $0.value.kind == .list }.keys
    if !lists.isEmpty, let source = self[place].source {
      for key in self[place].changedKeys.keys
      where lists.contains(where: { source.isKey(key, ofItemsIn: $0) }) {
        pages[place.page].controls[place.control].changedKeys[key] = nil
      }
    }
    pages[place.page].controls[place.control].changedKeys.merge(keys) { _, new in new }
    pages[place.page].controls[place.control].control = change.control
    pages[place.page].controls[place.control].source = change.source
  }

  /// Restores a control's `initial` keys and state, and drops its waiting writes.
  mutating func restore(_ place: Engine.Place, to initial: PlacedControl) {
    pages[place.page].controls[place.control] = initial
    for path in writes.keys where path.control == initial.id { writes[path] = nil }
  }

  // MARK: Causes and waiting writes

  /// Records the cause of a control's motion or blink. A continuing motion keeps its cause: a button that an action
  /// disables still blinks for the finger.
  mutating func note(_ cause: Cause, ofMotionAt place: Engine.Place) {
    causes[place] = cause == .time ? nil : cause
  }

  /// Stores a value until fingers release its control.
  mutating func wait(_ value: Value, for path: PropertyPath, by cause: Cause) {
    writes[path] = Write(value: value, cause: cause)
  }

  mutating func dropWrite(for path: PropertyPath) { writes[path] = nil }

  // MARK: Succession

  /// Continues with the controls of the next plan. Redeclared controls resume their former state.
  mutating func follow(_ succession: Succession, seed: UInt64, at now: Instant) {
    let former = self
    pages = succession.next.pages.seeded(seed)
    causes = [:]
    for (before, place) in succession.successors {
      if succession.isSame(before) {
        let source = self[place].source
        pages[place.page].controls[place.control] = former[before]
        pages[place.page].controls[place.control].source = source.flatMap {
          former[before].source?.following($0)
        }
      } else {
        pages[place.page].controls[place.control].control.resume(former[before].control, at: now)
      }
      // A finger still causes a continuing blink.
      causes[place] = former.causes[before]
    }
    writes = writes.filter { succession.next.places[$0.key.control] != nil }
  }
}

extension [Page] {
  /// Returns the pages with random numbers determined by `seed`.
  fileprivate func seeded(_ seed: UInt64) -> [Page] {
    var pages = self
    for page in pages.indices {
      for control in pages[page].controls.indices { pages[page].controls[control].seed(seed) }
    }
    return pages
  }
}

// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
internal import Geometry
internal import Motion

/// The controls of all pages in their present state.
struct ControlStore: Sendable {
  /// The pages in order.
  private(set) var pages: [Page] { didSet { revision &+= 1 } }
  /// The pages as they begin: the controls have their initial states, and their places in the language's direction.
  private(set) var initialPages: [Page]
  /// Whether the places of controls are reflected, as the language in use is written from right to left.
  private(set) var isReflected = false
  /// Values of properties that wait for the fingers on their controls; the last value wins.
  private(set) var writes: [PropertyPath: Write] = [:]
  /// The causes of motion and blinks under way. Motion that time alone has caused has no entry.
  private(set) var causes: [Engine.Place: Cause] = [:]
  /// Increases with each visible change, except motion.
  private(set) var revision: UInt64

  struct Write {
    var value: Value
    var cause: Cause
  }

  /// The controls of a kiosk as they begin.
  init(_ description: Description, seed: UInt64, revision: UInt64) {
    initialPages = description.pages
    for page in initialPages.indices { initialPages[page].arrange(on: description.screen.size) }
    pages = initialPages
    self.revision = revision
    for page in pages.indices {
      for control in pages[page].controls.indices { pages[page].controls[control].seed(seed) }
    }
  }

  subscript(place: Engine.Place) -> PlacedControl { pages[place.page].controls[place.control] }

  func initial(_ place: Engine.Place) -> PlacedControl {
    initialPages[place.page].controls[place.control]
  }

  /// Changes a control, and returns its events. `next` becomes the moment of its next change before this one.
  mutating func update(
    _ place: Engine.Place, at now: Instant, next: inout Instant?,
    _ change: (inout any Control, Instant, inout [ControlEvent]) -> Void
  ) -> [ControlEvent] {
    var happened: [ControlEvent] = []
    next = pages[place.page].controls[place.control].control.nextChange(after: now)
    change(&pages[place.page].controls[place.control].control, now, &happened)
    return happened
  }

  /// Sets a property of a control's state.
  mutating func set(
    _ property: String, of place: Engine.Place, to value: Value, at now: Instant,
    events: inout [ControlEvent]
  ) throws(PropertyError) {
    try pages[place.page].controls[place.control].control.set(
      property, to: value, at: now, events: &events)
  }

  mutating func set(enabled: Bool, of place: Engine.Place) {
    pages[place.page].controls[place.control].isEnabled = enabled
  }

  mutating func set(visible: Bool, of place: Engine.Place) {
    pages[place.page].controls[place.control].isVisible = visible
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

  /// Gives a control its initial keys and state, and drops writes that wait for it.
  mutating func restore(_ place: Engine.Place, seed: UInt64) {
    var initial = initial(place)
    initial.seed(seed)
    pages[place.page].controls[place.control] = initial
    for path in writes.keys where path.control == initial.id { writes[path] = nil }
  }

  // MARK: Causes and waiting writes

  /// Notes the cause of a control's motion or blink. A motion that continues as before keeps its cause: a button
  /// that an action disables still blinks for the finger.
  mutating func note(_ cause: Cause, ofMotionAt place: Engine.Place) {
    causes[place] = cause == .time ? nil : cause
  }

  /// Lets a value wait for the fingers on its control.
  mutating func wait(_ value: Value, for path: PropertyPath, by cause: Cause) {
    writes[path] = Write(value: value, cause: cause)
  }

  mutating func dropWrite(for path: PropertyPath) { writes[path] = nil }

  // MARK: Directions of writing

  /// Puts all controls at their places in a direction. They keep their keys and their state, motion included.
  /// O(n) in the size of the controls in the file.
  mutating func set(reflected: Bool, on screen: Size, at now: Instant) {
    isReflected = reflected
    for page in pages.indices {
      for control in pages[page].controls.indices {
        guard let made = initialPages[page].controls[control].source?.made(isReflected: reflected)
        else { continue }
        initialPages[page].controls[control].control = made
      }
      initialPages[page].arrange(on: screen, isReflected: reflected)
      for control in pages[page].controls.indices {
        reflect(Engine.Place(page: page, control: control), at: now)
      }
    }
  }

  private mutating func reflect(_ place: Engine.Place, at now: Instant) {
    let entry = self[place]
    let initial = initial(place)
    guard let source = initial.source else { return }
    var new = initial.control
    if !entry.changedKeys.isEmpty {
      new = source.changing(entry.changedKeys, of: new, where: [:], at: now).control
    }
    new.resume(entry.control, at: now)
    pages[place.page].controls[place.control].control = new
  }

  // MARK: Succession

  /// Continues the state of a control in the former version.
  mutating func resume(
    _ place: Engine.Place, _ former: ControlStore, from before: Engine.Place, at now: Instant
  ) {
    pages[place.page].controls[place.control].control.resume(former[before].control, at: now)
    // A blink that continues is still a finger's.
    causes[place] = former.causes[before]
  }
}

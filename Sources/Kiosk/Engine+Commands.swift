// SPDX-License-Identifier: MIT

public import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
public import RoundelExpressions
public import RoundelMotion

/// Each public method is a turn. Other methods are changes within a turn.
extension Engine {
  /// Shows a page. Returns false if it doesn't exist.
  @discardableResult
  public mutating func go(to page: String) -> Bool {
    turn { $0.change(toPage: page, &$1) }
  }

  /// Sends a command, such as `spin`, `open` or `close`. Returns false if the control doesn't have it.
  @discardableResult
  public mutating func perform(_ command: String, on id: String) -> Bool {
    turn { $0.change(id, by: command, &$1) }
  }

  /// Puts the panel to sleep, which ends everything on the page, or wakes it.
  public mutating func setBlank(_ blank: Bool) { turn { $0.change(toBlank: blank, &$1) } }

  package mutating func reportFailure(
    _ message: String, at time: Instant, by cause: Cause = .command
  ) {
    advance(to: time)
    turn(by: cause) { $0.fail(message, &$1) }
  }

  /// Sets a control's property.
  public mutating func set(
    _ property: String, of id: String, to value: Value
  ) throws(PropertyError) {
    try set(.property(PropertyPath(control: id, property: property)), to: value)
  }

  /// Sets a property, a value of the kiosk, or the language.
  public mutating func set(_ target: Reference, to value: Value) throws(PropertyError) {
    try turn { (engine, turn) throws(PropertyError) in
      try engine.write(value, to: target, &turn)
    }
  }

  /// Whether a shake would have an effect. If not, the accelerometer need not be read.
  package var awaitsShake: Bool { !isBlank && !shakeable.isEmpty }

  /// Reports a shake of the panel.
  public mutating func shake(at time: Instant) {
    advance(to: time)
    try? apply(.shake)
  }

  mutating func shakeControls(_ turn: inout Turn) {
    guard !isBlank else { return }
    recordUserInput(.shake)
    for id in shakeable { change(id, by: "shake", &turn) }
  }

  var shakeable: [String] {
    reachableControls.map { controls[$0] }
      .filter { $0.isEnabled && $0.isVisible && $0.control.commands.contains("shake") }
      .map(\.id)
  }

  mutating func write(_ value: Value, toNamed target: Reference, _ turn: inout Turn)
    throws(CommandError)
  {
    do throws(PropertyError) {
      try write(value, to: target, &turn)
    } catch {
      do throws(UnknownName) {
        if case .unknown = error { _ = try kind(named: target) }
      } catch {
        throw CommandError(description: "\(error)")
      }
      throw CommandError(description: "set \(target): \(error)")
    }
  }

  mutating func emit(_ name: String, _ fields: [Field], _ turn: inout Turn) throws(CommandError) {
    let reserved = CommandKind.reservedFields
    if let field = fields.first(where: { reserved.contains($0.name) }) {
      throw CommandError(
        description: "a field cannot be called \"\(field.name)\" "
          + "(expected a name other than \(reserved.alternatives))")
    }
    report("emit", [Field("name", .text(name))] + fields, &turn)
  }

  mutating func turn<Result, Failure: Error>(
    by cause: Cause = .command, isPassing: Bool = false,
    _ change: (inout Engine, inout Turn) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var turn = Turn(by: cause, isPassing: isPassing)
    defer { settle(&turn) }
    return try change(&self, &turn)
  }

  // MARK: Changes

  mutating func appear(_ turn: inout Turn) {
    // Bindings that failed while hidden report the failure now.
    if plan.bindings.updateInterval != nil { recordChange(of: .clock, &turn) }
    useControls(&turn)
  }

  /// Activates the visible pages' controls.
  mutating func useControls(_ turn: inout Turn, except inUse: Set<ControlLocation> = []) {
    guard !isBlank else { return }
    for location in plan.allLocations
    where isShown(page: location.page) && !inUse.contains(location) {
      appear(location, &turn)
    }
  }

  private mutating func appear(_ location: ControlLocation, _ turn: inout Turn) {
    guard isShown(page: location.page), !isBlank, controls[location].isEnabled else { return }
    let (happened, next) = controls.update(location, at: now) { $0.appear(at: $1, events: &$2) }
    if !happened.isEmpty { report(happened, of: location, before: next, &turn) }
  }

  mutating func reset(_ location: ControlLocation, _ turn: inout Turn) {
    update(location, &turn) { $0.reset(at: $1, events: &$2) }
  }

  mutating func darken() {
    guard !isBlank else { return }
    presence.set(darkView: true)
  }

  mutating func change(toBlank blank: Bool, _ turn: inout Turn) {
    presence.set(darkView: false)
    guard blank != isBlank else { return }
    if blank {
      for page in shownPages.reversed() { endPage(page, &turn) }
      touches.set(nil)
      presence.set(blank: true)
      forEachFeature { $0.endSession(&$1) }
      navigation.endChange()
      report("slept", [], &turn)
    } else {
      presence.wake(at: now)
      forEachFeature { $0.endSession(&$1) }
      report("woken", [], &turn)
      appear(&turn)
      openNext(&turn)
    }
  }

  @discardableResult
  mutating func change(_ id: String, by command: String, _ turn: inout Turn) -> Bool {
    guard let location = locations[id], controls[location].control.commands.contains(command) else {
      return false
    }
    update(location, &turn) { $0.perform(command, at: $1, events: &$2) }
    return true
  }

  mutating func change(
    _ property: String, of id: String, to value: Value, _ turn: inout Turn
  ) throws(PropertyError) {
    guard let location = locations[id] else { throw .unknown("\(id).\(property)") }
    switch controls[location].propertyKinds.row(property) {
    case .common(let common): return try change(common, of: location, to: value, &turn)
    case .key(let key):
      guard key.role == .variable else { throw .fixed(property) }
      return try change([property: value], of: location, &turn)
    case .state, nil: break
    }
    let path = PropertyPath(control: id, property: property)
    if isHeld(location), controls[location].control.isHeld(property) {
      // Check the value now, and set it when the finger lifts.
      var (trial, events) = (controls[location].control, [ControlEvent]())
      try trial.set(property, to: value, at: now, events: &events)
      controls.wait(value, for: path, by: turn.cause)
      return
    }
    // An older value that was waiting for the lift is dropped.
    controls.dropWrite(for: path)
    let (happened, next) = try controls.update(location, at: now) {
      (control, now, events) throws(PropertyError) in
      try control.set(property, to: value, at: now, events: &events)
    }
    report(happened, of: location, before: next, &turn)
  }

  private mutating func change(
    _ property: PlacedControl.CommonProperty, of location: ControlLocation, to value: Value,
    _ turn: inout Turn
  ) throws(PropertyError) {
    guard case .flag(let flag) = value else {
      throw .unsuitable(property.name, expected: Bool.expected)
    }
    guard controls[location][keyPath: property.flag] != flag else { return }
    controls.set(property, of: location, to: flag)
    recordChange(of: .control(location), &turn)
    guard !flag else { return appear(location, &turn) }
    letGo(location, &turn)
    if property.isUse { controls.disappear(location, at: now) }
  }

  mutating func change(_ keys: [String: Value], of location: ControlLocation, _ turn: inout Turn)
    throws(PropertyError)
  {
    guard let change = change(of: keys, at: location) else { return }
    for (key, why) in change.refusals { throw PropertyError(key, why) }
    if let conflict = change.conflict {
      throw PropertyError(keys.keys.sorted().joined(separator: ", "), conflict)
    }
    execute(change, keys, of: location, &turn)
  }

  /// Returns nil if nothing changes.
  func change(of keys: [String: Value], at location: ControlLocation) -> KeyChange? {
    let entry = controls[location]
    let present = entry.changedKeys
    // Setting a list drops values set for keys of its items, even an equal list.
    guard keys.contains(where: { $0.value.kind == .list || present[$0.key] != $0.value }) else {
      return nil
    }
    return entry.source?.changing(keys, of: entry.control, where: present, at: now)
  }

  mutating func execute(
    _ change: KeyChange, _ keys: [String: Value], of location: ControlLocation, _ turn: inout Turn
  ) {
    // A control that is already moving keeps its cause.
    if !controls[location].control.isMoving(at: now), change.control.isMoving(at: now) {
      controls.record(turn.cause, ofMotionAt: location)
    }
    controls.execute(change, keys, of: location)
    // A smaller text may have reached its end.
    update(location, &turn) { $0.advance(to: $1, events: &$2) }
  }

  mutating func letGo(_ location: ControlLocation, _ turn: inout Turn) {
    dropFingers(of: location, &turn)
    update(location, &turn) { $0.letGo(at: $1, events: &$2) }
  }

  private mutating func dropFingers(of location: ControlLocation, _ turn: inout Turn) {
    for finger in fingers where touches[finger]?.holder == .control(location) {
      drop(finger, &turn)
    }
  }

  /// Nil resets everything except persistent values and external values.
  mutating func reset(_ id: String?, _ turn: inout Turn) {
    guard let id else { return resetAll(&turn) }
    guard let location = locations[id] else { return }
    restore(id, at: location, &turn)
    appear(location, &turn)
  }

  private mutating func resetAll(_ turn: inout Turn) {
    touches.set(nil)
    forEachFeature { $0.endSession(&$1) }
    presence.set(darkView: false)
    closeAllOverlays(&turn)
    beginTransition(to: 0)
    delayed.leave(page: shownPage)
    endPage(shownPage, &turn)
    for (id, location) in locations.sorted(by: { $0.key < $1.key }) {
      restore(id, at: location, &turn)
    }
    for value in description.values
    where value.template == nil && !value.isPersistent && !value.isForeign { restore(value, &turn) }
    clearPrivate(&turn)
    if description.scalesTexts {
      try? write(.number(1), to: .value(Description.textScaleValue), &turn)
    }
    if let language = description.languages.first, language != self.language {
      change(toLanguage: language, &turn)
    }
    show(0, &turn)
    navigation.set(PageHistory())
    presence.recordHome()
    forgetReactions(ofPage: nil)
    forgetReactions(ofPage: shownPage)
  }

  /// Ends everything on a control, and restores its initial keys and state.
  mutating func restore(_ id: String, at location: ControlLocation, _ turn: inout Turn) {
    dropFingers(of: location, &turn)
    reset(location, &turn)
    // With the initial seed, the next guest would win the last guest's prize.
    let seed = UInt64(bitPattern: now.microseconds)
    var initial = plan[location]
    initial.seed(seed)
    update(location, &turn) { control, _, _ in control = initial.control }
    controls.restore(location, to: initial)
    // Its bindings apply again.
    for index in plan.bindings.followers[id, default: []] {
      dataflow.set(nil, of: index)
      if plan.bindings.all[index].writesBack { dataflow.beginFollowing(index) }
    }
    recordChange(of: .start, &turn)
  }
}

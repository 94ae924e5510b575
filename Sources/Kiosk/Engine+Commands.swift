// SPDX-License-Identifier: MIT

public import Controls
internal import Drawing
public import Expressions
public import Motion

/// Commands. Each public method is a turn; the others are changes within one.
extension Engine {
  /// Shows a page by its name; returns false if there is none.
  @discardableResult
  public mutating func go(to page: String) -> Bool {
    turn { $0.change(toPage: page) }
  }

  /// Gives a control a command: `spin`, `open`, `close`. Returns false if it does not have that.
  @discardableResult
  public mutating func perform(_ command: String, on id: String) -> Bool {
    turn { $0.change(id, by: command) }
  }

  /// Puts the panel to sleep, which ends everything on the page, or wakes it.
  public mutating func setBlank(_ blank: Bool) {
    turn { $0.change(toBlank: blank) }
  }

  /// Reports a failure outside of the engine, such as that of a program.
  package mutating func reportFailure(
    _ message: String, at time: Instant, by cause: Cause = .command
  ) {
    advance(to: time)
    turn(by: cause) { $0.fail(message) }
  }

  /// Sets a control's property.
  public mutating func set(
    _ property: String, of id: String, to value: Value
  ) throws(PropertyError) {
    try set(.property(PropertyPath(control: id, property: property)), to: value)
  }

  /// Sets a property, a value of the kiosk's own, or the language.
  public mutating func set(_ target: Reference, to value: Value) throws(PropertyError) {
    try turn { (engine) throws(PropertyError) in try engine.write(value, to: target) }
  }

  /// Whether a shake would have an effect; otherwise the accelerometer need not be read.
  package var awaitsShake: Bool { !isBlank && !shakeable.isEmpty }

  /// Reports a shake of the panel.
  public mutating func shake(at time: Instant) {
    advance(to: time)
    try? apply(.shake)
  }

  mutating func shakeControls() {
    guard !isBlank else { return }
    notePerson()
    for id in shakeable { change(id, by: "shake") }
  }

  var shakeable: [String] {
    pages[shownPage].controls
      .filter { $0.isEnabled && $0.isVisible && $0.control.commands.contains("shake") }
      .map(\.id)
  }

  /// Sets what a command names.
  mutating func write(_ value: Value, toNamed target: Reference) throws(CommandError) {
    do throws(PropertyError) {
      try write(value, to: target)
    } catch {
      do throws(UnknownName) {
        if case .unknown = error { _ = try kind(named: target) }
      } catch {
        throw CommandError(description: "\(error)")
      }
      throw CommandError(description: "set \(target): \(error)")
    }
  }

  /// Reports an event of the author's own.
  mutating func emit(_ name: String, _ fields: [Field]) throws(CommandError) {
    let reserved = CommandKind.reservedFields
    if let field = fields.first(where: { reserved.contains($0.name) }) {
      throw CommandError(
        description: "a field cannot be called \"\(field.name)\" "
          + "(expected none of \(reserved.alternatives))")
    }
    report("emit", [Field("name", .text(name))] + fields)
  }

  /// Makes a change as a turn.
  mutating func turn<Result, Failure: Error>(
    by cause: Cause = .command, _ change: (inout Engine) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    self.cause = cause
    defer { settle() }
    return try change(&self)
  }

  // MARK: Changes

  /// Brings the controls of the shown page into use.
  mutating func appear() {
    // Bindings that failed unseen report it now.
    if bindings.rhythm != nil { noteChange(of: .clock) }
    useControls()
  }

  /// Brings the controls of the current page into use that are not in use already.
  mutating func useControls() {
    guard !isBlank else { return }
    for control in pages[shownPage].controls.indices {
      appear(Place(page: shownPage, control: control))
    }
  }

  /// Brings a control into use, if it can be used now.
  private mutating func appear(_ place: Place) {
    guard place.page == shownPage, !isBlank, pages[place.page].controls[place.control].isEnabled
    else { return }
    var happened: [ControlEvent] = []
    let next = pages[place.page].controls[place.control].control.nextChange(after: now)
    pages[place.page].controls[place.control].control.appear(at: now, events: &happened)
    if !happened.isEmpty { report(happened, of: place, before: next) }
  }

  mutating func reset(_ place: Place) {
    update(place) { control, now, events in control.reset(at: now, events: &events) }
  }

  /// Darkens the panel, on which touches and speech go on, or lights it.
  mutating func change(toDarkView dark: Bool) {
    guard !isBlank, dark != isDarkView else { return }
    isDarkView = dark
  }

  mutating func change(toBlank blank: Bool) {
    if isDarkView { isDarkView = false }
    guard blank != isBlank else { return }
    if blank {
      endPage()
      focus = nil
      isBlank = true
      endSpeech()
      pageChange = nil
      report("slept", [])
    } else {
      isBlank = false
      endSpeech()
      noteWake()
      report("woken", [])
      appear()
    }
  }

  @discardableResult
  mutating func change(_ id: String, by command: String) -> Bool {
    guard let place = places[id] else { return false }
    guard pages[place.page].controls[place.control].control.commands.contains(command) else {
      return false
    }
    update(place) { control, now, events in
      control.perform(command, at: now, events: &events)
    }
    return true
  }

  mutating func change(
    _ property: String, of id: String, to value: Value
  ) throws(PropertyError) {
    guard let place = places[id] else { throw .unknown("\(id).\(property)") }
    switch (property, value) {
    case ("enabled", .flag(let flag)):
      guard pages[place.page].controls[place.control].isEnabled != flag else { return }
      pages[place.page].controls[place.control].isEnabled = flag
      noteChange(of: .control(place))
      if flag {
        appear(place)
      } else {
        letGo(place)
        pages[place.page].controls[place.control].control.disappear(at: now)
      }
    case ("visible", .flag(let flag)):
      guard pages[place.page].controls[place.control].isVisible != flag else { return }
      pages[place.page].controls[place.control].isVisible = flag
      noteChange(of: .control(place))
      if flag { appear(place) } else { letGo(place) }
    case ("enabled", _), ("visible", _):
      throw .unsuitable(property, expected: "true or false")
    default:
      if let isVariable = isVariable(property, of: place) {
        guard isVariable else { throw .fixed(property) }
        return try change([property: value], of: place)
      }
      var happened: [ControlEvent] = []
      if isHeld(place), pages[place.page].controls[place.control].control.isHeld(property) {
        // The value is checked now, and set when the finger is lifted.
        var trial = pages[place.page].controls[place.control].control
        try trial.set(property, to: value, at: now, events: &happened)
        writes[PropertyPath(control: id, property: property)] = Write(value: value, cause: cause)
        return
      }
      // An older value that waited for the finger is dropped.
      writes[PropertyPath(control: id, property: property)] = nil
      let next = pages[place.page].controls[place.control].control.nextChange(after: now)
      try pages[place.page].controls[place.control].control.set(
        property, to: value, at: now, events: &happened)
      report(happened, of: place, before: next)
    }
  }

  /// Whether a key may change; nil for a state and for what is unknown.
  private func isVariable(_ property: String, of place: Place) -> Bool? {
    let entry = pages[place.page].controls[place.control]
    guard !entry.control.properties.contains(property), let source = entry.source,
      source.kind(of: property) != nil
    else { return nil }
    return source.isVariable(property)
  }

  /// Changes keys of a control, all or none.
  mutating func change(_ keys: [String: Value], of place: Place) throws(PropertyError) {
    guard let change = change(of: keys, at: place) else { return }
    for (key, what) in change.refusals {
      throw .unsuitable(key, expected: "another value: \(what)")
    }
    if let conflict = change.conflict {
      let names = keys.keys.sorted().joined(separator: ", ")
      throw .unsuitable(names, expected: "another value: \(conflict)")
    }
    carryOut(change, keys, of: place)
  }

  /// The result of new values of keys; nil where none is new.
  func change(of keys: [String: Value], at place: Place) -> KeyChange? {
    let present = pages[place.page].controls[place.control].changedKeys
    // Setting a list drops the keys that were set of its items, even where the list is the same.
    guard keys.contains(where: { $0.value.kind == .list || present[$0.key] != $0.value }) else {
      return nil
    }
    return pages[place.page].controls[place.control].source?.changing(
      keys, of: pages[place.page].controls[place.control].control, where: present, at: now)
  }

  /// Replaces a control by one whose keys have been changed.
  mutating func carryOut(_ change: KeyChange, _ keys: [String: Value], of place: Place) {
    let lists = keys.filter { $0.value.kind == .list }.keys
    if !lists.isEmpty, let source = pages[place.page].controls[place.control].source {
      for key in pages[place.page].controls[place.control].changedKeys.keys
      where lists.contains(where: { source.isKey(key, ofItemsIn: $0) }) {
        pages[place.page].controls[place.control].changedKeys[key] = nil
      }
    }
    pages[place.page].controls[place.control].changedKeys.merge(keys) { _, new in new }
    // A control that moves already keeps its own cause.
    if !pages[place.page].controls[place.control].control.isMoving(at: now),
      change.control.isMoving(at: now)
    {
      note(cause, ofMotionAt: place)
    }
    pages[place.page].controls[place.control].control = change.control
    pages[place.page].controls[place.control].source = change.source
    noteChange(of: .control(place))
  }

  mutating func letGo(_ place: Place) {
    dropFingers(of: place)
    update(place) { control, now, events in control.letGo(at: now, events: &events) }
  }

  /// Detaches fingers from a control. They stay down without holding anything.
  private mutating func dropFingers(of place: Place) {
    guard place.page == shownPage else { return }
    for finger in fingers where touching[finger]?.holder == .control(place.control) {
      drop(finger)
    }
  }

  /// Resets a control to its initial state; nil resets everything but kept values and values from elsewhere.
  mutating func reset(_ id: String?) {
    guard let id else { return resetAll() }
    guard let place = places[id] else { return }
    restore(id, at: place)
    appear(place)
  }

  /// Shows the first page as after the start, for the next guest.
  private mutating func resetAll() {
    focus = nil
    endSpeech()
    isDarkView = false
    isAsking = false
    beginTransition(to: 0)
    delayed.leavePage()
    endPage()
    for (id, place) in places.sorted(by: { $0.key < $1.key }) { restore(id, at: place) }
    for value in description.values
    where value.template == nil && !value.isKept && !value.isForeign
      && values[value.name] != value.initial
    {
      values[value.name] = value.initial
      noteChange(of: .value(value.name))
    }
    if description.scalesTexts { try? write(.number(1), to: .value(Description.textScaleValue)) }
    if let language = description.languages.first, language != self.language {
      change(toLanguage: language)
    }
    show(0)
    history = PageHistory()
    noteHome()
    forgetReactions(ofPage: nil)
    forgetReactions(ofPage: shownPage)
  }

  /// Ends everything on a control, and gives it its initial keys and state.
  private mutating func restore(_ id: String, at place: Place) {
    dropFingers(of: place)
    reset(place)
    var initial = initialPages[place.page].controls[place.control]
    // With the initial seed, the next guest would win the last guest's prize.
    initial.seed(UInt64(bitPattern: now.microseconds))
    update(place) { control, _, _ in control = initial.control }
    pages[place.page].controls[place.control] = initial
    for path in writes.keys where path.control == id { writes[path] = nil }
    // Its bindings apply again.
    for index in bindings.followers[id, default: []] {
      bound[index] = nil
      if bindings.all[index].writesBack { following.insert(index) }
    }
    noteChange(of: .start)
  }
}

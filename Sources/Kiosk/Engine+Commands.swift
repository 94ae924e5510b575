// SPDX-License-Identifier: MIT

public import Controls
public import Expressions
public import Motion

/// What can be done to a kiosk without a finger. Each public method is a turn; the others are changes
/// within one.
extension Engine {
  /// Shows the page of a name; false where there is none.
  @discardableResult
  public mutating func go(to page: String) -> Bool {
    defer { settle() }
    return change(toPage: page)
  }

  /// Lets `spin`, `open` or `close` happen to a control; false where it does not know that.
  @discardableResult
  public mutating func perform(_ command: String, on id: String) -> Bool {
    defer { settle() }
    return change(id, by: command)
  }

  /// Puts the panel to sleep, which lets go of everything, or wakes it.
  public mutating func setBlank(_ blank: Bool) {
    change(toBlank: blank)
    settle()
  }

  /// Reports that something outside, a program for one, went wrong.
  public mutating func reportFailure(_ message: String, at time: Instant) {
    advance(to: time)
    fail(message)
    settle()
  }

  /// Sets a control's property.
  public mutating func set(
    _ property: String, of id: String, to value: Value
  ) throws(PropertyError) {
    defer { settle() }
    try change(property, of: id, to: value)
  }

  /// Whether a shake would do something: an accelerometer need not be asked while it would not.
  public var awaitsShake: Bool { !isBlank && !shakeable.isEmpty }

  /// The panel was shaken.
  public mutating func shake(at time: Instant) {
    advance(to: time)
    guard !isBlank else { return }
    for id in shakeable { change(id, by: "shake") }
    settle()
  }

  private var shakeable: [String] {
    pages[shownPage].controls
      .filter { $0.isEnabled && $0.isVisible && $0.control.commands.contains("shake") }
      .map(\.id)
  }

  // MARK: Changes

  @discardableResult
  mutating func change(toPage page: String) -> Bool {
    guard let index = pages.firstIndex(where: { $0.name == page }) else { return false }
    noteActivity()
    if index != shownPage {
      leavePage()
      show(index)
    }
    return true
  }

  mutating func show(_ page: Int) {
    guard page != shownPage else { return }
    shownPage = page
    report("page", "page", pages[page].name)
  }

  /// Lets go of everything on the shown page. Fingers that are down stay down and hold nothing.
  mutating func leavePage() {
    for finger in owners.keys { owners[finger] = .some(nil) }
    let first = reports.count
    for control in pages[shownPage].controls.indices {
      reset(Place(page: shownPage, control: control))
    }
    for index in first..<reports.count { reports[index].isEnding = true }
  }

  mutating func reset(_ place: Place) {
    update(place) { control, now, events in control.reset(at: now, events: &events) }
  }

  mutating func change(toBlank blank: Bool) {
    guard blank != isBlank else { return }
    if blank { leavePage() } else { noteActivity() }
    isBlank = blank
  }

  @discardableResult
  mutating func change(_ id: String, by command: String) -> Bool {
    guard let place = places[id] else { return false }
    noteActivity()
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
    noteActivity()
    switch (property, value) {
    case ("enabled", .flag(let flag)):
      pages[place.page].controls[place.control].isEnabled = flag
      if !flag { letGo(place) }
    case ("visible", .flag(let flag)):
      pages[place.page].controls[place.control].isVisible = flag
      if !flag { letGo(place) }
    case ("enabled", _), ("visible", _):
      throw .unsuitable(property, expected: "true or false")
    default:
      var happened: [ControlEvent] = []
      try pages[place.page].controls[place.control].control.set(
        property, to: value, at: now, events: &happened)
      report(happened, of: place)
      if case .text(let text) = value, text.utf8.count > Self.shortText {
        reportLongTexts(showing: id)
      }
    }
  }

  private mutating func letGo(_ place: Place) {
    if place.page == shownPage {
      for (finger, owner) in owners where owner == place.control { owners[finger] = .some(nil) }
    }
    reset(place)
  }
}

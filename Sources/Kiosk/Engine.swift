// SPDX-License-Identifier: MIT

public import Controls
public import Drawing
public import Expressions
internal import Geometry
public import Motion

/// A running kiosk on a clock that the caller moves: pages, touch routing, actions and events.
///
/// It is a value without a clock, a file or a device. The same calls give the same events and the
/// same pictures, whatever the frame rate and wherever it runs.
public struct Engine: Sendable {
  public let name: String
  public let screen: Screen
  public internal(set) var pages: [Page]
  /// The index of the page that is shown.
  public private(set) var shownPage = 0
  /// The moment up to which everything has happened.
  public private(set) var now: Instant
  /// Whether the panel sleeps. The touch that wakes it does nothing else.
  public private(set) var isBlank = false
  /// When a finger, or a command in its place, last did something.
  private var lastActivity: Instant
  /// Whether the kiosk has gone home since then.
  private var isHome = true

  /// The control that each finger belongs to, on the shown page; nil for a finger that was swallowed.
  private var owners: [Int: Int?] = [:]
  private var events: [Event] = []
  private var programs: [[String]] = []
  /// Where each control stands, by id.
  private let places: [String: Place]

  private struct Place: Hashable {
    var page: Int
    var control: Int
  }

  /// Starts a kiosk at `now`. With the same `seed` chance falls the same way.
  public init(_ description: Description, seed: UInt64, at now: Instant = .zero) {
    precondition(!description.pages.isEmpty, "a kiosk needs a page")
    name = description.name
    screen = description.screen
    pages = description.pages
    self.now = now
    lastActivity = now
    var places: [String: Place] = [:]
    for page in pages.indices {
      for control in pages[page].controls.indices {
        places[pages[page].controls[control].id] = Place(page: page, control: control)
        // Each control has chance of its own: one more control does not change the others'.
        var mixed = seed
        for byte in pages[page].controls[control].id.utf8 {
          mixed = (mixed ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        pages[page].controls[control].control.seed(mixed)
      }
    }
    self.places = places
  }

  /// Starts a kiosk in the place of one that runs, after its file was changed: what the user has set
  /// stays where there is still a control of that id, and so does the page.
  public init(_ description: Description, seed: UInt64, replacing old: Engine) {
    self.init(description, seed: seed, at: old.now)
    lastActivity = old.lastActivity
    isHome = old.isHome
    isBlank = old.isBlank
    events = old.events
    programs = old.programs
    shownPage = pages.firstIndex { $0.name == old.pages[old.shownPage].name } ?? 0
    // Fingers that are down belong to nothing any more: what they held is gone.
    owners = old.owners.mapValues { _ in nil }
    for (id, place) in places {
      guard let before = old.places[id] else { continue }
      pages[place.page].controls[place.control].control.adopt(
        old.pages[before.page].controls[before.control].control, at: now)
    }
  }

  // MARK: Touch

  /// A finger did something at `time`, in design pixels. A time before `now` counts as `now`.
  public mutating func handle(_ touch: Touch, at time: Instant) {
    advance(to: time)
    noteActivity()
    guard touch.position.x.isFinite, touch.position.y.isFinite else { return }
    if touch.phase == .down {
      // A down without an up before it: the first finger's end got lost.
      if owners[touch.finger] != nil {
        handle(Touch(finger: touch.finger, phase: .cancel, position: touch.position), at: time)
      }
      guard !isBlank else {
        isBlank = false
        owners[touch.finger] = .some(nil)
        return
      }
      owners[touch.finger] = .some(owner(at: touch.position))
    }
    guard let finger = owners[touch.finger] else { return }
    if touch.phase == .up || touch.phase == .cancel { owners[touch.finger] = nil }
    guard let control = finger else { return }
    var touch = touch
    touch.time = time
    update(shownPage, control) { control, now, events in
      control.handle(touch, at: now, events: &events)
    }
  }

  /// Takes all fingers away, as when the touch panel is unplugged.
  public mutating func cancelTouches(at time: Instant) {
    for finger in owners.keys.sorted() {
      handle(Touch(finger: finger, phase: .cancel, position: .zero), at: time)
    }
  }

  /// The fingers that are down.
  public var fingers: [Int] { owners.keys.sorted() }

  /// The id of the control that a finger belongs to; nil where it belongs to none.
  public func control(heldBy finger: Int) -> String? {
    owners[finger].flatMap { $0 }.map { pages[shownPage].controls[$0].id }
  }

  /// The topmost control at `point` if it does something there; one that is disabled swallows the
  /// touch.
  private func owner(at point: Point) -> Int? {
    let hit = drawingOrder(of: shownPage).last { index in
      pages[shownPage].controls[index].control.contains(point, at: now)
    }
    guard let hit, pages[shownPage].controls[hit].isEnabled,
      pages[shownPage].controls[hit].control.answers(point, at: now)
    else { return nil }
    return hit
  }

  /// The visible controls of a page back to front, raised ones last.
  private func drawingOrder(of page: Int) -> [Int] {
    let visible = pages[page].controls.indices.filter { pages[page].controls[$0].isVisible }
    let raised = { pages[page].controls[$0].control.isRaised(at: now) }
    return visible.filter { !raised($0) } + visible.filter(raised)
  }

  // MARK: Time

  /// Lets everything happen that happens by itself until `time`. Each event has the exact moment at
  /// which it happened. A time before `now` changes nothing.
  public mutating func advance(to time: Instant) {
    while let next = nextChange, next <= time {
      step(to: next)
    }
    step(to: max(now, time))
  }

  /// The next moment at which something changes by itself in one step; nil when nothing will.
  public var nextChange: Instant? {
    var next: Instant?
    func consider(_ moment: Instant?) {
      if let moment, moment > now { next = min(next ?? moment, moment) }
    }
    for page in pages {
      for entry in page.controls { consider(entry.control.nextChange(after: now)) }
    }
    if let after = screen.homeAfter, !isHome { consider(lastActivity + after) }
    if let after = screen.blankAfter, !isBlank { consider(lastActivity + after) }
    return next
  }

  /// Whether the picture changes from frame to frame.
  public var isMoving: Bool {
    !isBlank
      && pages[shownPage].controls.contains { $0.isVisible && $0.control.isMoving(at: now) }
  }

  /// Whether nothing on the shown page moves, or will change by itself.
  public var isStill: Bool {
    pages[shownPage].controls.allSatisfy {
      !$0.control.isMoving(at: now) && $0.control.nextChange(after: now) == nil
    }
  }

  private mutating func step(to time: Instant) {
    now = time
    for page in pages.indices {
      for control in pages[page].controls.indices {
        update(page, control) { control, now, events in control.advance(to: now, events: &events) }
      }
    }
    if let after = screen.homeAfter, !isHome, now >= lastActivity + after {
      isHome = true
      leavePage()
      show(0)
    }
    if let after = screen.blankAfter, !isBlank, now >= lastActivity + after {
      setBlank(true)
    }
  }

  private mutating func noteActivity() {
    lastActivity = now
    isHome = false
  }

  // MARK: Commands

  /// Shows the page of a name; false where there is none.
  @discardableResult
  public mutating func go(to page: String) -> Bool {
    guard let index = pages.firstIndex(where: { $0.name == page }) else { return false }
    noteActivity()
    if index != shownPage {
      leavePage()
      show(index)
    }
    return true
  }

  /// Lets `spin`, `open` or `close` happen to a control; false where it does not know that.
  @discardableResult
  public mutating func perform(_ command: String, on id: String) -> Bool {
    guard let place = places[id] else { return false }
    noteActivity()
    guard pages[place.page].controls[place.control].control.commands.contains(command) else {
      return false
    }
    update(place.page, place.control) { control, now, events in
      control.perform(command, at: now, events: &events)
    }
    return true
  }

  /// Puts the panel to sleep, which lets go of everything, or wakes it.
  public mutating func setBlank(_ blank: Bool) {
    guard blank != isBlank else { return }
    if blank { leavePage() } else { noteActivity() }
    isBlank = blank
  }

  /// Tells subscribers that something outside, a program for one, went wrong.
  public mutating func reportFailure(_ message: String, at time: Instant) {
    advance(to: time)
    fail(message)
  }

  // MARK: Properties

  /// The value of a control's property; nil where there is no such.
  public func value(of property: String, of id: String) -> Value? {
    value(of: property, of: id, depth: 0)
  }

  private func value(of property: String, of id: String, depth: Int) -> Value? {
    guard let place = places[id] else { return nil }
    let entry = pages[place.page].controls[place.control]
    switch property {
    case "enabled": return .flag(entry.isEnabled)
    case "visible": return .flag(entry.isVisible)
    default:
      guard let template = entry.control.template(of: property) else {
        return entry.control.value(of: property, at: now)
      }
      // Labels may show each other; two that do so in a circle end here.
      guard depth < 8 else { return .text("") }
      return .text(template.filled { value(of: $1, of: $0, depth: depth + 1) })
    }
  }

  /// Sets a control's property.
  public mutating func set(
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
      record(happened, place)
    }
  }

  /// The ids of all controls, page by page, back to front.
  public var controlIDs: [String] { pages.flatMap { $0.controls.map(\.id) } }

  /// The entry of a control.
  public func entry(_ id: String) -> Entry? {
    places[id].map { pages[$0.page].controls[$0.control] }
  }

  // MARK: Results

  /// What happened since the last call, in order.
  public mutating func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  /// The programs that actions have asked for since the last call, each with its arguments.
  public mutating func takePrograms() -> [[String]] {
    defer { programs = [] }
    return programs
  }

  /// What is to be seen now. A sleeping panel shows black.
  public var displayList: DisplayList {
    guard !isBlank else { return DisplayList(background: .black) }
    let page = pages[shownPage]
    var list = DisplayList(background: screen.background)
    let whole = Rect(size: screen.size)
    var behind = screen.background
    switch page.background {
    case .color(let color):
      behind = color.over(behind)
      list.add(.rect(whole), color)
    case .image(let image):
      list.add(DisplayItem(.rect(whole), .image(image, frame: whole)))
    case nil: break
    }
    for index in drawingOrder(of: shownPage) {
      let entry = page.controls[index]
      let context = DrawingContext(
        now: now, font: screen.font, background: behind, isEnabled: entry.isEnabled,
        property: { value(of: $1, of: $0) })
      entry.control.draw(into: &list, in: context)
    }
    return list
  }

  // MARK: Inside

  /// Lets a control change, tells what happened, and does what that sets off.
  private mutating func update(
    _ page: Int, _ control: Int,
    _ change: (inout any Control, Instant, inout [ControlEvent]) -> Void
  ) {
    var happened: [ControlEvent] = []
    change(&pages[page].controls[control].control, now, &happened)
    record(happened, Place(page: page, control: control))
  }

  /// Actions set off events that set off actions; a kiosk file may write a circle of them.
  private var depth = 0
  private static let deepest = 16

  private mutating func record(_ happened: [ControlEvent], _ place: Place) {
    guard !happened.isEmpty else { return }
    let entry = pages[place.page].controls[place.control]
    for event in happened {
      events.append(
        Event(
          event.name, at: event.time, control: entry.id, item: event.item, fields: event.fields))
      let own = entry.actions[event.name] ?? []
      let items = event.item.flatMap { entry.itemActions[$0]?[event.name] } ?? []
      for action in own + items { run(action) }
    }
  }

  private mutating func run(_ action: Action) {
    guard depth < Self.deepest else {
      fail("actions set each other off in a circle; stopped at \(action)")
      return
    }
    depth += 1
    defer { depth -= 1 }
    switch action {
    case .go(let page): go(to: page)
    case .set(let control, let property, let value):
      do throws(PropertyError) {
        try set(property, of: control, to: value)
      } catch {
        fail("set \(control).\(property): \(error)")
      }
    case .perform(let command, let control): perform(command, on: control)
    case .run(let program): programs.append(program)
    case .emit(let name):
      events.append(Event("emit", at: now, fields: [Field("name", .text(name))]))
    case .blank(let blank): setBlank(blank)
    }
  }

  private mutating func fail(_ message: String) {
    events.append(Event("failed", at: now, fields: [Field("message", .text(message))]))
  }

  private mutating func show(_ page: Int) {
    guard page != shownPage else { return }
    shownPage = page
    events.append(Event("page", at: now, fields: [Field("page", .text(pages[page].name))]))
  }

  /// Lets go of everything on the shown page. Fingers that are down stay down and hold nothing.
  private mutating func leavePage() {
    for finger in owners.keys { owners[finger] = .some(nil) }
    for control in pages[shownPage].controls.indices {
      update(shownPage, control) { control, now, events in
        control.reset(at: now, events: &events)
      }
    }
  }

  private mutating func letGo(_ place: Place) {
    if place.page == shownPage {
      for (finger, owner) in owners where owner == place.control { owners[finger] = .some(nil) }
    }
    update(place.page, place.control) { control, now, events in
      control.reset(at: now, events: &events)
    }
  }
}

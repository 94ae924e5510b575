// SPDX-License-Identifier: MIT

public import Controls
internal import Expressions
internal import Geometry
public import Motion

/// A running kiosk on a clock that the caller moves: pages, touch routing, actions and events.
///
/// It is a value without a clock, a file or a device. The same calls give the same events and the
/// same pictures, whatever the frame rate and wherever it runs.
///
/// Each call that changes something is a turn (see `settle`): first the change, in which controls only
/// report; then, when it is whole, the actions that the reports set off, one after the other.
public struct Engine: Sendable {
  public let name: String
  public let screen: Screen
  public internal(set) var pages: [Page] { didSet { revision &+= 1 } }
  /// The index of the page that is shown.
  public internal(set) var shownPage = 0 { didSet { revision &+= 1 } }
  /// The moment up to which everything has happened.
  public private(set) var now: Instant
  /// Whether the panel sleeps. The touch that wakes it does nothing else.
  public internal(set) var isBlank = false { didSet { revision &+= 1 } }
  /// Grows with every change of what is to be seen. Between two equal revisions only what moves by
  /// itself looks different.
  public private(set) var revision: UInt64 = 0
  /// When a finger, or a command in its place, last did something.
  private var lastActivity: Instant
  /// Whether the kiosk has gone home since then.
  private var isHome = true

  /// The control that each finger belongs to, on the shown page; nil for a finger that was swallowed.
  var owners: [Int: Int?] = [:]
  /// What was reported in the turn and has not become an event yet; empty between two turns.
  var reports: [Report] = []
  var events: [Event] = []
  var programs: [[String]] = []
  /// Where each control stands, by id.
  let places: [String: Place]
  /// The templates of the kiosk's texts, with their names looked up.
  let templates: [Template: TextTemplate]

  struct Place: Hashable {
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
    let names = PropertyNames(description)
    var templates: [Template: TextTemplate] = [:]
    for entry in description.pages.flatMap(\.controls) {
      for property in entry.control.properties {
        guard let template = entry.control.template(of: property) else { continue }
        templates[template] = try? template.resolved(in: names)
      }
    }
    self.templates = templates
  }

  /// Makes the kiosk as it is after its start, at `now`. What fingers held ends first.
  public mutating func restart(_ description: Description, seed: UInt64) {
    var old = self
    old.end()
    self = Engine(description, seed: seed, at: now)
    takeOver(old)
  }

  /// Goes on with another version of the kiosk, after its file was changed: what the user has set
  /// stays where there is still a control of that id, and so does the page. What fingers held or set
  /// in motion ends first, unless its control goes on with it.
  public mutating func replace(with description: Description, seed: UInt64) {
    var old = self
    var new = Engine(description, seed: seed, at: now)
    let continued = new.places.filter { id, place in
      guard let before = places[id] else { return false }
      let former = pages[before.page].controls[before.control].control
      return new.pages[place.page].controls[place.control].control.continues(former, at: now)
    }
    old.end(except: Set(continued.compactMap { places[$0.key] }))
    for (id, place) in new.places {
      guard let before = places[id] else { continue }
      new.pages[place.page].controls[place.control].control.adopt(
        old.pages[before.page].controls[before.control].control, at: now)
    }
    new.lastActivity = lastActivity
    new.isHome = isHome
    new.isBlank = isBlank
    new.shownPage = new.pages.firstIndex { $0.name == pages[shownPage].name } ?? 0
    self = new
    takeOver(old)
    // By its new times the kiosk may be due to go home or to sleep already.
    advance(to: now)
  }

  /// Lets go of everything on all pages. The actions of a kiosk that ends are not run: what they
  /// refer to may not exist in the next one.
  private mutating func end(except kept: Set<Place> = []) {
    for page in pages.indices {
      for control in pages[page].controls.indices
      where !kept.contains(Place(page: page, control: control)) {
        reset(Place(page: page, control: control))
      }
    }
    events += reports.map(\.event)
    reports = []
  }

  /// Takes over what outlives a kiosk that has ended: what was reported, and the fingers that are
  /// down. These belong to nothing any more.
  private mutating func takeOver(_ old: Engine) {
    events = old.events
    programs = old.programs
    owners = old.owners.mapValues { _ in nil }
    revision = old.revision &+ 1
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
    update(Place(page: shownPage, control: control)) { control, now, events in
      control.handle(touch, at: now, events: &events)
    }
    settle()
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
  func drawingOrder(of page: Int) -> [Int] {
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
      settle()
    }
    step(to: max(now, time))
    settle()
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
    let before = now
    now = time
    for page in pages.indices {
      for index in pages[page].controls.indices {
        let control = pages[page].controls[index].control
        // The others neither change by themselves nor look different: their revision stays.
        guard
          control.isMoving(at: before)
            || control.nextChange(after: before).map({ $0 <= time }) == true
        else { continue }
        update(Place(page: page, control: index)) { control, now, events in
          control.advance(to: now, events: &events)
        }
      }
    }
    if let after = screen.homeAfter, !isHome, now >= lastActivity + after {
      isHome = true
      leavePage()
      show(0)
    }
    if let after = screen.blankAfter, !isBlank, now >= lastActivity + after {
      change(toBlank: true)
    }
  }

  mutating func noteActivity() {
    lastActivity = now
    isHome = false
  }
}

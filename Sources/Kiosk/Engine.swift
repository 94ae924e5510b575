// SPDX-License-Identifier: MIT

public import Controls
public import Expressions
internal import Geometry
public import Motion

/// A running kiosk on a clock that the caller moves: pages, touch routing, actions and events.
///
/// It is a value without a clock, a file or a device. The same calls give the same events and the
/// same pictures, whatever the frame rate and wherever it runs.
///
/// Each call that changes something is a turn (see `settle`): first the change, in which controls only
/// report; then, when it is whole, the actions that the reports set off, one after the other, and what
/// is bound to what has changed.
public struct Engine: Sendable {
  /// What it was made from.
  public let description: Description
  /// The pages in order, with their controls in their present state.
  public internal(set) var pages: [Page] { didSet { revision &+= 1 } }
  /// The index of the page that is shown.
  public internal(set) var shownPage = 0 { didSet { revision &+= 1 } }
  /// The moment up to which everything has happened.
  public private(set) var now: Instant
  /// Whether the panel sleeps. The touch that wakes it does nothing else.
  public internal(set) var isBlank = false { didSet { revision &+= 1 } }
  /// Grows with every change of what is to be seen. Between two equal revisions only what moves by
  /// itself looks different.
  package private(set) var revision: UInt64 = 0
  /// The kiosk's own values, by name.
  var values: [String: Value] { didSet { revision &+= 1 } }
  /// The language in use; empty where the kiosk has one only.
  public internal(set) var language: String { didSet { revision &+= 1 } }
  /// The wall clock at the moment zero, by which time goes on.
  private var epoch: CivilTime

  /// When a person last did something.
  private var lastTouch: Instant
  /// When the page that is shown was shown first.
  private var lastPageChange: Instant
  /// When the panel last woke.
  private var lastWake: Instant
  /// Whether the kiosk has gone home since a person or a page change kept it from that.
  private var isHome = true

  /// The control that each finger belongs to, on the shown page; nil for a finger that was swallowed.
  var owners: [Int: Int?] = [:]
  /// Who brings about what happens now.
  var cause = Cause.time
  /// Who set off what still goes on in a control.
  var causes: [Place: Cause] = [:]
  /// What was reported in the turn and has not become an event yet; empty between two turns.
  var reports: [Report] = []
  /// What has changed in the turn, for what is bound to it; empty between two turns.
  var changes: Set<Dependency> = []
  /// The controls that have reported something in the turn, for what they write back; empty between two
  /// turns.
  var reporting: Set<Place> = []
  var events: [Event] = []
  var programs: [[String]] = []
  /// Actions that wait for their time, in the order in which they were set off.
  var delayed: [DelayedAction] = []
  /// What was written to controls that fingers hold, for when they let go; the last one wins.
  var writes: [PropertyPath: Value] = [:]
  let bindings: Bindings
  /// What each binding was last found to be; nil before, or where that is undefined.
  var bound: [Value?]
  /// What each property that bindings read was last seen to be.
  var read: [Value?]
  /// The bindings that are undefined, which has been reported.
  var undefined: Set<Int> = []
  /// The bindings that have changed a control which still moves for that.
  var following: Set<Int> = []
  /// Where each control stands, by id.
  let places: [String: Place]

  struct Place: Hashable {
    var page: Int
    var control: Int
  }

  /// The name of the kiosk.
  public var name: String { description.name }
  /// Design size, rotation, font and time limits.
  public var screen: Screen { description.screen }

  /// The wall clock at the start where nothing else is said.
  public static let defaultClock = CivilTime(microseconds: 946_684_800_000_000)

  /// Starts a kiosk at `now`. With the same `seed` chance falls the same way. `clock` is the wall
  /// clock, and `kept` are values that have outlived an earlier process; those that do not suit are
  /// dropped.
  public init(
    _ description: Description, seed: UInt64, at now: Instant = .zero,
    clock: CivilTime = defaultClock, kept: [String: Value] = [:]
  ) {
    let isKept = Set(description.values.filter(\.isKept).map(\.name))
    self.init(
      description, seed: seed, at: now, values: kept.filter { isKept.contains($0.key) })
    setClock(clock)
    start()
  }

  /// Makes a kiosk in which nothing has happened yet.
  private init(
    _ description: Description, seed: UInt64, at now: Instant, values old: [String: Value]
  ) {
    precondition(!description.pages.isEmpty, "a kiosk needs a page")
    self.description = description
    pages = description.pages
    self.now = now
    lastTouch = now
    lastPageChange = now
    lastWake = now
    language = description.languages.first ?? ""
    epoch = Self.defaultClock
    values = [:]
    for declaration in description.values {
      values[declaration.name] =
        old[declaration.name].flatMap(declaration.fitted) ?? declaration.initial
    }
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
    bindings = Bindings(description, places: places)
    bound = [Value?](repeating: nil, count: bindings.all.count)
    read = [Value?](repeating: nil, count: bindings.inputCount)
  }

  /// The first turn: what is bound is filled in, and the first page is shown.
  private mutating func start() {
    changes = bindings.everything
    applyBindings()
    cause = .time
    for mistake in bindings.mistakes { fail(mistake) }
    note("started", of: .kiosk)
    note("shown", of: .page(shownPage))
    appear()
    settle()
  }

  /// Makes the kiosk as it is after its start, but for kept values. What fingers held ends first.
  package mutating func restart(_ description: Description, seed: UInt64) {
    var old = self
    old.end()
    self = Engine(description, seed: seed, at: now, values: keptValues)
    takeOver(old)
    cause = .command
    report("restarted", [])
    start()
  }

  /// Goes on with another version of the kiosk, after its file was changed: where there is still a
  /// control of that id and type it goes on where that was, and so do values and the page. What fingers
  /// hold or have thrown ends first.
  package mutating func replace(with description: Description, seed: UInt64) {
    var old = self
    var new = Engine(description, seed: seed, at: now, values: values)
    new.shownPage = new.pages.firstIndex { $0.name == pages[shownPage].name } ?? 0
    old.end(continuedBy: new)
    for (id, place) in new.places {
      guard let before = places[id] else { continue }
      new.keepKeys(of: old.pages[before.page].controls[before.control], at: place)
      new.pages[place.page].controls[place.control].control.resume(
        old.pages[before.page].controls[before.control].control, at: now)
    }
    if description.languages.contains(language) { new.language = language }
    new.lastTouch = lastTouch
    new.lastPageChange = lastPageChange
    new.lastWake = lastWake
    new.isHome = isHome
    new.isBlank = isBlank
    self = new
    takeOver(old)
    report("reloaded", [])
    changes = bindings.everything
    applyBindings()
    appear()
    // By its new times the kiosk may be due to go home or to sleep already.
    advance(to: now)
  }

  /// Keeps the keys that have been set, but for those that the file says otherwise now.
  private mutating func keepKeys(of old: PlacedControl, at place: Place) {
    let source = pages[place.page].controls[place.control].source
    let kept = old.changedKeys.filter { key, _ in
      old.bindings[key] == nil && source?.value(of: key) == old.source?.value(of: key)
    }
    guard !kept.isEmpty else { return }
    try? change(kept, of: place)
  }

  /// Lets go of everything on all pages, and ends what the next kiosk does not show. The actions of a
  /// kiosk that ends are not run: what they refer to may not exist in the next one.
  private mutating func end(continuedBy next: Engine? = nil) {
    cause = .time
    for page in pages.indices {
      for control in pages[page].controls.indices {
        let place = Place(page: page, control: control)
        if let next, goesOn(place, in: next) {
          update(place) { control, now, events in control.letGo(at: now, events: &events) }
        } else {
          reset(place)
        }
      }
    }
    events += reports.compactMap { $0.isPublished ? $0.event : nil }
    reports = []
  }

  /// Whether a control that is shown is shown in another kiosk, too.
  private func goesOn(_ place: Place, in next: Engine) -> Bool {
    let entry = pages[place.page].controls[place.control]
    guard place.page == shownPage, let other = next.places[entry.id], other.page == next.shownPage
    else { return false }
    let successor = next.pages[other.page].controls[other.control].control
    return type(of: successor) == type(of: entry.control)
  }

  /// Takes over what outlives a kiosk that has ended: what was reported, the wall clock, and the
  /// fingers that are down. These belong to nothing any more.
  private mutating func takeOver(_ old: Engine) {
    events = old.events
    programs = old.programs
    epoch = old.epoch
    owners = old.owners.mapValues { _ in nil }
    revision = old.revision &+ 1
  }

  // MARK: Touch

  /// A finger did something at `time`, in design pixels. A time before `now` counts as `now`.
  public mutating func handle(_ touch: Touch, at time: Instant) {
    advance(to: time)
    cause = .finger
    notePerson()
    guard touch.position.x.isFinite, touch.position.y.isFinite else { return }
    if touch.phase == .down {
      // A down without an up before it: the first finger's end got lost.
      if owners[touch.finger] != nil {
        handle(Touch(finger: touch.finger, phase: .cancel, position: touch.position), at: time)
        cause = .finger
      }
      guard !isBlank else {
        owners[touch.finger] = .some(nil)
        change(toBlank: false)
        settle()
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
  package var fingers: [Int] { owners.keys.sorted() }

  /// The id of the control that a finger belongs to; nil where it belongs to none.
  package func control(heldBy finger: Int) -> String? {
    owners[finger].flatMap { $0 }.map { pages[shownPage].controls[$0].id }
  }

  /// Whether a finger holds a control.
  func isHeld(_ place: Place) -> Bool {
    place.page == shownPage && owners.values.contains { $0 == place.control }
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
    for action in delayed { consider(action.time) }
    consider(homeTime)
    consider(sleepTime)
    consider(nextClockChange)
    return next
  }

  /// When the kiosk goes home if nobody touches it.
  private var homeTime: Instant? {
    guard !isHome, let after = pages[shownPage].homeAfter ?? screen.homeAfter, after.isFinite else {
      return nil
    }
    return max(lastTouch, lastPageChange) + after
  }

  private var sleepTime: Instant? {
    guard !isBlank, let after = screen.blankAfter else { return nil }
    return max(lastTouch, lastWake) + after
  }

  /// Whether the picture changes from frame to frame.
  public var isMoving: Bool {
    !isBlank
      && pages[shownPage].controls.contains { $0.isVisible && $0.control.isMoving(at: now) }
  }

  /// Whether nothing on the shown page moves, or will change by itself.
  public var isStill: Bool {
    pages[shownPage].controls.allSatisfy { $0.control.isStill(at: now) }
  }

  private mutating func step(to time: Instant) {
    let before = now
    if let change = nextClockChange, change <= time { changes.insert(.clock) }
    now = time
    for page in pages.indices {
      for index in pages[page].controls.indices {
        let control = pages[page].controls[index].control
        // The others neither change by themselves nor look different: their revision stays.
        guard
          control.isMoving(at: before)
            || control.nextChange(after: before).map({ $0 <= time }) == true
        else { continue }
        let place = Place(page: page, control: index)
        cause = causes[place] ?? .time
        update(place) { control, now, events in control.advance(to: now, events: &events) }
      }
    }
    cause = .time
    if let due = homeTime, now >= due {
      isHome = true
      note("home", of: .kiosk)
      leavePage()
      show(0)
      isHome = true
    }
    if let due = sleepTime, now >= due { change(toBlank: true) }
  }

  /// A person is there.
  mutating func notePerson() {
    lastTouch = now
    isHome = false
  }

  /// A page is shown.
  mutating func notePage() {
    lastPageChange = now
    isHome = false
  }

  mutating func noteWake() { lastWake = now }

  // MARK: The wall clock

  /// The wall clock now.
  public var clock: CivilTime {
    let (sum, overflows) = epoch.microseconds.addingReportingOverflow(Int(now.microseconds))
    return overflows ? epoch : CivilTime(microseconds: sum)
  }

  /// Says what the wall clock shows now. It goes on from there.
  public mutating func setClock(_ time: CivilTime) {
    let (start, overflows) = time.microseconds.subtractingReportingOverflow(Int(now.microseconds))
    guard !overflows, CivilTime(microseconds: start) != epoch else { return }
    epoch = CivilTime(microseconds: start)
    changes.insert(.clock)
    settle()
  }

  /// When the text of something on the shown page may change because the wall clock does.
  private var nextClockChange: Instant? {
    guard !isBlank, let unit = bindings.clockUnit(of: shownPage), let next = clock.next(unit) else {
      return nil
    }
    let (moment, overflows) = next.microseconds.subtractingReportingOverflow(epoch.microseconds)
    return overflows ? nil : Instant(microseconds: Int64(moment))
  }
}

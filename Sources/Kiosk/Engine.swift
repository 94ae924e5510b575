// SPDX-License-Identifier: MIT

public import Controls
public import Drawing
public import Expressions
package import Geometry
public import Motion

/// A running kiosk whose clock is moved by its caller: pages, touch routing, actions and events.
///
/// The engine has no clock, file or device of its own. The same calls cause the same events and
/// pictures, on every machine and at any frame rate.
///
/// Each call that changes something is a turn (see `settle`): first the change, in which controls only
/// add reports; then the actions that the reports trigger, one after the other, the bindings, and the
/// reactions.
public struct Engine: Sendable {
  /// The description that it was made from.
  public let description: Description
  /// The pages as they begin: the controls have their initial states, and their places in the language's direction.
  var initialPages: [Page]
  /// The pages in order, with their controls in their present state.
  public internal(set) var pages: [Page] { didSet { revision &+= 1 } }
  /// The index of the page that is shown.
  public internal(set) var shownPage = 0 { didSet { revision &+= 1 } }
  /// The present moment.
  public private(set) var now: Instant
  /// Whether the panel sleeps. The touch that wakes it has no other effect.
  public internal(set) var isBlank = false { didSet { revision &+= 1 } }
  /// Whether the panel is dark, and touches and speech go on.
  public internal(set) var isDarkView = false { didSet { revision &+= 1 } }
  /// Whether nothing is to be seen.
  public var isDark: Bool { isBlank || isDarkView }
  /// Whether the kiosk is asking if anybody is still there.
  public internal(set) var isAsking = false {
    didSet { if isAsking != oldValue { revision &+= 1 } }
  }
  /// When a finger was lifted last; nil where none was.
  var lastLift: Instant?
  /// Increases with every visible change, except that of what moves.
  package private(set) var revision: UInt64 = 0
  /// The colours and sizes of controls that have none of their own.
  public var theme: Theme { didSet { if theme != oldValue { revision &+= 1 } } }
  /// The panel's brightness while it is awake: 0 … 1, where 1 is the maximum; nil to leave it as it is.
  public internal(set) var brightness: Double?
  /// The pages that `go: back` leads to.
  var history = PageHistory()
  /// The change of page under way.
  var pageChange: PageChange? { didSet { revision &+= 1 } }
  /// The panel's rectangle on the plane of the design; nil for the design's own. Backgrounds fill it.
  package var panel: Rect?
  /// The kiosk's own values and the name of the theme, by name. An undefined value has no entry.
  var values: [String: Value] { didSet { revision &+= 1 } }
  /// When each defined value that grows stale was last set.
  var settingTimes: [String: Instant] = [:]
  /// The language in use; empty for a kiosk in one language.
  public internal(set) var language: String { didSet { revision &+= 1 } }
  /// Whether the places of controls are reflected, as the language in use is written from right to left.
  var isReflected = false
  /// The time of the wall clock at `Instant.zero`.
  private var epoch: CivilTime
  /// The day of the values that go back at midnight; nil before the start.
  private var day: Int?
  private let hasDailyValues: Bool

  /// When a person last did something; nil before anybody has.
  package private(set) var lastTouch: Instant?
  /// When the present page was shown.
  private var lastPageChange: Instant
  /// When the panel last woke.
  private var lastWake: Instant
  /// Whether it has gone home since the last touch or change of page.
  private var isHome = true

  /// The place that keys go to; nil while none are used.
  var focus: Focus? { didSet { if focus != oldValue { revision &+= 1 } } }

  /// The swipe of the shown page, until it is back in its place; nil for none.
  var swipe: Swipe? { didSet { revision &+= 1 } }
  /// The fingers that are down.
  var touching: [Int: Finger] = [:]
  /// The cause of what happens now.
  var cause = Cause.time
  /// The causes of motion and blinks under way; none of what time alone has caused.
  var causes: [Place: Cause] = [:]
  /// Reports of this turn that are not events yet; empty between turns.
  var reports: [Report] = []
  /// Changes in this turn, for bindings; empty between turns.
  var changes: Set<Dependency> = []
  /// Changes in this turn, for computed values; empty between turns.
  var valueChanges: Set<Dependency> = []
  /// Changes for reactions that have not been judged since.
  var reactionChanges: Set<Dependency> = []
  /// Whether the turn is one at which nothing happens but motion: when that is depends on the frame rate.
  var isPassing = false
  /// Reactions that are to be judged whatever has changed.
  var unjudged: Set<Int> = []
  /// Reactions whose conditions held when they were last judged.
  var holding: Set<Int> = []
  /// The cause of the last change of each, with its number in the order of changes.
  private var changers: [Dependency: (cause: Cause, order: UInt64)] = [:]
  private var changeCount: UInt64 = 0
  /// Controls with reports in this turn, for writing back, and what caused those; empty between turns.
  var reporting: [Place: Cause] = [:]
  /// The refusals of bound values by their properties, in the last turn.
  package var refusals: [String] = []
  var events: [Event] = []
  var programs: [[String]] = []
  var sounds: [String] = []
  /// The state of speech; nil for a kiosk that does not speak.
  var speech: Speech?
  var utterances: [Utterance] = []
  /// Delayed actions.
  var delayed = ActionQueue()
  /// Values of properties that wait for the fingers on their controls; the last value wins.
  var writes: [PropertyPath: Write] = [:]
  let bindings: Bindings
  /// The last value of each binding; nil before the first, or where undefined.
  var bound: [Value?]
  /// The last value of each property that bindings of properties read.
  var read: [Value?]
  /// The same for computed values.
  var readByValues: [Value?]
  /// The same for reactions.
  var readByReactions: [Value?]
  /// Undefined bindings that have been reported.
  var undefined: Set<Int> = []
  /// Bindings whose controls are still moving to a new value.
  var following: Set<Int> = []
  /// The place of each control, by id.
  let places: [String: Place]

  struct Place: Hashable {
    var page: Int
    var control: Int
  }

  struct Write {
    var value: Value
    var cause: Cause
  }

  /// The name of the kiosk.
  public var name: String { description.name }
  /// Design size, rotation, font and time limits.
  public var screen: Screen { description.screen }

  /// The default wall clock at the start: 2000-01-01T00:00:00.
  public static let defaultClock = CivilTime(microseconds: 946_684_800_000_000)

  /// Starts a kiosk at `now`. `seed` determines all random numbers, `clock` is the wall clock, and
  /// `kept` are values kept from an earlier process; those of another kind are dropped.
  public init(
    _ description: Description, seed: UInt64, at now: Instant = .zero,
    clock: CivilTime = defaultClock, kept: [String: Value] = [:]
  ) {
    // A machine may start with a clock that is behind until it has asked for the time.
    var day = clock.days
    if case .number(let last)? = kept[Self.dayName], (0...1e9).contains(last) {
      day = max(day, Int(last))
    }
    let isOver = kept[Self.dayName].map { $0 != .number(Double(day)) } ?? false
    let isKept = Set(
      description.values.filter { $0.isKept && $0.staleAfter == nil && !($0.isDaily && isOver) }
        .map(\.name))
    self.init(
      description, seed: seed, at: now, values: kept.filter { isKept.contains($0.key) })
    setClock(clock)
    self.day = day
    start()
  }

  /// Makes a kiosk before its start.
  private init(
    _ description: Description, seed: UInt64, at now: Instant, values old: [String: Value]
  ) {
    precondition(!description.pages.isEmpty, "a kiosk needs a page")
    self.description = description
    initialPages = description.pages
    for page in initialPages.indices { initialPages[page].arrange(on: description.screen.size) }
    pages = initialPages
    theme = description.theme
    brightness = description.screen.brightness
    self.now = now
    lastPageChange = now
    lastWake = now
    language = description.languages.first ?? ""
    speech = description.speech.map {
      Speech(isOn: $0.starts.contains(.always), rate: $0.rate)
    }
    epoch = Self.defaultClock
    hasDailyValues = description.values.contains(where: \.isDaily)
    values = [:]
    for declaration in description.values where declaration.template == nil {
      let first = declaration.staleAfter == nil ? declaration.initial : nil
      values[declaration.name] = old[declaration.name].flatMap(declaration.fitted) ?? first
      if declaration.staleAfter != nil, values[declaration.name] != nil {
        settingTimes[declaration.name] = now
      }
    }
    if description.scalesTexts { values[Description.textScaleValue] = .number(1) }
    if description.namesTheme {
      values[Description.themeValue] = .text(description.themeName)
    }
    var places: [String: Place] = [:]
    for page in pages.indices {
      for control in pages[page].controls.indices {
        places[pages[page].controls[control].id] = Place(page: page, control: control)
        pages[page].controls[control].seed(seed)
      }
    }
    self.places = places
    bindings = Bindings(description, places: places)
    bound = [Value?](repeating: nil, count: bindings.all.count)
    read = [Value?](repeating: nil, count: bindings.ofProperties.inputCount)
    readByValues = [Value?](repeating: nil, count: bindings.ofValues.inputCount)
    readByReactions = [Value?](repeating: nil, count: bindings.ofReactions.inputCount)
  }

  /// The first turn: evaluates bindings and shows the first page.
  private mutating func start() {
    matchDirection()
    noteChange(of: .start)
    applyBindings()
    cause = .time
    for mistake in bindings.mistakes { fail(mistake) }
    note("started", of: .kiosk)
    note("shown", of: .page(shownPage))
    appear()
    settle()
  }

  /// Restarts the kiosk, except for kept values. Everything under way ends first; see `finish(by:)`.
  package mutating func restart(_ description: Description, seed: UInt64) {
    finish(by: .command)
    begin(description, seed: seed)
  }

  /// Starts the kiosk again, except for kept values, after `finish(by:)`.
  package mutating func begin(_ description: Description, seed: UInt64) {
    let old = self
    self = Engine(description, seed: seed, at: now, values: keptValues)
    takeOver(old)
    cause = .command
    report("restarted", [])
    start()
  }

  /// Replaces the kiosk by another version of its file.
  ///
  /// Fingers let go first, thrown motion ends, and the actions of these ends run in the former version. Controls
  /// of the same id and type keep their state; values, the page, delayed actions and everything that was set
  /// stay, unless the file has another value for it than before.
  ///
  /// - Parameter isContinued: whether the page and its sleep continue although its actions differ, as those of a kiosk
  ///   do that another process has left.
  package mutating func replace(
    with description: Description, seed: UInt64, by cause: Cause = .time, isContinued: Bool = false
  ) {
    finish(for: description, by: cause)
    let old = self
    // The name of the theme is not a value of the kiosk's own.
    let own = values.filter { self.description.isSettable($0.key) }
    var new = Engine(description, seed: seed, at: now, values: own)
    let samePage = new.pages.firstIndex { $0.name == pages[shownPage].name }
    new.shownPage = samePage ?? 0
    new.history = history.moved { page in
      new.pages.firstIndex { $0.name == pages[page].name }
    }
    if description.languages.contains(language) { new.language = language }
    if description.scalesTexts, self.description.scalesTexts {
      new.values[Description.textScaleValue] = values[Description.textScaleValue]
    }
    new.matchDirection()
    new.takeChangers(of: old)
    new.cause = cause
    new.takeBindings(of: old)
    for (id, place) in new.places {
      guard let before = places[id] else { continue }
      new.takeSettings(of: old, from: before, to: place)
      new.pages[place.page].controls[place.control].control.resume(
        old.pages[before.page].controls[before.control].control, at: now)
      // A blink that goes on is still a finger's.
      new.causes[place] = old.causes[before]
    }
    if let focus, samePage != nil {
      if focus.control == Focus.ground {
        new.focus = focus
      } else if let place = new.places[pages[shownPage].controls[focus.control].id],
        place.page == new.shownPage
      {
        new.focus = Focus(control: place.control)
      }
    }
    if new.speech != nil, let speech { new.speech = speech }
    new.settingTimes.merge(settingTimes) { now, former in min(now, former) }
    new.settingTimes = new.settingTimes.filter { new.values[$0.key] != nil }
    new.lastPageChange = lastPageChange
    new.lastWake = lastWake
    new.lastLift = lastLift
    new.isHome = isHome
    new.isBlank = isBlank
    new.isDarkView = isDarkView
    new.isAsking = isAsking
    new.delayed = delayed
    if samePage == nil {
      new.delayed.leavePage()
    } else {
      (new.swipe, new.pageChange) = (swipe, pageChange)
    }
    if screen.brightness == description.screen.brightness { new.brightness = brightness }
    new.takeTheme(of: old)
    self = new
    takeOver(old)
    self.cause = cause
    report("reloaded", [])
    if !isContinued {
      if isBlank, old.description.actions["woken"] != description.actions["woken"] {
        note("slept", of: .kiosk)
      }
      if samePage.map({ pages[$0].actions }) != old.pages[old.shownPage].actions {
        note("shown", of: .page(shownPage))
      }
    }
    noteDifferences(from: old)
    applyBindings()
    // A condition that is true already has not become true.
    var budget = WorkBudget(Self.turnUnits)
    _ = judgeReactions(&budget)
    if samePage == nil { appear() } else { useControls() }
    // With new time limits it may already be due to go home or to sleep.
    advance(to: now)
  }

  /// Takes over events, the wall clock, and the fingers that are down, which no longer belong to a
  /// control.
  private mutating func takeOver(_ old: Engine) {
    events = old.events
    programs = old.programs
    sounds = old.sounds
    utterances = old.utterances
    epoch = old.epoch
    day = old.day
    touching = old.touching.mapValues { $0.swallowed }
    lastTouch = old.lastTouch
    revision = old.revision &+ 1
  }

  // MARK: Touch

  /// Handles a touch at `time`, in design pixels, and returns what received it. A time before `now`
  /// counts as `now`.
  @discardableResult
  public mutating func handle(_ touch: Touch, at time: Instant) -> TouchReceiver {
    var touch = touch
    touch.time = time
    advance(to: time)
    cause = .finger
    let answers = touch.phase == .down && answerQuestion()
    notePerson()
    guard touch.position.x.isFinite, touch.position.y.isFinite else { return receiver(of: touch) }
    if touch.phase == .down {
      focus = nil
      // A second down without an up: the end of the first touch was lost.
      if touching[touch.finger] != nil {
        handle(Touch(finger: touch.finger, phase: .cancel, position: touch.position), at: time)
        cause = .finger
      }
      guard !isBlank else {
        touching[touch.finger] = Finger(.nothing, at: touch.position, now)
        change(toBlank: false)
        settle()
        return TouchReceiver(hasWoken: true)
      }
      interruptSpeech()
      touching[touch.finger] = Finger(.nothing, at: touch.position, time)
      if answers || isBounce {
        settle()
        return TouchReceiver()
      }
      if explore(at: touch.position, isDown: true) {
        touching[touch.finger]?.explores = true
      } else if screen.dwell > 0 {
        let due = now + screen.dwell
        touching[touch.finger]?.dwellTime = due
        settle()
        return TouchReceiver()
      } else {
        touching[touch.finger] = Finger(holder(at: touch.position), at: touch.position, time)
      }
    } else if touch.phase == .move, touching[touch.finger]?.explores == true {
      _ = explore(at: touch.position, isDown: false)
    }
    touching[touch.finger]?.place = touch.position
    followSwipe(touch)
    // The control may lose the finger by what it does.
    let receiver = receiver(of: touch)
    let before = press(of: touch.finger)
    if case .control(let control)? = touching[touch.finger]?.holder {
      update(Place(page: shownPage, control: control)) { control, now, events in
        control.handle(touch, at: now, events: &events)
      }
    }
    follow(touch, since: before)
    if touch.phase == .up || touch.phase == .cancel { touching[touch.finger] = nil }
    // A lost or cancelled touch is no lift: the next touch is meant.
    if touch.phase == .up { lastLift = now }
    settle()
    return receiver
  }

  /// Whether a finger that comes down now is only the bounce of a trembling one.
  private var isBounce: Bool {
    screen.debounce > 0 && (lastLift.map { now < $0 + screen.debounce } ?? false)
  }

  /// Lets fingers count that have rested long enough: each comes down where it is by now.
  private mutating func endDwelling() {
    for number in fingers {
      guard let finger = touching[number], let due = finger.dwellTime, due <= now else { continue }
      cause = .finger
      touching[number] = Finger(holder(at: finger.place), at: finger.place, now)
      let touch = Touch(finger: number, phase: .down, position: finger.place)
      if case .control(let control)? = touching[number]?.holder {
        update(Place(page: shownPage, control: control)) { control, now, events in
          control.handle(touch, at: now, events: &events)
        }
      }
      follow(touch, since: nil)
    }
  }

  private func receiver(of touch: Touch) -> TouchReceiver {
    if touching[touch.finger]?.explores == true, let heard = speech?.explored,
      let entry = placedControl(heard.control)
    {
      return TouchReceiver(control: heard.control, isSecret: entry.control.isSecret)
    }
    let holder = touching[touch.finger]?.holder
    guard case .control(let control)? = holder else {
      let isPage = swipe?.finger == touch.finger || holder == .ground && pages[shownPage].isPressed
      return TouchReceiver(isPage: isPage)
    }
    let entry = pages[shownPage].controls[control]
    return TouchReceiver(control: entry.id, isSecret: entry.control.isSecret)
  }

  /// Cancels all touches, as when the touch panel is unplugged.
  public mutating func cancelTouches(at time: Instant) {
    for finger in touching.keys.sorted() {
      handle(Touch(finger: finger, phase: .cancel, position: .zero), at: time)
    }
  }

  /// The fingers that are down.
  package var fingers: [Int] { touching.keys.sorted() }

  /// The id of the control that a finger belongs to; nil for none.
  package func control(heldBy finger: Int) -> String? {
    guard case .control(let control)? = touching[finger]?.holder else { return nil }
    return pages[shownPage].controls[control].id
  }

  /// Whether a finger holds a control. O(n) in the fingers.
  func isHeld(_ place: Place) -> Bool {
    place.page == shownPage && touching.values.contains { $0.holder == .control(place.control) }
  }

  /// The control nearest to `point`, the topmost of those at it, if a touch there has an effect; a
  /// disabled one swallows the touch. Where there is none, the ground. O(n) in the controls of the page.
  private func holder(at point: Point) -> Finger.Holder {
    var nearest = Double.infinity
    var hit: Int?
    let theme = localTheme
    forEachVisibleControl(of: shownPage) { index in
      let entry = pages[shownPage].controls[index]
      guard let distance = entry.distance(to: point, at: now, in: theme), distance <= nearest,
        !entry.control.isTransparent(point, at: now, description.masks)
      else { return }
      (nearest, hit) = (distance, index)
    }
    guard let hit else { return .ground }
    guard pages[shownPage].controls[hit].isEnabled,
      pages[shownPage].controls[hit].control.answers(point, at: now)
    else { return .nothing }
    return .control(hit)
  }

  /// Calls `body` with each visible control of a page, back to front, with raised ones last.
  func forEachVisibleControl(of page: Int, _ body: (_ index: Int) -> Void) {
    func visit(raised: Bool) {
      for index in pages[page].controls.indices where pages[page].controls[index].isVisible {
        if pages[page].controls[index].control.isRaised(at: now) == raised { body(index) }
      }
    }
    visit(raised: false)
    visit(raised: true)
  }

  // MARK: Time

  /// Advances to `time`. Each event on the way has its exact moment. A time before `now` is ignored.
  /// O(n) in the controls of all pages, for each moment on the way at which something changes.
  public mutating func advance(to time: Instant) {
    while let (next, isChange) = nextStep(by: time) {
      step(to: next)
      isPassing = !isChange
      settle()
    }
    step(to: max(now, time))
    isPassing = true
    settle()
    isPassing = false
  }

  /// The next moment by `time` at which something changes. Changes that nobody sees do not wake the kiosk: only
  /// the last of those during a rest counts, and `isChange` is false.
  private func nextStep(by time: Instant) -> (moment: Instant, isChange: Bool)? {
    let next = nextChange.flatMap { $0 <= time ? $0 : nil }
    let moment = bindings.rhythm.flatMap { last($0, by: next ?? time) } ?? next
    return moment.map { ($0, $0 == next) }
  }

  /// The next moment of a discrete change; nil for none. Moving controls change between, too.
  /// O(n) in the controls of all pages.
  public var nextChange: Instant? {
    var next: Instant?
    func consider(_ moment: Instant?) {
      if let moment, moment > now { next = min(next ?? moment, moment) }
    }
    for page in pages {
      for entry in page.controls { consider(entry.control.nextChange(after: now)) }
    }
    consider(delayed.nextTime)
    for finger in touching.values { consider(finger.holdTime) }
    consider(swipe?.end)
    consider(restEnd)
    consider(questionTime)
    for finger in touching.values { consider(finger.dwellTime) }
    consider(homeTime)
    consider(sleepTime)
    consider(nextClockChange)
    consider(staleTimes.map(\.time).min())
    consider(pageChange?.end)
    if hasDailyValues { consider(clock.next(.day).flatMap(moment)) }
    return next
  }

  /// When the kiosk goes home without a touch.
  private var homeTime: Instant? {
    guard !isHome, let after = pages[shownPage].homeAfter ?? screen.homeAfter, after.isFinite else {
      return nil
    }
    return max(lastTouch ?? lastPageChange, lastPageChange) + after
  }

  /// When values that have been set grow stale, in the order of the file.
  private var staleTimes: [(value: ValueDeclaration, time: Instant)] {
    guard !settingTimes.isEmpty else { return [] }
    return description.values.compactMap { value in
      guard let after = value.staleAfter, let last = settingTimes[value.name] else { return nil }
      return (value, last + after)
    }
  }

  /// When it goes home or sleeps without a touch, after somebody has used it, and how long it waits for that.
  var dueTime: (moment: Instant, after: Double)? {
    guard !isHome else { return nil }
    let home = homeTime.map { ($0, pages[shownPage].homeAfter ?? screen.homeAfter ?? .infinity) }
    let sleep = sleepTime.map { ($0, screen.blankAfter ?? .infinity) }
    return [home, sleep].compactMap(\.self).min { $0.0 < $1.0 }
  }

  private var sleepTime: Instant? {
    guard !isBlank, let after = screen.blankAfter else { return nil }
    return max(lastTouch ?? lastWake, lastWake) + after
  }

  /// Whether the picture changes with every frame. O(n) in the controls of the page.
  public var isMoving: Bool {
    !isDark
      && (pageChange != nil || swipe?.end != nil || isMoving(onPage: shownPage)
        || pageBeside.map(isMoving(onPage:)) == true)
  }

  private func isMoving(onPage page: Int) -> Bool {
    pages[page].controls.contains { $0.isVisible && $0.control.isMoving(at: now) }
  }

  /// A summary of the present picture. Where the looks at two moments are equal, so are the display lists;
  /// where they are not, the lists may differ. O(n) in the controls of the page.
  package var look: Look { Look(revision: revision, moment: isMoving ? now : nil) }

  package struct Look: Hashable, Sendable {
    fileprivate var revision: UInt64
    /// The moment of the picture, where the picture differs from moment to moment.
    fileprivate var moment: Instant?
  }

  /// Whether nothing on the shown page moves or will change by itself. O(n) in its controls.
  public var isStill: Bool {
    pageChange == nil && swipe == nil
      && pages[shownPage].controls.allSatisfy { $0.control.isStill(at: now) }
  }

  private mutating func step(to time: Instant) {
    let before = now
    cause = .time
    if let rhythm = bindings.rhythm, last(rhythm, by: time) != nil { noteChange(of: .clock) }
    now = time
    beginDay()
    forgetStaleValues()
    if let change = pageChange, change.end <= time { pageChange = nil }
    if let end = swipe?.end, end <= time { swipe = nil }
    for page in pages.indices {
      for index in pages[page].controls.indices {
        let control = pages[page].controls[index].control
        // The others do not change, and must not increase the revision.
        guard
          control.isMoving(at: before)
            || control.nextChange(after: before).map({ $0 <= time }) == true
        else { continue }
        let place = Place(page: page, control: index)
        cause = causes[place] ?? .time
        update(place) { control, now, events in control.advance(to: now, events: &events) }
      }
    }
    endLongPresses()
    endRest()
    endDwelling()
    cause = .time
    if let due = homeTime, now >= due {
      focus = nil
      goHome()
    }
    if let due = sleepTime, now >= due { change(toBlank: true) }
    followQuestion()
  }

  /// Notes a change and its cause, for bindings and for questions about the cause.
  mutating func noteChange(of dependency: Dependency) {
    changes.insert(dependency)
    if !bindings.computed.isEmpty { valueChanges.insert(dependency) }
    if !bindings.ofReactions.isEmpty { reactionChanges.insert(dependency) }
    changeCount &+= 1
    changers[dependency] = (cause, changeCount)
  }

  /// Takes over the causes of the last changes, as far as the things that changed still exist.
  private mutating func takeChangers(of old: Engine) {
    changeCount = old.changeCount
    for (dependency, change) in old.changers {
      if case .binding = dependency { continue }
      guard case .control(let place) = dependency else {
        changers[dependency] = change
        continue
      }
      let id = old.pages[place.page].controls[place.control].id
      if let place = places[id] { changers[.control(place)] = change }
    }
  }

  /// The cause of the last of some changes; the present cause where none of them is known.
  func cause(ofLastOf changes: some Sequence<Dependency>) -> Cause {
    changes.lazy.compactMap { changers[$0] }.max { $0.order < $1.order }?.cause ?? cause
  }

  /// The cause of the last change under one of these names; `time` before there was any.
  package func cause(ofLastChangeOf names: [Reference]) -> Cause {
    let last = names.compactMap { name -> (cause: Cause, order: UInt64)? in
      guard case .property(let path) = name else {
        return Dependency(name).flatMap { changers[$0] }
      }
      if isBrightness(path) { return changers[.brightness] }
      return places[path.control].flatMap { changers[.control($0)] }
    }
    return last.max { $0.order < $1.order }?.cause ?? .time
  }

  /// Notes a touch or shake.
  mutating func notePerson() {
    lastTouch = now
    isHome = false
    isAsking = false
  }

  /// Notes that it has gone home.
  mutating func noteHome() { isHome = true }

  /// Notes that a page is shown.
  mutating func notePage() {
    lastPageChange = now
    isHome = false
  }

  mutating func noteWake() { lastWake = now }

  // MARK: The wall clock

  /// The wall clock now.
  public var clock: CivilTime { clock(at: now) }

  /// The wall clock at a moment.
  func clock(at moment: Instant) -> CivilTime {
    let (sum, overflows) = epoch.microseconds.addingReportingOverflow(Int(moment.microseconds))
    return overflows ? epoch : CivilTime(microseconds: sum)
  }

  /// The moment at which the wall clock shows a time; nil where none can hold it.
  func moment(_ time: CivilTime) -> Instant? {
    let (moment, overflows) = time.microseconds.subtractingReportingOverflow(epoch.microseconds)
    return overflows ? nil : Instant(microseconds: Int64(moment))
  }

  /// Sets the wall clock, which runs on from there.
  public mutating func setClock(_ time: CivilTime) {
    let (start, overflows) = time.microseconds.subtractingReportingOverflow(Int(now.microseconds))
    guard !overflows, CivilTime(microseconds: start) != epoch else { return }
    let former = clock.days
    epoch = CivilTime(microseconds: start)
    noteChange(of: .clock)
    // A clock that is set back was ahead before.
    if clock.days < former { day = day.map { _ in clock.days } }
    beginDay()
    settle()
  }

  /// Resets the daily values where another day has begun.
  private mutating func beginDay() {
    guard hasDailyValues, let last = day, clock.days > last else { return }
    day = clock.days
    for value in description.values where value.isDaily && values[value.name] != value.initial {
      values[value.name] = value.initial
      noteChange(of: .value(value.name))
    }
  }

  /// Leaves values undefined that have not been set for too long.
  private mutating func forgetStaleValues() {
    for (value, time) in staleTimes where time <= now {
      settingTimes[value.name] = nil
      values[value.name] = nil
      noteChange(of: .value(value.name))
      let after = Value.number(value.staleAfter ?? 0).display
      fail("\(value.name): nothing has set it for \(after) seconds")
    }
  }

  /// The name under which the day of kept values is kept: no value's name has an @.
  private static let dayName = "@day"

  /// The values to keep when the process ends.
  package var keptValues: [String: Value] {
    var kept: [String: Value] = [:]
    for value in description.values where value.isKept { kept[value.name] = values[value.name] }
    if hasDailyValues { kept[Self.dayName] = day.map { .number(Double($0)) } }
    return kept
  }

  /// When a reaction may next be set off by time alone.
  package var nextReactionTime: Instant? {
    bindings.rhythm(ofReactionsOn: shownPage).flatMap { next($0) }
  }

  /// When what is shown may next change with time alone, or a reaction be set off, also in the dark.
  private var nextClockChange: Instant? {
    var rhythm = bindings.rhythm(ofReactionsOn: shownPage)
    func join(_ page: Int) {
      if let seen = bindings.rhythm(ofPage: page) { rhythm = seen.joined(with: rhythm) }
    }
    if !isBlank {
      join(shownPage)
      if let pageBeside { join(pageBeside) }
    }
    return rhythm.flatMap { next($0) }
  }
}

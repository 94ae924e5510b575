// SPDX-License-Identifier: MIT

internal import RoundelControls
public import RoundelDrawing
public import RoundelExpressions
package import RoundelGeometry
public import RoundelMotion

/// A running kiosk. Its caller advances the time.
///
/// The engine has no clock, file or device. The same calls cause the same events and pictures, on
/// every machine and at any frame rate.
///
/// Each call that changes something is a turn (see `settle`): a change, when controls only add
/// reports; then the triggered actions in order, the bindings, and the reactions.
public struct Engine: Sendable {
  var plan: Plan
  var time: KioskClock
  var controls: ControlStore
  var navigation = Navigation()
  var overlays = Overlays()
  var touches = Touches()
  var store: ValueStore
  var presence: Presence
  var appearance: Appearance
  var dataflow: Dataflow
  var delayed = ActionQueue()
  var outbox = Outbox()
  var features: Features

  /// The index of a page, and the index of a control on it.
  struct ControlLocation: Hashable {
    var page: Int
    var control: Int
  }

  /// The default wall clock at the start: 2000-01-01T00:00:00.
  public static let defaultClock = CivilTime(microseconds: 946_684_800_000_000)

  /// Starts a kiosk at `now`. `seed` determines all random numbers, `clock` is the wall clock, and
  /// `persistentValues` are from an earlier process. Values of other kinds are dropped.
  public init(
    _ description: Description, seed: UInt64, at now: Instant = .zero,
    clock: CivilTime = defaultClock, persistentValues: [String: Value] = [:]
  ) {
    let isPersistent = Set(
      description.values.filter { $0.isPersistent && $0.staleAfter == nil }.map(\.name))
    let restored = Features.restored(persistentValues, description, at: clock)
    self.init(
      Plan(description, in: description.firstLanguage), seed: seed, at: now,
      values: restored.persistentValues.filter { isPersistent.contains($0.key) })
    _ = time.set(to: clock)
    features = restored.features
    var turn = Turn()
    start(&turn)
  }

  init(_ plan: Plan, seed: UInt64, at now: Instant, values: [String: Value], revision: UInt64 = 0) {
    let description = plan.description
    self.plan = plan
    time = KioskClock(at: now)
    controls = ControlStore(plan, seed: seed, revision: revision)
    store = ValueStore(description, values, at: now)
    presence = Presence(at: now)
    appearance = Appearance(description)
    dataflow = Dataflow(plan.bindings)
    features = Features(description)
  }

  /// Evaluates bindings and shows the first page.
  private mutating func start(_ turn: inout Turn) {
    recordChange(of: .start, &turn)
    applyBindings(&turn)
    turn.cause = .time
    for diagnostic in plan.bindings.diagnostics { fail(diagnostic, &turn) }
    record("started", of: .kiosk, &turn)
    record("shown", of: .page(shownPage), &turn)
    appear(&turn)
    settle(&turn)
  }

  /// Restarts the kiosk, except for persistent values. Everything in progress ends first; see `finish(by:)`.
  package mutating func restart(_ description: Description, seed: UInt64) {
    finish(by: .command)
    begin(description, seed: seed)
  }

  /// Starts the kiosk again after `finish(by:)`, except for persistent values.
  package mutating func begin(_ description: Description, seed: UInt64) {
    let old = self
    self = Engine(
      Plan(description, in: description.firstLanguage), seed: seed, at: now,
      values: persistentValues,
      revision: old.revision &+ 1)
    outbox = old.outbox
    time.adopt(old.time)
    // Fingers stay down without holding a control.
    touches.adopt(restarted: old.touches)
    features = old.features
    features.restart(description)
    presence.adopt(restarted: old.presence)
    var turn = Turn(by: .command)
    report("restarted", [], &turn)
    start(&turn)
  }
}

// MARK: State

extension Engine {
  /// The current description, as last started or replaced.
  public var description: Description { plan.description }
  /// The kiosk's name.
  public var name: String { plan.description.name }
  /// The size, rotation, font and time limits of all pages.
  public var screen: Screen { plan.description.screen }
  var locations: [String: ControlLocation] { plan.locations }
  /// The pages in order, with controls in their current state.
  public var pages: [Page] { controls.pages }
  /// The pages without the built-in page for messages.
  package var declaredPages: ArraySlice<Page> { pages.prefix(description.pages.count) }
  /// The index of the current page.
  public var shownPage: Int { navigation.shownPage }
  /// The kiosk's current time.
  public var now: Instant { time.now }
  /// Whether the panel sleeps. A touch that wakes the panel has no other effect.
  public var isBlank: Bool { presence.isBlank }
  /// Whether the panel is dark, although touches and speech continue.
  public var isDarkView: Bool { presence.isDarkView }
  /// Whether the panel shows nothing.
  public var isDark: Bool { isBlank || isDarkView }
  /// The time of the last user input, or nil if there was none.
  package var lastTouch: Instant? { presence.lastTouch }
  /// The default colours and sizes of controls.
  public var theme: Theme {
    get { appearance.theme }
    set { appearance.set(newValue) }
  }
  /// The panel's brightness while awake, 0 … 1, or nil to leave it unchanged.
  public var brightness: Double? { appearance.brightness }
  /// The panel in design coordinates, or nil if it equals the design. Backgrounds fill the panel.
  package var panel: Rect? {
    get { appearance.panel }
    set { appearance.set(panel: newValue) }
  }
  /// The current language, or an empty string in a kiosk in one language.
  public var language: String { appearance.language }

  /// A counter of visible changes, except motion.
  package var revision: UInt64 {
    controls.revision &+ navigation.revision &+ overlays.revision &+ touches.revision
      &+ store.revision &+ presence.revision &+ appearance.revision &+ features.revision
  }

  // MARK: The wall clock

  /// The wall clock at `now`.
  public var clock: CivilTime { time.time }

  /// Sets the wall clock.
  public mutating func setClock(_ clock: CivilTime) {
    let former = self.clock
    guard time.set(to: clock) else { return }
    var turn = Turn()
    recordChange(of: .clock, &turn)
    forEachFeature { $0.recordClock(since: former, &$1, &turn) }
    settle(&turn)
  }

  // MARK: Changes and their causes

  mutating func recordChange(of dependency: Dependency, _ turn: inout Turn) {
    turn.record(dependency, isComputing: !plan.bindings.computed.isEmpty)
    dataflow.record(dependency, by: turn.cause, plan.bindings)
  }

  /// Returns `time` if none of the names has changed.
  package func cause(ofLastChangeOf names: [Reference]) -> Cause {
    let changes = names.compactMap { name -> Dependency? in
      guard case .property(let path) = name else { return Dependency(name) }
      if plan.isBrightness(path) { return .brightness }
      return locations[path.control].map(Dependency.control) ?? Dependency(name)
    }
    return dataflow.cause(ofLastOf: changes) ?? .time
  }

  @discardableResult
  mutating func recordUserInput(_ input: Input) -> Bool {
    defer { presence.recordUserInput(at: now) }
    return notice(input)
  }

  /// Returns whether the input has no other effect.
  @discardableResult
  mutating func notice(_ input: Input) -> Bool {
    var isUsedUp = false
    forEachFeature { if $0.notice(input, &$1) { isUsedUp = true } }
    return isUsedUp
  }
}

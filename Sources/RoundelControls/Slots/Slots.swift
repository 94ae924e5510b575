// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
public import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// A slot machine: reels side by side that spin for a set time and stop at random items.
///
///     spin ── up to speed ── ever slower, blurred by its speed ──┬─ sharp ──┤ at rest
///     0                                              duration − sharpen   duration
///
/// Each subsequent reel stops `stagger` seconds after the previous one. The machine has settled
/// when the last reel is at rest.
///
/// A reel turns in only one direction. Its position is an unbounded number of rows, and the item is
/// that number modulo the number of items. Setting an item during a spin determines its result.
/// During a spin, other spins and touches are ignored, and properties keep their values.
public struct Slots: PressedControl, Hashable {
  /// The direction of the moving rows.
  public enum Direction: String, CaseIterable, Sendable {
    /// Rows move downwards, so the item above the middle is next.
    case down
    case up
  }

  /// A way to start a spin, in addition to the command.
  public enum Trigger: String, CaseIterable, Sendable {
    case touch, shake
  }

  /// A reel with items on its rim.
  public struct Reel: Hashable, Sendable {
    /// The id, unique among the reels. It is the prefix of the reel's properties.
    public var id: String
    /// The items from top to bottom. At least one weight is above 0. Without items, it has one
    /// blank item.
    public var items: [Item]
    var shownItems: [Item] { items.isEmpty ? [Item(label: "")] : items }
    /// The direction of the reel's rows.
    public var direction: Direction
    /// The direction from the file, or nil for the opposite of the previous reel's.
    var explicitDirection: Direction? {
      didSet { if let explicitDirection { direction = explicitDirection } }
    }

    /// Creates a reel. A direction of nil is the opposite of the previous reel's.
    public init(id: String, items: [Item], direction: Direction? = nil) {
      precondition(
        items.isEmpty || items.contains { $0.weight > 0 }, "a reel needs an item with a weight")
      self.id = id
      self.items = items
      self.direction = direction ?? .down
      explicitDirection = direction
    }

    /// Creates a reel before the keys are checked.
    package init(unchecked id: String) {
      self.id = id
      items = []
      direction = .down
    }

    /// Creates a reel with equally likely items.
    public init(id: String, items: [String], direction: Direction? = nil) {
      self.init(id: id, items: items.map { Item(label: $0) }, direction: direction)
    }
  }

  /// A result of a reel.
  public struct Item: Hashable, Sendable {
    /// The name in events. Unless there is an image, the row shows it in up to two lines.
    public var label: String
    /// The image instead of the label, or nil.
    public var image: String?
    /// The fit of the image in the row.
    public var fit = ImageFit.contain
    /// The relative probability, finite. 0 for never by chance.
    public var weight: Double

    /// Creates an item. The weight must be finite and not below 0.
    public init(label: String, image: String? = nil, weight: Double = 1) {
      precondition(weight >= 0 && weight.isFinite, "a weight cannot be negative")
      self.label = label
      self.image = image
      self.weight = weight
    }

    /// The identity of the item when the file changes. It excludes the weight.
    fileprivate var face: Item {
      var face = self
      face.weight = 1
      return face
    }
  }

  /// Rows per second: fast enough to blur words, slow enough to show the direction.
  private static let pace = 40.0
  /// The duration in seconds.
  private static let turn = 0.3
  /// The time for motion blur, in seconds.
  static let exposure = 1.0 / 60

  /// The window over all reels, in design pixels.
  public private(set) var frame: Rect
  /// The text in reels without items.
  public package(set) var emptyText = ""
  package var center: Point {
    get { frame.center }
    set { frame = Rect(center: newValue, size: frame.size) }
  }
  /// The number of visible rows, at least 1.
  public package(set) var rows: Int
  /// The time until the first reel stops, in seconds.
  public package(set) var duration: Double
  /// The time between the stops of neighbouring reels, in seconds.
  public package(set) var stagger: Double
  /// The time before a reel's stop when it becomes sharp, in seconds.
  public package(set) var sharpen: Double
  /// The colour of the reels, or nil to derive it from the background.
  public package(set) var color: ThemeColor?
  /// The maximum em size, or nil to derive it from the rows.
  public package(set) var fontSize: Double?
  /// The ways to start a spin.
  public package(set) var triggers: Set<Trigger>
  /// The reels in reading order.
  public package(set) var reels: [Reel]

  /// The labels of the widest reel, whose font size applies to all reels.
  private(set) var labelPeers = TextPeers()

  private var isReflected = false

  private struct State: Hashable {
    /// The index of the last result.
    var index = 0
    /// The motion, which ends at a whole number of rows, or nil at rest.
    var motion: Spin?
  }
  private var states: [State]
  private var spinEnd: Instant?
  private var chance: SplitMix64
  /// The default is the kiosk's.
  private var ownSeed: UInt64?
  var seedNumber: Int? {
    get { ownSeed.map { Int(truncatingIfNeeded: $0) } }
    set { ownSeed = newValue.map { UInt64(truncatingIfNeeded: $0) } }
  }
  /// The triggers in a fixed order.
  var triggerList: [Trigger] {
    get { Trigger.allCases.filter(triggers.contains) }
    set { triggers = Set(newValue) }
  }
  private var hold: Hold?
  private struct Hold: Hashable {
    var finger: Int
    var isInside: Bool
  }

  package static let maximumRows = 99
  /// The duration in seconds.
  private static let maximumDuration = 1e6

  /// Creates a machine with at least one reel, 1 to 99 rows, and a duration above 0.
  public init(
    center: Point, size: Size, rows: Int = 3, duration: Double = 5, stagger: Double = 0,
    sharpen: Double = 0.3, seed: UInt64? = nil, triggers: Set<Trigger> = [.touch], reels: [Reel]
  ) {
    precondition(!reels.isEmpty, "a slot machine needs a reel")
    precondition(rows > 0 && duration > 0, "a slot machine needs rows and time")
    precondition(stagger >= 0, "a reel cannot stop before the previous reel")
    frame = Rect(center: center, size: size)
    self.rows = min(rows, Self.maximumRows)
    self.duration = duration
    self.stagger = stagger
    self.sharpen = sharpen
    self.triggers = triggers
    self.reels = reels
    states = []
    chance = SplitMix64(seed: seed ?? 0)
    ownSeed = seed
    keysChanged(since: nil, at: .zero)
  }

  /// New reels join a spin in progress.
  package mutating func keysChanged(since old: Slots?, at now: Instant) {
    if ownSeed != old?.ownSeed { chance = SplitMix64(seed: ownSeed ?? 0) }
    guard reels != old?.reels else { return }
    for index in reels.indices where reels[index].explicitDirection == nil {
      reels[index].direction = index % 2 == 0 ? .down : .up
    }
    labelPeers = TextPeers(
      ofWidest: reels.map { reel in reel.shownItems.compactMap { $0.image == nil ? $0.label : nil }
      })
    states = reels.map { _ in State() }
    if let old { resume(old, at: now) }
  }

  /// Seeds the random numbers, unless the machine has its own seed.
  public mutating func seed(_ seed: UInt64) {
    if ownSeed == nil { chance = SplitMix64(seed: seed) }
  }

  // MARK: Motion

  /// The unbounded row in the middle, with a fraction between two rows.
  func position(_ reel: Int, at now: Instant) -> Double {
    states[reel].motion?.position(at: now) ?? Double(states[reel].index)
  }

  /// Rows per second, negative if the position decreases.
  func velocity(_ reel: Int, at now: Instant) -> Double {
    states[reel].motion?.velocity(at: now) ?? 0
  }

  func item(_ row: Int, of reel: Int) -> Int {
    let count = reels[reel].shownItems.count
    return (row % count + count) % count
  }

  /// The time, or nil at rest.
  func sharpStart(_ reel: Int) -> Instant? { states[reel].motion.map { $0.end + -sharpen } }

  private var motionEnd: Instant? { states.lazy.compactMap { $0.motion?.end }.max() }

  /// Sends a reel to an item at `end`, after at least `offset` rows.
  private mutating func send(
    _ reel: Int, to item: Int, after offset: Double, from now: Instant, until end: Instant,
    startingAt start: (position: Double, velocity: Double)? = nil
  ) {
    let (position, velocity) = start ?? (position(reel, at: now), velocity(reel, at: now))
    let count = Double(reels[reel].shownItems.count)
    let minimum = max(offset, Spin.minimumDistance(velocity: velocity, seconds: end - now))
    // Adds whole turns. The tolerance prevents an additional turn due to rounding errors.
    let target =
      switch reels[reel].direction {
      case .up:
        Double(item) + ((position + minimum - Double(item)) / count - 1e-9).rounded(.up) * count
      case .down:
        Double(item) + ((position - minimum - Double(item)) / count + 1e-9).rounded(.down) * count
      }
    states[reel].motion = Spin(from: position, velocity: velocity, to: target, start: now, end: end)
  }

  mutating func spin(at now: Instant, events: inout [ControlEvent]) {
    guard spinEnd == nil else { return }
    for reel in reels.indices {
      let seconds = (duration + Double(reel) * stagger).within(0...Self.maximumDuration)
      let target = result(of: reel)
      send(reel, to: target, after: Self.pace * seconds, from: now, until: now + seconds)
    }
    spinEnd = motionEnd
    events.append(ControlEvent("started", at: now))
  }

  /// Returns a random item, distributed by weight.
  private mutating func result(of reel: Int) -> Int {
    let items = reels[reel].shownItems
    // Equal weights use the generator's numbers directly, so that recordings from before weights
    // replay alike.
    guard items.contains(where: { $0.weight != items[0].weight }) else {
      return chance.index(below: items.count)
    }
    // Weights are relative to the largest, because the sum of huge weights may be infinite.
    let largest = items.reduce(0) { max($0, $1.weight) }
    let whole = items.reduce(0) { $0 + $1.weight / largest }
    var rest = chance.fraction() * whole
    var last = 0
    for (index, item) in items.enumerated() where item.weight > 0 {
      last = index
      rest -= item.weight / largest
      if rest < 0 { break }
    }
    // If the sum was rounded up beyond the weights, this is the last item with a weight.
    return last
  }

  private mutating func show(_ reel: Int, to item: Int, at now: Instant) {
    if spinEnd != nil, let motion = states[reel].motion, motion.end > now {
      let offset = abs(motion.to - motion.position(at: now))
      send(reel, to: item, after: offset, from: now, until: motion.end)
    } else {
      send(reel, to: item, after: 0, from: now, until: now + Self.turn)
    }
  }

  private mutating func settle(at now: Instant, events: inout [ControlEvent]) {
    for reel in reels.indices {
      guard let motion = states[reel].motion else { continue }
      // An index within the first turn keeps the numbers small and shows the same rows.
      states[reel].index = item(Int(motion.to), of: reel)
      states[reel].motion = nil
    }
    spinEnd = nil
    let values = reels.indices.map { reel in
      let index = states[reel].index
      return Field(
        reels[reel].id,
        .record([
          Field("index", .integer(index)),
          Field("label", .text(reels[reel].shownItems[index].label)),
        ]))
    }
    events.append(
      ControlEvent(
        "settled", at: now, fields: [Field("values", .record(values))],
        targets: reels.indices.map { "\(reels[$0].id)/\(states[$0].index)" }))
  }

  // MARK: Time

  /// Reports `settled` when all reels have stopped.
  public mutating func advance(to now: Instant, events: inout [ControlEvent]) {
    if let end = motionEnd, end <= now { settle(at: end, events: &events) }
  }

  /// The time when the last reel stops, or nil at rest.
  public func nextChange(after now: Instant) -> Instant? {
    motionEnd.flatMap { $0 > now ? $0 : nil }
  }

  /// Whether a reel turns.
  public func isMoving(at now: Instant) -> Bool { motionEnd.map { $0 > now } ?? false }

  /// Drops the touch that might start a spin. A spin in progress continues.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) { hold = nil }

  /// Ends a spin immediately with its result.
  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {
    hold = nil
    if motionEnd != nil { settle(at: now, events: &events) }
  }

  // MARK: Touch

  package var isHeld: Bool { hold?.isInside == true && spinEnd == nil }

  /// Whether `point` is in the window.
  public func contains(_ point: Point, at now: Instant) -> Bool { frame.contains(point) }

  /// Starts a spin when a finger is lifted in the window, if touch is a trigger.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    switch touch.phase {
    case .down:
      if hold?.finger == touch.finger { hold = nil }
      guard triggers.contains(.touch), spinEnd == nil, hold == nil else { return }
      hold = Hold(finger: touch.finger, isInside: true)
    case .move:
      if hold?.finger == touch.finger { hold?.isInside = frame.contains(touch.position) }
    case .up:
      guard let hold, hold.finger == touch.finger else { return }
      self.hold = nil
      if hold.isInside { spin(at: now, events: &events) }
    case .cancel: if hold?.finger == touch.finger { hold = nil }
    }
  }

  /// Constant during a spin. Setting an item determines the spin's result or, at rest, turns the
  /// reel to the item.
  package static let interface = Interface<Slots>(
    properties: [Property("spinning") { slots, _ in slots.spinEnd != nil }],
    parts: Parts(
      ids: { $0.reels.map(\.id) }, index: { slots, id in slots.reels.firstIndex { $0.id == id } },
      properties: [
        Property("index") { slots, at in
          Double(slots.states[at.part].index)
        } set: { (slots, number: Double, at, _) throws(InvalidValueError) in
          slots.show(at.part, to: try slots.reels[at.part].shownItems.index(number), at: at.now)
        },
        Property("label") { slots, at in
          slots.reels[at.part].shownItems[slots.states[at.part].index].label
        } set: { (slots, label: String, at, _) throws(InvalidValueError) in
          guard let index = slots.reels[at.part].shownItems.firstIndex(where: { $0.label == label })
          else { throw InvalidValueError("an item of the reel") }
          slots.show(at.part, to: index, at: at.now)
        },
      ]),
    commands: [
      ControlCommand("spin", "Starts a spin, unless one is in progress.") {
        $0.spin(at: $1, events: &$2)
      },
      ControlCommand(
        "shake", "Starts a spin, like a shake of the panel.",
        where: { $0.triggers.contains(.shake) }, perform: { $0.spin(at: $1, events: &$2) }),
    ],
    events: [EventType("started", "A spin started."), .settled.with([.values])])

  /// Continues `old`. Reels are matched by id, and items by label and image.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Slots else { return }
    spinEnd = old.spinEnd
    hold = old.hold
    if ownSeed == old.ownSeed { chance = old.chance }
    let (ids, oldIDs) = (reels.map(\.id), old.reels.map(\.id))
    var taken: Set<Int> = []
    for before in old.reels.indices {
      guard let reel = ids.successor(of: before, in: oldIDs) else { continue }
      taken.insert(reel)
      resume(reel, old, before, at: now)
    }
    guard let end = spinEnd else { return }
    for reel in reels.indices where !taken.contains(reel) {
      let target = result(of: reel)
      send(reel, to: target, after: Self.pace * max(0, end - now), from: now, until: end)
    }
  }

  private mutating func resume(_ reel: Int, _ old: Slots, _ before: Int, at now: Instant) {
    let (items, former) = (
      reels[reel].shownItems.map(\.face), old.reels[before].shownItems.map(\.face)
    )
    func successor(_ item: Int) -> Int {
      items.successor(of: item, in: former) ?? min(item, items.count - 1)
    }
    let state = old.states[before]
    if items == former, reels[reel].direction == old.reels[before].direction {
      states[reel] = state
      return
    }
    states[reel].index = successor(state.index)
    guard let motion = state.motion else { return }
    guard motion.end > now else {
      // The reel stopped before others, and stays there until all have stopped.
      let row = Double(successor(old.item(Int(motion.to), of: before)))
      states[reel].motion = Spin(from: row, to: row, start: motion.end, end: motion.end)
      return
    }
    // Keep the remaining distance, from the row in the middle.
    let position = motion.position(at: now)
    let row = position.rounded()
    let here = Double(successor(old.item(Int(row), of: before))) + position - row
    let hasSameDirection = reels[reel].direction == old.reels[before].direction
    send(
      reel, to: successor(old.item(Int(motion.to), of: before)), after: abs(motion.to - position),
      from: now, until: motion.end,
      startingAt: (here, hasSameDirection ? motion.velocity(at: now) : 0))
  }
}

extension Slots {
  /// Records whether the page is reflected, which puts the first reel on the right.
  public mutating func notice(places: [Point], on screen: Rect, isReflected: Bool) {
    self.isReflected = isReflected
  }

  func window(_ reel: Int, gap: Double = 0) -> Rect {
    let width = (frame.width - gap * Double(reels.count - 1)) / Double(reels.count)
    let place = isReflected ? reels.count - 1 - reel : reel
    let left = frame.x0 + Double(place) * (width + gap)
    return Rect(x0: left, y0: frame.y0, x1: left + width, y1: frame.y1)
  }

  /// The bounds of the window.
  public var extent: Rect? { frame }

  /// Whether a touch starts a spin.
  public var takesKeys: Bool { triggers.contains(.touch) }

  /// The outline of the window.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? {
    .rect(RoundedRect(frame.inset(by: -4), radius: 8))
  }

  /// The labels of the shown items, or of one reel's. Empty during a spin.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard spinEnd == nil else { return Wording() }
    let shown = reels.indices.filter { item == nil || reels[$0].id == item }
    return Wording(
      value: shown.map { reels[$0].shownItems[states[$0].index].label }.joined(separator: ", "))
  }

  /// Always nil, because exploration reads all reels together.
  public func item(under point: Point, at now: Instant) -> String? { nil }

  /// The reels.
  public func items(at now: Instant) -> [ControlItem] {
    reels.indices.map { ControlItem(reels[$0].id, at: window($0).center) }
  }
}

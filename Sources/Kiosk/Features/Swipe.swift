// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelMotion

/// Swipes.
///
///     down on the background, a label, an image, or a pressed button, wedge or row
///        │ 16 px, mainly along an axis of the page's swipes
///        ▼
///     the page follows the finger ── up, far or quickly enough ── swiped, and the next page appears
///        └─ up, cancelled, or a second finger ── it springs back
///
/// Only the finger's path in design pixels and its times count, not the panel or the frame rate.
struct Swipe: Feature {
  /// The current page's swipe, until the page is back in position.
  private var motion: SwipeMotion? { didSet { revision &+= 1 } }
  private(set) var revision: UInt64 = 0

  init(_ description: Description) {}

  func nextChange(in engine: Engine) -> Instant? { motion?.end }

  var isMoving: Bool { motion?.end != nil }

  var isStill: Bool { motion == nil }

  func movesPage(by finger: Int) -> Bool { motion?.finger == finger }

  mutating func advance(_ engine: inout Engine, _ turn: inout Turn) {
    if let end = motion?.end, end <= engine.now { motion = nil }
  }

  mutating func conclude(
    _ happened: ArraySlice<Event>, _ engine: inout Engine, _ turn: inout Turn
  ) {
    assert(motion?.finger.map { engine.touches[$0] != nil } ?? true, "a swipe by no finger")
  }

  mutating func leavePage() { if motion != nil { motion = nil } }

  mutating func track(_ touch: Touch, _ engine: inout Engine, _ turn: inout Turn) {
    if let motion, let finger = motion.finger, finger != touch.finger, touch.phase == .down {
      return end(motion, engine)
    }
    guard let finger = engine.touches[touch.finger] else { return }
    if let motion, motion.finger == touch.finger {
      switch touch.phase {
      case .move: move(motion, finger, touch, engine)
      case .up: finish(motion, finger, at: touch.time ?? engine.now, &engine, &turn)
      case .down, .cancel: end(motion, engine)
      }
    } else if touch.phase == .move, !finger.hasLeft {
      begin(finger, touch, &engine, &turn)
    }
  }

  private mutating func begin(
    _ finger: Finger, _ touch: Touch, _ engine: inout Engine, _ turn: inout Turn
  ) {
    let distance = touch.position - finger.start
    let axis: Axis = abs(distance.x) > abs(distance.y) ? .horizontal : .vertical
    guard abs(distance.along(axis)) >= SwipeMotion.slop else { return }
    engine.touches.recordLeaving(of: touch.finger)
    guard engine.overlay == nil, engine.touches.fingers.count == 1,
      engine.pages[engine.shownPage].isSwiped(along: axis),
      Self.yields(touch.finger, finger, toSwipeAlong: axis, engine)
    else { return }
    engine.release(touch.finger, &turn)
    let offset = offset(along: axis, engine)
    engine.navigation.endChange()
    let new = SwipeMotion(
      axis: axis,
      state: .held(
        finger: touch.finger, pull: Self.pull(at: offset, along: axis, engine), distance: 0,
        VelocityTracker()))
    move(new, finger, touch, engine)
  }

  private static func yields(
    _ number: Int, _ finger: Finger, toSwipeAlong axis: Axis, _ engine: Engine
  ) -> Bool {
    switch finger.holder {
    case .nothing: false
    case .background: true
    case .control(let location) where engine.controls[location].isAlwaysAvailable: false
    case .control(let location):
      finger.reportedPress?.reporting == .nothing
        || engine.controls[location].control.yields(number, toSwipeAlong: axis, at: engine.now)
    }
  }

  private mutating func move(
    _ former: SwipeMotion, _ finger: Finger, _ touch: Touch, _ engine: Engine
  ) {
    guard case .held(let number, let pull, _, var tracker) = former.state else { return }
    let axis = former.axis
    let distance = Self.distance(of: finger, to: touch.position, along: axis, engine)
    tracker.add(
      Self.offset(at: pull + distance, along: axis, engine), at: touch.time ?? engine.now)
    motion = SwipeMotion(
      axis: axis, state: .held(finger: number, pull: pull, distance: distance, tracker))
  }

  private static func distance(
    of finger: Finger, to point: Point, along axis: Axis, _ engine: Engine
  ) -> Double {
    let side = engine.screen.size.along(axis)
    return min(max((point - finger.start).along(axis), -4 * side), 4 * side)
  }

  /// Completes the page change if the finger moved far or quickly enough by `instant`. Otherwise,
  /// the page springs back.
  private mutating func finish(
    _ held: SwipeMotion, _ finger: Finger, at instant: Instant, _ engine: inout Engine,
    _ turn: inout Turn
  ) {
    guard case .held(_, _, let distance, let tracker) = held.state else { return }
    let side = engine.screen.size.along(held.axis)
    let isQuick = instant - finger.time <= SwipeMotion.quickTime
    guard abs(distance) >= (isQuick ? SwipeMotion.quick : SwipeMotion.half) * side else {
      return end(held, engine)
    }
    let direction = Direction(distance, along: held.axis)
    let page = engine.pages[engine.shownPage]
    let fields = [
      Field("page", .text(page.name)), Field("direction", .text(direction.rawValue)),
    ]
    engine.report("swiped", fields, of: .page(engine.shownPage), &turn)
    guard let name = page.swipe[direction], engine.page(at: name) != nil,
      let destination = engine.destination(named: name)
    else { return end(held, engine) }
    let (sign, offset) = (direction.sign, offset(along: held.axis, engine))
    let spring = SwipeMotion.spring(
      from: min(max(offset * sign, 0), side),
      velocity: tracker.velocity(at: instant) * sign, to: side, at: engine.now)
    // A page that was caught on the other side of its position starts with the current picture.
    var before = offset * sign < 0 ? engine.wholeList : engine.pageList
    if offset * sign < 0 {
      before.transition = transition(in: engine) { _ in nil }
      before = before.limited(to: 3)
    }
    motion = nil
    let change = PageChange(
      animation: .swipe(direction, spring), start: engine.now, end: spring.end, before: before)
    engine.go(to: destination, by: engine.screen.hasLessMotion ? nil : change, &turn)
    if spring.end <= engine.now { engine.navigation.endChange() }
  }

  /// Springs back, immediately with less motion.
  private mutating func end(_ held: SwipeMotion, _ engine: Engine) {
    guard case .held(_, _, _, let tracker) = held.state else { return }
    let spring = SwipeMotion.spring(
      from: offset(along: held.axis, engine), velocity: tracker.velocity(at: engine.now), to: 0,
      at: engine.now)
    let returns = spring.end > engine.now && !engine.screen.hasLessMotion
    motion = returns ? SwipeMotion(axis: held.axis, state: .returning(spring)) : nil
  }

  // MARK: The page's position

  /// Returns the current page's displacement in design pixels.
  private func offset(along axis: Axis, _ engine: Engine) -> Double {
    guard let motion else {
      return engine.navigation.pageChange?.offset(along: axis, at: engine.now, of: engine.wholeSize)
        ?? 0
    }
    guard motion.axis == axis else { return 0 }
    switch motion.state {
    case .held(_, let pull, let distance, _):
      return Self.offset(at: pull + distance, along: axis, engine)
    case .returning(let spring): return spring.position(at: engine.now)
    }
  }

  /// Returns the offset for a pull: equal if there is a neighbour, otherwise smaller, like a rubber band.
  private static func offset(at pull: Double, along axis: Axis, _ engine: Engine) -> Double {
    let side = engine.screen.size.along(axis)
    guard engine.neighbour(towards: Direction(pull, along: axis)) == nil else {
      return min(max(pull, -side), side)
    }
    return RubberBand(reach: side * SwipeMotion.give).stretch(for: pull)
  }

  private static func pull(at offset: Double, along axis: Axis, _ engine: Engine) -> Double {
    guard engine.neighbour(towards: Direction(offset, along: axis)) == nil else { return offset }
    let band = RubberBand(reach: engine.screen.size.along(axis) * SwipeMotion.give)
    // A page caught during a page change may be further away than the band allows.
    return band.pull(for: min(max(offset, -band.reach / 2), band.reach / 2))
  }

  func transition(
    in engine: Engine, following position: (_ finger: Int) -> Point?
  ) -> DisplayList.Transition? {
    guard let motion else { return nil }
    var offset = offset(along: motion.axis, engine)
    if case .held(let number, let pull, _, _) = motion.state, let finger = engine.touches[number],
      let point = position(number)
    {
      let distance = Self.distance(of: finger, to: point, along: motion.axis, engine)
      offset = Self.offset(at: pull + distance, along: motion.axis, engine)
    }
    guard offset != 0 else { return nil }
    let direction = Direction(offset, along: motion.axis)
    let other =
      engine.neighbour(towards: direction).map { engine.displayList(of: $0) } ?? engine.emptyList
    return .slide(
      from: other, towards: Direction(-offset, along: motion.axis),
      progress: max(1 - abs(offset) / engine.wholeSize.along(motion.axis), 0))
  }

  func adjacentPage(in engine: Engine) -> Int? {
    guard let motion else { return nil }
    let offset = offset(along: motion.axis, engine)
    return offset == 0 ? nil : engine.neighbour(towards: Direction(offset, along: motion.axis))
  }
}

extension Engine {
  fileprivate func neighbour(towards direction: Direction) -> Int? {
    pages[shownPage].swipe[direction].flatMap(page)
  }

  fileprivate var emptyList: DisplayList {
    DisplayList(background: screen.background.color(in: theme).over(.black))
  }
}

private struct SwipeMotion: Hashable, Sendable {
  enum State: Hashable, Sendable {
    /// `distance` is the finger's distance from its touch down. `pull` is the page's earlier pull.
    case held(finger: Int, pull: Double, distance: Double, VelocityTracker)
    case returning(Spring)
  }

  let axis: Axis
  var state: State

  var finger: Int? {
    if case .held(let finger, _, _, _) = state { finger } else { nil }
  }

  /// The time when the page is back in position, or nil while a finger moves it.
  var end: Instant? {
    if case .returning(let spring) = state { spring.end } else { nil }
  }

  /// The minimum distance of a swipe, in design pixels.
  static let slop = 16.0
  /// The fraction of the side that a finger must move to change the page.
  static let half = 0.5
  /// The fraction for a quick swipe, of at most `quickTime` seconds.
  static let quick = 0.15
  static let quickTime = 0.5
  /// The maximum displacement of a page without a neighbour, as a fraction of the side.
  static let give = 0.25
  static let spring = Spring.Tuning(damping: 1, duration: 0.4)

  /// Returns a spring that never moves backwards or overshoots.
  static func spring(
    from offset: Double, velocity: Double, to target: Double, at now: Instant
  ) -> Spring {
    let rest = target - offset
    let fastest = spring.frequency * abs(rest)
    let towards = min(max(rest < 0 ? -velocity : velocity, 0), fastest)
    return Spring(
      from: offset, velocity: rest < 0 ? -towards : towards, to: target, at: now, tuning: spring,
      tolerance: 0.25)
  }
}

extension Page {
  fileprivate func isSwiped(along axis: Axis) -> Bool {
    actions["swiped"] != nil || swipe.keys.contains { $0.axis == axis }
  }
}

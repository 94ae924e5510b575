// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing
internal import Expressions
internal import Geometry
internal import Motion

/// A swipe of the shown page: under a finger, or on its way back.
struct Swipe: Hashable, Sendable {
  enum State: Hashable, Sendable {
    /// A finger has gone a way from where it came down. `pull` is the page's before that.
    case held(finger: Int, pull: Double, way: Double, VelocityTracker)
    case returning(Spring)
  }

  let axis: Axis
  var state: State

  /// The finger that moves the page.
  var finger: Int? {
    if case .held(let finger, _, _, _) = state { finger } else { nil }
  }

  /// When the page is back in its place; nil while a finger moves it.
  var end: Instant? {
    if case .returning(let spring) = state { spring.end } else { nil }
  }

  /// The way after which a finger swipes, in design pixels.
  static let slop = 16.0
  /// The part of the side after which a page goes.
  static let half = 0.5
  /// The same of a quick swipe, which takes at most `quickTime` seconds.
  static let quick = 0.15
  static let quickTime = 0.5
  /// The part of the side by which a page gives where there is no page to go to.
  static let give = 0.25
  /// It does not overshoot.
  static let spring = Spring.Tuning(damping: 1, duration: 0.4)

  /// A spring of a page from an offset to another. It only goes there.
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

/// Swipes.
///
///     down on the ground, a label, an image, or a pressed button, wedge or row
///        │ 16 px, mainly along an axis of the page's swipes
///        ▼
///     the page follows the finger ── up, far or quickly enough ── swiped, and the next page comes
///        └─ up, cancelled, or a second finger ── it springs back
///
/// The outcome depends on the finger's way in design pixels and on its times, so that it is the same on each
/// panel and at each frame rate.
extension Engine {
  /// Begins a swipe, follows its finger, and ends it.
  mutating func followSwipe(_ touch: Touch, _ turn: inout Turn) {
    if let swipe = features.swipe, let finger = swipe.finger, finger != touch.finger,
      touch.phase == .down
    {
      return endSwipe(swipe)
    }
    guard let finger = touches[touch.finger] else { return }
    if let swipe = features.swipe, swipe.finger == touch.finger {
      switch touch.phase {
      case .move: move(swipe, finger, touch)
      case .up: finish(swipe, finger, at: touch.time ?? now, &turn)
      case .down, .cancel: endSwipe(swipe)
      }
    } else if touch.phase == .move, !finger.hasLeft {
      begin(finger, touch, &turn)
    }
  }

  private mutating func begin(_ finger: Finger, _ touch: Touch, _ turn: inout Turn) {
    let way = touch.position - finger.start
    let axis: Axis = abs(way.x) > abs(way.y) ? .horizontal : .vertical
    guard abs(way.along(axis)) >= Swipe.slop else { return }
    touches.noteLeaving(of: touch.finger)
    guard touches.fingers.count == 1, pages[shownPage].isSwiped(along: axis),
      yields(touch.finger, finger, toSwipeAlong: axis)
    else { return }
    release(touch.finger, &turn)
    let offset = offset(along: axis)
    navigation.endChange()
    let new = Swipe(
      axis: axis,
      state: .held(
        finger: touch.finger, pull: pull(at: offset, along: axis), way: 0, VelocityTracker()))
    move(new, finger, touch)
  }

  private func yields(_ number: Int, _ finger: Finger, toSwipeAlong axis: Axis) -> Bool {
    switch finger.holder {
    case .nothing: false
    case .ground: true
    case .control(let control):
      finger.told?.reporting == .nothing
        || pages[shownPage].controls[control].control.yields(
          number, toSwipeAlong: axis, at: now)
    }
  }

  private mutating func move(_ swipe: Swipe, _ finger: Finger, _ touch: Touch) {
    guard case .held(let number, let pull, _, var tracker) = swipe.state else { return }
    let way = way(of: finger, to: touch.position, along: swipe.axis)
    tracker.add(offset(at: pull + way, along: swipe.axis), at: touch.time ?? now)
    features.swipe = Swipe(
      axis: swipe.axis, state: .held(finger: number, pull: pull, way: way, tracker))
  }

  private func way(of finger: Finger, to place: Point, along axis: Axis) -> Double {
    let side = screen.size.along(axis)
    return min(max((place - finger.start).along(axis), -4 * side), 4 * side)
  }

  /// Lets the page go where the finger has gone far or quickly enough by `moment`, its own time, else back.
  private mutating func finish(
    _ swipe: Swipe, _ finger: Finger, at moment: Instant, _ turn: inout Turn
  ) {
    guard case .held(_, _, let way, let tracker) = swipe.state else { return }
    let side = screen.size.along(swipe.axis)
    let isQuick = moment - finger.time <= Swipe.quickTime
    guard abs(way) >= (isQuick ? Swipe.quick : Swipe.half) * side else { return endSwipe(swipe) }
    let direction = Direction(way, along: swipe.axis)
    let fields = [
      Field("page", .text(pages[shownPage].name)), Field("direction", .text(direction.rawValue)),
    ]
    report("swiped", fields, of: .page(shownPage), &turn)
    guard let name = pages[shownPage].swipe[direction], page(at: name) != nil,
      let destination = destination(named: name)
    else { return endSwipe(swipe) }
    let (sign, offset) = (direction.sign, offset(along: swipe.axis))
    let spring = Swipe.spring(
      from: min(max(offset * sign, 0), side),
      velocity: tracker.velocity(at: moment) * sign, to: side, at: now)
    // A page that was caught on the other side of its place begins with what is seen.
    let before = offset * sign < 0 ? wholeList.limited(to: 3) : pageList
    features.swipe = nil
    let change = PageChange(
      course: .swipe(direction, spring), start: now, end: spring.end, before: before)
    go(to: destination, by: screen.hasLessMotion ? nil : change, &turn)
    // Nothing may be left of the way.
    if spring.end <= now { navigation.endChange() }
  }

  /// Lets the page spring back; with less motion it is back immediately.
  mutating func endSwipe(_ swipe: Swipe) {
    guard case .held(_, _, _, let tracker) = swipe.state else { return }
    let spring = Swipe.spring(
      from: offset(along: swipe.axis), velocity: tracker.velocity(at: now), to: 0, at: now)
    let returns = spring.end > now && !screen.hasLessMotion
    features.swipe = returns ? Swipe(axis: swipe.axis, state: .returning(spring)) : nil
  }

  // MARK: The page's place

  /// How far the shown page is from its place along an axis, in design pixels.
  private func offset(along axis: Axis) -> Double {
    guard let swipe = features.swipe else {
      return navigation.pageChange?.offset(along: axis, at: now, of: wholeSize) ?? 0
    }
    guard swipe.axis == axis else { return 0 }
    switch swipe.state {
    case .held(_, let pull, let way, _): return offset(at: pull + way, along: axis)
    case .returning(let spring): return spring.position(at: now)
    }
  }

  /// The offset for a pull: the same where there is a page to go to, else less, as by a rubber band.
  private func offset(at pull: Double, along axis: Axis) -> Double {
    let side = screen.size.along(axis)
    guard neighbour(towards: Direction(pull, along: axis)) == nil else {
      return min(max(pull, -side), side)
    }
    return RubberBand(reach: side * Swipe.give).stretch(for: pull)
  }

  /// The pull for an offset.
  private func pull(at offset: Double, along axis: Axis) -> Double {
    guard neighbour(towards: Direction(offset, along: axis)) == nil else { return offset }
    let band = RubberBand(reach: screen.size.along(axis) * Swipe.give)
    // A page that is caught in a change is further away than a band lets it: no finger could move it there.
    return band.pull(for: min(max(offset, -band.reach / 2), band.reach / 2))
  }

  /// The page that a swipe leads to; nil for none.
  private func neighbour(towards direction: Direction) -> Int? {
    pages[shownPage].swipe[direction].flatMap(page)
  }

  /// The page beside the shown one while that is out of its place: the shown page comes back in place of the
  /// other. Nil for none. `position` says where fingers are.
  func swipeTransition(
    following position: (_ finger: Int) -> Point?
  ) -> DisplayList.Transition? {
    guard let swipe = features.swipe else { return nil }
    var offset = offset(along: swipe.axis)
    if case .held(let number, let pull, _, _) = swipe.state, let finger = touches[number],
      let place = position(number)
    {
      let way = way(of: finger, to: place, along: swipe.axis)
      offset = self.offset(at: pull + way, along: swipe.axis)
    }
    guard offset != 0 else { return nil }
    let direction = Direction(offset, along: swipe.axis)
    let other = neighbour(towards: direction).map { displayList(of: $0) } ?? emptyList
    return .slide(
      from: other, towards: Direction(-offset, along: swipe.axis),
      progress: max(1 - abs(offset) / wholeSize.along(swipe.axis), 0))
  }

  /// The page beside the shown one while that is out of its place; nil for none.
  var pageBeside: Int? {
    guard let swipe = features.swipe else { return nil }
    let offset = offset(along: swipe.axis)
    return offset == 0 ? nil : neighbour(towards: Direction(offset, along: swipe.axis))
  }

  private var emptyList: DisplayList {
    DisplayList(background: screen.background.color(in: theme).over(.black))
  }
}

extension Page {
  /// Whether swipes along an axis have an effect.
  fileprivate func isSwiped(along axis: Axis) -> Bool {
    actions["swiped"] != nil || swipe.keys.contains { $0.axis == axis }
  }
}

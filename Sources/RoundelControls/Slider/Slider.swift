// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelMotion

/// The numbers of a ring or bar: one, or `low` and `high` at least a gap apart, and the fingers that
/// drag them.
///
/// `grab`, `takesTaps` and `hold` guard the numbers against accidental touches. An ignored touch
/// reports nothing, and controls behind don't receive it.
package struct Slider: Hashable, Sendable {
  /// The area that lets a finger grab a number.
  package enum Grab: String, Hashable, Sendable, CaseIterable {
    case track
    case knob
  }

  package private(set) var scale: Scale
  /// Whether a number may be set between two steps.
  package private(set) var isContinuous: Bool
  package let isPair: Bool
  /// The defaults are 0, 100, and a step derived from the range.
  package var minimum: Double? {
    get { ends.low }
    set { ends.low = newValue ?? Ends().low }
  }
  package var maximum: Double? {
    get { ends.high }
    set { ends.high = newValue ?? Ends().high }
  }
  package var numberStep: Double?
  private var ends = Ends()
  private struct Ends: Hashable {
    var low = 0.0
    var high = 100.0
  }
  /// The number, or nil to use the minimum.
  package var firstValue: Double?
  package var firstLow: Double?
  package var firstHigh: Double?
  /// The minimum distance of the two numbers.
  package var minimumGap = 0.0
  /// Whether fingers can drag the numbers. Otherwise, touches pass through.
  package var isInteractive = true
  package var grab = Grab.track
  /// Whether a tap on the track moves a number there.
  package var takesTaps = true
  /// The rest time before a number follows a finger, in seconds.
  package var hold = 0.0
  /// The bands in ascending order.
  package var bands: [ScaleBand] = []
  var explicitBands: [ScaleBand]? {
    get { bands.isEmpty ? nil : bands }
    set { bands = newValue ?? [] }
  }
  package var ticks: ScaleTicks?
  /// The actual value, shown next to the chosen value, or nil for no mark.
  package var marker: Double?

  private(set) var tickLabels: [String] = []
  private(set) var longestTickLabel = 0

  /// The only number, or `low`.
  private var first: Knob
  private var second: Knob

  package init(scale: Scale, isContinuous: Bool = false, isPair: Bool = false) {
    self.scale = scale
    self.isContinuous = isContinuous
    self.isPair = isPair
    ends = Ends(low: scale.minimum, high: scale.maximum)
    numberStep = isContinuous ? nil : scale.step
    first = Knob(at: scale.minimum)
    second = Knob(at: 0)
  }

  /// Continues `old`, or starts with the file's numbers if that is nil.
  mutating func keysChanged(
    since old: Slider?, on path: some Track, from oldPath: (some Track)?, at now: Instant
  ) {
    if ends != old?.ends || numberStep != old?.numberStep {
      let (low, high) = (ends.low, ends.high)
      let other =
        numberStep.map { Scale(from: low, to: high, step: $0) } ?? Scale(from: low, to: high)
      scale = other ?? scale
      isContinuous = numberStep == nil
    }
    if ticks != old?.ticks || scale != old?.scale {
      tickLabels = ticks?.labels(on: scale) ?? []
      longestTickLabel = tickLabels.reduce(0) { max($0, $1.count) }
    }
    guard let old, let oldPath else { return begin() }
    resume(old, on: path, from: oldPath, at: now)
  }

  /// Starts with the numbers of the file.
  mutating func begin() {
    let start = isPair ? firstLow : firstValue
    first = Knob(at: fitted(start ?? scale.minimum), hasValue: start != nil)
    guard isPair else { return }
    second = Knob(at: fitted(firstHigh ?? scale.maximum), hasValue: firstHigh != nil)
    separate()
  }

  mutating func resume(
    _ old: Slider, on path: some Track, from oldPath: some Track, at now: Instant
  ) {
    guard isPair == old.isPair else { return begin() }
    let isSame = scale == old.scale && isContinuous == old.isContinuous
    for index in knobs {
      var next = self[index]
      next.resume(
        old[index], from: old.scale, on: rail(index, on: path), isSameScale: isSame,
        isSameLength: path.length == oldPath.length, fitted: fitted, at: now)
      self[index] = next
    }
    separate(at: now)
  }

  /// Moves numbers apart that are closer than the gap.
  private mutating func separate(at now: Instant = .zero) {
    guard isPair else { return }
    defer {
      // The numbers on their ways may be too close, unlike their destinations.
      if isTooClose(first.value, second.value) {
        first.skipRest()
        second.skipRest()
      }
    }
    guard isTooClose(first.destination, second.destination) else { return }
    func place(_ knob: inout Knob, _ value: Double) {
      knob.place(at: value, position: scale.position(of: value), now)
    }
    if !first.isHeld { place(&first, allowed(first.destination, of: 0)) }
    if isTooClose(first.destination, second.destination) {
      place(&second, pushed(by: first.destination, to: 1))
    }
    if isTooClose(first.destination, second.destination) {
      place(&first, pushed(by: second.destination, to: 0))
    }
  }

  /// A continuous scale also allows numbers between steps.
  private func fitted(_ value: Double) -> Double {
    let clamped = scale.clamped(value)
    return isContinuous ? clamped : scale.value(at: scale.index(of: clamped))
  }

  // MARK: The knobs

  var knobs: Range<Int> { 0..<(isPair ? 2 : 1) }

  private subscript(index: Int) -> Knob {
    get { index == 0 ? first : second }
    set { if index == 0 { first = newValue } else { second = newValue } }
  }

  /// The names of the two numbers.
  static let names = ["low", "high"]

  func name(of index: Int) -> String? { isPair ? Self.names[index] : nil }

  func value(of index: Int) -> Double { self[index].value }

  var hasValue: Bool { first.hasValue }
  var isHeld: Bool { first.isHeld || isPair && second.isHeld }
  func isHeld(_ index: Int) -> Bool { self[index].isHeld }

  /// The gap in steps. On a scale with steps it is whole.
  private var gap: Double {
    guard isPair, minimumGap > 0 else { return 0 }
    let steps = Scale.count(from: 0, by: scale.step, to: minimumGap)
    let gap = isContinuous ? steps : steps.rounded(.up)
    return min(gap, isContinuous ? scale.span : Double(scale.lastIndex))
  }

  private func isTooClose(_ low: Double, _ high: Double) -> Bool {
    // Rounding errors of continuous numbers are ignored.
    scale.position(of: high) - scale.position(of: low) < gap - 1e-9
  }

  private func number(at position: Double) -> Double {
    isContinuous
      ? scale.clamped(scale.minimum + position * scale.step)
      : scale.value(at: Int(position.rounded().within(0...Double(scale.lastIndex))))
  }

  /// The nearest number that leaves space for the other.
  private func allowed(_ value: Double, of index: Int) -> Double {
    let value = fitted(value)
    guard isPair else { return value }
    let position = scale.position(of: value)
    let last = isContinuous ? scale.span : Double(scale.lastIndex)
    if index == 0, position > last - gap { return number(at: last - gap) }
    if index == 1, position < gap { return number(at: gap) }
    return value
  }

  /// The knob's nearest number a gap away from the other.
  private func pushed(by other: Double, to index: Int) -> Double {
    number(at: scale.position(of: other) + (index == 0 ? -gap : gap))
  }

  /// The steps that a finger can reach with a knob, up to the other one.
  private func limits(of index: Int) -> ClosedRange<Double> {
    let last = Double(scale.lastIndex)
    guard isPair else { return 0...last }
    let other = self[1 - index]
    let (a, b) = (scale.position(of: other.value), scale.position(of: other.destination))
    if index == 0 {
      return 0...max(min((min(a, b) - gap + 1e-9).rounded(.down), last), 0)
    }
    return min(max((max(a, b) + gap - 1e-9).rounded(.up), 0), last)...last
  }

  func rail<Path: Track>(_ index: Int, on path: Path) -> Knob.Rail<Path> {
    Knob.Rail(
      path: path, scale: scale, limits: limits(of: index), item: name(of: index),
      takesTaps: takesTaps, hold: hold)
  }

  func position(of index: Int, on path: some Track, at now: Instant) -> Double {
    let own = self[index].position(on: rail(index, on: path), at: now)
    guard isPair else { return own }
    let other = self[1 - index].position(on: rail(1 - index, on: path), at: now)
    // While both move, they keep their order.
    return index == 0 ? max(min(own, other), 0) : max(own, other)
  }

  // MARK: Touch

  private func grabs(_ point: Point, _ index: Int, on path: some Track, at now: Instant) -> Bool {
    grab == .track || isNear(point, index, on: path, at: now)
  }

  private func isNear(_ point: Point, _ index: Int, on path: some Track, at now: Instant) -> Bool {
    distance(point, index, on: path, at: now) <= path.reach
  }

  private func distance(
    _ point: Point, _ index: Int, on path: some Track, at now: Instant
  ) -> Double {
    point.distance(to: path.point(at: position(of: index, on: path, at: now) / scale.span))
  }

  func answers(_ point: Point, on path: some Track, at now: Instant) -> Bool {
    takesTaps || knobs.contains { grabs(point, $0, on: path, at: now) }
  }

  /// Returns nil if other fingers hold all knobs, or the nearest one.
  private func knob(at point: Point, on path: some Track, at now: Instant) -> Int? {
    guard isPair else { return first.finger == nil ? 0 : nil }
    let distances = (distance(point, 0, on: path, at: now), distance(point, 1, on: path, at: now))
    var nearest = distances.0 < distances.1 ? 0 : 1
    if abs(distances.0 - distances.1) < 1e-6 {
      // The knobs are at the same place.
      let target = path.coordinate(of: point).map { path.place(of: $0) / path.length * scale.span }
      let place = position(of: 1, on: path, at: now)
      let side = (target ?? place) - place
      let isStuck = limits(of: 1).upperBound <= place
      nearest = side < -1e-6 || side < 1e-6 && isStuck ? 0 : 1
    }
    guard self[nearest].finger != nil else { return nearest }
    let other = 1 - nearest
    guard self[other].finger == nil, !isNear(point, nearest, on: path, at: now) else { return nil }
    return other
  }

  mutating func handle(
    _ touch: Touch, on path: some Track, at now: Instant, events: inout [ControlEvent]
  ) {
    if touch.phase == .down {
      guard !knobs.contains(where: { self[$0].finger == touch.finger }),
        let index = knob(at: touch.position, on: path, at: now)
      else { return }
      let grabs = grabs(touch.position, index, on: path, at: now)
      let rail = rail(index, on: path)
      update(index) { $0.handleDown(touch, grabs: grabs, on: rail, at: now, events: &events) }
      return moveOther(than: index, on: path, at: now, &events)
    }
    guard let index = knobs.first(where: { self[$0].finger == touch.finger }) else { return }
    switch touch.phase {
    case .down: break
    case .move:
      let index = swapped(index, touch, on: path, at: now, &events)
      let rail = rail(index, on: path)
      update(index) { $0.move(to: touch.position, on: rail, at: now, events: &events) }
      moveOther(than: index, on: path, at: now, &events)
    case .up, .cancel:
      let rail = rail(index, on: path)
      update(index) { $0.release(touch, on: rail, at: now, events: &events) }
      moveOther(than: index, on: path, at: now, &events)
    }
  }

  private mutating func update(_ index: Int, _ change: (inout Knob) -> Void) {
    if index == 0 { change(&first) } else { change(&second) }
  }

  /// Swaps overlapping knobs if only the other one can follow the finger.
  private mutating func swapped(
    _ index: Int, _ touch: Touch, on path: some Track, at now: Instant,
    _ events: inout [ControlEvent]
  ) -> Int {
    let other = 1 - index
    guard isPair, hold <= 0, let start = self[index].unmovedStart, self[other].finger == nil,
      self[other].isResting, touch.position.distance(to: start) > 0,
      let from = path.coordinate(of: start), let to = path.coordinate(of: touch.position)
    else { return index }
    let (own, next) = (place(of: index, on: path, at: now), place(of: other, on: path, at: now))
    let movement = path.movement(from: from, to: to)
    let isBlocked = index == 0 ? movement > 0 : movement < 0
    let here = scale.position(of: self[index].value)
    let limits = limits(of: index)
    let isAtLimit = index == 0 ? here >= limits.upperBound : here <= limits.lowerBound
    guard isBlocked, isAtLimit, own.distance(to: next) < path.reach / 4 else { return index }
    let (rail, otherRail) = (rail(index, on: path), rail(other, on: path))
    let value = self[index].value
    update(index) { $0.settle(at: value, on: rail, at: now, &events) }
    update(other) { $0.take(touch.finger, at: start, on: otherRail, now, &events) }
    return other
  }

  /// Lets the other number follow its finger up to its new limit.
  private mutating func moveOther(
    than index: Int, on path: some Track, at now: Instant, _ events: inout [ControlEvent]
  ) {
    guard isPair else { return }
    let other = 1 - index
    guard self[other].isHeld else { return }
    let rail = rail(other, on: path)
    update(other) { $0.followLimits(on: rail, at: now, events: &events) }
  }

  mutating func step(
    _ index: Int = 0, by offset: Int, on path: some Track, at now: Instant,
    events: inout [ControlEvent]
  ) {
    let rail = rail(index, on: path)
    update(index) { $0.step(by: offset, on: rail, at: now, events: &events) }
    moveOther(than: index, on: path, at: now, &events)
  }

  mutating func follow(_ position: (_ finger: Int) -> Point?, on path: some Track) {
    first.follow(position, on: path, scale)
    if isPair { second.follow(position, on: path, scale) }
  }

  mutating func letGo(on path: some Track, at now: Instant, events: inout [ControlEvent]) {
    for index in knobs {
      let rail = rail(index, on: path)
      update(index) { $0.letGo(on: rail, at: now, events: &events) }
    }
  }

  /// Sets a number, reached by a spring, and moves the other number if it would be too close.
  mutating func set(
    _ index: Int, to number: Double, on path: some Track, at now: Instant,
    events: inout [ControlEvent]
  ) throws(InvalidValueError) {
    guard number.isFinite else { throw InvalidValueError("a finite number") }
    let target = allowed(number, of: index)
    let other = 1 - index
    func crowds(_ value: Double) -> Bool {
      isPair && (index == 0 ? isTooClose(target, value) : isTooClose(value, target))
    }
    let isPushed = crowds(self[other].destination)
    let (rail, otherRail) = (rail(index, on: path), rail(other, on: path))
    if !isPushed, crowds(self[other].value) {
      // The other number on its way is too close, unlike its destination.
      update(other) { $0.passRest(on: otherRail, at: now, events: &events) }
    }
    update(index) { $0.set(target, isPushed: isPushed, on: rail, at: now, events: &events) }
    guard isPushed else { return }
    let limit = pushed(by: target, to: other)
    update(other) { $0.set(limit, isPushed: true, on: otherRail, at: now, events: &events) }
  }

  // MARK: Time

  mutating func advance(on path: some Track, to now: Instant, events: inout [ControlEvent]) {
    guard isPair else {
      let rail = rail(0, on: path)
      return first.advance(on: rail, to: now, events: &events)
    }
    let (low, high) = (rail(0, on: path), rail(1, on: path))
    let count = events.count
    first.advance(on: low, to: now, events: &events)
    let middle = events.count
    second.advance(on: high, to: now, events: &events)
    // Both move simultaneously, so their events must be merged.
    if middle > count, events.count > middle {
      let own = events[count...].enumerated().sorted {
        ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
      }
      events.replaceSubrange(count..., with: own.map(\.element))
    }
    for index in knobs { moveOther(than: index, on: path, at: now, &events) }
  }

  func nextChange() -> Instant? {
    let next = first.nextChange(on: scale)
    guard isPair, let other = second.nextChange(on: scale) else { return next }
    return next.map { min($0, other) } ?? other
  }

  var isMoving: Bool { first.isMoving || isPair && second.isMoving }

  func place(of index: Int, on path: some Track, at now: Instant) -> Point {
    path.point(at: position(of: index, on: path, at: now) / scale.span)
  }
}

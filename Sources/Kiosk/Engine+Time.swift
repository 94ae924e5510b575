// SPDX-License-Identifier: MIT

internal import RoundelControls
package import RoundelExpressions
public import RoundelMotion

extension Engine {
  /// Advances to `time`. Each event gets its exact time. A time before `now` is ignored. O(n) in
  /// the controls of all pages, for each change.
  public mutating func advance(to time: Instant) {
    while let (next, isChange) = nextStep(by: time) {
      turn(by: .time, isPassing: !isChange) { $0.step(to: next, &$1) }
    }
    turn(by: .time, isPassing: true) { $0.step(to: max($0.now, time), &$1) }
  }

  /// Returns the next step up to `time`. Invisible changes don't wake the kiosk: at rest, only the
  /// last counts, with `isChange` false.
  private func nextStep(by time: Instant) -> (instant: Instant, isChange: Bool)? {
    let next = nextChange.flatMap { $0 <= time ? $0 : nil }
    let instant =
      plan.bindings.updateInterval.flatMap { self.time.last($0, by: next ?? time) } ?? next
    return instant.map { ($0, $0 == next) }
  }

  /// The time of the next discrete change, or nil. Moving controls also change in between. O(n) in
  /// the controls of all pages.
  public var nextChange: Instant? {
    var next: Instant?
    func consider(_ instant: Instant?) {
      if let instant, instant > now { next = min(next ?? instant, instant) }
    }
    for page in pages {
      for entry in page.controls { consider(entry.control.nextChange(after: now)) }
    }
    consider(delayed.nextTime)
    for finger in touches.fingers.values { consider(finger.holdTime) }
    for feature in features.list { consider(feature.nextChange(in: self)) }
    consider(homeTime)
    consider(sleepTime)
    consider(nextClockChange)
    consider(store.staleTimes(description).map(\.time).min())
    consider(navigation.pageChange?.end)
    consider(overlays.end)
    return next
  }

  private var homeAfter: Double? {
    overlay.flatMap { pages[$0].homeAfter } ?? pages[shownPage].homeAfter ?? screen.homeAfter
  }

  private var homeTime: Instant? {
    guard !presence.isHome, let after = homeAfter, after.isFinite
    else { return nil }
    return max(lastTouch ?? presence.lastPageChange, presence.lastPageChange) + after
  }

  /// The time when an untouched kiosk goes home or sleeps, and the seconds before that.
  var dueTime: (instant: Instant, after: Double)? {
    guard !presence.isHome else { return nil }
    let home = homeTime.map { ($0, homeAfter ?? .infinity) }
    let sleep = sleepTime.map { ($0, screen.blankAfter ?? .infinity) }
    return [home, sleep].compactMap(\.self).min { $0.0 < $1.0 }
  }

  private var sleepTime: Instant? {
    guard !isBlank, let after = screen.blankAfter else { return nil }
    return max(lastTouch ?? presence.lastWake, presence.lastWake) + after
  }

  /// Whether the picture changes with every frame. O(n) in the page's controls.
  public var isMoving: Bool {
    !isDark
      && (navigation.pageChange != nil || isHoldPending
        || features.list.contains(where: \.isMoving)
        || isMoving(onPage: shownPage) || overlay.map(isMoving(onPage:)) == true
        || adjacentPage.map(isMoving(onPage:)) == true)
  }

  /// Whether a finger presses until the press counts as held, which the picture shows.
  var isHoldPending: Bool { touches.fingers.values.contains { $0.holdTime != nil } }

  /// The second visible page while the current page is displaced.
  private var adjacentPage: Int? {
    features.list.lazy.compactMap { $0.adjacentPage(in: self) }.first
  }

  private func isMoving(onPage page: Int) -> Bool {
    pages[page].controls.contains { $0.isVisible && $0.control.isMoving(at: now) }
  }

  /// A summary of the current picture. Equal summaries imply equal display lists, but not the
  /// reverse. O(n) in the page's controls.
  package var pictureSummary: PictureSummary {
    PictureSummary(revision: revision, instant: isMoving ? now : nil)
  }

  package struct PictureSummary: Hashable, Sendable {
    fileprivate var revision: UInt64
    fileprivate var instant: Instant?
  }

  /// Whether nothing on the page moves or will change automatically. O(n) in its controls.
  public var isStill: Bool {
    navigation.pageChange == nil && features.list.allSatisfy(\.isStill)
      && shownPages.allSatisfy { page in
        pages[page].controls.allSatisfy { $0.control.isStill(at: now) }
      }
  }

  mutating func step(to time: Instant, _ turn: inout Turn) {
    let before = now
    turn.cause = .time
    if let updateInterval = plan.bindings.updateInterval,
      self.time.last(updateInterval, by: time) != nil
    {
      recordChange(of: .clock, &turn)
    }
    self.time.advance(to: time)
    forgetStaleValues(&turn)
    if let change = navigation.pageChange, change.end <= time { navigation.endChange() }
    if let end = overlays.end, end <= time { closeOverlay(&turn) }
    for page in pages.indices {
      for index in pages[page].controls.indices {
        let control = controls.pages[page].controls[index].control
        // The others don't change, and must not increase the revision.
        guard
          control.isMoving(at: before)
            || control.nextChange(after: before).map({ $0 <= time }) == true
        else { continue }
        let location = ControlLocation(page: page, control: index)
        turn.cause = controls.causes[location] ?? .time
        update(location, &turn) { $0.advance(to: $1, events: &$2) }
      }
    }
    endLongPresses(&turn)
    forEachFeature { $0.advance(&$1, &turn) }
    turn.cause = .time
    if let due = homeTime, now >= due {
      touches.set(nil)
      goHome(&turn)
    }
    if let due = sleepTime, now >= due { change(toBlank: true, &turn) }
  }

  mutating func restore(_ value: ValueDeclaration, _ turn: inout Turn) {
    guard store[value.name] != value.initial else { return }
    store.set(value.name, to: value.initial)
    recordChange(of: .value(value.name), &turn)
  }

  private mutating func forgetStaleValues(_ turn: inout Turn) {
    for (value, time) in store.staleTimes(description) where time <= now {
      store.expire(value.name)
      recordChange(of: .value(value.name), &turn)
      let after = Value.number(value.staleAfter ?? 0).display
      fail("\(value.name): not set for \(after) seconds", &turn)
    }
  }

  package var persistentValues: [String: Value] {
    var values: [String: Value] = [:]
    for value in description.values where value.isPersistent {
      values[value.name] = store[value.name]
    }
    for feature in features.list { values.merge(feature.past) { $1 } }
    return values
  }

  private var reactionUpdateInterval: UpdateInterval? {
    let bindings = plan.bindings
    let own = bindings.updateInterval(ofReactionsOn: shownPage)
    return overlay.flatMap { bindings.updateInterval(ofReactionsOn: $0)?.combined(with: own) }
      ?? own
  }

  /// The next time when time alone may trigger a reaction.
  package var nextReactionTime: Instant? {
    reactionUpdateInterval.flatMap(time.next)
  }

  /// The next time when time alone may change the picture or, even in the dark, trigger a reaction.
  private var nextClockChange: Instant? {
    var updateInterval = reactionUpdateInterval
    func join(_ page: Int) {
      if let seen = plan.bindings.updateInterval(ofPage: page) {
        updateInterval = seen.combined(with: updateInterval)
      }
    }
    if !isBlank {
      join(shownPage)
      if let overlay { join(overlay) }
      if let adjacentPage { join(adjacentPage) }
    }
    return updateInterval.flatMap(time.next)
  }
}

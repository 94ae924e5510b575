// SPDX-License-Identifier: MIT

public import RoundelControls
internal import RoundelDrawing
internal import RoundelGeometry
public import RoundelMotion

extension Engine {
  /// Handles a touch at `time`, in design pixels. A time before `now` counts as `now`.
  @discardableResult
  public mutating func handle(_ touch: Touch, at time: Instant) -> TouchReceiver {
    var touch = touch
    touch.time = time
    advance(to: time)
    let isUsedUp = recordUserInput(.touch(touch.phase))
    guard touch.position.x.isFinite, touch.position.y.isFinite else { return receiver(of: touch) }
    if touch.phase == .down {
      touches.set(nil)
      // A second down without an up: the end of the first touch was lost.
      if touches[touch.finger] != nil {
        handle(Touch(finger: touch.finger, phase: .cancel, position: touch.position), at: time)
      }
    }
    return turn(by: .finger) { $0.handle(touch, at: time, isUsedUp: isUsedUp, &$1) }
  }

  private mutating func handle(
    _ touch: Touch, at time: Instant, isUsedUp: Bool, _ turn: inout Turn
  ) -> TouchReceiver {
    if touch.phase == .down {
      touches.put(touch.finger, on: .nothing, at: touch.position, isBlank ? now : time)
      let wasBlank = isBlank
      if wasBlank { change(toBlank: false, &turn) }
      let holder = holder(at: touch.position)
      let isAlways = isAlwaysAvailable(holder)
      guard isAlways || !wasBlank else { return TouchReceiver(hasWoken: true) }
      guard isAlways || !isUsedUp else { return TouchReceiver() }
      switch isAlways ? .pass : admission(of: touch, &turn) {
      case .pass:
        if closes(at: touch.position), holder == .background {
          closeOverlay(&turn)
          return TouchReceiver(isPage: true)
        }
        touches.put(touch.finger, on: holder, at: touch.position, wasBlank ? now : time)
      case .explore: touches.explore(touch.finger)
      case .swallow: return TouchReceiver()
      case .wait(let due):
        touches.wait(touch.finger, until: due)
        return TouchReceiver()
      }
    }
    touches.move(touch.finger, to: touch.position)
    forEachFeature { $0.track(touch, &$1, &turn) }
    // Handling the touch may detach the finger from the control.
    let receiver = receiver(of: touch)
    deliver(touch, since: press(of: touch.finger), &turn)
    if touch.phase == .up || touch.phase == .cancel { touches.lift(touch.finger) }
    return receiver
  }

  /// Passes a touch to its control, and tracks the press, which was `before`.
  mutating func deliver(_ touch: Touch, since before: Press?, _ turn: inout Turn) {
    if case .control(let location)? = touches[touch.finger]?.holder {
      update(location, &turn) { $0.handle(touch, at: $1, events: &$2) }
    }
    track(touch, since: before, &turn)
  }

  private mutating func admission(of touch: Touch, _ turn: inout Turn) -> Admission {
    var admission = Admission.pass
    askFeatures {
      admission = $0.admit(touch, &$1, &turn)
      return admission != .pass
    }
    return admission
  }

  mutating func putDown(_ number: Int, at position: Point, _ turn: inout Turn) {
    let holder = holder(at: position)
    if closes(at: position), holder == .background {
      touches.swallow(number)
      return closeOverlay(&turn)
    }
    touches.put(number, on: holder, at: position, now)
    deliver(Touch(finger: number, phase: .down, position: position), since: nil, &turn)
  }

  private func receiver(of touch: Touch) -> TouchReceiver {
    if let finger = touches[touch.finger] {
      for feature in features.list {
        if let receiver = feature.receiver(of: finger, in: self) { return receiver }
      }
    }
    let holder = touches[touch.finger]?.holder
    guard case .control(let location)? = holder else {
      let isMoved = features.list.contains { $0.movesPage(by: touch.finger) }
      return TouchReceiver(isPage: isMoved || holder == .background && pages[activePage].isPressed)
    }
    let entry = controls[location]
    return TouchReceiver(control: entry.id, isSecret: hasSecretInput(entry))
  }

  /// Cancels all touches, for example when the touch panel is unplugged.
  public mutating func cancelTouches(at time: Instant) {
    for finger in touches.numbers {
      handle(Touch(finger: finger, phase: .cancel, position: .zero), at: time)
    }
  }

  package var fingers: [Int] { touches.numbers }

  package func control(heldBy finger: Int) -> String? {
    guard case .control(let location)? = touches[finger]?.holder else { return nil }
    return controls[location].id
  }

  func isHeld(_ location: ControlLocation) -> Bool {
    touches.fingers.values.contains { $0.holder == .control(location) }
  }

  /// The nearest control, the topmost if several are equally near, or the background if there isn't
  /// a control. A disabled control swallows the touch. O(n) in the page's controls.
  private func holder(at point: Point) -> Finger.Holder {
    var nearest = Double.infinity
    var hit: ControlLocation?
    let theme = localTheme
    forEachReachableControl { location in
      let entry = pages[location]
      guard let distance = entry.distance(to: point, at: now, in: theme), distance <= nearest,
        !entry.control.isTransparent(point, at: now, description.masks)
      else { return }
      (nearest, hit) = (distance, location)
    }
    guard let hit else { return .background }
    let entry = controls[hit]
    guard entry.isEnabled, entry.control.answers(point, at: now) else { return .nothing }
    return .control(hit)
  }

  /// Whether the holder is a control that takes every touch.
  func isAlwaysAvailable(_ holder: Finger.Holder) -> Bool {
    guard case .control(let location) = holder else { return false }
    return controls[location].isAlwaysAvailable
  }

  /// Visits the visible controls that take touches and keys, back to front: the active page's, and
  /// under an over page the current page's controls that are always available.
  func forEachReachableControl(_ body: (_ location: ControlLocation) -> Void) {
    for isAlways in [false, true] {
      forEachVisibleControl(of: activePage, isAlways: isAlways) {
        body(ControlLocation(page: activePage, control: $0))
      }
    }
    guard activePage != shownPage else { return }
    forEachVisibleControl(of: shownPage, isAlways: true) {
      body(ControlLocation(page: shownPage, control: $0))
    }
  }

  /// Visits either the controls that are always available or all other controls, back to front.
  /// Raised controls come last.
  func forEachVisibleControl(of page: Int, isAlways: Bool, _ body: (_ index: Int) -> Void) {
    func visit(raised: Bool) {
      for index in pages[page].controls.indices {
        let isVisited =
          pages[page].controls[index].isVisible
          && pages[page].controls[index].isAlwaysAvailable == isAlways
        if isVisited, pages[page].controls[index].control.isRaised(at: now) == raised {
          body(index)
        }
      }
    }
    visit(raised: false)
    visit(raised: true)
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelMotion

struct Finger: Hashable, Sendable {
  enum Holder: Hashable, Sendable {
    /// A swallowed touch, or the touch of an ended holder.
    case nothing
    case background
    case control(Engine.ControlLocation)
  }

  var holder: Holder
  /// Whether the finger moved far enough to decide about a swipe.
  var hasLeft = false
  let start: Point
  let time: Instant
  var position: Point
  var reportedPress: Press?
  /// Whether the finger was last reported to have moved off the pressed part.
  var isAway = false
  /// The time when the press counts as held, or nil for never.
  var holdTime: Instant?
  /// The end of the finger's rest, or nil if the touch counts or never will.
  var dwellTime: Instant?
  /// Whether the finger only explores: the kiosk speaks the control under it.
  var explores = false
  var hasRested = false

  init(_ holder: Holder, at position: Point, _ time: Instant) {
    self.holder = holder
    self.position = position
    self.time = time
    start = position
  }

  var swallowed: Finger {
    var finger = self
    finger.holder = .nothing
    (finger.reportedPress, finger.holdTime, finger.dwellTime) = (nil, nil, nil)
    finger.isAway = false
    return finger
  }
}

/// Presses: of items, which controls report, and of labels, images and the background, which the engine reports.
///
///     down ── pressed ─┬─ up before `hold` ── selected, or cancelled outside it
///               ▲   │  ├─ `hold` has passed, and `held` has actions ── held, cancelled
///      returned │   │  └─ it scrolls, swipes, or is released ── cancelled
///               └───┴─ left
///
/// The first finger on a part presses it. Others are ignored.
extension Engine {
  func press(of finger: Int) -> Press? {
    guard let state = touches[finger] else { return nil }
    if let reportedPress = state.reportedPress, reportedPress.reporting == .nothing {
      return reportedPress
    }
    guard case .control(let location) = state.holder else { return nil }
    return controls[location].control.press(of: finger, at: now)
  }

  /// Tracks a press, after the control handled the touch. `before` is the previous press.
  mutating func track(_ touch: Touch, since before: Press?, _ turn: inout Turn) {
    guard let finger = touches[touch.finger] else { return }
    switch touch.phase {
    case .down: beginPress(of: touch.finger, &turn)
    case .move: movePress(of: touch.finger, finger, to: touch.position, &turn)
    case .up:
      // The control itself reports the choice.
      guard let reportedPress = finger.reportedPress else { return }
      guard before?.isOn == true else { return cancelPress(of: touch.finger, &turn) }
      if reportedPress.reporting == .nothing {
        reportPress("selected", reportedPress, of: finger, &turn)
      }
    case .cancel: cancelPress(of: touch.finger, &turn)
    }
  }

  /// Reports that a finger leaves its part, or returns, and restarts the hold.
  private mutating func movePress(
    of number: Int, _ finger: Finger, to point: Point, _ turn: inout Turn
  ) {
    if var reportedPress = finger.reportedPress, reportedPress.reporting == .nothing {
      // Text that scrolls away is no longer pressed.
      guard let area = area(of: finger) else { return cancelPress(of: number, &turn) }
      reportedPress.isOn = area.frame.contains(point)
      touches.record(reportedPress, of: number)
    }
    // A row that scrolls away is no longer pressed.
    guard let press = press(of: number) else { return cancelPress(of: number, &turn) }
    let isReported = press.reporting != .choice || finger.reportedPress != nil
    guard isReported, press.isOn == finger.isAway else { return }
    touches.record(isAway: !press.isOn, of: number)
    let isHeld = press.isOn && isFollowed("held", press, of: finger)
    touches.hold(number, until: isHeld ? now + press.hold : nil)
    reportPress(press.isOn ? "returned" : "left", press, of: finger, &turn)
  }

  private mutating func beginPress(of number: Int, _ turn: inout Turn) {
    guard let finger = touches[number], let press = press(of: number) ?? area(of: finger)?.press
    else { return }
    if press.reporting == .nothing,
      touches.fingers.contains(where: { $0.key != number && $0.value.holder == finger.holder })
    {
      return
    }
    if isFollowed("held", press, of: finger) { touches.hold(number, until: now + press.hold) }
    switch press.reporting {
    case .all: return
    case .choice:
      let news = ["pressed", "held", "cancelled"] + EventType.leaving
      guard news.contains(where: { isFollowed($0, press, of: finger) }) else { return }
    case .nothing: break
    }
    touches.record(press, of: number)
    reportPress("pressed", press, of: finger, &turn)
  }

  private mutating func cancelPress(of number: Int, _ turn: inout Turn) {
    guard let finger = touches[number], let reportedPress = finger.reportedPress else { return }
    touches.record(nil, of: number)
    touches.hold(number, until: nil)
    reportPress("cancelled", reportedPress, of: finger, &turn)
  }

  /// Returns nil if the control reports presses. The background's is the whole page.
  private func area(of finger: Finger) -> PressArea? {
    switch finger.holder {
    case .nothing: nil
    case .control(let location): controls[location].pressArea(in: localTheme)
    case .background: pages[activePage].pressArea
    }
  }

  /// Detaches a finger, which stays down, without notifying the control.
  mutating func drop(_ finger: Int, _ turn: inout Turn) {
    cancelPress(of: finger, &turn)
    touches.swallow(finger)
  }

  /// Releases all fingers, but not on controls that are always available.
  mutating func releaseFingers(_ turn: inout Turn) {
    for number in fingers where !holdsAlwaysAvailable(number) { release(number, &turn) }
  }

  func holdsAlwaysAvailable(_ finger: Int) -> Bool {
    touches[finger].map { isAlwaysAvailable($0.holder) } ?? false
  }

  /// Detaches a finger, and notifies the control.
  mutating func release(_ number: Int, _ turn: inout Turn) {
    guard let finger = touches[number] else { return }
    drop(number, &turn)
    guard case .control(let location) = finger.holder else { return }
    let touch = Touch(finger: number, phase: .cancel, position: finger.position)
    update(location, &turn) { $0.handle(touch, at: $1, events: &$2) }
  }

  mutating func endLongPresses(_ turn: inout Turn) {
    guard touches.fingers.values.contains(where: { $0.holdTime != nil }) else { return }
    for number in fingers {
      guard let finger = touches[number], let due = finger.holdTime, due <= now else { continue }
      touches.hold(number, until: nil)
      guard let press = press(of: number), press.isOn else { continue }
      turn.cause = .finger
      reportPress("held", press, of: finger, &turn)
      release(number, &turn)
    }
  }

  private func isFollowed(_ event: String, _ press: Press, of finger: Finger) -> Bool {
    switch finger.holder {
    case .nothing: return false
    case .background: return pages[activePage].actions[event] != nil
    case .control(let location):
      let entry = controls[location]
      return entry.actions[event] != nil
        || press.targets.contains { entry.itemActions[$0]?[event] != nil }
    }
  }

  private mutating func reportPress(
    _ name: String, _ press: Press, of finger: Finger, _ turn: inout Turn
  ) {
    switch finger.holder {
    case .nothing: break
    case .background:
      report(name, [Field("page", .text(pages[activePage].name))], of: .page(activePage), &turn)
    case .control(let location):
      let event = ControlEvent(
        name, at: now, item: press.item, fields: press.fields, targets: press.targets)
      report(
        [event], of: location, before: controls[location].control.nextChange(after: now), &turn)
    }
  }
}

extension PlacedControl {
  /// Whether keys can use the control, or display-only controls with actions for presses.
  var takesKeys: Bool {
    isEnabled && isVisible && (control.takesKeys || pressArea(in: .dark) != nil)
  }

  /// Returns the distance from a finger; see `Touchable`. Actions for presses make a display-only control pressable.
  func distance(to point: Point, at now: Instant, in theme: Theme) -> Double? {
    if let distance = control.distance(to: point, at: now) { return distance }
    return pressArea(in: theme)?.frame.contains(point) == true ? 0 : nil
  }

  func pressArea(in theme: Theme) -> PressArea? {
    guard !actions.isEmpty, EventType.pressing.contains(where: { actions[$0] != nil }) else {
      return nil
    }
    return control.pressArea(in: theme)
  }
}

extension Page {
  var isPressed: Bool { EventType.pressing.contains { actions[$0] != nil } }

  /// The whole plane, or nil without actions for presses.
  fileprivate var pressArea: PressArea? {
    guard isPressed else { return nil }
    let all = Rect(x0: -.infinity, y0: -.infinity, x1: .infinity, y1: .infinity)
    return PressArea(frame: all, press: Press(hold: hold, reporting: .nothing))
  }
}

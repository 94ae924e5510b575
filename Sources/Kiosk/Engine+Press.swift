// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing
internal import Expressions
internal import Geometry
internal import Motion

/// A finger that is down.
struct Finger: Hashable, Sendable {
  enum Holder: Hashable, Sendable {
    /// It was swallowed, or what it held has ended.
    case nothing
    /// The page behind its controls.
    case ground
    /// A control of the shown page, by its index.
    case control(Int)
  }

  var holder: Holder
  /// Whether it has gone so far that it is decided whether it swipes.
  var hasLeft = false
  /// Where it came down, and when.
  let start: Point
  let time: Instant
  /// Where it was last.
  var place: Point
  /// The press that has been reported in place of the control.
  var told: Press?
  /// When its press counts as held; nil for never.
  var holdTime: Instant?
  /// When it has rested long enough to count; nil for one that counts, or never will.
  var dwellTime: Instant?
  /// Whether it explores: the kiosk says what is under it, and does nothing else.
  var explores = false
  /// Whether it has begun or ended speech by resting.
  var hasRested = false

  init(_ holder: Holder, at place: Point, _ time: Instant) {
    self.holder = holder
    self.place = place
    self.time = time
    start = place
  }

  /// The same, holding nothing from here on.
  var swallowed: Finger {
    var finger = self
    finger.holder = .nothing
    (finger.told, finger.holdTime, finger.dwellTime) = (nil, nil, nil)
    return finger
  }
}

/// Presses: of what a control reports as pressed, and of labels, images and the ground, which the engine
/// reports.
///
///     down ── pressed ─┬─ up before `hold` ── selected, or cancelled beside it
///                      ├─ `hold` has passed, and actions follow `held` ── held, cancelled
///                      └─ it scrolls, swipes, or is taken away ── cancelled
extension Engine {
  /// The press of a finger now; nil where the finger holds something else, or nothing.
  func press(of finger: Int) -> Press? {
    guard let hand = touches[finger] else { return nil }
    if let told = hand.told, told.reporting == .nothing { return told }
    guard case .control(let control) = hand.holder else { return nil }
    return pages[shownPage].controls[control].control.press(of: finger, at: now)
  }

  /// Follows the press of a finger, after the control has handled its touch. `before` is its press until then.
  mutating func follow(_ touch: Touch, since before: Press?, _ turn: inout Turn) {
    guard let finger = touches[touch.finger] else { return }
    switch touch.phase {
    case .down: beginPress(of: touch.finger, &turn)
    case .move:
      guard var told = finger.told else { return }
      guard told.reporting == .nothing else {
        // A row that scrolls away is not pressed any more.
        if press(of: touch.finger) == nil { cancelPress(of: touch.finger, &turn) }
        return
      }
      // A text that scrolls away is not pressed any more.
      guard let area = area(of: finger) else { return cancelPress(of: touch.finger, &turn) }
      told.isOn = area.frame.contains(touch.position)
      touches.note(told, of: touch.finger)
    case .up:
      // The control reports its choice itself.
      guard let told = finger.told else { return }
      let isChosen = told.reporting == .nothing ? told.isOn : before != nil
      if !isChosen { return cancelPress(of: touch.finger, &turn) }
      if told.reporting == .nothing { tell("selected", told, of: finger, &turn) }
    case .cancel: cancelPress(of: touch.finger, &turn)
    }
  }

  private mutating func beginPress(of number: Int, _ turn: inout Turn) {
    guard let finger = touches[number], let press = press(of: number) ?? area(of: finger)?.press
    else { return }
    if isFollowed("held", press, of: finger) { touches.hold(number, until: now + press.hold) }
    switch press.reporting {
    case .all: return
    case .choice:
      let news = ["pressed", "held", "cancelled"]
      guard news.contains(where: { isFollowed($0, press, of: finger) }) else { return }
    case .nothing: break
    }
    touches.note(press, of: number)
    tell("pressed", press, of: finger, &turn)
  }

  private mutating func cancelPress(of number: Int, _ turn: inout Turn) {
    guard let finger = touches[number], let told = finger.told else { return }
    touches.note(nil, of: number)
    touches.hold(number, until: nil)
    tell("cancelled", told, of: finger, &turn)
  }

  /// The area in which fingers press the holder of a finger, if the engine reports that press; nil for none.
  /// The ground is all of the page.
  private func area(of finger: Finger) -> PressArea? {
    switch finger.holder {
    case .nothing: nil
    case .control(let control): pages[shownPage].controls[control].pressArea(in: localTheme)
    case .ground: pages[shownPage].pressArea
    }
  }

  /// Takes a finger away from what it holds, without telling the control. It stays down without holding
  /// anything.
  mutating func drop(_ finger: Int, _ turn: inout Turn) {
    cancelPress(of: finger, &turn)
    touches.swallow(finger)
  }

  /// Takes a finger away from what it presses, and tells the control.
  mutating func release(_ number: Int, _ turn: inout Turn) {
    guard let finger = touches[number] else { return }
    drop(number, &turn)
    guard case .control(let control) = finger.holder else { return }
    let touch = Touch(finger: number, phase: .cancel, position: finger.place)
    update(Place(page: shownPage, control: control), &turn) { control, now, events in
      control.handle(touch, at: now, events: &events)
    }
  }

  /// Ends the presses that have lasted long enough to be held.
  mutating func endLongPresses(_ turn: inout Turn) {
    guard touches.fingers.values.contains(where: { $0.holdTime != nil }) else { return }
    for number in fingers {
      guard let finger = touches[number], let due = finger.holdTime, due <= now else { continue }
      touches.hold(number, until: nil)
      guard let press = press(of: number), press.isOn else { continue }
      turn.cause = .finger
      tell("held", press, of: finger, &turn)
      release(number, &turn)
    }
  }

  private func isFollowed(_ event: String, _ press: Press, of finger: Finger) -> Bool {
    switch finger.holder {
    case .nothing: return false
    case .ground: return pages[shownPage].actions[event] != nil
    case .control(let control):
      let entry = pages[shownPage].controls[control]
      return entry.actions[event] != nil
        || press.targets.contains { entry.itemActions[$0]?[event] != nil }
    }
  }

  /// Presses what has no keys of its own, and lets go of it.
  mutating func pressByKey(_ holder: Finger.Holder, _ turn: inout Turn) {
    let finger = Finger(holder, at: .zero, now)
    guard let press = area(of: finger)?.press else { return }
    tell("pressed", press, of: finger, &turn)
    tell("selected", press, of: finger, &turn)
  }

  /// Reports an event of a press.
  private mutating func tell(_ name: String, _ press: Press, of finger: Finger, _ turn: inout Turn)
  {
    switch finger.holder {
    case .nothing: break
    case .ground:
      report(name, [Field("page", .text(pages[shownPage].name))], of: .page(shownPage), &turn)
    case .control(let control):
      let place = Place(page: shownPage, control: control)
      let event = ControlEvent(
        name, at: now, item: press.item, fields: press.fields, targets: press.targets)
      report(
        [event], of: place,
        before: pages[shownPage].controls[control].control.nextChange(after: now), &turn)
    }
  }
}

extension PlacedControl {
  /// Whether keys can use it. A control for display only counts, too, where actions follow its presses.
  var takesKeys: Bool {
    isEnabled && isVisible && (control.takesKeys || pressArea(in: .dark) != nil)
  }

  /// How far a finger is from it; see `Touchable`. A control for display only can be pressed where actions follow.
  func distance(to point: Point, at now: Instant, in theme: Theme) -> Double? {
    if let distance = control.distance(to: point, at: now) { return distance }
    return pressArea(in: theme)?.frame.contains(point) == true ? 0 : nil
  }

  /// Where fingers press it, if actions follow that.
  func pressArea(in theme: Theme) -> PressArea? {
    guard !actions.isEmpty, EventType.pressing.contains(where: { actions[$0] != nil }) else {
      return nil
    }
    return control.pressArea(in: theme)
  }
}

extension Page {
  /// Whether actions follow presses of the ground.
  var isPressed: Bool { EventType.pressing.contains { actions[$0] != nil } }

  /// All of the plane, if actions follow presses of the ground.
  fileprivate var pressArea: PressArea? {
    guard isPressed else { return nil }
    let all = Rect(x0: -.infinity, y0: -.infinity, x1: .infinity, y1: .infinity)
    return PressArea(frame: all, press: Press(hold: hold, reporting: .nothing))
  }
}

// SPDX-License-Identifier: MIT

package import RoundelControls
internal import RoundelGeometry
internal import RoundelMotion

/// The keyboard focus: a control of the current page, or one of its parts.
///
///     none ── any key ──► a control ── Enter ──► a part of it ── a key turns it, or goes to another part
///      ▲                  │   ▲  a key goes to     │
///      │                  │   │  another control   │
///      ├── Back ──────────┘   └── Back ────────────┘
///      └── a touch, sleep, home
///
/// The first key only shows the focus, so that a key never presses an unmarked control.
struct Focus: Hashable {
  /// The control, or nil for the active page itself, behind its controls.
  var control: Engine.ControlLocation?
  /// The part's number in the control, or nil for the whole control.
  var part: Int?
}

extension Engine {
  /// The id of the focused control, or nil while keys aren't used.
  package var focusedControl: String? {
    shownFocus?.control.map { controls[$0].id }
  }

  /// Whether a command types a secret with a key, which recordings omit.
  package func typesSecret(_ command: Command) -> Bool {
    guard let (key, _) = command.keyPress else { return false }
    if let focus = shownFocus, let location = focus.control {
      let entry = controls[location]
      if focus.part != nil && entry.control.isSecret || isPrivate(control: entry.id) { return true }
    }
    if case .control(let held)? = touches[key.finger]?.holder, hasSecretInput(controls[held]) {
      return true
    }
    guard case .symbol(let symbol) = key, pages[activePage].actions(of: symbol) == nil,
      let keypad = keypad(typing: symbol)
    else { return false }
    return hasSecretInput(controls[keypad])
  }

  /// Whether there is a focus, even on an unusable control.
  package var hasFocus: Bool { touches.focus != nil }

  /// The focus, or nil if its control is unusable.
  var shownFocus: Focus? { touches.focus.flatMap { takesKeys($0.control) ? $0 : nil } }

  /// The active page's raised control, otherwise its `focus`, otherwise the first usable control in
  /// the order of keys.
  var firstFocus: Focus? {
    let usable = focusOrder.filter(takesKeys)
    let own = usable.filter { $0?.page == activePage }
    let front = own.last { $0.map { controls[$0].control.isRaised(at: now) } ?? false }
    let declared = pages[activePage].focus.flatMap { id in
      own.first { $0.map { controls[$0].id } == id }
    }
    return (front ?? declared ?? own.first ?? usable.first).map { Focus(control: $0) }
  }

  /// The controls that take touches and keys, in file order: the active page's, and under an over
  /// page the current page's controls that are always available.
  var reachableControls: [ControlLocation] {
    var pages = [activePage]
    if activePage != shownPage { pages.append(shownPage) }
    return pages.flatMap { page in
      self.pages[page].controls.indices.map { ControlLocation(page: page, control: $0) }
    }.filter(isReachable)
  }

  func isReachable(_ control: ControlLocation) -> Bool {
    control.page == activePage
      || control.page == shownPage && controls[control].isAlwaysAvailable
  }

  func isReachable(_ focus: Focus) -> Bool { focus.control.map(isReachable) ?? true }

  /// The stops of the focus. Nil is the active page itself, after its controls.
  private var focusOrder: [ControlLocation?] {
    let controls = reachableControls
    let ownCount = controls.prefix { $0.page == activePage }.count
    var order: [ControlLocation?] = controls
    order.insert(nil, at: ownCount)
    return order
  }

  mutating func beginFocus() { if touches.focus == nil { touches.set(firstFocus) } }

  private func takesKeys(_ control: ControlLocation?) -> Bool {
    control.map { controls[$0].takesKeys } ?? pages[activePage].isPressed
  }

  /// Handles a key. A held key that presses a control is a finger on it.
  mutating func handle(_ key: KeyPress, _ phase: KeyPress.Phase, _ turn: inout Turn) {
    switch phase {
    case .tap:
      press(key, &turn)
      lift(key, .up, &turn)
    case .down: press(key, &turn)
    case .up, .cancel:
      presence.recordUserInput(at: now)
      lift(key, phase == .up ? .up : .cancel, &turn)
    }
  }

  private mutating func press(_ key: KeyPress, _ turn: inout Turn) {
    let isUsedUp = recordUserInput(.key)
    guard !isBlank else { return change(toBlank: false, &turn) }
    guard !isUsedUp else { return pressAlwaysAvailable(key, &turn) }
    guard !askFeatures({ $0.press(key, &$1, &turn) }),
      !runsActions(of: key.symbol, on: pages[activePage], .page(activePage), &turn),
      !types(key, &turn), !runsActions(of: key.symbol, on: description, .kiosk, &turn),
      !turnsEncoder(key, &turn), let keystroke = key.keystroke, !keystroke.isOfSpeech
    else { return }
    if let focus = touches.focus, takesKeys(focus.control), isUsed(key, by: focus, &turn) { return }
    if keystroke == .back, let overlay, !pages[overlay].isModal { return closeOverlay(&turn) }
    guard touches.focus != nil else { return beginFocus() }
    switch keystroke {
    case .right, .down, .next: moveFocus(by: 1)
    case .left, .up, .previous: moveFocus(by: -1)
    case .back: touches.set(nil)
    // The control is unusable now, or ignores the key.
    case .enter: if shownFocus == nil { moveFocus(by: 1) }
    default: break
    }
  }

  /// Passes a key that answers a question to a control that is always available.
  private mutating func pressAlwaysAvailable(_ key: KeyPress, _ turn: inout Turn) {
    guard !types(key, onlyAlways: true, &turn), !turnsEncoder(key, onlyAlways: true, &turn),
      key.keystroke?.isOfSpeech == false, let focus = shownFocus, let control = focus.control,
      controls[control].isAlwaysAvailable
    else { return }
    _ = isUsed(key, by: focus, &turn)
  }

  private mutating func isUsed(_ key: KeyPress, by focus: Focus, _ turn: inout Turn) -> Bool {
    guard let keystroke = key.keystroke else { return false }
    if keystroke == .enter, holds(key, on: focus, &turn) { return true }
    guard let location = focus.control, controls[location].control.takesKeys else { return false }
    var focus = focus
    var control = controls[location].control
    var happened: [ControlEvent] = []
    let isUsed = control.handle(keystroke, on: &focus.part, at: now, events: &happened)
    if isUsed || !happened.isEmpty {
      update(location, &turn) { present, _, events in
        present = control
        events = happened
      }
    }
    touches.set(focus)
    guard !isUsed, keystroke == .enter, controls[location].pressArea(in: localTheme) != nil else {
      return isUsed
    }
    hold(key, on: .control(location), at: place(of: location), &turn)
    return true
  }

  /// Presses the focused part, or the background, until the key is released. Returns false if Enter
  /// doesn't press it.
  private mutating func holds(_ key: KeyPress, on focus: Focus, _ turn: inout Turn) -> Bool {
    // The release of an earlier press was lost.
    lift(key, .cancel, &turn)
    guard let location = focus.control else {
      hold(key, on: .background, at: .zero, &turn)
      return true
    }
    var control = controls[location].control
    let position = place(of: location)
    guard control.takesKeys else {
      hold(key, on: .control(location), at: position, &turn)
      return true
    }
    let touch = Touch(finger: key.finger, phase: .down, position: position)
    var happened: [ControlEvent] = []
    guard control.press(focus.part, by: touch, at: now, events: &happened) else { return false }
    touches.put(key.finger, on: .control(location), at: position, now)
    update(location, &turn) { present, _, events in
      present = control
      events = happened
    }
    track(touch, since: nil, &turn)
    return true
  }

  private func place(of location: ControlLocation) -> Point {
    let control = controls[location].control
    return control.place(of: nil, at: now) ?? control.extent?.center ?? .zero
  }

  private mutating func hold(
    _ key: KeyPress, on holder: Finger.Holder, at position: Point, _ turn: inout Turn
  ) {
    touches.put(key.finger, on: holder, at: position, now)
    deliver(Touch(finger: key.finger, phase: .down, position: position), since: nil, &turn)
  }

  /// Ends the press of a held key, if there is one.
  private mutating func lift(_ key: KeyPress, _ phase: Touch.Phase, _ turn: inout Turn) {
    guard let finger = touches[key.finger] else { return }
    let touch = Touch(finger: key.finger, phase: phase, position: finger.position)
    deliver(touch, since: press(of: key.finger), &turn)
    touches.lift(key.finger)
  }

  /// The command to record. A pressed key that holds nothing is a tap.
  package func recorded(_ command: Command) -> Command {
    guard let (key, phase) = command.keyPress, phase == .down, touches[key.finger] == nil else {
      return command
    }
    return .key(key)
  }

  package func isHeld(_ key: KeyPress) -> Bool { touches[key.finger] != nil }

  /// Moves the focus to the next or previous usable stop, wrapping around at the end.
  private mutating func moveFocus(by step: Int) {
    guard let focus = touches.focus else { return }
    let order = focusOrder
    let (start, count) = (order.firstIndex(of: focus.control) ?? 0, order.count)
    let others = (1...count).lazy.map { order[(start + step * $0 + count * $0) % count] }
    touches.move(to: others.first(where: takesKeys).map { Focus(control: $0) })
  }
}

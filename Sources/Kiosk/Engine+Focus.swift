// SPDX-License-Identifier: MIT

internal import RoundelControls
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

  /// Whether keys currently type a secret, which recordings omit.
  package var keysAreSecret: Bool {
    guard let focus = shownFocus, let location = focus.control else { return false }
    let entry = controls[location]
    return focus.part != nil && entry.control.isSecret || isPrivate(control: entry.id)
  }

  /// Whether there is a focus, even on an unusable control.
  package var hasFocus: Bool { touches.focus != nil }

  /// The focus, or nil if its control is unusable.
  var shownFocus: Focus? { touches.focus.flatMap { takesKeys($0.control) ? $0 : nil } }

  /// The active page's raised control, otherwise the first usable control in the order of keys.
  var firstFocus: Focus? {
    let usable = focusOrder.filter(takesKeys)
    let own = usable.filter { $0?.page == activePage }
    let front = own.last { $0.map { controls[$0].control.isRaised(at: now) } ?? false }
    return (front ?? own.first ?? usable.first).map { Focus(control: $0) }
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

  mutating func press(_ key: Keystroke, _ turn: inout Turn) {
    let isUsedUp = recordUserInput(.key)
    guard !isBlank else { return change(toBlank: false, &turn) }
    if isUsedUp, let focus = shownFocus, let control = focus.control,
      controls[control].isAlwaysAvailable, !key.isOfSpeech
    {
      _ = isUsed(key, by: focus, &turn)
    }
    guard !isUsedUp, !askFeatures({ $0.press(key, &$1, &turn) }), !key.isOfSpeech else { return }
    if let focus = touches.focus, takesKeys(focus.control), isUsed(key, by: focus, &turn) { return }
    if key == .back, let overlay, !pages[overlay].isModal { return closeOverlay(&turn) }
    guard touches.focus != nil else { return beginFocus() }
    switch key {
    case .right, .down, .next: moveFocus(by: 1)
    case .left, .up, .previous: moveFocus(by: -1)
    case .back: touches.set(nil)
    // The control is unusable now, or ignores the key.
    case .enter: if shownFocus == nil { moveFocus(by: 1) }
    default: break
    }
  }

  private mutating func isUsed(_ key: Keystroke, by focus: Focus, _ turn: inout Turn) -> Bool {
    guard let location = focus.control, controls[location].control.takesKeys else {
      guard key == .enter else { return false }
      pressByKey(focus.control.map { .control($0) } ?? .background, &turn)
      return true
    }
    var focus = focus
    var control = controls[location].control
    var happened: [ControlEvent] = []
    let isUsed = control.handle(key, on: &focus.part, at: now, events: &happened)
    if isUsed || !happened.isEmpty {
      update(location, &turn) { present, _, events in
        present = control
        events = happened
      }
    }
    touches.set(focus)
    if !isUsed, key == .enter, controls[location].pressArea(in: localTheme) != nil {
      pressByKey(.control(location), &turn)
      return true
    }
    return isUsed
  }

  /// Moves the focus to the next or previous usable stop, wrapping around at the end.
  private mutating func moveFocus(by step: Int) {
    guard let focus = touches.focus else { return }
    let order = focusOrder
    let (start, count) = (order.firstIndex(of: focus.control) ?? 0, order.count)
    let others = (1...count).lazy.map { order[(start + step * $0 + count * $0) % count] }
    touches.move(to: others.first(where: takesKeys).map { Focus(control: $0) })
  }
}

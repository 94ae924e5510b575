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
  /// The index on the current page, or `background`.
  var control: Int
  /// The part's number in the control, or nil for the whole control.
  var part: Int?

  /// The page itself, behind its controls.
  static let background = -1
}

extension Engine {
  /// The id of the focused control, or nil while keys aren't used.
  package var focusedControl: String? {
    shownFocus.flatMap { focus in
      focus.control == Focus.background ? nil : controls[shown(focus.control)].id
    }
  }

  /// Whether keys currently type a secret, which recordings omit.
  package var keysAreSecret: Bool {
    guard let focus = shownFocus, focus.control != Focus.background, focus.part != nil else {
      return false
    }
    return controls[shown(focus.control)].control.isSecret
  }

  /// Whether there is a focus, even on an unusable control.
  package var hasFocus: Bool { touches.focus != nil }

  /// The focus, or nil if its control is unusable.
  var shownFocus: Focus? { touches.focus.flatMap { takesKeys($0.control) ? $0 : nil } }

  /// The raised control, otherwise the first usable control.
  var firstFocus: Focus? {
    let controls = pages[activePage].controls
    let usable = controls.indices.filter(takesKeys)
    let front = usable.last { controls[$0].control.isRaised(at: now) }
    let background = takesKeys(Focus.background) ? Focus.background : nil
    return (front ?? usable.first ?? background).map { Focus(control: $0) }
  }

  mutating func beginFocus() { if touches.focus == nil { touches.set(firstFocus) } }

  private func takesKeys(_ control: Int) -> Bool {
    control == Focus.background ? pages[activePage].isPressed : controls[shown(control)].takesKeys
  }

  mutating func press(_ key: Keystroke, _ turn: inout Turn) {
    let isUsedUp = recordUserInput(.key)
    guard !isBlank else { return change(toBlank: false, &turn) }
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
    guard focus.control != Focus.background, controls[shown(focus.control)].control.takesKeys else {
      guard key == .enter else { return false }
      pressByKey(focus.control == Focus.background ? .background : .control(focus.control), &turn)
      return true
    }
    var focus = focus
    var control = controls[shown(focus.control)].control
    var happened: [ControlEvent] = []
    let isUsed = control.handle(key, on: &focus.part, at: now, events: &happened)
    if isUsed || !happened.isEmpty {
      update(shown(focus.control), &turn) { present, _, events in
        present = control
        events = happened
      }
    }
    touches.set(focus)
    return isUsed
  }

  /// Moves the focus in file order, wrapping around at the end.
  private mutating func moveFocus(by step: Int) {
    guard let focus = touches.focus else { return }
    // The background follows the last control.
    let count = pages[activePage].controls.count + 1
    let start = focus.control == Focus.background ? count - 1 : focus.control
    let others = (1...count).lazy.map { (start + step * $0 + count * $0) % count }
      .map { $0 == count - 1 ? Focus.background : $0 }
    touches.move(to: others.first(where: takesKeys).map { Focus(control: $0) })
  }
}

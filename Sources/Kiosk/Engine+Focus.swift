// SPDX-License-Identifier: MIT

internal import Controls
internal import Motion

/// The place that keys go to: a control of the shown page, or a part of it.
///
///     none ── any key ──► a control ── Enter ──► a part of it ── a key turns it, or goes to another part
///      ▲                  │   ▲  a key goes to     │
///      │                  │   │  another control   │
///      ├── Back ──────────┘   └── Back ────────────┘
///      └── a touch, sleep, home
///
/// The first key only shows where the focus is: nothing is pressed that nobody has seen marked.
struct Focus: Hashable {
  /// Its index on the shown page, or `ground`.
  var control: Int
  /// As the control numbers its parts; nil for the control as a whole.
  var part: Int?

  /// The page itself, behind its controls.
  static let ground = -1
}

extension Engine {
  /// The id of the control that keys use; nil while none are used.
  package var focusedControl: String? {
    shownFocus.flatMap { focus in
      focus.control == Focus.ground ? nil : pages[shownPage].controls[focus.control].id
    }
  }

  /// Whether keys type something secret now: recordings are without them.
  package var keysAreSecret: Bool {
    guard let focus = shownFocus, focus.control != Focus.ground, focus.part != nil else {
      return false
    }
    return pages[shownPage].controls[focus.control].control.isSecret
  }

  /// Whether keys have a focus, also one that cannot be used now.
  package var hasFocus: Bool { touches.focus != nil }

  /// The focus, if its control can be used now.
  var shownFocus: Focus? { touches.focus.flatMap { takesKeys($0.control) ? $0 : nil } }

  /// The first focus on a page: the control in front, else the first control.
  var firstFocus: Focus? {
    let controls = pages[shownPage].controls
    let usable = controls.indices.filter(takesKeys)
    let front = usable.last { controls[$0].control.isRaised(at: now) }
    let ground = takesKeys(Focus.ground) ? Focus.ground : nil
    return (front ?? usable.first ?? ground).map { Focus(control: $0) }
  }

  /// Shows where the focus is, if no key has been used yet.
  mutating func beginFocus() {
    if touches.focus == nil { touches.set(firstFocus) }
  }

  /// Whether keys can use a control of the shown page, or its ground.
  private func takesKeys(_ control: Int) -> Bool {
    control == Focus.ground
      ? pages[shownPage].isPressed : pages[shownPage].controls[control].takesKeys
  }

  /// Handles a key, within a turn.
  mutating func press(_ key: Keystroke, _ turn: inout Turn) {
    let isUsedUp = notePerson(.key)
    guard !isBlank else { return change(toBlank: false, &turn) }
    guard !isUsedUp, !askFeatures({ $0.press(key, &$1, &turn) }), !key.isOfSpeech else { return }
    guard let focus = touches.focus else { return beginFocus() }
    if takesKeys(focus.control), isUsed(key, by: focus, &turn) { return }
    switch key {
    case .right, .down, .next: moveFocus(by: 1)
    case .left, .up, .previous: moveFocus(by: -1)
    case .back: touches.set(nil)
    // Its control can no longer be used, or has no use for the key.
    case .enter: if shownFocus == nil { moveFocus(by: 1) }
    default: break
    }
  }

  /// Gives a key to the control that has the focus; returns whether it does something there.
  private mutating func isUsed(_ key: Keystroke, by focus: Focus, _ turn: inout Turn) -> Bool {
    guard focus.control != Focus.ground,
      pages[shownPage].controls[focus.control].control.takesKeys
    else {
      guard key == .enter else { return false }
      pressByKey(focus.control == Focus.ground ? .ground : .control(focus.control), &turn)
      return true
    }
    var focus = focus
    var control = pages[shownPage].controls[focus.control].control
    var happened: [ControlEvent] = []
    let isUsed = control.handle(key, on: &focus.part, at: now, events: &happened)
    if isUsed || !happened.isEmpty {
      update(Place(page: shownPage, control: focus.control), &turn) { present, _, events in
        present = control
        events = happened
      }
    }
    touches.set(focus)
    return isUsed
  }

  /// Moves the focus to the next control in the file's order that takes keys; the last is followed by
  /// the first.
  private mutating func moveFocus(by way: Int) {
    guard let focus = touches.focus else { return }
    // The ground comes after the last control.
    let count = pages[shownPage].controls.count + 1
    let start = focus.control == Focus.ground ? count - 1 : focus.control
    let others = (1...count).lazy.map { (start + way * $0 + count * $0) % count }
      .map { $0 == count - 1 ? Focus.ground : $0 }
    touches.move(to: others.first(where: takesKeys).map { Focus(control: $0) })
  }
}

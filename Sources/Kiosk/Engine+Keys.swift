// SPDX-License-Identifier: MIT

package import RoundelControls
internal import RoundelExpressions

/// The recipients of a key, in this order:
///
///     speech ► the page's `keys` ► a keypad ► the kiosk's `keys` ► the page's `encoder` ► the focus
protocol KeyOwner {
  var keys: [Keysym: [Action]] { get }
}

extension Description: KeyOwner {}
extension Page: KeyOwner {}

extension KeyOwner {
  /// Returns nil for an undeclared key. A key of the number pad also has the actions of its character.
  func actions(of symbol: Keysym) -> [Action]? {
    keys[symbol] ?? symbol.character.flatMap { Keysym($0) }.flatMap { keys[$0] }
  }
}

extension EventType {
  /// The event of `keys`, which only triggers actions.
  package static let keyPressed = plain("key", "A key was pressed.", [.key])
}

extension Engine {
  mutating func runsActions(
    of symbol: Keysym, on owner: some KeyOwner, _ source: Report.Source, _ turn: inout Turn
  ) -> Bool {
    guard let actions = owner.actions(of: symbol) else { return false }
    let event = Event(
      EventType.keyPressed.name, at: now, fields: [Field("key", .text(symbol.name))],
      by: turn.cause)
    turn.add(Report(event: event, source: source, isPublished: false, actions: actions))
    return true
  }

  // MARK: Keypads

  /// The focused keypad, otherwise the only usable keypad, if it types the symbol or erases with it.
  func keypad(typing symbol: Keysym) -> ControlLocation? {
    let usable = reachableControls.filter {
      controls[$0].takesKeys && controls[$0].control is Keypad
    }
    let focused = touches.focus?.control
    guard
      let location = usable.first(where: { $0 == focused })
        ?? (usable.count == 1 ? usable[0] : nil),
      let keypad = controls[location].control as? Keypad
    else { return nil }
    // Without the focus, the space bar and Backspace belong to other controls.
    guard symbol.keystroke == nil || location == focused else { return nil }
    if symbol == .backspace { return keypad.canErase ? location : nil }
    return symbol.character.flatMap { keypad.key(typing: $0) } == nil ? nil : location
  }

  /// Types a character of a keyboard. Then Enter is the keypad's enter key.
  mutating func types(
    _ key: KeyPress, onlyAlways: Bool = false, _ turn: inout Turn
  ) -> Bool {
    guard case .symbol(let symbol) = key, let location = keypad(typing: symbol),
      !onlyAlways || controls[location].isAlwaysAvailable
    else { return false }
    var focus = Focus(control: location)
    update(location, &turn) { control, now, events in
      guard var keypad = control as? Keypad else { return }
      keypad.type(symbol == .backspace ? nil : symbol.character, at: now, events: &events)
      focus.part = keypad.enterPart
      control = keypad
    }
    touches.set(focus)
    return true
  }

  // MARK: Scanners

  /// Reports a scanned line without its control characters. It also wakes the panel.
  mutating func scan(_ text: String, isPrivate: Bool, _ turn: inout Turn) {
    _ = recordUserInput(.key)
    if isBlank { change(toBlank: false, &turn) }
    var line = String.UnicodeScalarView()
    line.append(
      contentsOf: text.unicodeScalars.filter { $0.properties.generalCategory != .control })
    turn.isPrivate = isPrivate
    report("scanned", [Field("text", .text(String(line)))], &turn)
    turn.isPrivate = false
  }

  // MARK: Encoders

  /// The usable `encoder` control of the active page, otherwise of the page under it.
  private var encoderControl: ControlLocation? {
    reachableControls.first { location in
      controls[location].takesKeys && controls[location].id == pages[location.page].encoder
    }
  }

  /// Turns the page's `encoder` control by a keystroke of an encoder or a client.
  mutating func turnsEncoder(
    _ key: KeyPress, onlyAlways: Bool = false, _ turn: inout Turn
  ) -> Bool {
    guard case .keystroke(let key) = key, key.step != nil, let location = encoderControl,
      !onlyAlways || controls[location].isAlwaysAvailable
    else { return false }
    var focused = touches.focus.flatMap { $0.control == location ? $0.part : nil }
    update(location, &turn) { control, now, events in
      if focused == nil { _ = control.handle(.enter, on: &focused, at: now, events: &events) }
      _ = control.handle(key, on: &focused, at: now, events: &events)
    }
    return true
  }
}

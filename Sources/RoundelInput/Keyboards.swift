// SPDX-License-Identifier: MIT

internal import RoundelControls

/// Translates the key codes of keyboards with a common layout.
package struct Keyboards {
  private let names: LayoutNames?
  /// The layout, read at the first key. Its own modifiers are unused.
  private var layout: Keymap??
  private var keymaps: [Int: Keymap] = [:]
  private var tracker = KeyTracker()
  private var held = HeldKeys()

  /// Without names, only keys with the same position in all layouts have an effect.
  package init(_ names: LayoutNames?) { self.names = names }

  /// Returns nil if the kiosk ignores the key. The caller assigns numbers to devices.
  package mutating func handle(device: Int, code: Int, isDown: Bool) -> KeyInput? {
    let meaning = meaning(device: device, code: code, isDown: isDown)
    return held.handle(meaning, device: device, code: code, isDown: isDown)
  }

  /// Returns the end of the key's press, if its keyboard was unplugged.
  package mutating func cancel(device: Int, code: Int) -> KeyInput? {
    held.cancel(device: device, code: code)
  }

  private mutating func meaning(device: Int, code: Int, isDown: Bool) -> KeyInput? {
    let input = tracker.handle(device: device, code: code, isDown: isDown)
    let keymap = keymap(of: device)
    // A key changes the modifiers of later keys.
    defer { keymap?.update(code: code, isDown: isDown) }
    guard isDown, !tracker.isShortcut else { return input }
    if let symbol = keymap?.symbol(of: code) {
      return symbol.isModifier ? nil : .key(.symbol(symbol), .tap)
    }
    // Layouts omit rare keys, such as a remote control's OK.
    guard case .key(let key, let phase)? = input else { return input }
    return .key(.symbol(key.symbol), phase)
  }

  /// Returns the ends of the presses of an unplugged keyboard.
  package mutating func remove(device: Int) -> [KeyInput] {
    keymaps[device] = nil
    tracker.remove(device: device)
    return held.remove(device: device)
  }

  private mutating func keymap(of device: Int) -> Keymap? {
    if let known = keymaps[device] { return known }
    let layout = self.layout ?? names.flatMap { Keymap($0) }
    self.layout = .some(layout)
    let keymap = layout.flatMap { Keymap(sharing: $0) }
    keymaps[device] = keymap
    return keymap
  }
}

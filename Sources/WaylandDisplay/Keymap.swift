// SPDX-License-Identifier: MIT

internal import CRoundelXKBCommon
internal import RoundelControls

/// The keymap of a seat's keyboard. On-screen keyboards upload their own keymaps, whose key codes
/// are unrelated to physical positions.
// Safe: the library owns the state until `deinit`, and it is used on one thread.
@safe final class Keymap {
  /// Keeps the keymap alive.
  private let state: OpaquePointer

  /// Parses a keymap in XKB's text format, up to the first zero. Returns nil if it is invalid.
  init?(_ text: [UInt8]) {
    // Included files are not read, and errors are not printed.
    let flags = xkb_context_flags(
      XKB_CONTEXT_NO_DEFAULT_INCLUDES.rawValue | XKB_CONTEXT_NO_ENVIRONMENT_NAMES.rawValue)
    guard let context = unsafe xkb_context_new(flags) else { return nil }
    // The keymap keeps the context alive, and the state keeps the keymap alive.
    defer { unsafe xkb_context_unref(context) }
    unsafe xkb_context_set_log_level(context, XKB_LOG_LEVEL_CRITICAL)
    // The buffer lives until the call returns.
    let keymap = unsafe text.prefix { $0 != 0 }.withUnsafeBytes { bytes in
      unsafe xkb_keymap_new_from_buffer(
        context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count,
        XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS)
    }
    guard let keymap = unsafe keymap else { return nil }
    defer { unsafe xkb_keymap_unref(keymap) }
    guard let state = unsafe xkb_state_new(keymap) else { return nil }
    unsafe self.state = state
  }

  deinit { unsafe xkb_state_unref(state) }

  /// The arguments of `wl_keyboard.modifiers`.
  func setModifiers(held: UInt32, latched: UInt32, locked: UInt32, group: UInt32) {
    unsafe xkb_state_update_mask(state, held, latched, locked, 0, 0, group)
  }

  /// Returns the symbol of a Linux key code under the current modifiers. C: `xkb_keysym_t`.
  func symbol(of code: UInt32) -> UInt32? {
    // XKB keycodes are 8 higher than evdev codes, as in X11.
    let symbol = unsafe xkb_state_key_get_one_sym(state, code &+ 8)
    return symbol == XKB_KEY_NoSymbol ? nil : symbol
  }

  /// Returns nil if the kiosk ignores the symbol, or while Control is held.
  func keystroke(of symbol: UInt32) -> Keystroke? {
    guard !isActive(XKB_MOD_NAME_CTRL), let key = Self.keystrokes[Int32(bitPattern: symbol)] else {
      return nil
    }
    return key == .next && isActive(XKB_MOD_NAME_SHIFT) ? .previous : key
  }

  private func isActive(_ modifier: String) -> Bool {
    unsafe xkb_state_mod_name_is_active(state, modifier, XKB_STATE_MODS_EFFECTIVE) > 0
  }

  /// The keys known to `KeyTracker`.
  private static let keystrokes: [Int32: Keystroke] = [
    XKB_KEY_Left: .left, XKB_KEY_Right: .right, XKB_KEY_Up: .up, XKB_KEY_Down: .down,
    XKB_KEY_Tab: .next, XKB_KEY_ISO_Left_Tab: .previous,
    XKB_KEY_Return: .enter, XKB_KEY_KP_Enter: .enter, XKB_KEY_space: .enter,
    XKB_KEY_Select: .enter, XKB_KEY_XF86Select: .enter,
    XKB_KEY_Escape: .back, XKB_KEY_BackSpace: .back, XKB_KEY_XF86Back: .back,
  ]
}

// SPDX-License-Identifier: MIT

internal import CXKBCommon
internal import Controls

/// The meaning of the keys of a seat's keyboard. On-screen keyboards upload keymaps of their own, in
/// which a code has nothing to do with where a key is.
// Safe: the state is the library's until `deinit`, and used on one thread.
@safe final class Keymap {
  /// It keeps the keymap.
  private let state: OpaquePointer

  /// Reads a keymap in XKB's text format, to the first zero; nil where the text is none.
  init?(_ text: [UInt8]) {
    // Files that a text includes are not looked for, and mistakes in it are not printed.
    let flags = xkb_context_flags(
      XKB_CONTEXT_NO_DEFAULT_INCLUDES.rawValue | XKB_CONTEXT_NO_ENVIRONMENT_NAMES.rawValue)
    guard let context = unsafe xkb_context_new(flags) else { return nil }
    // The library counts references: the keymap has one to the context, and the state to the keymap.
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

  /// Sets the masks of modifiers and the layout, as `wl_keyboard.modifiers` reports them.
  func setModifiers(held: UInt32, latched: UInt32, locked: UInt32, group: UInt32) {
    unsafe xkb_state_update_mask(state, held, latched, locked, 0, 0, group)
  }

  /// The symbol of a key with the modifiers that are in effect, by the key's code in Linux; nil where
  /// the keymap has none for it. C: `xkb_keysym_t`.
  func symbol(of code: UInt32) -> UInt32? {
    // XKB counts from 8, as X does.
    let symbol = unsafe xkb_state_key_get_one_sym(state, code &+ 8)
    return symbol == XKB_KEY_NoSymbol ? nil : symbol
  }

  /// The meaning of a symbol for a kiosk; nil for nothing, as for all of them while Control is held.
  func keystroke(of symbol: UInt32) -> Keystroke? {
    guard !isActive(XKB_MOD_NAME_CTRL), let key = Self.keystrokes[Int32(bitPattern: symbol)] else {
      return nil
    }
    return key == .next && isActive(XKB_MOD_NAME_SHIFT) ? .previous : key
  }

  private func isActive(_ modifier: String) -> Bool {
    unsafe xkb_state_mod_name_is_active(state, modifier, XKB_STATE_MODS_EFFECTIVE) > 0
  }

  /// The symbols of the keys that `KeyTracker` knows.
  private static let keystrokes: [Int32: Keystroke] = [
    XKB_KEY_Left: .left, XKB_KEY_Right: .right, XKB_KEY_Up: .up, XKB_KEY_Down: .down,
    XKB_KEY_Tab: .next, XKB_KEY_ISO_Left_Tab: .previous,
    XKB_KEY_Return: .enter, XKB_KEY_KP_Enter: .enter, XKB_KEY_space: .enter,
    XKB_KEY_Select: .enter, XKB_KEY_XF86Select: .enter,
    XKB_KEY_Escape: .back, XKB_KEY_BackSpace: .back, XKB_KEY_XF86Back: .back,
  ]
}

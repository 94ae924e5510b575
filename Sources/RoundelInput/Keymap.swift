// SPDX-License-Identifier: MIT

internal import CRoundelXKBCommon
package import RoundelControls

/// A keyboard layout, and the modifiers of a keyboard that uses it. On-screen keyboards under Wayland upload their own
/// layouts, whose key codes are unrelated to physical positions.
// Safe: the library owns the state until `deinit`, and it is used on one thread.
@safe package final class Keymap {
  /// Keeps the layout alive.
  private let state: OpaquePointer

  /// Parses a layout in XKB's text format, up to the first zero. Returns nil if it is invalid.
  package init?(_ text: [UInt8]) {
    // Included files are not read, and errors are not printed.
    let flags = xkb_context_flags(
      XKB_CONTEXT_NO_DEFAULT_INCLUDES.rawValue | XKB_CONTEXT_NO_ENVIRONMENT_NAMES.rawValue)
    let state = unsafe Self.state(flags) { context in
      // The buffer lives until the call returns.
      unsafe text.prefix { $0 != 0 }.withUnsafeBytes { bytes in
        unsafe xkb_keymap_new_from_buffer(
          context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count,
          XKB_KEYMAP_FORMAT_TEXT_V1, XKB_KEYMAP_COMPILE_NO_FLAGS)
      }
    }
    guard let state = unsafe state else { return nil }
    unsafe self.state = state
  }

  /// The layout of the names, which the system's files define. Num Lock is on. Returns nil for unknown names, or if the
  /// files are missing. Takes some milliseconds.
  package init?(_ names: LayoutNames) {
    let state = unsafe Self.state(XKB_CONTEXT_NO_ENVIRONMENT_NAMES) { context in
      // The strings live until the call returns.
      unsafe names.rules.withCString { rules in
        unsafe names.model.withCString { model in
          unsafe names.layout.withCString { layout in
            unsafe names.variant.withCString { variant in
              unsafe names.options.withCString { options in
                var names = unsafe xkb_rule_names(
                  rules: rules, model: model, layout: layout, variant: variant, options: options)
                return unsafe xkb_keymap_new_from_names(
                  context, &names, XKB_KEYMAP_COMPILE_NO_FLAGS)
              }
            }
          }
        }
      }
    }
    guard let state = unsafe state else { return nil }
    unsafe self.state = state
    lockNumbers()
  }

  /// Another keyboard with the layout of `other`.
  package init?(sharing other: Keymap) {
    guard let state = unsafe xkb_state_new(xkb_state_get_keymap(other.state)) else { return nil }
    unsafe self.state = state
    lockNumbers()
  }

  deinit { unsafe xkb_state_unref(state) }

  private static func state(
    _ flags: xkb_context_flags, _ compile: (OpaquePointer) -> OpaquePointer?
  ) -> OpaquePointer? {
    guard let context = unsafe xkb_context_new(flags) else { return nil }
    // The keymap keeps the context alive, and the state keeps the keymap alive.
    defer { unsafe xkb_context_unref(context) }
    unsafe xkb_context_set_log_level(context, XKB_LOG_LEVEL_CRITICAL)
    guard let keymap = unsafe compile(context) else { return nil }
    defer { unsafe xkb_keymap_unref(keymap) }
    return unsafe xkb_state_new(keymap)
  }

  /// A number pad types digits, as its keys say.
  private func lockNumbers() {
    let index = unsafe xkb_keymap_mod_get_index(xkb_state_get_keymap(state), XKB_MOD_NAME_NUM)
    guard index < 32 else { return }
    unsafe xkb_state_update_mask(state, 0, 0, 1 << index, 0, 0, 0)
  }

  /// The arguments of `wl_keyboard.modifiers`.
  package func setModifiers(held: UInt32, latched: UInt32, locked: UInt32, group: UInt32) {
    unsafe xkb_state_update_mask(state, held, latched, locked, 0, 0, group)
  }

  /// Tracks a key by its Linux key code, which changes the modifiers.
  package func update(code: Int, isDown: Bool) {
    guard let code = Self.keycode(code) else { return }
    unsafe xkb_state_update_key(state, code, isDown ? XKB_KEY_DOWN : XKB_KEY_UP)
  }

  /// Returns the symbol of a Linux key code under the current modifiers, or nil for a code without a symbol.
  package func symbol(of code: Int) -> Keysym? {
    guard let code = Self.keycode(code) else { return nil }
    let symbol = unsafe xkb_state_key_get_one_sym(state, code)
    guard symbol != XKB_KEY_NoSymbol else { return nil }
    let isBackwards = symbol == XKB_KEY_Tab && isActive(XKB_MOD_NAME_SHIFT)
    return isBackwards ? .leftTab : Keysym(symbol)
  }

  /// Whether a shortcut's modifier is held, so that no key types.
  package var isShortcut: Bool { isActive(XKB_MOD_NAME_CTRL) }

  /// XKB's codes are 8 higher than evdev's, as in X11.
  private static func keycode(_ code: Int) -> UInt32? {
    (0..<0x1000).contains(code) ? UInt32(code) + 8 : nil
  }

  private func isActive(_ modifier: String) -> Bool {
    unsafe xkb_state_mod_name_is_active(state, modifier, XKB_STATE_MODS_EFFECTIVE) > 0
  }
}

/// The names of a keyboard layout in the system's files. An empty name is XKB's default.
package struct LayoutNames: Hashable, Sendable {
  package var rules = ""
  package var model = ""
  package var layout = ""
  package var variant = ""
  package var options = ""

  package init(layout: String = "") { self.layout = layout }

  /// Reads the names of XKB_DEFAULT_LAYOUT etc., otherwise Debian's keyboard file, which has lines such as
  /// XKBLAYOUT="de".
  package init(environment: (String) -> String?, file: String) {
    let names: [(WritableKeyPath<LayoutNames, String>, name: String)] = [
      (\.model, "MODEL"), (\.layout, "LAYOUT"), (\.variant, "VARIANT"), (\.options, "OPTIONS"),
    ]
    rules = environment("XKB_DEFAULT_RULES") ?? ""
    if environment("XKB_DEFAULT_LAYOUT") != nil {
      for (path, name) in names { self[keyPath: path] = environment("XKB_DEFAULT_\(name)") ?? "" }
      return
    }
    for line in file.split(whereSeparator: \.isNewline) {
      let parts = line.filter { !" \t\"'".contains($0) }.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let path = names.first(where: { parts[0] == "XKB\($0.name)" })?.0
      else { continue }
      self[keyPath: path] = String(parts[1])
    }
  }
}

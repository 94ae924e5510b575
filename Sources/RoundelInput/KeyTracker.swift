// SPDX-License-Identifier: MIT

package import RoundelControls

package enum KeyInput: Hashable, Sendable {
  case key(KeyPress, KeyPress.Phase)
  /// Ctrl+C.
  case interrupt
  /// Ctrl+Alt+F1 etc.: another virtual terminal, by its number.
  case terminal(Int)

  package static func keystroke(_ keystroke: Keystroke) -> Self {
    .key(.keystroke(keystroke), .tap)
  }

  /// Returns the keystrokes for clockwise detents of an encoder or a wheel, limited to a plausible
  /// number.
  package static func turns(_ detents: Int) -> [KeyInput] {
    Array(
      repeating: .keystroke(detents > 0 ? .right : .left),
      count: min(Int(clamping: detents.magnitude), 32))
  }
}

struct DeviceKey: Hashable, Sendable {
  var device: Int
  var code: Int
}

/// The pressed keys. A release has the meaning of its press, even if the modifiers have changed.
package struct HeldKeys: Sendable {
  private var held: [DeviceKey: KeyPress] = [:]

  package init() {}

  /// Returns the press or the release of a key. `meaning` is the meaning of a press.
  package mutating func handle(
    _ meaning: KeyInput?, device: Int, code: Int, isDown: Bool
  ) -> KeyInput? {
    let key = DeviceKey(device: device, code: code)
    guard isDown else { return held.removeValue(forKey: key).map { .key($0, .up) } }
    guard case .key(let press, .tap)? = meaning else { return meaning }
    held[key] = press
    return .key(press, .down)
  }

  /// Returns the end of the key's press, without a release.
  package mutating func cancel(device: Int, code: Int) -> KeyInput? {
    held.removeValue(forKey: DeviceKey(device: device, code: code)).map { .key($0, .cancel) }
  }

  /// Forgets the keys of a device. Returns the ends of their presses, without releases.
  package mutating func remove(device: Int) -> [KeyInput] {
    let codes = held.keys.filter { $0.device == device }.map(\.code).sorted()
    return codes.compactMap { cancel(device: device, code: $0) }
  }
}

/// Translates Linux key codes of encoders and of keyboards without a layout. They identify positions.
package struct KeyTracker: Sendable {
  private var held: Set<DeviceKey> = []

  package init() {}

  /// Returns a pressed key as a tap, or nil if the kiosk ignores the key. The caller assigns numbers to devices. Codes are
  /// defined in linux/input-event-codes.h.
  package mutating func handle(device: Int, code: Int, isDown: Bool) -> KeyInput? {
    if Self.modifiers.contains(code) {
      let key = DeviceKey(device: device, code: code)
      if isDown { held.insert(key) } else { held.remove(key) }
      return nil
    }
    guard isDown else { return nil }
    if holds(Self.controls) {
      if holds(Self.alternates), let number = Self.functions.firstIndex(of: code) {
        return .terminal(number + 1)
      }
      return code == 46 ? .interrupt : nil
    }
    guard let key = Self.keystrokes[code] else { return nil }
    return .keystroke(key == .next && holds(Self.shifts) ? .previous : key)
  }

  /// Whether Control is held, so that keys don't type.
  var isShortcut: Bool { holds(Self.controls) }

  private func holds(_ keys: Set<Int>) -> Bool { held.contains { keys.contains($0.code) } }

  package mutating func remove(device: Int) {
    held = held.filter { $0.device != device }
  }

  /// KEY_LEFTSHIFT and KEY_RIGHTSHIFT.
  private static let shifts: Set = [42, 54]
  /// KEY_LEFTCTRL and KEY_RIGHTCTRL.
  private static let controls: Set = [29, 97]
  /// KEY_LEFTALT and KEY_RIGHTALT.
  private static let alternates: Set = [56, 100]
  private static let modifiers = shifts.union(controls).union(alternates)
  /// KEY_F1 to KEY_F12.
  private static let functions = Array(59...68) + [87, 88]

  private static let keystrokes: [Int: Keystroke] = [
    105: .left, 106: .right, 103: .up, 108: .down,
    // KEY_TAB
    15: .next,
    // KEY_ENTER, KEY_KPENTER, KEY_SPACE, KEY_OK, KEY_SELECT, and BTN_0, the button of a knob
    28: .enter, 96: .enter, 57: .enter, 0x160: .enter, 0x161: .enter, 0x100: .enter,
    // KEY_ESC, KEY_BACKSPACE, KEY_BACK
    1: .back, 14: .back, 158: .back,
    // KEY_AGAIN and KEY_HELP of audio keypads
    129: .repeat, 138: .repeat,
    // KEY_FASTFORWARD, KEY_REWIND, KEY_VOLUMEUP, KEY_VOLUMEDOWN
    208: .faster, 168: .slower, 115: .louder, 114: .quieter,
    // KEY_MUTE, KEY_STOP, KEY_STOPCD
    113: .stop, 128: .stop, 166: .stop,
  ]

  /// Keys of a console or a kiosk, except power buttons, which the system handles, and keys only
  /// for speech, so that a device such as volume keys with a power button is left to the system.
  package static let ownCodes =
    Array(1...83) + keystrokes.filter { $0.key > 83 && !$0.value.isOfSpeech }.keys.sorted()
}

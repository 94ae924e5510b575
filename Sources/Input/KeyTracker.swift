// SPDX-License-Identifier: MIT

package import Controls

/// The meaning of a key to a kiosk.
package enum KeyInput: Hashable, Sendable {
  case keystroke(Keystroke)
  /// Ctrl+C.
  case interrupt
  /// Ctrl+Alt+F1 and so on: another virtual terminal, by its number.
  case terminal(Int)

  /// The keys for clockwise detents of an encoder or a wheel; more than anybody can turn at a time are
  /// dropped.
  package static func turns(_ detents: Int) -> [KeyInput] {
    Array(
      repeating: .keystroke(detents > 0 ? .right : .left),
      count: min(Int(clamping: detents.magnitude), 32))
  }
}

/// Translates the keys of all keyboards and knobs, by Linux's codes of keys, which say where a key is and
/// are the same for each layout. It knows which keys are held, so that Shift+Tab differs from Tab.
package struct KeyTracker: Sendable {
  private struct Key: Hashable {
    var device: Int
    var code: Int
  }

  /// The keys that modify others and are held.
  private var held: Set<Key> = []

  package init() {}

  /// The meaning of a key that goes down or up; nil for none. Devices are numbered by the caller, codes
  /// are those of linux/input-event-codes.h.
  package mutating func handle(device: Int, code: Int, isDown: Bool) -> KeyInput? {
    if Self.modifiers.contains(code) {
      let key = Key(device: device, code: code)
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

  private func holds(_ keys: Set<Int>) -> Bool { held.contains { keys.contains($0.code) } }

  /// A device is gone, and nothing on it is held.
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
    // KEY_ENTER, KEY_KPENTER, KEY_SPACE, KEY_OK, KEY_SELECT and BTN_0, a knob's own
    28: .enter, 96: .enter, 57: .enter, 0x160: .enter, 0x161: .enter, 0x100: .enter,
    // KEY_ESC, KEY_BACKSPACE, KEY_BACK
    1: .back, 14: .back, 158: .back,
    // KEY_AGAIN and KEY_HELP, as audio keypads have them
    129: .repeat, 138: .repeat,
    // KEY_FASTFORWARD, KEY_REWIND, KEY_VOLUMEUP, KEY_VOLUMEDOWN
    208: .faster, 168: .slower, 115: .louder, 114: .quieter,
    // KEY_MUTE, KEY_STOP, KEY_STOPCD
    113: .stop, 128: .stop, 166: .stop,
  ]

  /// The codes of keys that a console would take, or that mean something here, except those of power buttons,
  /// which the system uses. Keys that are only for speech are left out as well: a device with no others, such as
  /// volume keys with a power button, is left to the system.
  package static let ownCodes =
    Array(1...83) + keystrokes.filter { $0.key > 83 && !$0.value.isOfSpeech }.keys.sorted()
}

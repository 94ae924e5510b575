// SPDX-License-Identifier: MIT

/// A pressed key: a symbol of a keyboard, or a keystroke of an encoder or a client.
package enum KeyPress: Hashable, Sendable {
  case symbol(Keysym)
  case keystroke(Keystroke)

  /// A key by the name of a keystroke or of a symbol.
  package init?(named name: String) {
    if let keystroke = Keystroke(rawValue: name) {
      self = .keystroke(keystroke)
    } else if let symbol = Keysym(named: name) {
      self = .symbol(symbol)
    } else {
      return nil
    }
  }

  package var name: String {
    switch self {
    case .symbol(let symbol): symbol.name
    case .keystroke(let keystroke): keystroke.rawValue
    }
  }

  /// The effect on controls, or nil for a key without an effect.
  package var keystroke: Keystroke? {
    switch self {
    case .symbol(let symbol): symbol.keystroke
    case .keystroke(let keystroke): keystroke
    }
  }

  /// The keyboard's key. A keystroke is the key that usually causes it.
  package var symbol: Keysym {
    switch self {
    case .symbol(let symbol): symbol
    case .keystroke(let keystroke): keystroke.symbol
    }
  }

  /// The number of the finger that the key is while it is held. Fingers on a panel aren't negative.
  package var finger: Int {
    switch self {
    case .symbol(let symbol): -1 - 2 * Int(symbol.code)
    case .keystroke(let keystroke): -2 - 2 * Int(keystroke.symbol.code)
    }
  }

  /// The accepted names in words, for messages.
  package static let expected =
    "one of " + Keystroke.allCases.map(\.rawValue).joined(separator: ", ")
    + ", or the xkb name of a key, such as F1"

  /// The names of keystrokes and symbols.
  package static var allNames: [String] {
    Keystroke.allCases.map(\.rawValue) + Keysym.allNames
  }
}

extension KeyPress {
  package enum Phase: Hashable, Sendable {
    /// The key goes down and up at once. Some devices don't report releases.
    case tap
    case down
    case up
    /// The key is no longer held, but wasn't released: its keyboard was unplugged, for example.
    case cancel
  }
}

extension Keysym {
  /// The keystrokes of symbols. The first symbol of a keystroke is its usual one.
  private static let keystrokes: [(names: [String], keystroke: Keystroke)] = [
    (["Left", "KP_Left"], .left), (["Right", "KP_Right"], .right), (["Up", "KP_Up"], .up),
    (["Down", "KP_Down"], .down), (["Tab"], .next), (["ISO_Left_Tab"], .previous),
    (["Return", "KP_Enter", "space", "Select", "XF86Select"], .enter),
    (["Escape", "BackSpace", "XF86Back"], .back), (["Redo", "Help"], .repeat),
    (["XF86AudioForward"], .faster), (["XF86AudioRewind"], .slower),
    (["XF86AudioRaiseVolume"], .louder), (["XF86AudioLowerVolume"], .quieter),
    (["XF86AudioStop", "XF86AudioMute"], .stop),
  ]

  private static let keystrokesByCode: [UInt32: Keystroke] = {
    var all: [UInt32: Keystroke] = [:]
    for (names, keystroke) in keystrokes {
      for name in names { if let symbol = Keysym(named: name) { all[symbol.code] = keystroke } }
    }
    return all
  }()

  /// The effect on controls, or nil for a key without an effect.
  package var keystroke: Keystroke? { Self.keystrokesByCode[code] }

  /// Whether the key only changes other keys: Shift, Caps Lock, dead keys. C: keysymdef.h's ranges.
  package var isModifier: Bool {
    switch code {
    case 0xffe1...0xffee, 0xfe01...0xfe13, 0xff7e, 0xff7f, 0xff14, 0xfe50...0xfe93: true
    default: false
    }
  }

  package static let leftTab = Keysym(0xfe20)
  package static let backspace = Keysym(0xff08)

  fileprivate init(usualFor keystroke: Keystroke) {
    let name = Self.keystrokes.first { $0.keystroke == keystroke }?.names.first
    self = name.flatMap { Keysym(named: $0) } ?? Keysym(0)
  }
}

extension Keystroke {
  /// The symbol that usually causes the keystroke.
  package var symbol: Keysym { Keysym(usualFor: self) }
}

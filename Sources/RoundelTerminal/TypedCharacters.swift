// SPDX-License-Identifier: MIT

internal import RoundelControls

/// The symbols of keys, whose characters may take several inputs.
struct TypedCharacters {
  /// The beginning of a character in UTF-8.
  private var bytes: [UInt8] = []

  /// Returns nil for an input that isn't a key, or the incomplete part of one.
  mutating func symbol(of input: InputParser.Input) -> Keysym? {
    guard case .key(let byte) = input, byte >= 0x80 else {
      bytes = []
      return input.symbol
    }
    // 0xC0 … begins a character.
    if byte >= 0xc0 { bytes = [] }
    bytes.append(byte)
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    guard case .scalarValue(let character) = decoder.decode(&iterator) else {
      if bytes.count >= 4 { bytes = [] }
      return nil
    }
    bytes = []
    return Keysym(character)
  }
}

extension InputParser.Input {
  var keystroke: Keystroke? { symbol?.keystroke }

  /// The symbol of an ASCII key or of a key without a character, without modifiers. Sources: see `InputParser`.
  var symbol: Keysym? {
    switch self {
    case .key(0x09): Keysym(named: "Tab")
    case .key(0x0d): Keysym(named: "Return")
    // Backspace is one of two codes.
    case .key(0x08), .key(0x7f): .backspace
    case .key(let byte) where byte < 0x80: Keysym(Unicode.Scalar(byte))
    case .shift(let final): Self.finals[final].flatMap { Keysym(named: $0) }
    case .control(nil, let numbers, [], UInt8(ascii: "~")) where numbers.count == 1:
      Self.numbers[numbers[0]].flatMap { Keysym(named: $0) }
    case .control(nil, let numbers, [], let final) where numbers.isEmpty || numbers == [0]:
      Self.finals[final].flatMap { Keysym(named: $0) }
    default: nil
    }
  }

  private static let finals: [UInt8: String] = [
    UInt8(ascii: "A"): "Up", UInt8(ascii: "B"): "Down", UInt8(ascii: "C"): "Right",
    UInt8(ascii: "D"): "Left", UInt8(ascii: "F"): "End", UInt8(ascii: "H"): "Home",
    UInt8(ascii: "P"): "F1", UInt8(ascii: "Q"): "F2", UInt8(ascii: "R"): "F3",
    UInt8(ascii: "S"): "F4", UInt8(ascii: "Z"): "ISO_Left_Tab", UInt8(ascii: "M"): "KP_Enter",
  ]

  private static let numbers: [Int: String] = [
    1: "Home", 2: "Insert", 3: "Delete", 4: "End", 5: "Prior", 6: "Next", 7: "Home", 8: "End",
    11: "F1", 12: "F2", 13: "F3", 14: "F4", 15: "F5", 17: "F6", 18: "F7", 19: "F8", 20: "F9",
    21: "F10", 23: "F11", 24: "F12",
  ]
}

// SPDX-License-Identifier: MIT

/// A symbol of a keyboard layout, such as `a`, `F1` or `Return`. C: `xkb_keysym_t`.
///
/// A character has the same symbol in all layouts.
package struct Keysym: Hashable, Sendable {
  package let code: UInt32

  package init(_ code: UInt32) {
    guard code >= Self.unicode else {
      self.code = code
      return
    }
    let character = code - Self.unicode
    self.code = Self.isLatin(character) ? character : Self.names.codes[character] ?? code
  }

  /// The symbol of a character, or nil for a control character.
  package init?(_ character: Unicode.Scalar) {
    guard character.properties.generalCategory != .control else { return nil }
    let value = character.value
    self.init(Self.isLatin(value) ? value : Self.unicode + value)
  }

  /// A symbol by its name in xkbcommon-keysyms.h, or by its code point, such as `U0444`.
  package init?(named name: String) {
    if let code = Self.names.named[name] {
      self.init(code)
    } else if name.first == "U", (5...7).contains(name.utf8.count),
      let value = UInt32(name.dropFirst(), radix: 16), let character = Unicode.Scalar(value)
    {
      self.init(character)
    } else {
      return nil
    }
  }

  /// The usual name, or a hexadecimal number for an unknown code.
  package var name: String {
    if let name = Self.names.ofCodes[code] { return name }
    let isCharacter = code >= Self.unicode
    let digits = String(isCharacter ? code - Self.unicode : code, radix: 16, uppercase: true)
    guard isCharacter else { return "0x" + digits.lowercased() }
    return "U" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }

  /// The typed character, or nil for other keys.
  package var character: Unicode.Scalar? {
    switch code {
    case _ where Self.isLatin(code): Unicode.Scalar(code)
    case _ where code >= Self.unicode: Unicode.Scalar(code - Self.unicode)
    // The characters of a number pad.
    case 0xffaa...0xffb9, 0xffbd: Unicode.Scalar(code & 0x7f)
    default: Self.names.characters[code].flatMap(Unicode.Scalar.init)
    }
  }

  /// All names, in the order of the header.
  package static var allNames: [String] { names.all }

  /// The codes of code points are higher by this number.
  private static let unicode: UInt32 = 0x0100_0000

  /// Whether a code point is its own code.
  private static func isLatin(_ value: UInt32) -> Bool {
    0x20...0x7e ~= value || 0xa0...0xff ~= value
  }

  private struct Names: Sendable {
    var all: [String] = []
    var named: [String: UInt32] = [:]
    var ofCodes: [UInt32: String] = [:]
    var characters: [UInt32: UInt32] = [:]
    var codes: [UInt32: UInt32] = [:]
  }

  /// Read once, at the first key.
  private static let names: Names = {
    var names = Names()
    for line in "\(table)".split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 1, let code = UInt32(fields[1], radix: 16) else { continue }
      let name = String(fields[0])
      names.all.append(name)
      names.named[name] = code
      if names.ofCodes[code] == nil { names.ofCodes[code] = name }
      guard fields.count > 2, let character = UInt32(fields[2], radix: 16) else { continue }
      if names.characters[code] == nil { names.characters[code] = character }
      if names.codes[character] == nil { names.codes[character] = code }
    }
    return names
  }()
}

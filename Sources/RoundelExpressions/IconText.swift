// SPDX-License-Identifier: MIT

/// The names of icons within text.
///
/// An icon is its name, with characters moved to the end of Unicode's last private plane, which no
/// known font uses, and an end. Text keeps its kind, and layout replaces the name by the icon
/// font's symbol.
package enum IconText {
  private static let base: UInt32 = 0x10ff00
  private static let end: Unicode.Scalar = "\u{10ff00}"

  /// The letters of names, `a` to `z`, `0` to `9` and `_`.
  private static func isLetter(_ byte: UInt8) -> Bool {
    byte.continuesIdentifier && !(0x41...0x5a).contains(byte)
  }

  /// Whether the string is a small letter, then at least one letter, digit or underscore.
  package static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count > 1, text.utf8.count <= 64 else {
      return false
    }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
      && text.utf8.allSatisfy(isLetter)
  }

  /// Returns the text that shows an icon, or `name` itself if it isn't a name.
  package static func text(of name: String) -> String {
    guard isName(name) else { return name }
    let letters = name.utf8.compactMap { Unicode.Scalar(base + UInt32($0)) }
    return String(String.UnicodeScalarView(letters + [end]))
  }

  /// Whether the scalar belongs to an icon.
  package static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    (base...base + 0x7f).contains(scalar.value)
  }

  package static func isEnd(_ scalar: Unicode.Scalar) -> Bool { scalar == end }

  /// Returns the letter of a name, or nil for another scalar or an icon's end.
  package static func letter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard isPart(scalar), scalar != end else { return nil }
    return Unicode.Scalar(scalar.value - base)
  }

  package static func withoutIcons(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isPart) else { return text }
    return String(text.unicodeScalars.filter { !isPart($0) })
  }
}

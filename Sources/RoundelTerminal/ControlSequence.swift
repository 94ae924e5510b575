// SPDX-License-Identifier: MIT

/// Sources: ECMA-48; "XTerm Control Sequences" (invisible-island.net).
enum ControlSequence {
  /// The alternate screen, cleared, without a cursor.
  static let enter = Array("\u{1b}[?1049h\u{1b}[?25l\u{1b}[0m\u{1b}[2J".utf8)
  static let clear = Array("\u{1b}[0m\u{1b}[2J".utf8)
  static let clearKitty = Array("\u{1b}_Ga=d,d=A,q=2\u{1b}\\".utf8)
  /// Presses, motions while pressed, and releases, with numbers of any size.
  static let mouse = Array("\u{1b}[?1002h\u{1b}[?1006h".utf8)
  static let pixelMouse = Array("\u{1b}[?1016h".utf8)
  static let beginUpdate = Array("\u{1b}[?2026h".utf8)
  static let endUpdate = Array("\u{1b}[?2026l".utf8)
  /// The response confirms that everything before was processed.
  static let askStatus = Array("\u{1b}[5n".utf8)
  /// Undoes all of these, even in an incomplete sequence. The string terminator ends graphics.
  static let leave = Array(
    ("\u{1b}\\\u{1b}[?2026l\u{1b}[?1016l\u{1b}[?1006l\u{1b}[?1002l\u{1b}[0m\u{1b}[2J"
      + "\u{1b}[?25h\u{1b}[?1049l").utf8)
}

extension [UInt8] {
  mutating func append(_ text: StaticString) {
    // The bytes of a literal are static.
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(number: Int) {
    if number >= 10 { append(number: number / 10) }
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// Cells are counted from 0.
  mutating func moveCursor(column: Int, row: Int) {
    append("\u{1b}[")
    append(number: row + 1)
    append(UInt8(ascii: ";"))
    append(number: column + 1)
    append(UInt8(ascii: "H"))
  }
}

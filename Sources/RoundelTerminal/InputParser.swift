// SPDX-License-Identifier: MIT

/// Splits a terminal's input in any chunks into keys, mouse reports and responses. Unknown
/// sequences are skipped.
///
/// Written here because curses takes over the terminal and has neither pixel mice nor kitty's
/// responses.
///
///     ground ── ESC ──► escape ── [ ──► control sequence ── final byte ──► ground
///                          ├─ P _ ] ^ X ──► string ── ST or BEL ──► ground
///                          └─ O ──► one more byte ──► ground
///
/// Sources: ECMA-48, section 5.4; "XTerm Control Sequences" (invisible-island.net).
struct InputParser {
  enum Input: Hashable {
    /// A byte outside sequences: a key, if it is ASCII, or a part of a character in UTF-8.
    case key(UInt8)
    /// The byte after ESC O: a key without modifiers.
    case shift(UInt8)
    /// The Escape key, or the start of an incomplete sequence.
    case escape
    case mouse(MouseReport)
    /// CSI with an optional private mark (`?`, `>`, …), numbers, intermediate bytes and a final
    /// byte.
    case control(mark: UInt8?, parameters: [Int], intermediates: [UInt8], final: UInt8)
    /// The content of an application program command, such as a kitty graphics response.
    case command([UInt8])
  }

  private enum State: Hashable {
    case ground
    case escape
    case control
    /// One of the three bytes after CSI M.
    case oldMouse
    case shift
    /// The byte after ESC that started it.
    case string(UInt8)
    case stringEscape(UInt8)
  }

  private var state = State.ground
  private var bytes: [UInt8] = []

  /// The rest of a longer sequence is skipped.
  private static let limit = 4096

  /// After a timeout, a last ESC counts as the key.
  var isEscapePending: Bool { state == .escape }

  mutating func endEscape() -> Input? {
    guard isEscapePending else { return nil }
    state = .ground
    return .escape
  }

  mutating func parse(_ input: some Sequence<UInt8>) -> [Input] {
    var result: [Input] = []
    for byte in input {
      if let input = take(byte) { result.append(input) }
    }
    return result
  }

  private mutating func take(_ byte: UInt8) -> Input? {
    switch (state, byte) {
    case (.ground, 0x1b): begin(.escape)
    case (.ground, _): return .key(byte)

    case (.escape, UInt8(ascii: "[")): begin(.control)
    case (.escape, UInt8(ascii: "O")): begin(.shift)
    case (.escape, UInt8(ascii: "P")), (.escape, UInt8(ascii: "_")), (.escape, UInt8(ascii: "]")),
      (.escape, UInt8(ascii: "^")), (.escape, UInt8(ascii: "X")):
      begin(.string(byte))
    case (.escape, 0x1b): return .escape
    // Alt and a key.
    case (.escape, _): begin(.ground)

    case (.control, 0x20...0x3f): append(byte)
    case (.control, 0x40...0x7e):
      if byte == UInt8(ascii: "M"), bytes.isEmpty {
        begin(.oldMouse)
      } else {
        defer { begin(.ground) }
        return control(final: byte)
      }
    case (.control, 0x1b): begin(.escape)
    // Other bytes are invalid in a sequence.
    case (.control, _): begin(.ground)

    case (.oldMouse, _):
      append(byte)
      if bytes.count == 3 {
        defer { begin(.ground) }
        return .mouse(MouseReport(old: bytes))
      }

    case (.shift, 0x1b): begin(.escape)
    case (.shift, _):
      begin(.ground)
      return .shift(byte)

    case (.string(let kind), 0x1b): state = .stringEscape(kind)
    // CAN and SUB abort a string. In xterm, BEL ends it.
    case (.string, 0x18), (.string, 0x1a): begin(.ground)
    case (.string(let kind), 0x07), (.stringEscape(let kind), UInt8(ascii: "\\")):
      defer { begin(.ground) }
      return kind == UInt8(ascii: "_") ? .command(bytes) : nil
    case (.string, _): append(byte)
    // An ESC that doesn't end the string starts another sequence.
    case (.stringEscape, _):
      begin(.escape)
      return take(byte)
    }
    return nil
  }

  private mutating func begin(_ state: State) {
    self.state = state
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ byte: UInt8) {
    if bytes.count < Self.limit { bytes.append(byte) }
  }

  private func control(final: UInt8) -> Input? {
    var rest = bytes[...]
    let mark = rest.first.flatMap { (0x3c...0x3f).contains($0) ? $0 : nil }
    if mark != nil { rest = rest.dropFirst() }
    let intermediates = Array(rest.drop { $0 >= 0x30 })
    rest = rest.prefix { $0 >= 0x30 }
    let parameters = rest.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      // Numbers too large for an integer are meaningless here.
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
    if mark == UInt8(ascii: "<"), final == UInt8(ascii: "M") || final == UInt8(ascii: "m") {
      guard parameters.count == 3 else { return nil }
      return .mouse(
        MouseReport(
          code: parameters[0], column: parameters[1], row: parameters[2],
          isRelease: final == UInt8(ascii: "m")))
    }
    return .control(
      mark: mark, parameters: rest.isEmpty ? [] : parameters, intermediates: intermediates,
      final: final)
  }
}

struct MouseReport: Hashable {
  enum Action: Hashable {
    case press, move, release
    /// Another button, or the wheel.
    case other
  }

  var action: Action
  /// From 1, in cells or, in mode 1016, in pixels.
  var column: Int
  var row: Int

  /// xterm's mode 1006: the lowest two bits are the button, 32 is a motion, 64 and 128 are the
  /// wheel and other buttons, 4, 8 and 16 held modifiers.
  init(code: Int, column: Int, row: Int, isRelease: Bool) {
    (self.column, self.row) = (column, row)
    action =
      if code & 0b1100_0011 != 0 {
        .other
      } else if isRelease {
        .release
      } else {
        code & 32 != 0 ? .move : .press
      }
  }

  /// The encoding without mode 1006: three bytes, each with 32 added. A release doesn't contain the
  /// button.
  init(old bytes: [UInt8]) {
    let code = Int(bytes[0]) - 32
    let isRelease = code & 0b1110_0011 == 3
    self.init(
      code: isRelease ? 0 : code, column: Int(bytes[1]) - 32, row: Int(bytes[2]) - 32,
      isRelease: isRelease)
  }
}

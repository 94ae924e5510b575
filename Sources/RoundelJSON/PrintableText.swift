// SPDX-License-Identifier: MIT

extension Unicode.Scalar {
  /// Whether the scalar is invisible: C0, C1, delete, bidirectional controls, line and paragraph
  /// separators.
  package var isControl: Bool {
    switch value {
    case 0x00...0x1f, 0x7f...0x9f, 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}

extension String {
  /// One line that is safe to print, with control characters escaped as in `\n` and `\u{1b}`.
  package var printable: String { escapingControls { _ in false } }

  /// Lines that are safe to print. Line breaks and tabs stay.
  package var printableLines: String { escapingControls { $0 == "\n" || $0 == "\t" } }

  private func escapingControls(except isPersistent: (Unicode.Scalar) -> Bool) -> String {
    // All other control characters start with one of three bytes in UTF-8.
    let isPlain = utf8.allSatisfy {
      $0 >= 0x20 && $0 != 0x7f && $0 != 0xc2 && $0 != 0xd8 && $0 != 0xe2
    }
    if isPlain { return self }
    var text = ""
    for scalar in unicodeScalars {
      guard scalar.isControl, !isPersistent(scalar) else {
        text.unicodeScalars.append(scalar)
        continue
      }
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default: text += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return text
  }
}

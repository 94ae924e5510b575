// SPDX-License-Identifier: MIT

internal import CRoundelUnibreak

/// Line break opportunities by the Unicode Line Breaking Algorithm (UAX #14, libunibreak), and
/// between Thai words (libthai).
struct LineBreaks {
  private let mayBegin: [Bool]

  /// libunibreak sorts its tables once.
  private static let tables: Void = init_linebreak()

  /// - Parameter language: A language such as `de` or `zh-TW`, or an empty string.
  init(of letters: [Unicode.Scalar], language: String) {
    _ = Self.tables
    let codes = letters.map(Self.code)
    var breaks = [CChar](repeating: 0, count: codes.count)
    // There is one result per scalar: whether a line may end after it.
    unsafe set_linebreaks_utf32(codes, codes.count, language, &breaks)
    let allowed = [CChar(LINEBREAK_ALLOWBREAK), CChar(LINEBREAK_MUSTBREAK)]
    var mayBegin = [false] + breaks.dropLast().map(allowed.contains)
    Self.keepSequences(of: letters, in: &mayBegin)
    for word in ThaiWords(of: letters).starts { mayBegin[word] = true }
    self.mayBegin = mayBegin
  }

  /// libunibreak 1.1 terminates the process at half a flag or U+FFFF. A flag breaks like an
  /// ideograph, and U+FFFF like a letter.
  private static func code(_ letter: Unicode.Scalar) -> UInt32 {
    switch letter.value {
    case 0x1f1e6...0x1f1ff: 0x4e00
    case 0xffff: 0xfffd
    default: letter.value
    }
  }

  /// Prevents breaks within flags, joined emoji and emoji with a skin tone, which are newer than
  /// the tables.
  private static func keepSequences(of letters: [Unicode.Scalar], in mayBegin: inout [Bool]) {
    guard letters.contains(where: { $0.value >= 0x1f000 || $0 == "\u{200d}" }) else { return }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: letters)
    var start = 0
    for character in String(text) {
      let end = start + character.unicodeScalars.count
      for letter in start + 1..<max(end, start + 1) { mayBegin[letter] = false }
      start = end
    }
  }

  /// Whether a line may begin with a scalar other than the first of a paragraph.
  func mayBegin(at letter: Int) -> Bool { mayBegin[letter] }
}

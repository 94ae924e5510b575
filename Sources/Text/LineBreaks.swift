// SPDX-License-Identifier: MIT

internal import CUnibreak

/// Where a paragraph may be broken into lines, by the Unicode Line Breaking Algorithm (UAX #14).
/// (libunibreak)
struct LineBreaks {
  /// For each letter whether a line may begin with it.
  private let mayBegin: [Bool]

  /// libunibreak sorts its tables once.
  private static let tables: Void = init_linebreak()

  /// - Parameter language: as `de` or `zh-TW`; some break elsewhere. Empty for none.
  init(of letters: [Unicode.Scalar], language: String) {
    _ = Self.tables
    let codes = letters.map(\.value)
    var breaks = [CChar](repeating: 0, count: codes.count)
    // There is one answer for each letter: whether a line may end after it.
    unsafe set_linebreaks_utf32(codes, codes.count, language, &breaks)
    let allowed = [CChar(LINEBREAK_ALLOWBREAK), CChar(LINEBREAK_MUSTBREAK)]
    mayBegin = [false] + breaks.dropLast().map(allowed.contains)
  }

  /// Whether a line may begin with a letter; the first one of a paragraph is not asked for.
  func mayBegin(at letter: Int) -> Bool { mayBegin[letter] }
}

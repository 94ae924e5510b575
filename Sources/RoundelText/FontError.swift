// SPDX-License-Identifier: MIT

/// An error for bytes that are not a usable font.
package enum FontError: Error, Hashable, CustomStringConvertible {
  case empty
  case unknownFormat
  case noFace(index: Int)
  /// Monochrome bitmaps can't be rotated or scaled.
  case noOutlines
  /// The file is inconsistent, truncated, or too short for any font. The code is FreeType's.
  case damaged(code: Int)

  package var description: String {
    switch self {
    case .empty: "the font file is empty"
    case .unknownFormat: "not a font file in a known format (TrueType, OpenType, WOFF or Type 1)"
    case .noFace(let index): "the font file has no face \(index)"
    case .noOutlines:
      "the font has only monochrome bitmaps; use a font with outlines or colour emoji"
    case .damaged(let code): "the font file is damaged or truncated (FreeType error \(code))"
    }
  }
}

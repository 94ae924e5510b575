// SPDX-License-Identifier: MIT

/// The reason why bytes are not a font.
package enum FontError: Error, Hashable, CustomStringConvertible {
  case empty
  case unknownFormat
  /// The file holds no face of this index.
  case noFace(index: Int)
  /// The font is made of bitmaps of one colour, and cannot be turned or scaled.
  case noOutlines
  /// The file contradicts itself, is cut off, or too short for any font; the number is FreeType's.
  case damaged(code: Int)

  package var description: String {
    switch self {
    case .empty: "the font file is empty"
    case .unknownFormat: "not a font file that FreeType knows (TrueType, OpenType, WOFF, Type 1)"
    case .noFace(let index): "the font file has no face \(index)"
    case .noOutlines:
      "the font has only bitmaps of one colour; a font with outlines or colour emoji is needed"
    case .damaged(let code): "the font file is damaged or cut off (FreeType error \(code))"
    }
  }
}

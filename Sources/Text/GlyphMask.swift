// SPDX-License-Identifier: MIT

package import Geometry

/// The coverage of each pixel by text, from 0 (none) to 255 (full). Colour glyphs are stored separately.
package struct GlyphMask: Hashable {
  /// The pixels covered by `coverage`. Everything outside is 0.
  package let bounds: PixelRect
  /// `bounds.width · bounds.height` values, rows from top to bottom.
  package let coverage: [UInt8]
  /// The colour glyphs that may be inside the clip, line by line from left to right.
  package let colorGlyphs: [PlacedColorGlyph]

  package init(bounds: PixelRect, coverage: [UInt8], colorGlyphs: [PlacedColorGlyph] = []) {
    precondition(coverage.count == bounds.area, "one value for each pixel")
    self.bounds = bounds
    self.coverage = coverage
    self.colorGlyphs = colorGlyphs
  }

  /// An empty mask.
  package static var empty: GlyphMask { GlyphMask(bounds: .empty, coverage: []) }
}

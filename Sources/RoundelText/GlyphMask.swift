// SPDX-License-Identifier: MIT

package import RoundelGeometry

/// The coverage of each pixel by text, 0 … 255. Colour glyphs are stored separately.
package struct GlyphMask: Hashable {
  /// Everything outside is 0.
  package let bounds: PixelRect
  /// Rows from top to bottom.
  package let coverage: [UInt8]
  /// The colour glyphs that may be inside the clip, line by line from left to right.
  package let colorGlyphs: [PlacedColorGlyph]

  package init(bounds: PixelRect, coverage: [UInt8], colorGlyphs: [PlacedColorGlyph] = []) {
    precondition(coverage.count == bounds.area, "one value per pixel")
    self.bounds = bounds
    self.coverage = coverage
    self.colorGlyphs = colorGlyphs
  }

  package static var empty: GlyphMask { GlyphMask(bounds: .empty, coverage: []) }
}

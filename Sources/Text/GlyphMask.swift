// SPDX-License-Identifier: MIT

package import Geometry

/// How much of each pixel the ink of a text covers: 0 none, 255 all. Glyphs with colours of their own are
/// no ink, and stand beside it.
package struct GlyphMask: Hashable {
  /// The pixels that `coverage` speaks of; nothing outside of them is covered.
  package let bounds: PixelRect
  /// `bounds.width · bounds.height` values, rows from top to bottom.
  package let coverage: [UInt8]
  /// The colour glyphs that may lie in the clip, in the order of the lines, from left to right.
  package let colorGlyphs: [PlacedColorGlyph]

  package init(bounds: PixelRect, coverage: [UInt8], colorGlyphs: [PlacedColorGlyph] = []) {
    precondition(coverage.count == bounds.area, "one value for each pixel")
    self.bounds = bounds
    self.coverage = coverage
    self.colorGlyphs = colorGlyphs
  }

  /// No ink at all.
  package static var empty: GlyphMask { GlyphMask(bounds: .empty, coverage: []) }
}

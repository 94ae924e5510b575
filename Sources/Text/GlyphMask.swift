// SPDX-License-Identifier: MIT

package import Geometry

/// How much of each pixel the ink of a text covers: 0 none, 255 all.
package struct GlyphMask: Hashable, Sendable {
  /// The pixels that `coverage` speaks of; nothing outside of them is covered.
  package let bounds: PixelRect
  /// `bounds.width · bounds.height` values, rows from top to bottom.
  package let coverage: [UInt8]

  package init(bounds: PixelRect, coverage: [UInt8]) {
    precondition(coverage.count == bounds.area, "one value for each pixel")
    self.bounds = bounds
    self.coverage = coverage
  }

  /// No ink at all.
  package static let empty = GlyphMask(bounds: .empty, coverage: [])
}

// SPDX-License-Identifier: MIT

public import Geometry

/// How much of each pixel the ink of a text covers: 0 none, 255 all.
public struct GlyphMask: Hashable, Sendable {
  /// The pixels that `coverage` speaks of; nothing outside of them is covered.
  public let bounds: PixelRect
  /// `bounds.width · bounds.height` values, rows from top to bottom.
  public let coverage: [UInt8]

  public init(bounds: PixelRect, coverage: [UInt8]) {
    precondition(coverage.count == bounds.area, "one value for each pixel")
    self.bounds = bounds
    self.coverage = coverage
  }

  /// No ink at all.
  public static let empty = GlyphMask(bounds: .empty, coverage: [])
}

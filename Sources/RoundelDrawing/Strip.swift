// SPDX-License-Identifier: MIT

public import RoundelGeometry

/// Rows that scroll past a window: the visible part of a wheel or reel and, in motion, the rows
/// that pass during a frame's exposure.
///
/// The painter caches each distinct row, so a spinning reel costs copies and sums, not typesetting.
public struct Strip: Hashable, Sendable {
  /// One row, whose origin is its top left corner.
  public struct Row: Hashable, Sendable {
    /// The opaque background, as wide as the strip.
    public var background: Color
    /// The tile, clipped to the row, or nil if the row is empty.
    public var content: Tile?

    /// Creates a row in its own coordinates.
    public init(background: Color, _ content: Tile? = nil) {
      self.background = background
      self.content = content
    }
  }

  /// The left and right edges of the rows, and the top of the window, which is the origin of
  /// `offset`.
  public var frame: Rect
  /// In design pixels.
  public var rowHeight: Double
  /// From top to bottom, without gaps.
  public var rows: [Row]
  /// The distance from the top of `frame` down to the first row, in design pixels. Negative if the
  /// row starts above the window.
  public var offset: Double
  /// The rows' movement during one frame, in design pixels. Each pixel shows the mean of that
  /// length around it. 0 is sharp.
  public var blur: Double

  /// Creates rows of equal height. Lengths are in design pixels.
  public init(
    frame: Rect, rowHeight: Double, rows: [Row] = [], offset: Double, blur: Double = 0
  ) {
    self.frame = frame
    self.rowHeight = rowHeight
    self.rows = rows
    self.offset = offset
    self.blur = blur
  }
}

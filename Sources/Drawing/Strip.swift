// SPDX-License-Identifier: MIT

public import Geometry

/// Rows that scroll past a window: the visible part of a wheel or reel and, while it runs, the rows
/// that pass during the exposure of one frame.
///
/// The painter caches each different row, so a spinning reel costs copies and sums, not typesetting.
public struct Strip: Hashable, Sendable {
  /// One row, drawn in coordinates whose origin is the row's top left corner.
  public struct Row: Hashable, Sendable {
    /// Opaque, and as wide as the strip.
    public var background: Color
    /// The tile on it, clipped to the row; nil for none.
    public var content: Tile?

    /// A row in its own coordinates.
    public init(background: Color, _ content: Tile? = nil) {
      self.background = background
      self.content = content
    }
  }

  /// Left and right edge of the rows, and the top of the window from which `offset` counts.
  public var frame: Rect
  /// Design pixels.
  public var rowHeight: Double
  /// From top to bottom, without gaps.
  public var rows: [Row]
  /// The distance from the top of `frame` down to the first row, in design pixels; negative where the
  /// row begins above the window.
  public var offset: Double
  /// Motion blur: the distance in design pixels that rows move during one frame. Each pixel shows the
  /// mean of that length of the strip around it; 0 is sharp.
  public var blur: Double

  /// Rows of equal height. Lengths are design pixels.
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

// SPDX-License-Identifier: MIT

public import Geometry

/// Rows one below the other that run past a window: a wheel's or a reel's visible part, and, while it
/// runs, what passed during the exposure of one frame.
///
/// The painter renders each different row once and remembers it, so a reel that spins costs copies
/// and sums, not typesetting.
public struct Strip: Hashable, Sendable {
  /// One row, drawn in coordinates whose origin is the row's top left corner.
  public struct Row: Hashable, Sendable {
    /// Opaque, and as wide as the strip.
    public var background: Color
    /// Back to front; clipped to the row.
    public var items: [DisplayItem]

    /// A row in its own coordinates.
    public init(background: Color, items: [DisplayItem]) {
      self.background = background
      self.items = items
    }
  }

  /// Left and right edge of the rows, and the top of the window from which `offset` counts.
  public var frame: Rect
  /// Design pixels.
  public var rowHeight: Double
  /// From top to bottom, without a break.
  public var rows: [Row]
  /// How far the top of the first row lies below the top of `frame`, in design pixels; negative
  /// where it has run out of the window.
  public var offset: Double
  /// The distance, in design pixels, that the rows move while one frame is exposed: each pixel shows
  /// the mean of that length of the strip around it. 0 is sharp.
  public var blur: Double

  /// Rows of equal height. Lengths are design pixels.
  public init(frame: Rect, rowHeight: Double, rows: [Row], offset: Double, blur: Double = 0) {
    self.frame = frame
    self.rowHeight = rowHeight
    self.rows = rows
    self.offset = offset
    self.blur = blur
  }
}

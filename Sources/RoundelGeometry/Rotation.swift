// SPDX-License-Identifier: MIT

/// The clockwise rotation of the picture on its panel, in quarter turns.
///
/// An unrotated canvas of `w × h` fills a panel of `w × h` (0°, 180°) or `h × w` (90°, 270°).
public enum Rotation: Int, CaseIterable, Sendable {
  case none = 0
  case quarter = 90
  case half = 180
  case threeQuarters = 270

  package var inverse: Rotation { Rotation(rawValue: (360 - rawValue) % 360) ?? .none }

  package func followed(by other: Rotation) -> Rotation {
    Rotation(rawValue: (rawValue + other.rawValue) % 360) ?? .none
  }

  /// Returns the size of the unrotated canvas that fills a panel, and vice versa.
  package func applied(to panel: PixelSize) -> PixelSize {
    switch self {
    case .none, .half: panel
    case .quarter, .threeQuarters: PixelSize(panel.height, panel.width)
    }
  }

  /// Returns the panel pixels of `rect` on an unrotated canvas.
  package func panelRect(_ rect: PixelRect, canvas: PixelSize) -> PixelRect {
    switch self {
    case .none: rect
    case .quarter:
      PixelRect(
        x0: canvas.height - rect.y1, y0: rect.x0, x1: canvas.height - rect.y0, y1: rect.x1)
    case .half:
      PixelRect(
        x0: canvas.width - rect.x1, y0: canvas.height - rect.y1,
        x1: canvas.width - rect.x0, y1: canvas.height - rect.y0)
    case .threeQuarters:
      PixelRect(
        x0: rect.y0, y0: canvas.width - rect.x1, x1: rect.y1, y1: canvas.width - rect.x0)
    }
  }

  /// Returns the point of the unrotated canvas displayed at `point` of the panel.
  package func canvasPoint(_ point: Point, panel: PixelSize) -> Point {
    let width = Double(panel.width)
    let height = Double(panel.height)
    return switch self {
    case .none: point
    case .quarter: Point(point.y, width - point.x)
    case .half: Point(width - point.x, height - point.y)
    case .threeQuarters: Point(height - point.y, point.x)
    }
  }
}

/// Maps the design to the unrotated canvas: a uniform scale, then an offset.
package struct Viewport: Hashable, Sendable {
  /// Canvas pixels per design pixel.
  package var scale: Double
  /// The design's origin, in canvas pixels.
  package var offset: Vector

  package init(scale: Double, offset: Vector) {
    self.scale = scale
    self.offset = offset
  }

  /// Uses the largest scale that fits, and centres the design.
  package init(fitting design: Size, into canvas: PixelSize) {
    scale = min(Double(canvas.width) / design.width, Double(canvas.height) / design.height)
    offset = Vector(
      (Double(canvas.width) - design.width * scale) / 2,
      (Double(canvas.height) - design.height * scale) / 2)
  }

  package func canvasPoint(_ p: Point) -> Point {
    Point(p.x * scale + offset.x, p.y * scale + offset.y)
  }

  package func canvasRect(_ r: Rect) -> Rect {
    Rect(
      x0: r.x0 * scale + offset.x, y0: r.y0 * scale + offset.y,
      x1: r.x1 * scale + offset.x, y1: r.y1 * scale + offset.y)
  }

  /// Returns the area of the design visible on a canvas.
  package func designRect(of size: PixelSize) -> Rect {
    let (first, last) = (
      designPoint(.zero), designPoint(Point(Double(size.width), Double(size.height)))
    )
    return Rect(x0: first.x, y0: first.y, x1: last.x, y1: last.y)
  }

  package func designPoint(_ p: Point) -> Point {
    Point((p.x - offset.x) / scale, (p.y - offset.y) / scale)
  }
}

// SPDX-License-Identifier: MIT

/// An axis-aligned rectangle that includes its top and left edges and excludes the other two. If
/// two rectangles share an edge, each point belongs to exactly one of them.
public struct Rect: Hashable, Sendable {
  /// Left edge, included.
  public var x0: Double
  /// Top edge, included.
  public var y0: Double
  /// Right edge, excluded.
  public var x1: Double
  /// Bottom edge, excluded.
  public var y1: Double

  /// Creates a rectangle, which is empty unless `x0 < x1` and `y0 < y1`.
  @inlinable public init(x0: Double, y0: Double, x1: Double, y1: Double) {
    self.x0 = x0
    self.y0 = y0
    self.x1 = x1
    self.y1 = y1
  }

  /// Creates a rectangle around `center`.
  @inlinable public init(center: Point, size: Size) {
    self.init(
      x0: center.x - size.width / 2, y0: center.y - size.height / 2,
      x1: center.x + size.width / 2, y1: center.y + size.height / 2)
  }

  /// Creates a rectangle whose top left corner is `origin`.
  @inlinable public init(origin: Point = .zero, size: Size) {
    self.init(x0: origin.x, y0: origin.y, x1: origin.x + size.width, y1: origin.y + size.height)
  }

  /// Negative if the edges are swapped.
  @inlinable public var width: Double { x1 - x0 }
  /// Negative if the edges are swapped.
  @inlinable public var height: Double { y1 - y0 }
  /// Width and height.
  @inlinable public var size: Size { Size(width, height) }
  /// The midpoint.
  @inlinable public var center: Point { Point((x0 + x1) / 2, (y0 + y1) / 2) }
  /// Whether the rectangle contains no points. Also true if an edge is not a number.
  @inlinable public var isEmpty: Bool { !(x0 < x1 && y0 < y1) }

  /// Whether `p` is inside, or on the top or left edge.
  @inlinable public func contains(_ p: Point) -> Bool {
    p.x >= x0 && p.x < x1 && p.y >= y0 && p.y < y1
  }

  /// Moves each side inwards by `distance`, or outwards if it is negative.
  @inlinable public func inset(by distance: Double) -> Rect {
    Rect(x0: x0 + distance, y0: y0 + distance, x1: x1 - distance, y1: y1 - distance)
  }

  /// Returns the common part, empty if the rectangles don't overlap.
  @inlinable public func intersection(_ other: Rect) -> Rect {
    Rect(
      x0: max(x0, other.x0), y0: max(y0, other.y0), x1: min(x1, other.x1), y1: min(y1, other.y1))
  }
}

// Public, because package functions are not inlined into other modules, whatever their attributes
// (Swift 6.3), and a frame calls these thousands of times.
/// A rectangle of whole panel pixels, half open like `Rect`.
public struct PixelRect: Hashable, Sendable {
  /// The first column.
  public var x0: Int
  /// The first row.
  public var y0: Int
  /// The column after the last.
  public var x1: Int
  /// The row below the last.
  public var y1: Int

  /// Creates a rectangle of columns `x0 ..< x1` and rows `y0 ..< y1`.
  @inlinable public init(x0: Int, y0: Int, x1: Int, y1: Int) {
    self.x0 = x0
    self.y0 = y0
    self.x1 = x1
    self.y1 = y1
  }

  /// Creates a rectangle of all pixels of a panel.
  @inlinable public init(size: PixelSize) {
    self.init(x0: 0, y0: 0, x1: size.width, y1: size.height)
  }

  /// Rounds outwards. Coordinates are clamped to ±2³⁰.
  package init(covering rect: Rect) {
    func whole(_ value: Double) -> Int {
      value.isNaN ? 0 : Int(min(max(value, -0x1p30), 0x1p30))
    }
    self.init(
      x0: whole(rect.x0.rounded(.down)), y0: whole(rect.y0.rounded(.down)),
      x1: whole(rect.x1.rounded(.up)), y1: whole(rect.y1.rounded(.up)))
  }

  /// A rectangle without pixels.
  @inlinable public static var empty: PixelRect { PixelRect(x0: 0, y0: 0, x1: 0, y1: 0) }

  /// Negative if the edges are swapped.
  @inlinable public var width: Int { x1 - x0 }
  /// Negative if the edges are swapped.
  @inlinable public var height: Int { y1 - y0 }
  /// Whether the rectangle has no pixels.
  @inlinable public var isEmpty: Bool { x0 >= x1 || y0 >= y1 }
  /// The number of pixels.
  @inlinable public var area: Int { isEmpty ? 0 : width * height }

  /// Returns the common part, empty if the rectangles don't overlap.
  @inlinable public func intersection(_ other: PixelRect) -> PixelRect {
    PixelRect(
      x0: max(x0, other.x0), y0: max(y0, other.y0), x1: min(x1, other.x1), y1: min(y1, other.y1))
  }

  /// Whether the rectangles have a pixel in common.
  @inlinable public func overlaps(_ other: PixelRect) -> Bool { !intersection(other).isEmpty }

  /// Whether the rectangle contains all pixels of `other`.
  @inlinable public func contains(_ other: PixelRect) -> Bool {
    other.isEmpty || intersection(other) == other
  }

  /// Returns the smallest rectangle that contains both. An empty one adds nothing.
  @inlinable public func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return PixelRect(
      x0: min(x0, other.x0), y0: min(y0, other.y0), x1: max(x1, other.x1), y1: max(y1, other.y1))
  }
}

/// A size in whole panel pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// Creates a size in pixels.
  @inlinable public init(_ width: Int, _ height: Int) {
    self.width = width
    self.height = height
  }

  /// Rounds to whole pixels, at least 1 × 1. `size` must be within the limits of a panel.
  package init(nearest size: Size) {
    self.init(max(1, Int(size.width.rounded())), max(1, Int(size.height.rounded())))
  }

  /// The size that covers the largest fraction when scaled to fit, or nil if `sizes` is empty. The
  /// first wins a tie.
  package func bestCovered(by sizes: [Size]) -> Size? {
    func share(_ size: Size) -> Double {
      let (across, down) = (size.width * Double(height), size.height * Double(width))
      return min(across, down) / max(across, down)
    }
    return sizes.max { share($0) < share($1) }
  }

  /// A design of this shape: 800 design pixels on the shorter side, at most four times as many on
  /// the other.
  package var designSize: Size {
    let short = Double(max(min(width, height), 1))
    func side(_ length: Int) -> Double {
      (800 * min(max(Double(length) / short, 1), 4)).rounded()
    }
    return Size(side(width), side(height))
  }

  /// In landscape orientation.
  package static let maximumPanel = PixelSize(7680, 4320)

  /// Whether a panel may have this size, in either orientation.
  package var isPanelSize: Bool {
    let (long, short) = (max(width, height), min(width, height))
    return short >= 1 && long <= Self.maximumPanel.width && short <= Self.maximumPanel.height
  }

  /// `1280x800`.
  public var description: String { "\(width)x\(height)" }
}

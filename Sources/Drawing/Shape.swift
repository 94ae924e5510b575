// SPDX-License-Identifier: MIT

public import Geometry

/// Something that covers a part of the plane.
public enum Shape: Hashable, Sendable {
  case sector(Sector)
  case roundedRect(RoundedRect)
  /// A closed polygon, filled by the even-odd rule.
  case polygon([Point])
  /// The ink of a text.
  case text(TextRun)

  /// The disc of a radius around a centre.
  public static func disc(center: Point, radius: Double) -> Shape {
    .sector(Sector(center: center, radius: radius))
  }

  /// A rectangle with sharp corners.
  public static func rect(_ rect: Rect) -> Shape { .roundedRect(RoundedRect(rect)) }
}

/// What a shape is filled with.
public enum Fill: Hashable, Sendable {
  case color(Color)
  /// An image stretched over `frame`, turned clockwise by `turn` about the frame's centre; clear
  /// outside of it. It is known by the name under which the painter was given it.
  ///
  /// One that turns or grows is interpolated in each frame. One that stays as it is is scaled once, and
  /// as well as can be.
  case image(String, frame: Rect, turn: Angle = .zero, isMoving: Bool = false)
  /// Rows that run past; black where there are none.
  case strip(Strip)
}

/// A shape and its fill.
public struct Tile: Hashable, Sendable {
  public var shape: Shape
  public var fill: Fill

  public init(_ shape: Shape, _ fill: Fill) {
    self.shape = shape
    self.fill = fill
  }

  public init(_ shape: Shape, _ color: Color) {
    self.init(shape, .color(color))
  }
}

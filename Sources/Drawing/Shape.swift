// SPDX-License-Identifier: MIT

public import Geometry

/// An area of the plane.
public enum Shape: Hashable, Sendable {
  case sector(Sector)
  case roundedRect(RoundedRect)
  /// A closed polygon, filled by the even-odd rule.
  case polygon([Point])
  /// The part of a rim that faces up or down, for light and shade.
  case rim(Rim)
  /// The covered modules of a grid, as of a QR code.
  case modules(ModuleGrid)
  /// The ink of a text.
  case text(TextRun)

  /// The disc of a radius around a centre.
  public static func disc(center: Point, radius: Double) -> Shape {
    .sector(Sector(center: center, radius: radius))
  }

  /// A rectangle with sharp corners.
  public static func rect(_ rect: Rect) -> Shape { .roundedRect(RoundedRect(rect)) }
}

/// The content of a shape.
public enum Fill: Hashable, Sendable {
  case color(Color)
  /// A colour that changes from place to place.
  case gradient(Gradient)
  /// An image that fills `frame` as `fit` says, turned clockwise by `turn` about its centre; clear
  /// outside. The name is the one under which the painter has the image.
  ///
  /// An image that turns or grows is interpolated in each frame. One at rest is scaled once, in the best
  /// quality.
  case image(
    String, frame: Rect, fit: ImageFit = .fill, turn: Angle = .zero, isMoving: Bool = false)
  /// Scrolling rows; black where there are none.
  case strip(Strip)
}

/// How an image fills a frame of other proportions.
public enum ImageFit: Hashable, Sendable {
  /// All of it is shown, as large as the frame allows, in the frame's middle.
  case contain
  /// It covers all of the frame, and its sides extend beyond that equally.
  case cover
  /// It is stretched over the frame.
  case fill

  /// Where an image of a size lies that fills a frame.
  package func place(_ image: PixelSize, in frame: Rect) -> Rect {
    guard self != .fill, image.width > 0, image.height > 0 else { return frame }
    let (across, down) = (frame.width / Double(image.width), frame.height / Double(image.height))
    let scale = self == .contain ? min(across, down) : max(across, down)
    return Rect(
      center: frame.center,
      size: Size(
        across == scale ? frame.width : Double(image.width) * scale,
        down == scale ? frame.height : Double(image.height) * scale))
  }
}

/// A shape and its fill.
public struct Tile: Hashable, Sendable {
  /// The part of the plane that is covered.
  public var shape: Shape
  /// The colour or picture that covers it.
  public var fill: Fill

  /// A shape with any fill.
  public init(_ shape: Shape, _ fill: Fill) {
    self.shape = shape
    self.fill = fill
  }

  /// A shape in one colour.
  public init(_ shape: Shape, _ color: Color) {
    self.init(shape, .color(color))
  }
}

extension Shape {
  /// A text at another size; it shrinks where there is no room for that, and without a room of its own where
  /// it would leave `limit`. Other shapes as they are.
  func withText(scaledBy scale: Double, within limit: Rect?) -> Shape {
    guard case .text(var run) = self else { return self }
    if let limit { run.stay(within: limit) }
    run.size *= scale
    return .text(run)
  }
}

// SPDX-License-Identifier: MIT

public import RoundelGeometry

/// An area of the plane.
public enum Shape: Hashable, Sendable {
  case sector(Sector)
  case roundedRect(RoundedRect)
  /// A closed polygon, filled by the even-odd rule.
  case polygon([Point])
  /// The part of a rim that faces up or down, for light and shade.
  case rim(Rim)
  /// The dark modules of a grid.
  case modules(ModuleGrid)
  case text(TextRun)

  /// Returns a disc.
  public static func disc(center: Point, radius: Double) -> Shape {
    .sector(Sector(center: center, radius: radius))
  }

  /// Returns a rectangle with sharp corners.
  public static func rect(_ rect: Rect) -> Shape { .roundedRect(RoundedRect(rect)) }
}

/// The content of a shape.
public enum Fill: Hashable, Sendable {
  case color(Color)
  case gradient(Gradient)
  /// An image, by its name in the painter, that fills `frame` according to `fit`, turned clockwise
  /// about its centre, and transparent outside.
  ///
  /// An image that turns or grows is interpolated in each frame. An image at rest is scaled once,
  /// in the best quality.
  case image(
    String, frame: Rect, fit: ImageFit = .fill, turn: Angle = .zero, isMoving: Bool = false)
  /// Scrolling rows, with black outside them.
  case strip(Strip)
}

/// How an image fills a frame with another aspect ratio.
public enum ImageFit: Hashable, Sendable {
  /// The whole image, as large as possible, centred in the frame.
  case contain
  /// The image covers the whole frame and extends beyond it equally on both sides.
  case cover
  /// The image is stretched to the frame.
  case fill

  /// Returns the position of an image that fills a frame.
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
  /// The covered area.
  public var shape: Shape
  /// The colour or image in it.
  public var fill: Fill

  /// Creates a shape with any fill.
  public init(_ shape: Shape, _ fill: Fill) {
    self.shape = shape
    self.fill = fill
  }

  /// Creates a shape in one colour.
  public init(_ shape: Shape, _ color: Color) {
    self.init(shape, .color(color))
  }
}

extension Shape {
  /// Text shrinks to its bounds, otherwise to `limit`. Other shapes are unchanged.
  func withText(scaledBy scale: Double, within limit: Rect?) -> Shape {
    guard case .text(var run) = self else { return self }
    if let limit { run.stay(within: limit) }
    run.size *= scale
    return .text(run)
  }
}

// SPDX-License-Identifier: MIT

public import Drawing
public import Geometry
public import Motion

/// An image. Fingers pass through.
public struct Picture: Control, Hashable {
  /// The centre, in design pixels.
  public let center: Point
  /// The size to which the image is stretched, in design pixels.
  public let size: Size
  /// The path of a PNG file.
  public let image: String

  /// An image of `size` around `center`.
  public init(center: Point, image: String, size: Size) {
    self.center = center
    self.image = image
    self.size = size
  }

  /// False: fingers pass through.
  public func contains(_ point: Point, at now: Instant) -> Bool { false }

  /// Draws the image, stretched over its frame.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let frame = Rect(center: center, size: size)
    list.add(DisplayItem(.rect(frame), .image(image, frame: frame)))
  }
}

// SPDX-License-Identifier: MIT

public import Drawing
public import Geometry
public import Motion

/// An image that fingers pass through.
public struct Picture: Control, Hashable {
  public let center: Point
  public let size: Size
  public let image: String

  public init(center: Point, image: String, size: Size) {
    self.center = center
    self.image = image
    self.size = size
  }

  public func contains(_ point: Point, at now: Instant) -> Bool { false }

  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let frame = Rect(center: center, size: size)
    list.add(DisplayItem(.rect(frame), .image(image, frame: frame)))
  }
}

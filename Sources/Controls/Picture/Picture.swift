// SPDX-License-Identifier: MIT

public import Drawing
public import Geometry
public import Motion

/// An image. Fingers pass through.
public struct Picture: KeyedControl, Hashable {
  /// The centre, in design pixels.
  public let center: Point
  /// The size of the frame that the image fills, in design pixels.
  public let size: Size
  /// The path of a PNG or JPEG file.
  public package(set) var image: String
  /// How the image fills the frame.
  public package(set) var fit: ImageFit

  /// An image in a frame of `size` around `center`.
  public init(center: Point, image: String, size: Size, fit: ImageFit = .contain) {
    self.center = center
    self.image = image
    self.size = size
    self.fit = fit
  }

  /// False: fingers pass through.
  public func contains(_ point: Point, at now: Instant) -> Bool { false }

  /// Draws the image in its frame.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let frame = Rect(center: center, size: size)
    list.add(.rect(frame), .image(image, frame: frame, fit: fit))
  }
}

extension Picture {
  /// The frame of the image.
  public var extent: Rect? { Rect(center: center, size: size) }

  /// The centre; an image has no items.
  public func place(of item: String?, at now: Instant) -> Point? { item == nil ? center : nil }
}

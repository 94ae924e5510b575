// SPDX-License-Identifier: MIT

public import RoundelDrawing
public import RoundelGeometry
public import RoundelMotion

/// An image. Touches pass through, unless actions follow a press.
public struct Picture: BoxControl, Hashable {
  /// A picture isn't interactive.
  public static var spokenRole: SpokenRole { .seen }

  /// The centre, in design pixels.
  public package(set) var center: Point
  /// The size of the frame, in design pixels.
  public let size: Size
  /// The path of a PNG or JPEG file.
  public package(set) var image: String
  package var hold = Press.standardHold
  /// How the image fills the frame.
  public package(set) var fit: ImageFit

  /// Creates an image in a frame of `size` around `center`.
  public init(center: Point, image: String, size: Size, fit: ImageFit = .contain) {
    self.center = center
    self.image = image
    self.size = size
    self.fit = fit
  }

  package static let interface = Interface<Picture>(events: EventType.pressing([]))

  /// The image's frame.
  public func pressArea(in theme: Theme) -> PressArea? {
    PressArea(frame: frame, press: Press(hold: hold, reporting: .nothing))
  }

  /// Always false.
  public func contains(_ point: Point, at now: Instant) -> Bool { false }

  /// Draws the image in its frame.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    list.add(.rect(frame), .image(image, frame: frame, fit: fit))
  }
}

// SPDX-License-Identifier: MIT

public import Geometry
public import Kiosk
public import Raster
public import Text

/// A kiosk with everything that it shows.
public struct Content {
  public var description: Description
  public var fonts: FontLibrary
  /// By the names that the description uses.
  public var images: [String: Bitmap]

  public init(_ description: Description, fonts: FontLibrary, images: [String: Bitmap] = [:]) {
    self.description = description
    self.fonts = fonts
    self.images = images
  }

  /// The panel on which the kiosk is shown at its design size, turned by `rotation`.
  public func designPanel(_ rotation: Rotation) -> PixelSize {
    let size = description.screen.size
    return rotation.applied(
      to: PixelSize(max(1, Int(size.width.rounded())), max(1, Int(size.height.rounded()))))
  }

  /// A painter for an upright canvas of `canvas` pixels.
  public func painter(canvas: PixelSize) -> Painter {
    Painter(
      size: canvas, viewport: Viewport(fitting: description.screen.size, into: canvas),
      fonts: fonts, images: images)
  }
}

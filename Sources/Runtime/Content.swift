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
  public var images: [String: ImageFile]
  /// When these are decoded and scaled. Whoever says `later` runs the frame cycle's image work.
  package var imagePreparation = ImagePreparation.atOnce

  public init(_ description: Description, fonts: FontLibrary, images: [String: ImageFile] = [:]) {
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

  /// A painter for an upright canvas of `canvas` pixels, in the place of an older one.
  public func painter(canvas: PixelSize, replacing old: Painter? = nil) -> Painter {
    Painter(
      size: canvas, viewport: Viewport(fitting: description.screen.size, into: canvas),
      fonts: fonts, images: images, preparation: imagePreparation, replacing: old)
  }
}

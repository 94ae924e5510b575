// SPDX-License-Identifier: MIT

package import Geometry
package import Kiosk
package import Raster
package import Text

/// A kiosk with everything that it shows.
package struct Content {
  package var description: Description
  package var fonts: FontLibrary
  /// By the names that the description uses.
  package var images: [String: Bitmap]

  package init(_ description: Description, fonts: FontLibrary, images: [String: Bitmap] = [:]) {
    self.description = description
    self.fonts = fonts
    self.images = images
  }

  /// The panel on which the kiosk is shown at its design size, turned by `rotation`.
  package func designPanel(_ rotation: Rotation) -> PixelSize {
    let size = description.screen.size
    return rotation.applied(
      to: PixelSize(max(1, Int(size.width.rounded())), max(1, Int(size.height.rounded()))))
  }

  /// A painter for an upright canvas of `canvas` pixels, whose first frame has the number `frame`.
  func painter(canvas: PixelSize, frame: Int) -> Painter {
    Painter(
      size: canvas, viewport: Viewport(fitting: description.screen.size, into: canvas),
      fonts: fonts, images: images, frame: frame)
  }
}

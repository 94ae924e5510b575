// SPDX-License-Identifier: MIT

package import Audio
package import Drawing
package import Geometry
package import Kiosk
package import Raster
package import Text

/// A kiosk with its fonts, images and sounds.
package struct Content {
  package var description: Description
  package var fonts: FontLibrary
  /// The images by their names in the description.
  package let images: [String: ImageFile]
  /// The sounds by their names in the description.
  package let sounds: [String: Sound]
  /// The time when images are decoded and scaled. With `later`, the caller runs the stage's image work.
  package var imagePreparation = ImagePreparation.atOnce
  /// Threads that share the painting, or nil to use only the stage's own thread.
  package var threads: ThreadPool?

  package init(
    _ description: Description, fonts: FontLibrary, images: [String: ImageFile] = [:],
    sounds: [String: Sound] = [:]
  ) {
    self.description = description
    self.description.tones = images.mapValues(\.tone)
    self.description.masks = images.mapValues(\.mask)
    self.fonts = fonts
    self.images = images
    self.sounds = sounds
  }

  /// The size of a panel that shows the kiosk at its design size with `rotation`.
  package func designPanel(_ rotation: Rotation) -> PixelSize {
    rotation.applied(to: PixelSize(nearest: description.screen.size))
  }

  /// The rotation if no panel knows how it is mounted: `override`, or otherwise the file's.
  package func rotation(_ override: Rotation?) -> Rotation {
    override ?? description.screen.rotation ?? .none
  }

  /// The panel's colour depth: `override`, or otherwise the file's.
  package func depth(_ override: ColorDepth?) -> ColorDepth? {
    override ?? description.screen.depth
  }

  /// Whether painters of another version can be reused, because their cached shapes, text and images are the same.
  func shares(paintersOf other: Content) -> Bool {
    fonts === other.fonts && images == other.images && threads === other.threads
      && imagePreparation == other.imagePreparation
      && description.screen.size == other.description.screen.size
  }

  /// A painter for an unrotated canvas of `canvas` pixels, replacing an older one.
  func painter(canvas: PixelSize, replacing old: Painter?) -> Painter {
    Painter(
      size: canvas, viewport: Viewport(fitting: description.screen.size, into: canvas),
      fonts: fonts, images: images, preparation: imagePreparation, pool: threads,
      replacing: old)
  }
}

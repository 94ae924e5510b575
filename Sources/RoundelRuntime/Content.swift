// SPDX-License-Identifier: MIT

package import RoundelAudio
package import RoundelDrawing
package import RoundelGeometry
package import Kiosk
package import RoundelRaster
package import RoundelText

package struct Content {
  package var description: Description
  package var fonts: FontLibrary
  package let images: [String: ImageFile]
  package let sounds: [String: Sound]
  /// With `later`, the caller runs the stage's image work.
  package var imagePreparation = ImagePreparation.atOnce
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

  package func designPanel(_ rotation: Rotation) -> PixelSize {
    rotation.applied(to: PixelSize(nearest: description.screen.size))
  }

  /// Returns the rotation if no panel knows how it is mounted: `override`, or otherwise the file's.
  package func rotation(_ override: Rotation?) -> Rotation {
    override ?? description.screen.rotation ?? .none
  }

  /// Returns the panel's colour depth: `override`, or otherwise the file's.
  package func depth(_ override: ColorDepth?) -> ColorDepth? {
    override ?? description.screen.depth
  }

  /// Whether another version's painters have the same cached shapes, text and images.
  func shares(paintersOf other: Content) -> Bool {
    fonts === other.fonts && images == other.images && threads === other.threads
      && imagePreparation == other.imagePreparation
      && description.screen.size == other.description.screen.size
  }

  func painter(canvas: PixelSize, replacing old: Painter?) -> Painter {
    Painter(
      size: canvas, viewport: Viewport(fitting: description.screen.size, into: canvas),
      fonts: fonts, images: images, preparation: imagePreparation, pool: threads,
      replacing: old)
  }
}

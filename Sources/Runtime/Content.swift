// SPDX-License-Identifier: MIT

package import Audio
package import Drawing
package import Geometry
package import Kiosk
package import Raster
package import Text

/// A kiosk with everything that it shows.
package struct Content {
  package var description: Description
  package var fonts: FontLibrary
  /// By the names that the description uses.
  package let images: [String: ImageFile]
  /// The same for what it plays.
  package let sounds: [String: Sound]
  /// When these are decoded and scaled; with `later`, who shows the content runs the stage's image work.
  package var imagePreparation = ImagePreparation.atOnce
  /// Threads that share the work of painting; nil for the stage's own thread alone.
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

  /// The panel on which the kiosk is shown at its design size, turned by `rotation`.
  package func designPanel(_ rotation: Rotation) -> PixelSize {
    rotation.applied(to: PixelSize(nearest: description.screen.size))
  }

  /// The turn of the picture where no panel says how it is mounted: as the command says, else the file.
  package func rotation(_ override: Rotation?) -> Rotation {
    override ?? description.screen.rotation ?? .none
  }

  /// The colour depth that the panel shows: as `override` says, or else the file.
  package func depth(_ override: ColorDepth?) -> ColorDepth? {
    override ?? description.screen.depth
  }

  /// Whether another version's painters may go on with this one: what they remember of shapes, texts and images is
  /// the same.
  func shares(paintersOf other: Content) -> Bool {
    fonts === other.fonts && images == other.images && threads === other.threads
      && imagePreparation == other.imagePreparation
      && description.screen.size == other.description.screen.size
  }

  /// A painter for an upright canvas of `canvas` pixels, in the place of an older one.
  func painter(canvas: PixelSize, replacing old: Painter?) -> Painter {
    Painter(
      size: canvas, viewport: Viewport(fitting: description.screen.size, into: canvas),
      fonts: fonts, images: images, preparation: imagePreparation, pool: threads,
      replacing: old)
  }
}

// SPDX-License-Identifier: MIT

package import Drawing
package import Geometry
package import Text

/// Fills a canvas with what a display list describes, and only where it differs from the last one.
///
/// Each row of the damage is composed once, from the bottom up: what layers cover whole is kept as runs
/// of one colour until it must be written, so that most pixels are written once; edges and texts are
/// blended into what is written.
package final class Painter {
  package let canvas: Canvas
  package let viewport: Viewport
  private var cache: CoverageCache
  private var scene = Scene()
  private let composer: RowComposer
  /// The last frame's; a list of rectangles that is filled anew needs no new memory.
  private var damage = Damage()

  /// A painter for a canvas of `size` on which the design plane lies as `viewport` says. Images are
  /// found by the names that fills give them; one that is missing shows nothing.
  package init(
    size: PixelSize, viewport: Viewport, fonts: FontLibrary, images: [String: Bitmap] = [:]
  ) {
    canvas = Canvas(size: size)
    self.viewport = viewport
    cache = CoverageCache(
      viewport: viewport, canvas: PixelRect(size: size), fonts: fonts,
      images: ImageLevels(images))
    composer = RowComposer(width: size.width)
  }

  /// Shows a list, painting what changed since the last one, and tells which pixels that were.
  @discardableResult
  package func show(_ list: DisplayList) -> Damage {
    cache.beginFrame()
    damage.removeAll()
    scene.show(list, cache: &cache, &damage)
    if !scene.showsStrips { cache.forgetStrips() }
    composer.paint(scene, damage, onto: canvas)
    return damage
  }

  /// Paints everything anew, as if nothing had been shown before.
  package func repaint() {
    composer.paint(scene, Damage(PixelRect(size: canvas.size)), onto: canvas)
  }
}

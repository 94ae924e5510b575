// SPDX-License-Identifier: MIT

public import Drawing
public import Geometry
public import Text

/// Fills a canvas with what a display list describes, and only where it differs from the last one.
///
/// Each row of the damage is composed once, from the bottom up: what layers cover whole is kept as runs
/// of one colour until it must be written, so that most pixels are written once; edges and texts are
/// blended into what is written.
public final class Painter {
  public let canvas: Canvas
  public let viewport: Viewport
  /// Says for which painter images were made.
  private let identity = Identity()
  private var cache: CoverageCache
  private var scene = Scene()
  private let composer: RowComposer
  /// The last frame's; a list of rectangles that is filled anew needs no new memory.
  private var damage = Damage()

  /// A painter for a canvas of `size` on which the design plane lies as `viewport` says. Images are
  /// found by the names that fills give them; one that is missing shows nothing. What an older painter
  /// has made of the same images is used again.
  public init(
    size: PixelSize, viewport: Viewport, fonts: FontLibrary, images: [String: ImageFile] = [:],
    preparation: ImagePreparation = .atOnce, replacing old: Painter? = nil
  ) {
    canvas = Canvas(size: size)
    self.viewport = viewport
    cache = CoverageCache(
      viewport: viewport, canvas: PixelRect(size: size), fonts: fonts,
      images: ImageStore(images, preparation: preparation))
    composer = RowComposer(width: size.width)
    if let old, old.canvas.size == size, old.viewport == viewport {
      cache.images.inherit(from: old.cache.images)
    }
  }

  /// Shows a list, painting what changed since the last one, and tells which pixels that were.
  @discardableResult
  public func show(_ list: DisplayList) -> Damage {
    cache.beginFrame()
    damage.removeAll()
    scene.show(list, cache: &cache, &damage)
    cache.images.endFrame()
    if !scene.showsStrips { cache.forgetStrips() }
    composer.paint(scene, damage, onto: canvas)
    return damage
  }

  /// Has the images made ready that a list shows, where there is memory left for them.
  package func prepare(_ list: DisplayList) {
    cache.images.isSpare = true
    defer { cache.images.isSpare = false }
    for tile in list.items.flatMap(\.tiles) + list.coming {
      guard case .image = tile.fill else { continue }
      _ = cache.source(of: tile, under: cache.coverage(of: tile.shape))
    }
    cache.images.endFrame()
  }

  /// Whether images are being made.
  package var isPreparing: Bool { cache.images.isWaiting }

  /// What is to be made of images next, for whoever has time; nil for nothing.
  package func takeImageWork() -> ImageWork? {
    cache.images.takeOrder().map { ImageWork(order: $0, identity: identity) }
  }

  /// Takes what was made. The next list that is shown has it.
  package func finish(_ images: FinishedImages) {
    guard images.identity === identity else { return }
    cache.images.deliver(images.delivery)
  }

  /// Paints everything anew, as if nothing had been shown before.
  public func repaint() {
    composer.paint(scene, Damage(PixelRect(size: canvas.size)), onto: canvas)
  }
}

private final class Identity: Sendable {}

/// Something to be made of an image, on any thread.
package struct ImageWork: Sendable {
  fileprivate let order: ImageOrder
  fileprivate let identity: Identity

  /// Decodes the image and makes of it what is needed.
  package func run() -> FinishedImages {
    var decoding: ImageDecoding?
    return FinishedImages(delivery: order.delivery(from: &decoding), identity: identity)
  }
}

/// What was made of an image.
package struct FinishedImages: Sendable {
  fileprivate let delivery: ImageDelivery
  fileprivate let identity: Identity
}

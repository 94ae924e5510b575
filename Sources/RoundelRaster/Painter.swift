// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelGeometry
package import RoundelText

/// The picture of a display list. It stores no pixels: it composes requested rows in cache, and
/// writes them to their destination.
///
/// Each row is composed from the bottom up. Fully covered pixels are runs of one colour, so that
/// most are written once. Edges and text are blended into written pixels. The same list gives the
/// same pixels, whatever was displayed before.
package final class Painter {
  package let size: PixelSize
  package let viewport: Viewport
  private let identity = Identity()
  private var cache: CoverageCache
  private var scene = Scene()
  /// The previous list, whose memory the next list reuses.
  private var list = DisplayList()
  private var outgoing: OutgoingPicture?
  private let composer: RowComposer
  private let pool: ThreadPool?
  private var history: DamageHistory
  private var bands: DamageBands
  private var change = Damage()
  private var lacking = Damage()

  /// Creates a painter for an unrotated canvas. `viewport` positions the design on it. A missing
  /// image is invisible.
  ///
  /// - Parameters:
  ///   - pool: Threads that share the work of large damage.
  ///   - old: The replaced painter. The frame count continues, and scaled copies of identical
  ///     images are reused.
  package init(
    size: PixelSize, viewport: Viewport, fonts: FontLibrary, images: [String: ImageFile] = [:],
    preparation: ImagePreparation = .atOnce, pool: ThreadPool? = nil, replacing old: Painter? = nil
  ) {
    self.size = size
    self.pool = pool
    self.viewport = viewport
    cache = CoverageCache(
      viewport: viewport, canvas: PixelRect(size: size), fonts: fonts,
      images: ImageStore(images, preparation: preparation))
    composer = RowComposer(size: size)
    bands = DamageBands(width: size.width)
    history = DamageHistory(frame: old.map { $0.frame + 1 } ?? 0)
    if let old, old.size == size, old.viewport == viewport {
      cache.images.inherit(from: old.cache.images)
    }
  }

  /// Increases with each change of the picture.
  package var frame: Int { history.frame }

  /// Returns the pixels that changed. O(n) in the tiles, plus the shapes that differ.
  @discardableResult
  package func show(_ list: DisplayList) -> Damage {
    var list = list
    return change(to: &list)
  }

  /// Displays the list that `draw` fills, in the memory of an earlier list.
  @discardableResult
  package func show(_ draw: (_ list: inout DisplayList) -> Void) -> Damage {
    list.removeAll()
    draw(&list)
    return change(to: &list)
  }

  private func change(to list: inout DisplayList) -> Damage {
    cache.beginFrame()
    bands.removeAll()
    resolve(&list)
    change.assign(bands)
    cache.images.endFrame()
    if !scene.showsStrips { cache.forgetStrips() }
    if !change.isEmpty { history.add(change) }
    return change
  }

  /// Paints an outgoing picture first, and again when a missing image becomes available.
  private func resolve(_ list: inout DisplayList) {
    let old = outgoing?.composition
    if let transition = list.transition {
      let revision = cache.images.revision
      let (before, lacking): (Canvas, Int?)
      if let outgoing, outgoing.list == transition.from, outgoing.lacking ?? revision == revision {
        (before, lacking) = (outgoing.composition.before, outgoing.lacking)
      } else {
        var from = transition.from
        resolve(&from)
        let isWhole = !scene.isInterim && outgoing?.lacking == nil
        (before, lacking) = (canvas(), isWhole ? nil : revision)
      }
      outgoing = OutgoingPicture(
        list: transition.from, lacking: lacking,
        composition: TransitionComposition(transition, before: before))
    } else {
      outgoing = nil
    }
    scene.show(&list, cache: &cache, &bands)
    // A difference in one of the pictures has another position in the combined one.
    let isSame =
      switch (old, outgoing?.composition) {
      case (nil, nil): true
      case (let old?, let composition?): composition.isSame(as: old) && bands.isEmpty
      default: false
      }
    if !isSame { bands.add(PixelRect(size: size)) }
  }

  /// The differences since frame `old`, or the whole picture if that is nil or too old.
  package func damage(since old: Int?) -> Damage {
    bands.removeAll()
    guard let old, history.add(since: old, to: &bands) else {
      return Damage(PixelRect(size: size))
    }
    lacking.assign(bands)
    return lacking
  }

  /// Passes damaged pixels to `write` in bands of at most `rows` rows (1 … 16). With a thread pool,
  /// several threads may call `write` at once, in any order. Damage outside the picture is ignored.
  /// O(n) in the damaged pixels and, for each sixteen rows, in the number of layers.
  package func compose(
    _ damage: Damage, rows: Int = 1, _ write: @Sendable (ComposedBand) -> Void
  ) {
    if let pool {
      unsafe composer.compose(scene, outgoing?.composition, damage, rows: rows, on: pool, write)
    } else {
      unsafe composer.compose(scene, outgoing?.composition, damage, rows: rows, write)
    }
  }

  /// Paints on a canvas of the same size.
  package func paint(_ damage: Damage? = nil, onto canvas: Canvas) {
    composer.paint(
      scene, outgoing?.composition, damage ?? Damage(PixelRect(size: size)), onto: canvas)
  }

  package func canvas() -> Canvas {
    let canvas = Canvas(size: size)
    paint(onto: canvas)
    return canvas
  }

  /// Returns pixels inside the picture. Reuses `memory` if it is large enough.
  package func block(_ rect: PixelRect, in memory: consuming [UInt32] = []) -> PixelBlock {
    precondition(PixelRect(size: size).contains(rect), "outside the picture")
    var pixels = memory
    pixels.removeAll(keepingCapacity: true)
    pixels.reserveCapacity(rect.area)
    unsafe composer.compose(scene, outgoing?.composition, Damage(rect), rows: 1) { band in
      // Bands of one row, in order.
      unsafe pixels.append(contentsOf: band.pixels)
    }
    return PixelBlock(rect, pixels: pixels)
  }

  /// The areas to mask in pictures for clients. Everything, while a transition moves private content.
  package var privateRects: [PixelRect] {
    let own = scene.privateRects
    guard let outgoing else { return own.filter { !$0.isEmpty } }
    return own.isEmpty && !outgoing.list.hasPrivateItems ? [] : [PixelRect(size: size)]
  }

  /// Returns pixels inside the picture with private content masked. Reuses `memory` if it is large enough.
  package func maskedBlock(_ rect: PixelRect, in memory: consuming [UInt32] = []) -> PixelBlock {
    let block = block(rect, in: memory)
    let masks = privateRects.map { $0.intersection(rect) }.filter { !$0.isEmpty }
    guard !masks.isEmpty else { return block }
    var pixels = block.pixels
    for mask in masks {
      for y in mask.y0..<mask.y1 {
        let start = (y - rect.y0) * rect.width - rect.x0
        for x in start + mask.x0..<start + mask.x1 { pixels[x] = Self.maskPixel }
      }
    }
    return PixelBlock(rect, pixels: pixels)
  }

  private static let maskPixel: UInt32 = 0xff80_8080

  /// Needs some MiB of memory, whatever the picture's size.
  package func writePNG<Failure: Error>(
    turned rotation: Rotation, depth: ColorDepth? = nil, to take: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let panel = rotation.applied(to: size)
    try PNG.write(panel) { rows in
      let part = block(rotation.inverse.panelRect(rows, canvas: panel)).turned(by: rotation)
      return PixelBlock(rows, pixels: part.pixels).reduced(to: depth).pixels[...]
    } to: { part throws(Failure) in
      try take(part)
    }
  }

  // MARK: Images

  /// Prepares the images of a list while there is enough memory.
  package func prepare(_ list: DisplayList) {
    cache.images.isSpare = true
    defer { cache.images.isSpare = false }
    for tile in list.tiles + list.coming {
      guard case .image = tile.fill else { continue }
      _ = cache.source(of: tile, under: cache.coverage(of: tile.shape))
    }
    cache.images.endFrame()
  }

  /// The memory of decoded and scaled images, and its limit, in bytes.
  package var imageMemory: (taken: Int, limit: Int) {
    (cache.images.memory.taken, cache.images.memory.limit)
  }

  package var isPreparing: Bool { cache.images.isWaiting }

  package func takeImageWork() -> ImageWork? {
    cache.images.takeOrder().map { ImageWork(order: $0, identity: identity) }
  }

  package func finish(_ images: FinishedImages) {
    guard images.identity === identity else { return }
    cache.images.deliver(images.delivery)
  }
}

private final class Identity: Sendable {}

/// Work on an image, for any thread.
package struct ImageWork: Sendable {
  fileprivate let order: ImageOrder
  fileprivate let identity: Identity

  /// The decoded image in bytes, excluding the results.
  package var bytes: Int { order.decodedBytes }

  package func run() -> FinishedImages {
    var decoding: ImageDecoding?
    return FinishedImages(delivery: order.delivery(from: &decoding), identity: identity)
  }
}

package struct FinishedImages: Sendable {
  fileprivate let delivery: ImageDelivery
  fileprivate let identity: Identity
}

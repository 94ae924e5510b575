// SPDX-License-Identifier: MIT

package import Drawing
package import Geometry
package import Text

/// The picture of a display list. It holds no pixels: those that are asked for are composed row by row, in
/// cache, and written to where they are wanted.
///
/// Each row is composed from the bottom up. Pixels that layers cover whole are kept as runs of one colour
/// until they must be written, so that most are written once; edges and texts are blended into written
/// pixels. The same list gives the same pixels, whatever was shown before.
package final class Painter {
  package let size: PixelSize
  package let viewport: Viewport
  /// Says for which painter images were made.
  private let identity = Identity()
  private var cache: CoverageCache
  private var scene = Scene()
  /// The list that was shown before the present one, whose memory the next one gets.
  private var list = DisplayList()
  /// The picture that goes, while another takes its place.
  private var going: GoingPicture?
  private let composer: RowComposer
  private let pool: ThreadPool?
  private var history: DamageHistory
  /// Collects damage; what is filled again needs no new memory.
  private var bands: DamageBands
  /// The damage of the last frame.
  private var change = Damage()
  /// The damage that was asked for last.
  private var lacking = Damage()

  /// A painter for an upright canvas of `size` pixels on which the design plane lies as `viewport`
  /// says. Images are found by the names that fills give them; one that is missing shows nothing.
  ///
  /// - Parameters:
  ///   - preparation: when images are decoded and scaled.
  ///   - pool: threads that share the work of large damage.
  ///   - old: a painter that this one replaces: the count of frames goes on, and scaled copies of the same
  ///     images are used again.
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

  /// The number of the frame that it shows; it grows with each list that differs from the one before.
  package var frame: Int { history.frame }

  /// Shows a list; returns which pixels differ from the last one. O(n) in the number of tiles, besides the
  /// shapes that differ.
  @discardableResult
  package func show(_ list: DisplayList) -> Damage {
    var list = list
    return change(to: &list)
  }

  /// Shows the list that `draw` makes of an empty one, which has the memory of an earlier one; returns
  /// which pixels differ from the last list.
  @discardableResult
  package func show(_ draw: (_ list: inout DisplayList) -> Void) -> Damage {
    list.removeAll()
    draw(&list)
    return change(to: &list)
  }

  /// Shows a list, and leaves the one that was shown before in its place.
  private func change(to list: inout DisplayList) -> Damage {
    cache.beginFrame()
    bands.removeAll()
    resolve(&list)
    change.become(bands)
    cache.images.endFrame()
    if !scene.showsStrips { cache.forgetStrips() }
    if !change.isEmpty { history.add(change) }
    return change
  }

  /// Makes a list ready for painting. A picture that begins to go is painted first, and again when an
  /// image that it lacked is there.
  private func resolve(_ list: inout DisplayList) {
    let old = going?.splice
    if let transition = list.transition {
      let revision = cache.images.revision
      let (before, lacking): (Canvas, Int?)
      if let going, going.list == transition.from, going.lacking ?? revision == revision {
        (before, lacking) = (going.splice.before, going.lacking)
      } else {
        var from = transition.from
        resolve(&from)
        let isWhole = !scene.isInterim && going?.lacking == nil
        (before, lacking) = (canvas(), isWhole ? nil : revision)
      }
      going = GoingPicture(
        list: transition.from, lacking: lacking, splice: Splice(transition, before: before))
    } else {
      going = nil
    }
    scene.show(&list, cache: &cache, &bands)
    // A difference in one of the pictures lies elsewhere in the two together.
    let isSame =
      switch (old, going?.splice) {
      case (nil, nil): true
      case (let old?, let splice?): splice.isSame(as: old) && bands.isEmpty
      default: false
      }
    if !isSame { bands.add(PixelRect(size: size)) }
  }

  /// Where memory that holds frame `old` differs from the picture: all of it where `old` is nil, and
  /// where too many frames have been shown since.
  package func damage(since old: Int?) -> Damage {
    bands.removeAll()
    guard let old, history.add(since: old, to: &bands) else {
      return Damage(PixelRect(size: size))
    }
    lacking.become(bands)
    return lacking
  }

  /// Composes the damaged pixels and lends them to `write`, in bands of at most `rows` rows, 1 … 16. It
  /// may be called by several threads at once and in any order, where the painter has a pool of them. Damage
  /// outside of the picture is left out. O(n) in the damaged pixels and, for each sixteen rows, in the number
  /// of layers.
  package func compose(
    _ damage: Damage, rows: Int = 1, _ write: @Sendable (ComposedBand) -> Void
  ) {
    if let pool {
      unsafe composer.compose(scene, going?.splice, damage, rows: rows, on: pool, write)
    } else {
      unsafe composer.compose(scene, going?.splice, damage, rows: rows, write)
    }
  }

  /// Paints the damaged pixels on a canvas of its size; all of them where nothing is given.
  package func paint(_ damage: Damage? = nil, onto canvas: Canvas) {
    composer.paint(scene, going?.splice, damage ?? Damage(PixelRect(size: size)), onto: canvas)
  }

  /// The picture as it is now.
  package func canvas() -> Canvas {
    let canvas = Canvas(size: size)
    paint(onto: canvas)
    return canvas
  }

  /// The pixels inside of `rect`, which must lie on the picture, in `memory` where that is enough.
  package func block(_ rect: PixelRect, in memory: consuming [UInt32] = []) -> PixelBlock {
    precondition(PixelRect(size: size).contains(rect), "outside of the picture")
    var pixels = memory
    pixels.removeAll(keepingCapacity: true)
    pixels.reserveCapacity(rect.area)
    unsafe composer.compose(scene, going?.splice, Damage(rect), rows: 1) { band in
      // Bands of one row, in order.
      unsafe pixels.append(contentsOf: band.pixels)
    }
    return PixelBlock(rect, pixels: pixels)
  }

  /// The picture as a panel shows it on which it is turned, and which shows no more than `depth`, as a PNG
  /// file that is handed to `take` in parts. It takes some MiB, however large the picture is.
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

  /// Has the images made ready that a list shows, where there is memory left for them.
  package func prepare(_ list: DisplayList) {
    cache.images.isSpare = true
    defer { cache.images.isSpare = false }
    for tile in list.tiles + list.coming {
      guard case .image = tile.fill else { continue }
      _ = cache.source(of: tile, under: cache.coverage(of: tile.shape))
    }
    cache.images.endFrame()
  }

  /// The bytes that decoded and scaled images take, and may take.
  package var imageMemory: (taken: Int, limit: Int) {
    (cache.images.memory.taken, cache.images.memory.limit)
  }

  /// Whether images are being made.
  package var isPreparing: Bool { cache.images.isWaiting }

  /// The next work on images, for when there is time; nil for none.
  package func takeImageWork() -> ImageWork? {
    cache.images.takeOrder().map { ImageWork(order: $0, identity: identity) }
  }

  /// Takes the result of such work. The next list that is shown has it.
  package func finish(_ images: FinishedImages) {
    guard images.identity === identity else { return }
    cache.images.deliver(images.delivery)
  }
}

private final class Identity: Sendable {}

/// Something to be made of an image, on any thread.
package struct ImageWork: Sendable {
  fileprivate let order: ImageOrder
  fileprivate let identity: Identity

  /// The bytes that the decoded image takes, besides the results.
  package var bytes: Int { order.decodedBytes }

  /// Decodes the image and scales it.
  package func run() -> FinishedImages {
    var decoding: ImageDecoding?
    return FinishedImages(delivery: order.delivery(from: &decoding), identity: identity)
  }
}

/// The result of work on an image.
package struct FinishedImages: Sendable {
  fileprivate let delivery: ImageDelivery
  fileprivate let identity: Identity
}

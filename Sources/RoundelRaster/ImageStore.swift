// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry

package enum ImagePreparation: Sendable {
  /// A frame is complete, however long it takes.
  case atOnce
  /// Other threads decode, while frames are painted without the images.
  case later
}

/// The images of a kiosk at their displayed sizes. Unused ones stay while there is memory.
final class ImageStore {
  private struct CacheEntry<Content> {
    var content: Content
    /// Nil if the content holds its own share.
    var reservation: ImageMemory.Reservation?
    var lastUse: Int
  }

  private struct LevelKey: Hashable {
    var name: String
    var size: PixelSize
  }

  let memory: ImageMemory
  let colorGlyphs = ColorGlyphLevels()
  private let images: [String: ImageFile]
  private let preparation: ImagePreparation
  private var pixels: [Tile: CacheEntry<PixelSource>] = [:]
  /// Includes requested copies.
  private var copies: [String: Int] = [:]
  /// Each copy needs all of the image's pixels, which delays the frame. More tiles are interpolated
  /// from a level.
  static let maximumCopies = 256
  private var levels: [LevelKey: CacheEntry<ImageLevel>] = [:]
  /// Orders that haven't started, by image name, and their sequence.
  private var orders: [String: ImageOrder] = [:]
  private var queue: [String] = []
  private var reservationsOfOrders: [ImageOrder.Item: ImageMemory.Reservation] = [:]
  private var inFlight = 0
  /// The image decoded last in the current frame.
  private var decoded: ImageDecoding?
  private var uses = 0
  /// Whether the images are prepared in advance. They evict nothing.
  var isSpare = false
  /// Incremented by each delivery.
  private(set) var revision = 0

  init(_ images: [String: ImageFile], preparation: ImagePreparation = .atOnce) {
    self.images = images
    self.preparation = preparation
    memory = ImageMemory(images: images.values)
  }

  /// Adopts pixels and levels of identical images at identical positions.
  func inherit(from old: ImageStore) {
    for (tile, entry) in old.pixels {
      guard case .image(let name, _, _, _, _) = tile.fill, images[name] == old.images[name],
        let made = entry.content.pixels, let reservation = memory.take(made.cost)
      else { continue }
      uses += 1
      pixels[tile] = CacheEntry(content: PixelSource(made, reservation: reservation), lastUse: uses)
      copies[name, default: 0] += 1
    }
    for (key, entry) in old.levels {
      guard images[key.name] == old.images[key.name],
        let reservation = memory.take(ImageLevel.cost(key.size))
      else { continue }
      uses += 1
      levels[key] = CacheEntry(content: entry.content, reservation: reservation, lastUse: uses)
    }
  }

  /// Edges inside the frame are rounded to whole pixels, to be sharp.
  func place(of name: String, in frame: Rect, _ fit: ImageFit) -> Rect {
    guard let size = images[name]?.size else { return frame }
    var place = fit.place(size, in: frame)
    guard fit == .contain else { return place }
    if place.width < frame.width {
      place.x0.round()
      place.x1.round()
    }
    if place.height < frame.height {
      place.y0.round()
      place.y1.round()
    }
    return place
  }

  var isWaiting: Bool { !queue.isEmpty || inFlight > 0 }

  /// Returns nil if not available yet, or not decodable.
  func pixels(of tile: Tile, frame: Rect, under shape: Coverage?, clip: PixelRect) -> PixelSource? {
    if let known = pixels.index(forKey: tile) {
      uses += 1
      pixels.values[known].lastUse = uses
      return pixels.values[known].content
    }
    guard case .image(let name, _, _, _, _) = tile.fill, images[name] != nil,
      reservationsOfOrders[.pixels(tile)] == nil, hasRoom(forCopyOf: name),
      var layout = ImagePixels.Layout(of: frame, under: shape, clip: clip)
    else { return nil }
    var reservation = take(layout.cost)
    while reservation == nil, layout.rowLines < 8 {
      layout.halve()
      reservation = take(layout.cost)
    }
    guard let reservation else { return nil }
    copies[name, default: 0] += 1
    order(.pixels(tile), of: name, reservation) { $0.pixels.append((tile, frame, layout)) }
    return pixels[tile]?.content
  }

  /// Removes unused copies if necessary, in O(n) in the copies.
  func hasRoom(forCopyOf name: String) -> Bool {
    guard copies[name, default: 0] >= Self.maximumCopies, !isSpare else {
      return copies[name, default: 0] < Self.maximumCopies
    }
    for tile in unusedCopies() {
      if case .image(name, _, _, _, _) = tile.fill { remove(tile) }
    }
    return copies[name, default: 0] < Self.maximumCopies
  }

  /// O(n).
  private func unusedCopies() -> [Tile] {
    Array(pixels.keys).filter { tile in
      guard let index = pixels.index(forKey: tile) else { return false }
      return isKnownUniquelyReferenced(&pixels.values[index].content)
    }
  }

  private func remove(_ tile: Tile) {
    guard pixels.removeValue(forKey: tile) != nil, case .image(let name, _, _, _, _) = tile.fill
    else { return }
    copies[name, default: 1] -= 1
  }

  /// The level with at least `width` × `height` pixels, and less than twice as many per side, if
  /// the image has that many. Nil if not available yet.
  func level(of name: String, for width: Double, _ height: Double) -> ImageLevel? {
    guard let image = images[name] else { return nil }
    func side(_ length: Int, _ wanted: Double) -> Int {
      var side = length
      while Double(side) >= 2 * max(wanted, 1) { side = (side + 1) / 2 }
      return side
    }
    let size = PixelSize(side(image.size.width, width), side(image.size.height, height))
    let key = LevelKey(name: name, size: size)
    if let known = levels.index(forKey: key) {
      uses += 1
      levels.values[known].lastUse = uses
      return levels.values[known].content
    }
    guard reservationsOfOrders[.level(name, size)] == nil,
      let reservation = take(ImageLevel.cost(size))
    else { return nil }
    order(.level(name, size), of: name, reservation) { $0.levels.append(size) }
    return levels[key]?.content
  }

  /// Returns the largest available level, in O(n).
  func anyLevel(of name: String) -> ImageLevel? {
    levels.filter { $0.key.name == name }.max { $0.key.size.width < $1.key.size.width }?.value
      .content
  }

  /// Removes the least recently used images if necessary, in O(n log n).
  private func take(_ bytes: Int) -> ImageMemory.Reservation? {
    if let reservation = memory.take(bytes) { return reservation }
    guard !isSpare, bytes <= memory.limit else { return nil }
    var unused: [(lastUse: Int, tile: Tile?, level: LevelKey?)] = unusedCopies().map {
      (pixels[$0]?.lastUse ?? 0, $0, nil)
    }
    for level in Array(levels.keys) {
      guard let index = levels.index(forKey: level),
        isKnownUniquelyReferenced(&levels.values[index].content)
      else { continue }
      unused.append((levels.values[index].lastUse, nil, level))
    }
    for oldest in unused.sorted(by: { $0.lastUse < $1.lastUse }) {
      if let tile = oldest.tile { remove(tile) }
      if let level = oldest.level { levels[level] = nil }
      if let reservation = memory.take(bytes) { return reservation }
    }
    return nil
  }

  private func order(
    _ item: ImageOrder.Item, of name: String, _ reservation: ImageMemory.Reservation,
    _ add: (inout ImageOrder) -> Void
  ) {
    guard let image = images[name] else { return }
    reservationsOfOrders[item] = reservation
    var order = orders[name] ?? ImageOrder(name: name, image: image)
    add(&order)
    guard preparation == .atOnce else {
      if orders[name] == nil { queue.append(name) }
      orders[name] = order
      return
    }
    var decoding = decoded?.image == image ? decoded : nil
    accept(order.delivery(from: &decoding))
    decoded = decoding
  }

  func endFrame() { decoded = nil }

  func takeOrder() -> ImageOrder? {
    guard let name = queue.first else { return nil }
    queue.removeFirst()
    inFlight += 1
    return orders.removeValue(forKey: name)
  }

  func deliver(_ delivery: ImageDelivery) {
    inFlight -= 1
    accept(delivery)
    revision += 1
  }

  private func accept(_ delivery: ImageDelivery) {
    for (tile, made) in delivery.pixels {
      uses += 1
      guard let reservation = reservationsOfOrders.removeValue(forKey: .pixels(tile)), let made
      else {
        copies[delivery.name, default: 1] -= 1
        continue
      }
      pixels[tile] = CacheEntry(
        content: PixelSource(made, reservation: reservation), lastUse: uses)
    }
    for (size, made) in delivery.levels {
      uses += 1
      guard let reservation = reservationsOfOrders.removeValue(forKey: .level(delivery.name, size)),
        let made
      else { continue }
      levels[LevelKey(name: delivery.name, size: size)] = CacheEntry(
        content: made, reservation: reservation, lastUse: uses)
    }
  }
}

struct ImageOrder: Sendable {
  enum Item: Hashable {
    case pixels(Tile)
    case level(String, PixelSize)
  }

  let name: String
  let image: ImageFile
  var pixels: [(tile: Tile, frame: Rect, layout: ImagePixels.Layout)] = []
  var levels: [PixelSize] = []

  init(name: String, image: ImageFile) {
    self.name = name
    self.image = image
  }

  private func size(of frame: Rect) -> PixelSize {
    PixelSize(Int(frame.width.rounded(.up)), Int(frame.height.rounded(.up)))
  }

  var decodedBytes: Int {
    let sizes = pixels.map { size(of: $0.frame) } + levels
    return Set(sizes.map(image.divisor)).reduce(0) { bytes, divisor in
      bytes + 4 * (image.size.width / divisor + 1) * (image.size.height / divisor + 1)
    }
  }

  /// - Parameter known: Decoded pixels, which are reused and extended.
  func delivery(from known: inout ImageDecoding?) -> ImageDelivery {
    var decoding = known ?? ImageDecoding(image)
    defer { known = decoding }
    var delivery = ImageDelivery(name: name)
    for (tile, frame, layout) in pixels {
      // Independent of other items.
      let bitmap = decoding.bitmap(for: size(of: frame))
      delivery.pixels.append((tile, bitmap.map { ImagePixels($0, over: frame, in: layout) }))
    }
    for size in levels {
      let bitmap = decoding.bitmap(for: size)
      delivery.levels.append((size, bitmap.map { ImageLevel($0.scaled(to: size)) }))
    }
    return delivery
  }
}

/// The decoded pixels, by the divisor of the sides.
struct ImageDecoding {
  let image: ImageFile
  private var bitmaps: [Int: Bitmap] = [:]

  init(_ image: ImageFile) { self.image = image }

  mutating func bitmap(for size: PixelSize) -> Bitmap? {
    let divisor = image.divisor(for: size)
    let bitmap = bitmaps[divisor] ?? image.bitmap(dividedBy: divisor)
    bitmaps[divisor] = bitmap
    return bitmap
  }
}

/// Failures are nil.
struct ImageDelivery: Sendable {
  let name: String
  var pixels: [(Tile, ImagePixels?)] = []
  var levels: [(PixelSize, ImageLevel?)] = []
}

extension Bitmap {
  func scaled(to size: PixelSize) -> Bitmap {
    guard size != self.size else { return self }
    var pixels: [UInt32] = []
    pixels.reserveCapacity(size.width * size.height)
    let frame = Rect(size: Size(Double(size.width), Double(size.height)))
    stretch(over: frame, in: PixelRect(size: size)) { _, row in pixels += row }
    return Bitmap(size: size, pixels: pixels)
  }
}

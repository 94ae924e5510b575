// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry

/// A display list prepared for painting. The layers of unchanged items stay.
struct Scene {
  struct Layer {
    /// Replaces coverage for moving text.
    fileprivate(set) var turned: TurnedText?
    /// One per tile. For moving text, the earlier ones.
    fileprivate var parts: [Covering] = []
    fileprivate var merged: Coverage?
    fileprivate(set) var inks: [Ink] = []
    fileprivate var fillings: [Filling] = []
    fileprivate(set) var clip = PixelRect.empty

    /// Nil if the item is moving text, or doesn't have tiles.
    var coverage: Coverage? { turned == nil ? merged ?? parts.first?.coverage : nil }

    /// A cleared layer keeps the number.
    fileprivate var tileCount: Int { fillings.count }

    var isMadeByRow: Bool { fillings.count == 1 && fillings[0].source?.isMadeByRow == true }

    func addGradients(_ first: Int, to gradients: inout [RowGradient]) {
      for number in fillings.indices {
        guard let gradient = fillings[number].gradient else { continue }
        gradients.append(
          RowGradient(ink: first + number, rows: bounds.y0..<bounds.y1, gradient: gradient))
      }
    }

    var bounds: PixelRect {
      (turned?.mask.bounds ?? coverage?.bounds ?? .empty).intersection(clip)
    }
  }

  struct RowGradient {
    let ink: Int
    let rows: Range<Int>
    /// Vertical, in canvas pixels.
    fileprivate let gradient: Gradient

    func color(of row: Int) -> Color { gradient.color(at: Point(0, Double(row) + 0.5)) }
  }

  private var list: DisplayList?
  private(set) var layers: [Layer] = []
  private(set) var bezel: Layer?
  private var origins = ItemOrigins()
  private var arranged: [Layer] = []
  /// More layers than change position in most frames.
  private static let commonLayers = 128
  private var layerPool: [Layer] = []
  /// More layers than are added and removed during most animations, limited to layers with little
  /// memory.
  private static let maximumPooledLayers = 64
  private static let maximumPooledTiles = 16
  private var coming: [Tile] = []
  private var comingSources: [PixelSource] = []
  private var imageRevision = 0

  var background: Color? { list?.background }

  /// The bounds of private items.
  var privateRects: [PixelRect] {
    guard let list else { return [] }
    return layers.indices.compactMap { list.spans[$0].isPrivate ? layers[$0].bounds : nil }
  }

  var showsStrips: Bool {
    list?.tiles.contains { if case .strip = $0.fill { true } else { false } } ?? false
  }

  /// O(n) in the tiles.
  var isInterim: Bool {
    guard let list else { return false }
    return layers.indices.contains { layers[$0].isInterim(list.tiles[list.spans[$0].tiles]) }
  }

  /// Adds changed pixels to the damage, and replaces `new` with the previous list. O(n) in the
  /// tiles, plus the shapes that differ.
  ///
  /// Items are compared tile by tile, so that a wedge that lights up damages only its own pixels.
  mutating func show(
    _ new: inout DisplayList, cache: inout CoverageCache, _ damage: inout DamageBands
  ) {
    let hasNewImages = cache.images.revision != imageRevision
    imageRevision = cache.images.revision
    if new.background != background { damage.add(cache.canvas) }
    if new.bezel != list?.bezel { setBezel(new.bezel, cache: &cache, &damage) }
    var old = list ?? DisplayList()
    list = nil
    change(from: old, to: new, cache: &cache, &damage)
    swap(&old, &new)
    list = old
    if hasNewImages {
      for index in layers.indices {
        layers[index].fillMissing(old.tiles[old.spans[index].tiles], cache: &cache, &damage)
      }
      coming = []
    }
    prepare(old.coming, cache: &cache)
  }

  private mutating func setBezel(
    _ sector: Sector?, cache: inout CoverageCache, _ damage: inout DamageBands
  ) {
    bezel = sector.map { sector in
      var layer = Layer()
      layer.assign(
        DisplayList(items: [DisplayItem(.sector(sector), .black)]), 0, cache: &cache)
      return layer
    }
    damage.add(cache.canvas)
  }

  /// Items in both lists keep their layers. New items reuse the memory of removed ones.
  private mutating func change(
    from old: DisplayList, to new: DisplayList, cache: inout CoverageCache,
    _ damage: inout DamageBands
  ) {
    if arranged.capacity == 0 {
      arranged.reserveCapacity(Self.commonLayers)
      layers.reserveCapacity(Self.commonLayers)
    }
    origins.trace(from: old, to: new)
    retireOthers(&damage)
    // The layers at both ends stay in position.
    let head = origins.indices.first { origins[$0]?.index != $0 } ?? origins.indices.upperBound
    let distance = layers.count - new.spans.count
    var end = new.spans.count
    while end > head, origins[end - 1]?.index == end - 1 + distance { end -= 1 }
    for index in head..<end {
      if let origin = origins[index] {
        arranged.append(Layer())
        swap(&arranged[arranged.count - 1], &layers[origin.index])
      } else {
        arranged.append(takePooledLayer(tiles: new.spans[index].tiles.count))
      }
    }
    layers.replaceSubrange(head..<end + distance, with: arranged)
    arranged.removeAll(keepingCapacity: true)
    for index in layers.indices {
      switch origins[index] {
      case nil:
        layers[index].assign(new, index, cache: &cache)
        damage.add(layers[index].bounds)
      case let origin? where !origin.isSame:
        layers[index].change(from: old, origin.index, to: new, index, cache: &cache, &damage)
      default: break
      }
    }
    layerPool.removeAll { $0.tileCount > Self.maximumPooledTiles }
    layerPool.removeFirst(max(layerPool.count - Self.maximumPooledLayers, 0))
  }

  /// From last to first, so that the first item that needs a layer reuses the first.
  private mutating func retireOthers(_ damage: inout DamageBands) {
    var end = layers.count
    for index in origins.indices.reversed() {
      guard let origin = origins[index] else { continue }
      for gone in (origin.index + 1..<end).reversed() { retire(gone, &damage) }
      end = origin.index
    }
    for gone in (0..<end).reversed() { retire(gone, &damage) }
  }

  private mutating func retire(_ index: Int, _ damage: inout DamageBands) {
    damage.add(layers[index].bounds)
    var layer = Layer()
    swap(&layer, &layers[index])
    layer.clear()
    layerPool.append(layer)
  }

  private mutating func takePooledLayer(tiles: Int) -> Layer {
    let last = layerPool.suffix(Self.maximumPooledLayers)
    guard let index = last.lastIndex(where: { $0.tileCount == tiles }) else { return Layer() }
    return layerPool.remove(at: index)
  }

  private mutating func prepare(_ tiles: [Tile], cache: inout CoverageCache) {
    guard tiles != coming else { return }
    coming.removeAll(keepingCapacity: true)
    coming.append(contentsOf: tiles)
    comingSources.removeAll(keepingCapacity: true)
    for tile in tiles {
      if let source = cache.source(of: tile, under: cache.coverage(of: tile.shape)) {
        comingSources.append(source)
      }
    }
  }
}

extension Scene.Layer {
  fileprivate mutating func assign(_ list: DisplayList, _ index: Int, cache: inout CoverageCache) {
    let span = list.spans[index]
    let tiles = list.tiles[span.tiles]
    clip = cache.clip(span.clip)
    turned = cache.turned(tiles)
    if turned == nil { cover(tiles, cache: &cache) }
    fillings.removeLast(max(fillings.count - tiles.count, 0))
    while fillings.count < tiles.count { fillings.append(Filling()) }
    inks.removeAll(keepingCapacity: true)
    for (number, tile) in tiles.enumerated() {
      cache.change(&fillings[number], to: tile, under: turned == nil ? parts[number].coverage : nil)
      inks.append(Ink(tile.fill, fillings[number].source))
    }
  }

  private mutating func cover(_ tiles: ArraySlice<Tile>, cache: inout CoverageCache) {
    parts.removeLast(max(parts.count - tiles.count, 0))
    for (number, tile) in tiles.enumerated() {
      if number < parts.count {
        cache.replace(&parts[number], by: tile.shape)
      } else {
        parts.append(Covering(cache.coverage(of: tile.shape)))
      }
    }
    guard parts.count > 1 else {
      merged = nil
      return
    }
    if let merged {
      cache.change(merged, merging: parts)
    } else {
      merged = cache.coverage(merging: parts)
    }
  }

  /// Keeps the memory for another item with the same number of tiles.
  fileprivate mutating func clear() {
    turned = nil
    for index in fillings.indices { fillings[index].show(nil) }
  }

  /// Both items have the same number of tiles.
  fileprivate mutating func change(
    from old: DisplayList, _ oldIndex: Int, to new: DisplayList, _ index: Int,
    cache: inout CoverageCache, _ damage: inout DamageBands
  ) {
    let (oldSpan, newSpan) = (old.spans[oldIndex], new.spans[index])
    let count = newSpan.tiles.count
    guard (turned != nil) == cache.isTurned(new.tiles[newSpan.tiles]) else {
      damage.add(bounds)
      assign(new, index, cache: &cache)
      damage.add(bounds)
      return
    }
    let isClippedAnew = newSpan.clip != oldSpan.clip
    if turned != nil {
      let (from, to) = (old.tiles[oldSpan.tiles.lowerBound], new.tiles[newSpan.tiles.lowerBound])
      guard isClippedAnew || from != to else { return }
      damage.add(bounds)
      move(from: from, to: to, cache: &cache)
      if isClippedAnew { clip = cache.clip(newSpan.clip) }
      damage.add(bounds)
      return
    }
    if isClippedAnew { damage.add(bounds) }
    var isMoved = false
    for number in 0..<count {
      let (from, to) = (oldSpan.tiles.lowerBound + number, newSpan.tiles.lowerBound + number)
      let moves = old.tiles[from].shape != new.tiles[to].shape
      guard moves || old.tiles[from].fill != new.tiles[to].fill else { continue }
      addRects(of: number, to: &damage)
      if moves { cache.change(&parts[number], to: new.tiles[to].shape) }
      fill(number, new.tiles[to], cache: &cache)
      isMoved = isMoved || moves
    }
    if isMoved {
      if let merged { cache.change(merged, merging: parts) }
      for number in 0..<count
      where old.tiles[oldSpan.tiles.lowerBound + number].shape
        != new.tiles[newSpan.tiles.lowerBound + number].shape
      {
        addRects(of: number, to: &damage)
      }
    }
    if isClippedAnew {
      clip = cache.clip(newSpan.clip)
      damage.add(bounds)
    }
  }

  private mutating func move(from old: Tile, to new: Tile, cache: inout CoverageCache) {
    guard case .text(let next) = new.shape, var text = turned else { return }
    // The only reference.
    turned = nil
    if case .text(let run) = old.shape, run.isSame(as: next) {
      cache.change(&text, to: next)
    } else {
      text = cache.turned(next)
    }
    turned = text
    fill(0, new, cache: &cache)
  }

  private func addRects(of tile: Int, to damage: inout DamageBands) {
    for rect in (merged ?? parts[tile].coverage).rects(of: merged == nil ? 0 : tile) {
      damage.add(rect.intersection(clip))
    }
  }

  private mutating func fill(_ index: Int, _ tile: Tile, cache: inout CoverageCache) {
    cache.change(&fillings[index], to: tile, under: turned == nil ? parts[index].coverage : nil)
    inks[index] = Ink(tile.fill, fillings[index].source)
  }

  fileprivate func isInterim(_ tiles: ArraySlice<Tile>) -> Bool {
    tiles.enumerated().contains { isInterim($0, $1) }
  }

  private func isInterim(_ number: Int, _ tile: Tile) -> Bool {
    switch tile.fill {
    case .image: fillings[number].source?.isInterim ?? true
    // A strip outside the canvas has no source, and needs no image.
    case .strip: fillings[number].source?.isInterim ?? false
    case .color, .gradient: false
    }
  }

  fileprivate mutating func fillMissing(
    _ tiles: ArraySlice<Tile>, cache: inout CoverageCache, _ damage: inout DamageBands
  ) {
    for (number, tile) in tiles.enumerated() {
      guard isInterim(number, tile) else { continue }
      fill(number, tile, cache: &cache)
      if fillings[number].source != nil { damage.add(bounds) }
    }
  }
}

extension TextRun {
  fileprivate func isSame(as other: TextRun) -> Bool {
    var moved = self
    moved.anchor = other.anchor
    moved.angle = other.angle
    moved.scale = other.scale
    return moved == other
  }
}

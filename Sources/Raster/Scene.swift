// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry

/// A display list made ready for painting: each item with the pixels that it covers, and each fill
/// with the pixels that it gives. It follows one list after the other, and keeps the layers of items that
/// stay the same.
struct Scene {
  /// An item made ready for painting.
  struct Layer {
    /// In place of coverage.
    fileprivate(set) var turned: TurnedText?
    /// A covering for each tile; for a text that moves, those that the layer showed before.
    fileprivate var parts: [Covering] = []
    /// The coverage of all tiles, where there are several.
    fileprivate var merged: Coverage?
    /// The ink of each tile.
    fileprivate(set) var inks: [Ink] = []
    /// Keeps the pixels of the inks that are not plain colours, one for each tile.
    fileprivate var fillings: [Filling] = []
    /// Nothing of the layer shows outside of it.
    fileprivate(set) var clip = PixelRect.empty

    /// How the item covers the canvas, nil for a text that moves and for no tiles.
    var coverage: Coverage? { turned == nil ? merged ?? parts.first?.coverage : nil }

    /// The tiles of the item, also of one that has been cleared.
    fileprivate var tileCount: Int { fillings.count }

    /// Whether the pixels of its only tile are made row by row.
    var isMadeByRow: Bool { fillings.count == 1 && fillings[0].source?.isMadeByRow == true }

    /// Adds its colours that change from row to row, the first of whose inks has the number `first`.
    func addGradients(_ first: Int, to gradients: inout [RowGradient]) {
      for number in fillings.indices {
        guard let gradient = fillings[number].gradient else { continue }
        gradients.append(
          RowGradient(ink: first + number, rows: bounds.y0..<bounds.y1, gradient: gradient))
      }
    }

    /// The pixels outside of which the layer shows nothing.
    var bounds: PixelRect {
      (turned?.mask.bounds ?? coverage?.bounds ?? .empty).intersection(clip)
    }
  }

  /// A colour that changes from row to row.
  struct RowGradient {
    /// The number of its ink.
    let ink: Int
    /// The rows in which it is seen.
    let rows: Range<Int>
    /// Vertical, in canvas pixels.
    fileprivate let gradient: Gradient

    /// The colour in the middle of a row.
    func color(of row: Int) -> Color { gradient.color(at: Point(0, Double(row) + 0.5)) }
  }

  /// The list that it shows; nil for none yet.
  private var list: DisplayList?
  /// A layer for each item of the list.
  private(set) var layers: [Layer] = []
  /// The bezel of the list, in front of the layers; nil for none.
  private(set) var bezel: Layer?
  /// Where the items of the list came from when it was shown.
  private var origins = ItemOrigins()
  /// Memory for layers on their way to other places.
  private var arranged: [Layer] = []
  /// Layers for which there is memory from the first on: more than change their places in most frames.
  private static let commonLayers = 128
  /// Layers that were shown before, for their memory.
  private var spareLayers: [Layer] = []
  /// More than come and go while something moves, and of those that do not take much memory.
  private static let maximumSpareLayers = 64
  private static let maximumSpareTiles = 16
  /// Tiles that may be shown soon, and the pixels that will fill them.
  private var coming: [Tile] = []
  private var comingSources: [PixelSource] = []
  /// The images that were there when it was shown last.
  private var imageRevision = 0

  /// The colour behind all layers; nil before anything was shown.
  var background: Color? { list?.background }

  /// Whether a tile is filled with a strip. O(n) in the number of tiles.
  var showsStrips: Bool {
    list?.tiles.contains { if case .strip = $0.fill { true } else { false } } ?? false
  }

  /// Whether an image of it is not there yet, or another stands in for it. O(n) in the number of tiles.
  var isInterim: Bool {
    guard let list else { return false }
    return layers.indices.contains { layers[$0].isInterim(list.tiles[list.spans[$0].tiles]) }
  }

  /// Shows `new`, and adds the pixels that differ to the damage. `new` becomes the list that it showed before,
  /// whose memory is of use for the next one. O(n) in the number of tiles, besides the shapes that differ.
  ///
  /// Items are compared tile by tile, so that one wedge that lights up damages its own pixels only.
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
      layer.become(
        DisplayList(items: [DisplayItem(.sector(sector), .black)]), 0, cache: &cache)
      return layer
    }
    damage.add(cache.canvas)
  }

  /// Makes the layers those of another list. Items that are in both keep theirs; those that go leave their
  /// memory to others.
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
    // The layers at both ends stay where they are.
    let head = origins.indices.first { origins[$0]?.index != $0 } ?? origins.indices.upperBound
    let way = layers.count - new.spans.count
    var end = new.spans.count
    while end > head, origins[end - 1]?.index == end - 1 + way { end -= 1 }
    for index in head..<end {
      if let origin = origins[index] {
        arranged.append(Layer())
        swap(&arranged[arranged.count - 1], &layers[origin.index])
      } else {
        arranged.append(takeSpareLayer(tiles: new.spans[index].tiles.count))
      }
    }
    layers.replaceSubrange(head..<end + way, with: arranged)
    arranged.removeAll(keepingCapacity: true)
    for index in layers.indices {
      switch origins[index] {
      case nil:
        layers[index].become(new, index, cache: &cache)
        damage.add(layers[index].bounds)
      case let origin? where !origin.isSame:
        layers[index].change(from: old, origin.index, to: new, index, cache: &cache, &damage)
      default: break
      }
    }
    spareLayers.removeAll { $0.tileCount > Self.maximumSpareTiles }
    spareLayers.removeFirst(max(spareLayers.count - Self.maximumSpareLayers, 0))
  }

  /// Retires the layers that no new layer continues. The last one goes first, so that the first item that needs
  /// a layer takes over the first of them.
  private mutating func retireOthers(_ damage: inout DamageBands) {
    var end = layers.count
    for index in origins.indices.reversed() {
      guard let origin = origins[index] else { continue }
      for gone in (origin.index + 1..<end).reversed() { retire(gone, &damage) }
      end = origin.index
    }
    for gone in (0..<end).reversed() { retire(gone, &damage) }
  }

  /// Makes an empty layer of one, whose memory another item may get.
  private mutating func retire(_ index: Int, _ damage: inout DamageBands) {
    damage.add(layers[index].bounds)
    var layer = Layer()
    swap(&layer, &layers[index])
    layer.clear()
    spareLayers.append(layer)
  }

  /// A layer for an item of `tiles` tiles, with memory where there is a spare layer that had as many.
  private mutating func takeSpareLayer(tiles: Int) -> Layer {
    let last = spareLayers.suffix(Self.maximumSpareLayers)
    guard let index = last.lastIndex(where: { $0.tileCount == tiles }) else { return Layer() }
    return spareLayers.remove(at: index)
  }

  /// Makes tiles ready that may be shown soon.
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
  /// Makes it the layer of item `index` of a list, whatever it was before.
  fileprivate mutating func become(_ list: DisplayList, _ index: Int, cache: inout CoverageCache) {
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

  /// Shows nothing, and keeps the memory for another item of as many tiles.
  fileprivate mutating func clear() {
    turned = nil
    for index in fillings.indices { fillings[index].show(nil) }
  }

  /// Makes the layer of an item of `old` that of item `index` of `new`, which has as many tiles.
  fileprivate mutating func change(
    from old: DisplayList, _ oldIndex: Int, to new: DisplayList, _ index: Int,
    cache: inout CoverageCache, _ damage: inout DamageBands
  ) {
    let (oldSpan, newSpan) = (old.spans[oldIndex], new.spans[index])
    let count = newSpan.tiles.count
    guard (turned != nil) == cache.isTurned(new.tiles[newSpan.tiles]) else {
      damage.add(bounds)
      become(new, index, cache: &cache)
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

  /// Changes a text that moves.
  private mutating func move(from old: Tile, to new: Tile, cache: inout CoverageCache) {
    guard case .text(let next) = new.shape, var text = turned else { return }
    // Held here alone.
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

  /// Whether an image of its tiles is not there yet, or another stands in for it.
  fileprivate func isInterim(_ tiles: ArraySlice<Tile>) -> Bool {
    tiles.enumerated().contains { isInterim($0, $1) }
  }

  private func isInterim(_ number: Int, _ tile: Tile) -> Bool {
    switch tile.fill {
    case .image: fillings[number].source?.isInterim ?? true
    // A strip outside of the canvas has no source, and lacks no image.
    case .strip: fillings[number].source?.isInterim ?? false
    case .color, .gradient: false
    }
  }

  /// Fills the tiles whose images were not there before.
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
  /// Whether it is the same text at another place, angle and scale.
  fileprivate func isSame(as other: TextRun) -> Bool {
    var moved = self
    moved.anchor = other.anchor
    moved.angle = other.angle
    moved.scale = other.scale
    return moved == other
  }
}

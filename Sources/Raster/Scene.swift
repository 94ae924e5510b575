// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry

/// A display list made ready for painting: each item with the pixels that it covers, and each fill
/// with the pixels that it gives. It follows one list after the other, and what stays the same stays
/// as it is.
struct Scene {
  struct Layer {
    fileprivate(set) var item: DisplayItem
    /// In place of coverage.
    fileprivate(set) var turned: TurnedText?
    /// One for each tile, or none for a text that moves.
    fileprivate var parts: [Coverage]
    /// All of several tiles.
    fileprivate var merged: Coverage?
    /// What each tile gives.
    fileprivate(set) var inks: [Ink]
    /// Keeps the pixels of the inks that are no plain colours, one for each tile.
    fileprivate(set) var sources: [PixelSource?]
    /// Nothing of the layer shows outside of it.
    fileprivate(set) var clip: PixelRect

    /// How the item covers the canvas, nil for a text that moves and for no tiles.
    var coverage: Coverage? { merged ?? parts.first }

    /// The pixels outside of which the layer shows nothing.
    var bounds: PixelRect {
      (turned?.mask.bounds ?? coverage?.bounds ?? .empty).intersection(clip)
    }
  }

  private(set) var background: Color?
  private(set) var layers: [Layer] = []
  /// What may be shown soon, and what it will be filled with.
  private var coming: [Tile] = []
  private var comingSources: [PixelSource] = []
  /// The images that were there when it was shown last.
  private var imageRevision = 0

  var showsStrips: Bool {
    layers.contains { layer in
      layer.item.tiles.contains { if case .strip = $0.fill { true } else { false } }
    }
  }

  /// Turns into what `list` describes, and adds to the damage what must be painted for it.
  ///
  /// Lists of as many items are compared item by item and tile by tile, so that one wedge that lights
  /// up damages its own pixels only; others are compared from both ends, and what remains in the
  /// middle is damaged whole.
  mutating func show(
    _ list: DisplayList, cache: inout CoverageCache, _ damage: inout Damage
  ) {
    defer { prepare(list.coming, cache: &cache) }
    let hasNewImages = cache.images.revision != imageRevision
    imageRevision = cache.images.revision
    defer {
      if hasNewImages {
        for index in layers.indices { layers[index].fillMissing(cache: &cache, &damage) }
        coming = []
      }
    }
    let items = list.items
    if list.background != background {
      background = list.background
      damage.add(cache.canvas)
    }
    if layers.count == items.count {
      for index in layers.indices {
        layers[index].change(to: items[index], cache: &cache, &damage)
      }
      return
    }
    let shorter = min(layers.count, items.count)
    var head = 0
    while head < shorter, layers[head].item == items[head] { head += 1 }
    var tail = 0
    while tail < shorter - head,
      layers[layers.count - 1 - tail].item == items[items.count - 1 - tail]
    {
      tail += 1
    }
    for index in head..<(layers.count - tail) { damage.add(layers[index].bounds) }
    let new = items[head..<(items.count - tail)].map { Layer($0, cache: &cache) }
    for layer in new { damage.add(layer.bounds) }
    layers.replaceSubrange(head..<(layers.count - tail), with: new)
  }

  /// Sees to it that what may be shown soon is there by then.
  private mutating func prepare(_ tiles: [Tile], cache: inout CoverageCache) {
    guard tiles != coming else { return }
    coming = tiles
    comingSources = tiles.compactMap { cache.source(of: $0, under: cache.coverage(of: $0.shape)) }
  }
}

extension Scene.Layer {
  fileprivate init(_ item: DisplayItem, cache: inout CoverageCache) {
    self.item = item
    turned = cache.turned(item.tiles)
    parts = turned == nil ? item.tiles.map { cache.coverage(of: $0.shape) } : []
    merged = parts.count > 1 ? cache.coverage(merging: parts) : nil
    sources = []
    for index in item.tiles.indices {
      sources.append(
        cache.source(of: item.tiles[index], under: turned == nil ? parts[index] : nil))
    }
    inks = zip(item.tiles, sources).map { Ink($0.fill, $1) }
    clip = cache.clip(item.clip)
  }

  fileprivate mutating func change(
    to new: DisplayItem, cache: inout CoverageCache, _ damage: inout Damage
  ) {
    guard new.tiles.count == item.tiles.count, turned != nil || !cache.isTurned(new.tiles) else {
      damage.add(bounds)
      self = Self(new, cache: &cache)
      damage.add(bounds)
      return
    }
    if turned != nil {
      move(to: new, cache: &cache, &damage)
      return
    }
    let isClippedAnew = new.clip != item.clip
    if isClippedAnew { damage.add(bounds) }
    var isMoved = false
    var isChanged = isClippedAnew
    for index in new.tiles.indices {
      let tile = new.tiles[index]
      let moves = tile.shape != item.tiles[index].shape
      guard moves || tile.fill != item.tiles[index].fill else { continue }
      addRects(of: index, to: &damage)
      if moves { cache.change(&parts[index], to: tile.shape) }
      fill(index, tile, cache: &cache)
      isMoved = isMoved || moves
      isChanged = true
    }
    if isMoved {
      if var whole = merged {
        // Held here alone, its memory is used again.
        merged = nil
        cache.change(&whole, merging: parts)
        merged = whole
      }
      for index in new.tiles.indices where new.tiles[index].shape != item.tiles[index].shape {
        addRects(of: index, to: &damage)
      }
    }
    if isClippedAnew {
      clip = cache.clip(new.clip)
      damage.add(bounds)
    }
    if isChanged { item = new }
  }

  /// Changes a text that moves.
  private mutating func move(
    to new: DisplayItem, cache: inout CoverageCache, _ damage: inout Damage
  ) {
    guard new != item else { return }
    damage.add(bounds)
    if case .text(let old) = item.tiles[0].shape, case .text(let next) = new.tiles[0].shape,
      old.isSame(as: next), cache.isTurned(next), new.clip == item.clip, var turned
    {
      cache.change(&turned, to: next)
      self.turned = turned
      fill(0, new.tiles[0], cache: &cache)
      item = new
    } else {
      self = Self(new, cache: &cache)
    }
    damage.add(bounds)
  }

  private func addRects(of tile: Int, to damage: inout Damage) {
    for rect in (merged ?? parts[tile]).rects(of: merged == nil ? 0 : tile) {
      damage.add(rect.intersection(clip))
    }
  }

  private mutating func fill(_ index: Int, _ tile: Tile, cache: inout CoverageCache) {
    cache.change(&sources[index], to: tile, under: turned == nil ? parts[index] : nil)
    inks[index] = Ink(tile.fill, sources[index])
  }

  /// Fills the tiles whose images were not there before.
  fileprivate mutating func fillMissing(cache: inout CoverageCache, _ damage: inout Damage) {
    for index in item.tiles.indices {
      guard case .image = item.tiles[index].fill, sources[index]?.isInterim ?? true else {
        continue
      }
      fill(index, item.tiles[index], cache: &cache)
      if sources[index] != nil { damage.add(bounds) }
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

// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry

/// A display list made ready for painting: each tile with the pixels that it covers, and each fill
/// with the pixels that it gives.
struct Scene {
  struct Layer {
    var tiles: [Tile]
    /// The union of the tiles' bounds, clipped.
    var bounds: PixelRect
    /// Nothing of the layer shows outside of it.
    var clip: PixelRect
  }

  struct Tile {
    var coverage: Coverage
    var paint: Paint
  }

  enum Paint {
    /// A colour, and its alpha from 0 to 255.
    case color(UInt32, alpha: UInt64)
    case pixels(PixelSource)

    var isOpaque: Bool {
      switch self {
      case .color(_, let alpha): alpha == 255
      case .pixels(let source): source.isOpaque
      }
    }
  }

  var background: UInt32
  var layers: [Layer]

  init(
    _ list: DisplayList, viewport: Viewport, canvas: PixelRect, cache: inout CoverageCache
  ) {
    background = list.background.opaquePixel
    layers = []
    layers.reserveCapacity(list.items.count)
    for item in list.items {
      let clip =
        item.clip.map { Self.clip($0, viewport).intersection(canvas) } ?? canvas
      var bounds = PixelRect.empty
      var tiles: [Tile] = []
      tiles.reserveCapacity(item.tiles.count)
      for tile in item.tiles {
        let coverage = cache.coverage(of: tile.shape)
        let paint: Paint =
          switch tile.fill {
          case .color(let color): .color(color.opaquePixel, alpha: UInt64(color.alpha))
          case .image, .strip: .pixels(cache.source(of: tile.fill))
          }
        bounds = bounds.union(coverage.bounds)
        tiles.append(Tile(coverage: coverage, paint: paint))
      }
      layers.append(Layer(tiles: tiles, bounds: bounds.intersection(clip), clip: clip))
    }
  }

  /// A clip's edges go to the nearest whole pixels: a clipped row must not fade at its end.
  private static func clip(_ rect: Rect, _ viewport: Viewport) -> PixelRect {
    let r = viewport.canvasRect(rect)
    return PixelRect(
      covering: Rect(
        x0: r.x0.rounded(), y0: r.y0.rounded(), x1: r.x1.rounded(), y1: r.y1.rounded()))
  }

  /// The bounds of what `tile` of `layer` shows.
  func bounds(of tile: Int, in layer: Int) -> PixelRect {
    layers[layer].tiles[tile].coverage.bounds.intersection(layers[layer].clip)
  }
}

extension Damage {
  /// What must be painted when `old` gives way to `new`, both inside `canvas`.
  ///
  /// The lists are compared from both ends; what remains in the middle is compared item by item and
  /// tile by tile where there are as many as before, so that one wedge that lights up damages its
  /// own pixels only.
  init(
    from old: (list: DisplayList, scene: Scene), to new: (list: DisplayList, scene: Scene),
    canvas: PixelRect
  ) {
    self.init()
    guard old.list.background == new.list.background else {
      add(canvas)
      return
    }
    let a = old.list.items
    let b = new.list.items
    let shorter = min(a.count, b.count)
    var head = 0
    while head < shorter, a[head] == b[head] { head += 1 }
    var tail = 0
    while tail < shorter - head, a[a.count - 1 - tail] == b[b.count - 1 - tail] { tail += 1 }

    guard a.count == b.count else {
      for index in head..<(a.count - tail) { add(old.scene.layers[index].bounds) }
      for index in head..<(b.count - tail) { add(new.scene.layers[index].bounds) }
      return
    }
    for index in head..<(a.count - tail) where a[index] != b[index] {
      guard a[index].tiles.count == b[index].tiles.count, a[index].clip == b[index].clip else {
        add(old.scene.layers[index].bounds)
        add(new.scene.layers[index].bounds)
        continue
      }
      for tile in a[index].tiles.indices where a[index].tiles[tile] != b[index].tiles[tile] {
        add(old.scene.bounds(of: tile, in: index))
        add(new.scene.bounds(of: tile, in: index))
      }
    }
  }
}

// SPDX-License-Identifier: MIT

internal import Geometry

/// Composes a scene's rows on a canvas. It keeps the memory that a row needs from one to the next.
struct RowComposer {
  /// Some pixels of a row to be filled with a colour or from a tile's source.
  private struct Piece {
    var x0: Int
    var x1: Int
    var content: Content

    enum Content {
      case color(UInt32)
      case source(tile: Int)
    }
  }

  /// What the tiles of one layer have given to each pixel of the row so far; 0 between rows.
  private var given: [Lanes]
  /// What lies under something opaque, from left to right, apart from each other.
  private var covered: [(x0: Int, x1: Int)] = []
  private var pieces: [Piece] = []
  /// Where each layer's pieces begin in `pieces`, topmost layer first.
  private var starts: [Int] = []

  init(width: Int) {
    given = [Lanes](repeating: 0, count: width)
  }

  mutating func paint(_ scene: Scene, _ rect: PixelRect, onto canvas: Canvas) {
    let layers = scene.layers.filter { $0.bounds.overlaps(rect) }
    // The canvas lends its pixels until the end of this call; every index below lies in a row of it,
    // because coverage is made inside the canvas and `rect` lies inside it too.
    unsafe canvas.withPixels { pixels in
      for y in rect.y0..<rect.y1 {
        guard
          let row = unsafe pixels.baseAddress.map({
            unsafe UnsafeMutableBufferPointer(
              start: $0 + y * canvas.size.width, count: canvas.size.width)
          })
        else { return }
        unsafe compose(layers, background: scene.background, y, rect.x0, rect.x1, row)
      }
    }
  }

  private mutating func compose(
    _ layers: [Scene.Layer], background: UInt32, _ y: Int, _ x0: Int, _ x1: Int,
    _ row: UnsafeMutableBufferPointer<UInt32>
  ) {
    covered.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    for layer in layers.reversed() {
      starts.append(pieces.count)
      guard y >= layer.bounds.y0, y < layer.bounds.y1 else { continue }
      let from = max(x0, layer.clip.x0)
      let to = min(x1, layer.clip.x1)
      for (index, tile) in layer.tiles.enumerated() where tile.paint.isOpaque {
        var left = from
        var right = to
        let content: Piece.Content
        switch tile.paint {
        case .color(let pixel, _): content = .color(pixel)
        case .pixels(let source):
          guard y >= source.bounds.y0, y < source.bounds.y1 else { continue }
          left = max(left, source.bounds.x0)
          right = min(right, source.bounds.x1)
          content = .source(tile: index)
        }
        for run in tile.coverage.runs(in: y) where run.isSolid {
          uncover(max(Int(run.x0), left), min(Int(run.x1), right), content)
        }
      }
    }
    starts.append(pieces.count)
    uncover(x0, x1, .color(background))

    unsafe fill(starts[layers.count]..<pieces.count, [], y, row)
    for index in layers.indices {
      let order = layers.count - 1 - index
      unsafe fill(starts[order]..<starts[order + 1], layers[index].tiles, y, row)
      unsafe blend(layers[index], y, x0, x1, row)
    }
  }

  /// Adds the parts of a run that nothing above covers, and covers them.
  private mutating func uncover(_ x0: Int, _ x1: Int, _ content: Piece.Content) {
    guard x0 < x1 else { return }
    var index = covered.count
    while index > 0, covered[index - 1].x1 >= x0 { index -= 1 }
    // covered[index...] are those that end at x0 or right of it.
    var from = x0
    var end = index
    var merged = (x0: x0, x1: x1)
    while end < covered.count, covered[end].x0 <= x1 {
      if from < covered[end].x0 {
        pieces.append(Piece(x0: from, x1: covered[end].x0, content: content))
      }
      from = max(from, covered[end].x1)
      merged.x0 = min(merged.x0, covered[end].x0)
      merged.x1 = max(merged.x1, covered[end].x1)
      end += 1
    }
    if from < x1 { pieces.append(Piece(x0: from, x1: x1, content: content)) }
    covered.replaceSubrange(index..<end, with: CollectionOfOne(merged))
  }

  /// Fills some of the pieces, all of them of the layer that has these tiles.
  private func fill(
    _ range: Range<Int>, _ tiles: [Scene.Tile], _ y: Int, _ row: UnsafeMutableBufferPointer<UInt32>
  ) {
    for index in range {
      let piece = pieces[index]
      switch piece.content {
      case .color(let pixel): unsafe row[piece.x0..<piece.x1].update(repeating: pixel)
      case .source(let tile):
        guard case .pixels(let source) = tiles[tile].paint else { continue }
        let start = (y - source.bounds.y0) * source.bounds.width - source.bounds.x0
        let pixels = source.pixels[start + piece.x0..<start + piece.x1]
        _ = unsafe UnsafeMutableBufferPointer(rebasing: row[piece.x0..<piece.x1])
          .update(fromContentsOf: pixels)
      }
    }
  }

  /// Blends what the layer does not cover whole, and what it covers without being opaque.
  private mutating func blend(
    _ layer: Scene.Layer, _ y: Int, _ x0: Int, _ x1: Int,
    _ row: UnsafeMutableBufferPointer<UInt32>
  ) {
    guard y >= layer.bounds.y0, y < layer.bounds.y1 else { return }
    let from = max(x0, layer.clip.x0)
    let to = min(x1, layer.clip.x1)
    for tile in layer.tiles {
      for run in tile.coverage.runs(in: y) where !(run.isSolid && tile.paint.isOpaque) {
        give(tile, run, y, max(Int(run.x0), from), min(Int(run.x1), to))
      }
    }
    for tile in layer.tiles {
      for run in tile.coverage.runs(in: y) where !(run.isSolid && tile.paint.isOpaque) {
        for x in max(Int(run.x0), from)..<max(min(Int(run.x1), to), max(Int(run.x0), from)) {
          // A pixel that two tiles share is laid down at the first of them.
          guard given[x] != 0 else { continue }
          unsafe row[x] = Raster.blend(given[x], over: row[x])
          given[x] = 0
        }
      }
    }
  }

  /// Notes what a tile gives to each pixel from `from` to `to`, all of them in `run`.
  private mutating func give(
    _ tile: Scene.Tile, _ run: Coverage.Run, _ y: Int, _ from: Int, _ to: Int
  ) {
    guard from < to else { return }
    switch tile.paint {
    case .color(let pixel, let alpha):
      let color = lanes(pixel)
      for x in from..<to {
        let covered = tile.coverage.value(run, x)
        given[x] &+= contribution(
          color, weight: alpha == 255 ? covered : weight(coverage: covered, alpha: alpha))
      }
    case .pixels(let source):
      guard y >= source.bounds.y0, y < source.bounds.y1 else { return }
      let start = (y - source.bounds.y0) * source.bounds.width - source.bounds.x0
      for x in max(
        from, source.bounds.x0)..<max(min(to, source.bounds.x1), max(from, source.bounds.x0))
      {
        let pixel = source.pixels[start + x]
        let covered = tile.coverage.value(run, x)
        // The colour is premultiplied already: only the coverage weighs it, and the alpha goes into
        // the lane that says how much of the pixel is taken.
        given[x] &+=
          lanes(pixel) &* covered
          &+ weight(coverage: covered, alpha: UInt64(pixel >> 24)) << 48
      }
    }
  }
}

extension Coverage {
  /// The runs of row `y`, none where the row lies outside.
  func runs(in y: Int) -> ArraySlice<Run> {
    guard y >= bounds.y0, y < bounds.y1 else { return [] }
    let row = y - bounds.y0
    return runs[Int(rows[row])..<Int(rows[row + 1])]
  }

  /// How much of the pixel at `x`, which lies in `run`, is covered.
  @inline(__always)
  func value(_ run: Run, _ x: Int) -> UInt64 {
    run.isSolid ? 256 : UInt64(values[Int(run.values) + x - Int(run.x0)])
  }
}

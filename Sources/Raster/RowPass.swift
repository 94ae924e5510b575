// SPDX-License-Identifier: MIT

internal import Geometry

/// Composes rows of a canvas, each layer by layer from the bottom up.
// Unsafe to hold on to: all of it is lent by `RowComposer`. It holds no reference, because counting
// those in every row would cost more than many a row does.
@unsafe struct RowPass {
  /// A layer of the scene.
  // Safe: it lives only while `RowComposer.paint` holds the scene that owns what it points to.
  @safe struct Layer {
    /// What it may show, of the canvas.
    let bounds: PixelRect
    /// Where its tiles' inks begin.
    let firstInk: Int
    let coverage: Coverage.View?
    /// In place of coverage.
    let turned: TurnedMask?
    /// Whether it covers much of its bounds whole.
    let isLaid: Bool

    init(_ layer: Scene.Layer, firstInk: Int) {
      bounds = layer.bounds
      self.firstInk = firstInk
      unsafe coverage = layer.coverage?.view
      turned = layer.turned?.mask
      isLaid = layer.coverage?.isMostlySolid ?? false
    }
  }

  private let layers: UnsafeBufferPointer<Layer>
  private let inks: UnsafePointer<Ink>
  /// Those that show in the rows at hand, back to front.
  private let near: UnsafeMutablePointer<UnsafePointer<Layer>>
  private var nearCount = 0
  /// The last of them that covers much of the rows whole.
  private var lastLaid = 0

  /// - Parameters:
  ///   - inks: the first is the background's.
  ///   - near: room for as many as there are layers.
  ///   - rows: those of the rectangles to be composed.
  init(
    layers: UnsafeBufferPointer<Layer>, inks: UnsafePointer<Ink>,
    near: UnsafeMutablePointer<UnsafePointer<Layer>>
  ) {
    unsafe self.layers = layers
    unsafe self.inks = inks
    unsafe self.near = near
  }

  /// Finds the layers that show in `rect`; to be called before any of it is composed.
  mutating func look(at rect: PixelRect) {
    unsafe nearCount = 0
    unsafe lastLaid = 0
    guard let layers = unsafe layers.baseAddress else { return }
    for index in unsafe 0..<self.layers.count where unsafe layers[index].bounds.overlaps(rect) {
      unsafe (near + nearCount).initialize(to: layers + index)
      if unsafe layers[index].isLaid { unsafe lastLaid = nearCount }
      unsafe nearCount += 1
    }
  }

  /// Composes the pixels `x0 ..< x1` of a row that has been begun.
  func compose(_ row: inout RowRuns, _ x0: Int, _ x1: Int) {
    let y = unsafe row.y
    for index in unsafe 0..<nearCount {
      let layer = unsafe near[index]
      guard unsafe y >= layer.pointee.bounds.y0, unsafe y < layer.pointee.bounds.y1 else {
        continue
      }
      let from = unsafe max(x0, layer.pointee.bounds.x0)
      let to = unsafe min(x1, layer.pointee.bounds.x1)
      let inks = unsafe inks + layer.pointee.firstInk
      if let coverage = unsafe layer.pointee.coverage {
        // The layer's bounds lie inside of its coverage's.
        let own = unsafe coverage.row(y)
        let solids = unsafe coverage.solids(own)
        let edges = unsafe coverage.edges(own)
        if solids.count > 0 {
          unsafe row.lay(
            solids, layer.pointee.firstInk, from, to, edges: edges, isLast: index >= lastLaid)
        } else {
          unsafe row.write(under: edges)
        }
        unsafe Self.blend(coverage.quads(own), inks, from, to, &row)
        let shared = unsafe coverage.shared(own)
        if shared.count > 0 { unsafe blend(shared, of: coverage, inks, from, to, &row) }
      } else if let turned = unsafe layer.pointee.turned,
        let stretch = turned.stretch(of: y, from, to)
      {
        unsafe row.write(under: stretch.first..<stretch.last + 1)
        unsafe turned.blend(inks.pointee, stretch, into: row.pixels)
      }
    }
    unsafe row.write()
  }

  // MARK: Edges

  /// Blends what a layer does not cover whole.
  @inline(never)
  private static func blend(
    _ quads: UnsafeBufferPointer<Coverage.Quad>, _ inks: UnsafePointer<Ink>, _ x0: Int, _ x1: Int,
    _ row: inout RowRuns
  ) {
    guard var quad = quads.baseAddress else { return }
    let end = unsafe quad + quads.count
    let pixels = unsafe row.pixels
    while unsafe quad < end {
      let from = unsafe Int(quad.pointee.x)
      let to = unsafe Int(quad.pointee.x1)
      let ink = unsafe inks + Int(quad.pointee.tile)
      if from >= x0, to <= x1, unsafe ink.pointee.isColor {
        unsafe blend(ink, quad.pointee.weights, pixels + from)
      } else if from < x1, to > x0 {
        unsafe blend(ink, quad.pointee, max(from, x0), min(to, x1), &row)
      }
      unsafe quad += 1
    }
  }

  /// Blends a colour into four pixels. Those of the weight 0 remain what they are, and exist, if only
  /// as the canvas's slack.
  @inline(__always)
  private static func blend(
    _ ink: UnsafePointer<Ink>, _ weights: SIMD4<UInt16>, _ pixels: UnsafeMutablePointer<UInt32>
  ) {
    var taken = SIMD4<UInt32>(truncatingIfNeeded: weights)
    if unsafe !ink.pointee.isOpaque {
      taken = unsafe weight(coverage: taken, alpha: ink.pointee.alpha)
    }
    let place = UnsafeMutableRawPointer(pixels)
    let below = unsafe place.loadUnaligned(as: SIMD4<UInt32>.self)
    unsafe place.storeBytes(
      of: FourMixer(ink.pointee.pixel).mix(taken, over: below), as: SIMD4<UInt32>.self)
  }

  /// Blends an ink of any kind into the pixels of a quad from `from` to `to`.
  @inline(never)
  private static func blend(
    _ ink: UnsafePointer<Ink>, _ quad: Coverage.Quad, _ from: Int, _ to: Int,
    _ row: inout RowRuns
  ) {
    var weights = quad.weights
    for lane in 0..<4 where Int(quad.x) + lane < from || Int(quad.x) + lane >= to {
      weights[lane] = 0
    }
    let pixels = unsafe row.pixels
    if unsafe ink.pointee.isColor {
      unsafe blend(ink, weights, pixels + Int(quad.x))
    } else if let source = unsafe ink.pointee.row(row.y) {
      let bounds = unsafe ink.pointee.bounds
      for x in max(from, bounds.x0)..<max(min(to, bounds.x1), from, bounds.x0) {
        let given = unsafe contribution(
          premultiplied: source[x], covered: UInt64(weights[x - Int(quad.x)]))
        unsafe pixels[x] = Raster.blend(given, over: pixels[x])
      }
    }
  }

  /// Blends pixels that several tiles share: their colours add up.
  private func blend(
    _ shared: UnsafeBufferPointer<Coverage.Shared>, of coverage: Coverage.View,
    _ inks: UnsafePointer<Ink>, _ x0: Int, _ x1: Int, _ row: inout RowRuns
  ) {
    let pixels = unsafe row.pixels
    for number in 0..<shared.count {
      let pixel = unsafe shared[number]
      let x = Int(pixel.x)
      guard x >= x0, x < x1 else { continue }
      let tiles = unsafe coverage.tiles(pixel)
      let weights = unsafe coverage.weights(pixel)
      var given: Lanes = 0
      for member in 0..<tiles.count {
        let ink = unsafe inks[Int(tiles[member])]
        let covered = unsafe UInt64(weights[member])
        if ink.isColor {
          given &+= contribution(
            ink.color, weight: weight(coverage: covered, alpha: UInt64(ink.alpha)))
        } else if let source = unsafe ink.row(row.y), x >= ink.bounds.x0,
          x < ink.bounds.x1
        {
          given &+= unsafe contribution(premultiplied: source[x], covered: covered)
        }
      }
      unsafe pixels[x] = Raster.blend(given, over: pixels[x])
    }
  }
}

// SPDX-License-Identifier: MIT

internal import Geometry

/// Composes rows of a canvas, each once: from the topmost layer down it is found out which pixels lie
/// under something opaque, and only those that do not are filled; then edges, texts and whatever else
/// lets something through are blended, from the bottom up.
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
    /// Whether it may hide what lies below.
    let hides: Bool
    /// Whether any of its inks lets something through.
    let isTranslucent: Bool
    let coverage: Unmanaged<Coverage>?
    /// In place of coverage.
    let turned: TurnedMask?

    init(_ layer: Scene.Layer, firstInk: Int) {
      bounds = layer.bounds
      self.firstInk = firstInk
      isTranslucent = !layer.inks.allSatisfy(\.isOpaque)
      switch layer.content {
      case .coverage(let coverage):
        hides = coverage.hasSolids && layer.inks.contains(where: \.isOpaque)
        unsafe self.coverage = Unmanaged.passUnretained(coverage)
        turned = nil
      case .turned(_, let mask):
        hides = false
        unsafe coverage = nil
        turned = mask
      }
    }

    @inline(__always)
    func shows(in y: Int) -> Bool { y >= bounds.y0 && y < bounds.y1 }
  }

  /// A layer that shows in the rows at hand, and its pieces of the row.
  // Safe: as `Layer` is.
  @safe struct Near {
    var layer: UnsafePointer<Layer>
    var pieces: Range<Int>
  }

  /// Some pixels of a row to be filled.
  struct Piece {
    var x0: Int
    var x1: Int
    var ink: Int
  }

  struct Interval {
    var x0: Int
    var x1: Int
  }

  private let layers: UnsafeBufferPointer<Layer>
  /// The first is the background's.
  private let inks: UnsafeBufferPointer<Ink>
  /// Back to front.
  private let near: UnsafeMutablePointer<Near>
  private var nearCount = 0
  /// What lies under something opaque, from left to right, apart from each other.
  private let covered: UnsafeMutablePointer<Interval>
  private var coveredCount = 0
  private let pieces: UnsafeMutablePointer<Piece>
  private var pieceCount = 0

  /// - Parameters:
  ///   - near: room for as many as there are layers.
  ///   - covered: room for half as many as a row has pixels, and one.
  ///   - pieces: room for as many as a row has pixels.
  init(
    layers: UnsafeBufferPointer<Layer>, inks: UnsafeBufferPointer<Ink>,
    near: UnsafeMutablePointer<Near>, covered: UnsafeMutablePointer<Interval>,
    pieces: UnsafeMutablePointer<Piece>
  ) {
    unsafe self.layers = layers
    unsafe self.inks = inks
    unsafe self.near = near
    unsafe self.covered = covered
    unsafe self.pieces = pieces
  }

  /// Finds the layers that show in `rows`; to be called before any of them is composed.
  mutating func look(at rows: PixelRect) {
    unsafe nearCount = 0
    guard let layers = unsafe layers.baseAddress else { return }
    for index in unsafe 0..<self.layers.count where unsafe layers[index].bounds.overlaps(rows) {
      unsafe (near + nearCount).initialize(to: Near(layer: layers + index, pieces: 0..<0))
      unsafe nearCount += 1
    }
  }

  /// Composes the pixels `x0 ..< x1` of row `y`, which begins at `row`.
  mutating func compose(_ y: Int, _ x0: Int, _ x1: Int, _ row: UnsafeMutablePointer<UInt32>) {
    unsafe coveredCount = 0
    unsafe pieceCount = 0
    var index = unsafe nearCount
    while index > 0 {
      index -= 1
      let layer = unsafe near[index].layer
      let first = unsafe pieceCount
      if unsafe layer.pointee.hides, unsafe layer.pointee.shows(in: y) {
        unsafe hide(
          layer, y, max(x0, layer.pointee.bounds.x0), min(x1, layer.pointee.bounds.x1))
      }
      unsafe near[index].pieces = first..<pieceCount
    }
    let first = unsafe pieceCount
    unsafe uncover(x0, x1, ink: 0)
    unsafe fill(first..<pieceCount, y, row)
    while unsafe index < nearCount {
      let layer = unsafe near[index].layer
      if unsafe layer.pointee.shows(in: y) {
        unsafe fill(near[index].pieces, y, row)
        unsafe blend(
          layer, y, max(x0, layer.pointee.bounds.x0), min(x1, layer.pointee.bounds.x1), row)
      }
      index += 1
    }
  }

  /// Takes what the opaque insides of a layer fill of the row.
  private mutating func hide(_ layer: UnsafePointer<Layer>, _ y: Int, _ x0: Int, _ x1: Int) {
    guard
      let solids = unsafe layer.pointee.coverage?._withUnsafeGuaranteedRef({
        unsafe $0.solids(in: y)
      })
    else { return }
    for number in solids.indices {
      let span = unsafe solids[number]
      if span.x1 <= x0 { continue }
      if span.x0 >= x1 { break }
      let index = unsafe layer.pointee.firstInk &+ Int(span.tiles)
      let ink = unsafe inks[index]
      guard ink.isOpaque else { continue }
      var from = max(Int(span.x0), x0)
      var to = min(Int(span.x1), x1)
      if !ink.isColor {
        guard y >= ink.bounds.y0, y < ink.bounds.y1 else { continue }
        from = max(from, ink.bounds.x0)
        to = min(to, ink.bounds.x1)
      }
      unsafe uncover(from, to, ink: index)
    }
  }

  /// Adds the parts of a stretch that nothing above covers to the pieces, and covers them.
  private mutating func uncover(_ x0: Int, _ x1: Int, ink: Int) {
    guard x0 < x1 else { return }
    // Everything here lies in the row, and the intervals apart from each other, so neither buffer
    // overflows.
    var first = unsafe coveredCount
    if unsafe first == 0 || covered[first - 1].x1 < x0 {
      // Right of all others, as most are.
      unsafe covered[first] = Interval(x0: x0, x1: x1)
      unsafe coveredCount = first &+ 1
      unsafe addPiece(x0, x1, ink)
      return
    }
    while first > 0, unsafe covered[first - 1].x1 >= x0 { first -= 1 }
    // covered[first...] are those that end at x0 or right of it.
    var from = x0
    var end = first
    var merged = Interval(x0: x0, x1: x1)
    while unsafe end < coveredCount, unsafe covered[end].x0 <= x1 {
      let other = unsafe covered[end]
      unsafe addPiece(from, other.x0, ink)
      from = max(from, other.x1)
      merged = Interval(x0: min(merged.x0, other.x0), x1: max(merged.x1, other.x1))
      end += 1
    }
    unsafe addPiece(from, x1, ink)
    let rest = unsafe coveredCount - end
    if rest > 0, end != first + 1 {
      unsafe (covered + first + 1).update(from: covered + end, count: rest)
    }
    unsafe coveredCount = first + 1 + rest
    unsafe covered[first] = merged
  }

  @inline(__always)
  private mutating func addPiece(_ x0: Int, _ x1: Int, _ ink: Int) {
    guard x0 < x1 else { return }
    unsafe pieces[pieceCount] = Piece(x0: x0, x1: x1, ink: ink)
    unsafe pieceCount &+= 1
  }

  private func fill(_ range: Range<Int>, _ y: Int, _ row: UnsafeMutablePointer<UInt32>) {
    for index in range {
      let piece = unsafe pieces[index]
      let ink = unsafe inks[piece.ink]
      let count = piece.x1 - piece.x0
      if let pixels = unsafe ink.row(y) {
        unsafe (row + piece.x0).update(from: pixels + piece.x0, count: count)
      } else {
        unsafe Raster.fill(row + piece.x0, with: ink.pixel, count: count)
      }
    }
  }

  /// Blends what a layer does not cover whole, and what it covers without being opaque.
  private func blend(
    _ layer: UnsafePointer<Layer>, _ y: Int, _ x0: Int, _ x1: Int,
    _ row: UnsafeMutablePointer<UInt32>
  ) {
    guard let coverage = unsafe layer.pointee.coverage else {
      unsafe layer.pointee.turned?.blend(
        inks[layer.pointee.firstInk], y, x0, x1, into: row)
      return
    }
    let firstInk = unsafe layer.pointee.firstInk
    unsafe coverage._withUnsafeGuaranteedRef { coverage in
      if unsafe layer.pointee.isTranslucent {
        let solids = unsafe coverage.solids(in: y)
        for number in solids.indices {
          let span = unsafe solids[number]
          let ink = unsafe inks[firstInk &+ Int(span.tiles)]
          // What is opaque has been filled.
          if !ink.isOpaque {
            unsafe blend(ink, nil, y, max(Int(span.x0), x0), min(Int(span.x1), x1), row)
          }
        }
      }
      let edges = unsafe coverage.edges(in: y)
      for number in edges.indices {
        let span = unsafe edges[number]
        if span.x1 <= x0 { continue }
        if span.x0 >= x1 { break }
        // Beyond an edge's end weights are 0, and pixels remain what they are; that is not so beyond
        // the end of what is painted.
        if span.tiles >= 0, span.x0 >= x0, span.x1 <= x1 {
          let ink = unsafe inks[firstInk &+ Int(span.tiles)]
          if ink.isColor {
            unsafe blendInFours(ink, coverage.weights + Int(span.weights), span, row)
            continue
          }
        }
        let from = max(Int(span.x0), x0)
        let to = min(Int(span.x1), x1)
        if span.tiles < 0 {
          unsafe blendShared(coverage, span, firstInk, y, from, to, row)
        } else {
          // An edge has a weight for each of its pixels.
          let weights = unsafe coverage.weights + (Int(span.weights) - Int(span.x0))
          unsafe blend(inks[firstInk + Int(span.tiles)], weights, y, from, to, row)
        }
      }
    }
  }

  /// Blends a colour into a whole edge.
  @inline(__always)
  private func blendInFours(
    _ ink: Ink, _ weights: UnsafePointer<UInt16>, _ span: Coverage.Span,
    _ row: UnsafeMutablePointer<UInt32>
  ) {
    let mixer = FourMixer(ink.pixel)
    // Up to three pixels beyond the span's: they exist, if only as the canvas's slack.
    var place = unsafe UnsafeMutableRawPointer(row + Int(span.x0))
    let end = unsafe UnsafeMutableRawPointer(row + Int(span.x1))
    var next = unsafe UnsafeRawPointer(weights)
    repeat {
      var taken = unsafe SIMD4<UInt32>(
        truncatingIfNeeded: next.loadUnaligned(as: SIMD4<UInt16>.self))
      if !ink.isOpaque { taken = weight(coverage: taken, alpha: ink.alpha) }
      let below = unsafe place.loadUnaligned(as: SIMD4<UInt32>.self)
      unsafe place.storeBytes(of: mixer.mix(taken, over: below), as: SIMD4<UInt32>.self)
      unsafe place += 16
      unsafe next += 8
    } while unsafe place < end
  }

  /// Blends an ink where it covers as `weights`, addressed by the canvas's x, say, or whole.
  private func blend(
    _ ink: Ink, _ weights: UnsafePointer<UInt16>?, _ y: Int, _ from: Int, _ to: Int,
    _ row: UnsafeMutablePointer<UInt32>
  ) {
    if !ink.isColor {
      guard let pixels = unsafe ink.row(y) else { return }
      for x in max(from, ink.bounds.x0)..<max(min(to, ink.bounds.x1), from, ink.bounds.x0) {
        let covered = unsafe weights.map { unsafe UInt64($0[x]) } ?? 256
        unsafe row[x] = Raster.blend(
          contribution(premultiplied: pixels[x], covered: covered), over: row[x])
      }
    } else if let weights = unsafe weights {
      for x in from..<max(from, to) {
        let taken = unsafe weight(coverage: UInt64(weights[x]), alpha: UInt64(ink.alpha))
        unsafe row[x] = mix(ink.color, weight: taken, over: row[x])
      }
    } else {
      unsafe blend(ink, from, to, row)
    }
  }

  /// Blends a colour that lets something through.
  @inline(__always)
  private func blend(
    _ ink: Ink, _ from: Int, _ to: Int, _ row: UnsafeMutablePointer<UInt32>
  ) {
    let mixer = FourMixer(ink.pixel)
    let taken = weight(coverage: 256, alpha: UInt64(ink.alpha))
    let four = SIMD4(repeating: UInt32(taken))
    var x = from
    while x &+ 4 <= to {
      let place = unsafe UnsafeMutableRawPointer(row + x)
      let below = unsafe place.loadUnaligned(as: SIMD4<UInt32>.self)
      unsafe place.storeBytes(of: mixer.mix(four, over: below), as: SIMD4<UInt32>.self)
      x &+= 4
    }
    while x < to {
      unsafe row[x] = mix(ink.color, weight: taken, over: row[x])
      x &+= 1
    }
  }

  /// Blends pixels that several tiles share: their colours add up.
  private func blendShared(
    _ coverage: Coverage, _ span: Coverage.Span, _ firstInk: Int, _ y: Int, _ from: Int, _ to: Int,
    _ row: UnsafeMutablePointer<UInt32>
  ) {
    // A group is its count and as many tiles, and the span has a weight of each for each pixel.
    let group = unsafe coverage.groups - (1 + Int(span.tiles))
    let count = unsafe Int(group[0])
    var weights = unsafe coverage.weights + (Int(span.weights) + (from - Int(span.x0)) * count)
    for x in from..<to {
      var given: Lanes = 0
      for member in 0..<count {
        let ink = unsafe inks[firstInk + Int(group[1 + member])]
        let covered = unsafe UInt64(weights[member])
        if ink.isColor {
          given &+= contribution(
            ink.color,
            weight: weight(coverage: covered, alpha: UInt64(ink.alpha)))
        } else if let pixels = unsafe ink.row(y), x >= ink.bounds.x0, x < ink.bounds.x1 {
          given &+= unsafe contribution(premultiplied: pixels[x], covered: covered)
        }
      }
      unsafe row[x] = Raster.blend(given, over: row[x])
      unsafe weights += count
    }
  }
}

extension Ink {
  /// Where pixel 0 of the canvas's row `y` would stand in the source; nil where the source has no
  /// such row, and for a colour.
  @inline(__always)
  fileprivate func row(_ y: Int) -> UnsafePointer<UInt32>? {
    guard let pixels = unsafe pixels, y >= bounds.y0, y < bounds.y1 else { return nil }
    return unsafe pixels + ((y - bounds.y0) * bounds.width - bounds.x0)
  }
}

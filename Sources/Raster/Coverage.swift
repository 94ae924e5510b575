// SPDX-License-Identifier: MIT

internal import Geometry

/// How much of each pixel the tiles of an item cover, in 256ths, as spans along the rows: what lies
/// inside of a tile is one long span without a value for each pixel, and what lies outside of all is
/// not there at all.
///
/// It does not depend on colours, so a wedge that lights up is its spans once more.
// Safe: the memory is this object's own, and after `init` it is only read.
@safe final class Coverage {
  /// Some pixels of one row, side by side, that the same tiles cover.
  struct Span {
    var x0: Int32
    var x1: Int32
    /// The tile that covers them, or, where several share each pixel, −1 − the place in `groups` at
    /// which their count and the tiles themselves stand.
    var tiles: Int32
    /// Where the pixels' weights begin in `weights`, one for each tile; of no use for a solid.
    var weights: Int32
  }

  /// Where the spans of a row begin.
  struct Row {
    var solids: Int32
    var edges: Int32
  }

  /// The smallest rectangle outside of which nothing is covered.
  let bounds: PixelRect
  /// The same for each tile: one rectangle, or several from top to bottom where one would hold much
  /// that the tile does not cover.
  let tileRects: [[PixelRect]]
  /// Whether there is any solid.
  let hasSolids: Bool
  /// The bytes that it takes, roughly.
  let cost: Int
  /// Those of row `y` begin where `rows[y - bounds.y0]` says, and end where those of the next begin.
  private let rows: UnsafePointer<Row>
  /// What one tile covers whole. Solids and edges stand apart, because they are painted apart.
  private let solids: UnsafePointer<Span>
  /// All the rest, and what is too short for a solid.
  private let edges: UnsafePointer<Span>
  let groups: UnsafePointer<Int32>
  /// How many 256ths of each pixel are covered. Those of a span go on with zeros up to a multiple of
  /// four, so that they can be used four at a time.
  let weights: UnsafePointer<UInt16>

  static let shortestSolid = 16

  init(_ parts: consuming CoverageBuilder) {
    let isEmpty = parts.solids.isEmpty && parts.edges.isEmpty
    bounds = isEmpty ? .empty : parts.bounds
    tileRects = parts.tileRects
    hasSolids = !parts.solids.isEmpty
    cost =
      64 + parts.rows.count * 8
      + (parts.solids.count + parts.edges.count) * MemoryLayout<Span>.stride
      + parts.groups.count * 4 + parts.weights.count * 2
    func copy<Value>(_ values: [Value]) -> UnsafePointer<Value> {
      let memory = UnsafeMutableBufferPointer<Value>.allocate(capacity: max(values.count, 1))
      _ = unsafe memory.initialize(fromContentsOf: values)
      // A buffer that was allocated has an address.
      return unsafe UnsafePointer(memory.baseAddress.unsafelyUnwrapped)
    }
    unsafe rows = copy(parts.rows)
    unsafe solids = copy(parts.solids)
    unsafe edges = copy(parts.edges)
    unsafe groups = copy(parts.groups)
    unsafe weights = copy(parts.weights)
  }

  deinit {
    // All of them are plain numbers.
    unsafe rows.deallocate()
    unsafe solids.deallocate()
    unsafe edges.deallocate()
    unsafe groups.deallocate()
    unsafe weights.deallocate()
  }

  /// The solids of row `y` from left to right; none where the row lies outside.
  @inline(__always)
  func solids(in y: Int) -> UnsafeBufferPointer<Span> {
    guard y >= bounds.y0, y < bounds.y1 else {
      return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    // There is one more row start than there are rows, and the last is the number of spans.
    let row = unsafe rows + (y - bounds.y0)
    return unsafe UnsafeBufferPointer(
      start: solids + Int(row[0].solids), count: Int(row[1].solids &- row[0].solids))
  }

  /// The edges of row `y` from left to right; none where the row lies outside.
  @inline(__always)
  func edges(in y: Int) -> UnsafeBufferPointer<Span> {
    guard y >= bounds.y0, y < bounds.y1 else {
      return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    // As above.
    let row = unsafe rows + (y - bounds.y0)
    return unsafe UnsafeBufferPointer(
      start: edges + Int(row[0].edges), count: Int(row[1].edges &- row[0].edges))
  }

  /// Calls `body` with every tile that covers a pixel of row `y`, and by how much.
  func forEachPixel(in y: Int, _ body: (_ x: Int, _ tile: Int, _ weight: Int) -> Void) {
    let solids = unsafe solids(in: y)
    for number in solids.indices {
      let span = unsafe solids[number]
      for x in span.x0..<span.x1 { body(Int(x), Int(span.tiles), 256) }
    }
    let edges = unsafe edges(in: y)
    for number in edges.indices {
      let span = unsafe edges[number]
      for x in Int(span.x0)..<Int(span.x1) {
        if span.tiles >= 0 {
          body(x, Int(span.tiles), weight(span, x))
        } else {
          let group = -1 - Int(span.tiles)
          // A group is its count and as many tiles, and each has a weight in each pixel.
          let count = unsafe Int(groups[group])
          for member in 0..<count {
            let place = Int(span.weights) + (x - Int(span.x0)) * count + member
            body(x, unsafe Int(groups[group + 1 + member]), unsafe Int(weights[place]))
          }
        }
      }
    }
  }

  /// How much of the pixel at `x`, which lies in an edge, the only tile covers.
  func weight(_ edge: Span, _ x: Int) -> Int {
    // The edge has a weight for each of its pixels.
    unsafe Int(weights[Int(edge.weights) + x - Int(edge.x0)])
  }
}

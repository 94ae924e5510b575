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
    /// Where the pixels' weights begin in `weights`, one for each tile; negative for a span that one
    /// tile covers whole.
    var weights: Int32

    var isSolid: Bool { weights < 0 }
  }

  /// The smallest rectangle outside of which nothing is covered.
  let bounds: PixelRect
  /// The same for each tile: one rectangle, or several from top to bottom where one would hold much
  /// that the tile does not cover.
  let tileRects: [[PixelRect]]
  /// Whether any span is covered whole.
  let hasSolids: Bool
  /// The bytes that it takes, roughly.
  let cost: Int
  /// `rows[y - bounds.y0] ..< rows[y - bounds.y0 + 1]` are the spans of row `y`, from left to right.
  let rows: UnsafePointer<Int32>
  let spans: UnsafePointer<Span>
  let groups: UnsafePointer<Int32>
  /// How many 256ths of each pixel are covered. Those of a span go on with zeros up to a multiple of
  /// four, so that they can be used four at a time.
  let weights: UnsafePointer<UInt16>

  static let shortestSolid = 16

  init(_ parts: consuming CoverageBuilder) {
    let isEmpty = parts.spans.isEmpty
    bounds = isEmpty ? .empty : parts.bounds
    tileRects = parts.tileRects
    hasSolids = parts.spans.contains(where: \.isSolid)
    cost =
      64 + parts.rows.count * 4 + parts.spans.count * MemoryLayout<Span>.stride
      + parts.groups.count * 4 + parts.weights.count * 2
    func copy<Value>(_ values: [Value]) -> UnsafePointer<Value> {
      let memory = UnsafeMutableBufferPointer<Value>.allocate(capacity: max(values.count, 1))
      _ = unsafe memory.initialize(fromContentsOf: values)
      // A buffer that was allocated has an address.
      return unsafe UnsafePointer(memory.baseAddress.unsafelyUnwrapped)
    }
    unsafe rows = copy(parts.rows)
    unsafe spans = copy(parts.spans)
    unsafe groups = copy(parts.groups)
    unsafe weights = copy(parts.weights)
  }

  deinit {
    // All of them are plain numbers.
    unsafe rows.deallocate()
    unsafe spans.deallocate()
    unsafe groups.deallocate()
    unsafe weights.deallocate()
  }

  /// The spans of row `y`; none where the row lies outside.
  @inline(__always)
  func spans(in y: Int) -> UnsafeBufferPointer<Span> {
    guard y >= bounds.y0, y < bounds.y1 else {
      return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    let row = y - bounds.y0
    // There is one more row start than there are rows, and the last is the number of spans.
    return unsafe UnsafeBufferPointer(
      start: spans + Int(rows[row]), count: Int(rows[row + 1] - rows[row]))
  }

  /// Calls `body` with every tile that covers a pixel of row `y`, and by how much, from left to right.
  func forEachPixel(in y: Int, _ body: (_ x: Int, _ tile: Int, _ weight: Int) -> Void) {
    let row = unsafe spans(in: y)
    for number in row.indices {
      let span = unsafe row[number]
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

  /// How much of the pixel at `x`, which lies in `span`, the only tile covers.
  func weight(_ span: Span, _ x: Int) -> Int {
    // The span has a weight for each of its pixels.
    span.isSolid ? 256 : unsafe Int(weights[Int(span.weights) + x - Int(span.x0)])
  }
}

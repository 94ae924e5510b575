// SPDX-License-Identifier: MIT

public import Geometry
internal import Text

/// How much of each pixel a shape covers, in 256ths, as runs along the rows: what lies inside is one
/// long run without a value for each pixel, and what lies outside is not there at all.
///
/// A shape's coverage does not depend on its colour, so it is remembered from frame to frame.
public struct Coverage: Sendable {
  /// Some pixels of one row, side by side.
  struct Run {
    var x0: Int32
    var x1: Int32
    /// Where the pixels' values begin in `values`; negative for a run that is covered whole.
    var values: Int32

    var isSolid: Bool { values < 0 }
  }

  /// The smallest rectangle outside of which nothing is covered.
  public let bounds: PixelRect
  /// `rows[y - bounds.y0] ..< rows[y - bounds.y0 + 1]` are the runs of row `y`, from left to right.
  let rows: [Int32]
  let runs: [Run]
  /// 1 … 255 for each pixel of the runs that are not covered whole.
  let values: [UInt8]

  static let empty = Coverage(bounds: .empty, rows: [0], runs: [], values: [])

  /// The bytes that it takes, roughly.
  var cost: Int {
    64 + rows.count * 4 + runs.count * MemoryLayout<Run>.stride + values.count
  }
}

extension Coverage {
  /// Collects runs row by row from top to bottom, pixel by pixel from left to right.
  struct Builder {
    private let bounds: PixelRect
    private var rows: [Int32] = [0]
    private var runs: [Run] = []
    private var values: [UInt8] = []

    init(bounds: PixelRect) {
      self.bounds = bounds
      rows.reserveCapacity(bounds.height + 1)
    }

    /// Adds `count` pixels of the same coverage, 0 … 256, that begin at `x`.
    mutating func add(_ coverage: Int, at x: Int, count: Int = 1) {
      guard coverage > 0, count > 0 else { return }
      let isSolid = coverage >= 256
      let rowStart = Int(rows[rows.count - 1])
      if runs.count > rowStart, runs[runs.count - 1].x1 == Int32(x),
        runs[runs.count - 1].isSolid == isSolid
      {
        runs[runs.count - 1].x1 += Int32(count)
      } else {
        runs.append(
          Run(x0: Int32(x), x1: Int32(x + count), values: isSolid ? -1 : Int32(values.count)))
      }
      if !isSolid { values.append(contentsOf: repeatElement(UInt8(coverage), count: count)) }
    }

    mutating func endRow() { rows.append(Int32(runs.count)) }

    consuming func finish() -> Coverage {
      runs.isEmpty
        ? .empty : Coverage(bounds: bounds, rows: rows, runs: runs, values: values)
    }
  }

  /// The coverage of a text's ink. 255 of 255 counts as whole.
  init(_ mask: GlyphMask, clip: PixelRect) {
    let bounds = mask.bounds.intersection(clip)
    guard !bounds.isEmpty else {
      self = .empty
      return
    }
    var builder = Builder(bounds: bounds)
    for y in bounds.y0..<bounds.y1 {
      let row = (y - mask.bounds.y0) * mask.bounds.width - mask.bounds.x0
      for x in bounds.x0..<bounds.x1 {
        let value = Int(mask.coverage[row + x])
        builder.add(value + value >> 7, at: x)
      }
      builder.endRow()
    }
    self = builder.finish()
  }

  /// The coverage of an outline in canvas pixels, inside `clip`.
  ///
  /// Each pixel is measured at 16 × 16 points, the middles of its 256 equal parts, and its coverage
  /// is how many of them lie inside. Along a row of points the outline says exactly between which x
  /// it lies, so no point is tested by itself, and every point belongs to exactly one of two outlines
  /// that share an edge: their coverages add up to the whole.
  init(_ outline: some Outline, clip: PixelRect) {
    let bounds = PixelRect(covering: outline.bounds).intersection(clip)
    guard !bounds.isEmpty else {
      self = .empty
      return
    }
    var builder = Builder(bounds: bounds)
    let width = bounds.width
    // How the coverage changes from each pixel to the next; one more for what ends at the border,
    // and one for the part of a change that falls to the next pixel.
    var changes = [Int32](repeating: 0, count: width + 2)
    let left = Double(bounds.x0)
    for y in bounds.y0..<bounds.y1 {
      var first = width
      var last = -1
      for sub in 0..<16 {
        outline.forEachInterval(at: Double(y) + (Double(sub) + 0.5) / 16) { from, to in
          // Point k of the row lies at left + (k + ½)/16; it is inside where from ≤ x < to.
          let k0 = Self.point(after: from - left, width)
          let k1 = Self.point(after: to - left, width)
          guard k0 < k1 else { return }
          let (p0, f0) = (k0 >> 4, Int32(k0 & 15))
          let (p1, f1) = (k1 >> 4, Int32(k1 & 15))
          changes[p0] += 16 - f0
          changes[p0 + 1] += f0
          changes[p1] -= 16 - f1
          changes[p1 + 1] -= f1
          first = min(first, p0)
          last = max(last, p1)
        }
      }
      var coverage: Int32 = 0
      var x = first
      while x <= last, x < width {
        coverage += changes[x]
        var next = x + 1
        while next <= last, next < width, changes[next] == 0 { next += 1 }
        builder.add(Int(coverage), at: bounds.x0 + x, count: next - x)
        x = next
      }
      if first <= last {
        for index in first...min(last + 1, width + 1) { changes[index] = 0 }
      }
      builder.endRow()
    }
    self = builder.finish()
  }

  /// The number of the first point at or right of `x`, within 0 … 16·width.
  @inline(__always)
  private static func point(after x: Double, _ width: Int) -> Int {
    let k = (x * 16 - 0.5).rounded(.up)
    return k > 0 ? (k < Double(width * 16) ? Int(k) : width * 16) : 0
  }
}

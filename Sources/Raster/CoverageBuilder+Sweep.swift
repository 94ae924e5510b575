// SPDX-License-Identifier: MIT

internal import Geometry

extension CoverageBuilder {
  /// Collects the coverage of an outline inside the bounds.
  ///
  /// Each pixel is measured at 16 × 16 points, the middles of its 256 equal parts, and its coverage
  /// is how many of them lie inside. Along a row of points the outline says exactly between which x
  /// it lies, so no point is tested by itself, and every point belongs to exactly one of two outlines
  /// that share an edge: their coverages add up to the whole.
  mutating func sweep(_ outline: some Outline) {
    let width = bounds.width
    // How the coverage changes from each pixel to the next; one more for what ends at the border,
    // and one for the part of a change that falls to the next pixel.
    scratch.changes.removeAll(keepingCapacity: true)
    scratch.changes.append(contentsOf: repeatElement(0, count: width + 2))
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
          scratch.changes[p0] += 16 - f0
          scratch.changes[p0 + 1] += f0
          scratch.changes[p1] -= 16 - f1
          scratch.changes[p1 + 1] -= f1
          first = min(first, p0)
          last = max(last, p1)
        }
      }
      var coverage: Int32 = 0
      var x = first
      while x <= last, x < width {
        coverage += scratch.changes[x]
        var next = x + 1
        while next <= last, next < width, scratch.changes[next] == 0 { next += 1 }
        add(Int(coverage), at: bounds.x0 + x, count: next - x)
        x = next
      }
      if first <= last {
        for index in first...min(last + 1, width + 1) { scratch.changes[index] = 0 }
      }
      endRow()
    }
  }

  /// The number of the first point at or right of `x`, within 0 … 16·width.
  @inline(__always)
  private static func point(after x: Double, _ width: Int) -> Int {
    let k = (x * 16 - 0.5).rounded(.up)
    return k > 0 ? (k < Double(width * 16) ? Int(k) : width * 16) : 0
  }
}

extension Coverage {
  /// The coverage of an outline in canvas pixels, inside `clip`; see `CoverageBuilder.sweep`.
  convenience init(_ outline: some Outline, clip: PixelRect) {
    var builder = CoverageBuilder()
    builder.trace(outline, clip: clip)
    self.init(builder)
  }
}

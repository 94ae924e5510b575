// SPDX-License-Identifier: MIT

internal import CRoundelPixels
internal import RoundelGeometry

extension CoverageBuilder {
  /// A pixel's coverage is the number of its 16 × 16 sample points, the centres of equal squares,
  /// inside the outline. The outline returns intervals per row, so no point is tested individually.
  /// A point belongs to exactly one of two outlines with a common edge, so their coverages add up
  /// to 256.
  mutating func sweep(_ outline: some Outline) {
    var lines = RowIntervals()
    for y in bounds.y0..<bounds.y1 {
      if y > bounds.y0, outline.repeats(y) {
        repeatRow()
        continue
      }
      if bounds.width > RowSamples.greatestWidth || !addSamples(of: outline, y, &lines) {
        addChanges(of: outline, y)
      }
      endRow()
    }
  }

  /// Returns false if a sample row has more than two intervals.
  @inline(__always)
  private mutating func addSamples(
    of outline: some Outline, _ y: Int, _ lines: inout RowIntervals
  ) -> Bool {
    guard let count = outline.intervals(of: y, &lines) ?? Self.intervals(of: outline, y, &lines)
    else { return false }
    guard count > 0 else { return true }
    var samples = RowSamples(&lines, count, left: bounds.x0, width: bounds.width)
    add(&samples)
    return true
  }

  /// The maximum per sample row, or nil if more than two.
  @inline(__always)
  private static func intervals(
    of outline: some Outline, _ y: Int, _ lines: inout RowIntervals
  ) -> Int? {
    var counts = [16 of Int](repeating: 0)
    var (most, first, second) = (0, 0.0, 0.0)
    for line in 0..<16 {
      var count = 0
      outline.forEachInterval(at: Double(y) + (Double(line) + 0.5) / 16) { from, to in
        if count == 0 {
          lines.first.set(line, from, to)
          first = from
        } else if count == 1 {
          lines.second.set(line, from, to)
          second = from
        }
        count &+= 1
      }
      counts[line] = count
      most = max(most, count)
    }
    guard most <= 2 else { return nil }
    // Sample rows with fewer intervals get empty ones at a position in use.
    for line in 0..<16 where counts[line] < most {
      if counts[line] < 1 { lines.first.set(line, first, first) }
      if most > 1 { lines.second.set(line, second, second) }
    }
    return most
  }

  @inline(__always)
  private mutating func add(_ samples: inout RowSamples) {
    let ends = samples.ends
    let count = samples.hasSecond ? 4 : 2
    var (x, index) = (0, 0)
    while index < count {
      let from = ends[index].x
      var to = ends[index].y
      index &+= 1
      while index < count, ends[index].x <= to &+ 1 {
        to = max(to, ends[index].y)
        index &+= 1
      }
      // Between the ends of intervals, all pixels have the same coverage.
      if x > 0, x < from {
        add(Int(samples.counts(of: x, 1)), at: bounds.x0 &+ x, count: from &- x)
      }
      x = from
      to = min(to, bounds.width - 1)
      while x <= to {
        let count = min(to &- x &+ 1, 4)
        add(samples.counts(of: x, count), count, at: bounds.x0 &+ x)
        x &+= count
      }
    }
  }

  @inline(never)
  private mutating func addChanges(of outline: some Outline, _ y: Int) {
    let width = bounds.width
    // Two more: for intervals that end at the border, and for a change's part in the next pixel.
    if scratch.changes.count < width + 2 {
      scratch.changes = [Int32](repeating: 0, count: width + 2)
    }
    let left = Double(bounds.x0)
    var first = width
    var last = -1
    for line in 0..<16 {
      outline.forEachInterval(at: Double(y) + (Double(line) + 0.5) / 16) { from, to in
        let k0 = Self.point(after: from - left, width * 16)
        let k1 = Self.point(after: to - left, width * 16)
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
    guard first <= last else { return }
    var coverage: Int32 = 0
    var x = first
    while x <= last, x < width {
      coverage += scratch.changes[x]
      var next = x + 1
      while next <= last, next < width, scratch.changes[next] == 0 { next += 1 }
      add(Int(coverage), at: bounds.x0 + x, count: next - x)
      x = next
    }
    for index in first...min(last + 1, width + 1) { scratch.changes[index] = 0 }
  }

  /// Returns the first sample point at or right of `x`, clamped to 0 … `end`. Point k is at (k +
  /// ½)/16.
  @inline(__always)
  private static func point(after x: Double, _ end: Int) -> Int {
    let k = x * 16 - 0.5
    guard k > 0 else { return 0 }
    guard k < Double(end) else { return end }
    let whole = Int(k)
    return Double(whole) < k ? whole &+ 1 : whole
  }
}

/// The sample points of a row of pixels, as up to two intervals per sample row.
private struct RowSamples {
  private var first = pixels_points()
  private var second = pixels_points()
  let hasSecond: Bool

  /// Sample points of wider rows cannot be numbered in 16 bits.
  static let greatestWidth = 2000

  /// - Parameters:
  ///   - count: Intervals per sample row, one or two.
  ///   - left: The first of `width` pixels, at most `greatestWidth`.
  @inline(__always)
  init(_ lines: inout RowIntervals, _ count: Int, left: Int, width: Int) {
    let (left, end) = (Double(left), Int32(truncatingIfNeeded: width &* 16))
    hasSecond = count > 1
    unsafe pixels_find_points(&lines.first.ends, left, end, &first)
    if hasSecond { unsafe pixels_find_points(&lines.second.ends, left, end, &second) }
  }

  /// Returns the inside points of up to four pixels, the first in the lowest 16 bits.
  // Mutating, so that C gets the memory itself instead of a copy's.
  @inline(__always)
  mutating func counts(of x: Int, _ count: Int) -> UInt64 {
    let (x, count) = (Int32(truncatingIfNeeded: x), Int32(truncatingIfNeeded: count))
    guard hasSecond else { return unsafe pixels_count_points(&first, nil, x, count) }
    return unsafe pixels_count_points(&first, &second, x, count)
  }

  /// The pixels that contain the ends of the intervals, from left to right.
  var ends: InlineArray<4, SIMD2<Int>> {
    func pixels(_ first: Int32, _ last: Int32) -> SIMD2<Int> {
      SIMD2(Int(first &>> 4), Int(last &>> 4))
    }
    var ends: InlineArray<4, SIMD2<Int>> = [
      pixels(first.first_start, first.last_start), pixels(first.first_end, first.last_end),
      pixels(second.first_start, second.last_start), pixels(second.first_end, second.last_end),
    ]
    guard hasSecond else { return ends }
    for index in 1..<4 {
      var place = index
      while place > 0, ends[place - 1].x > ends[place].x {
        (ends[place - 1], ends[place]) = (ends[place], ends[place - 1])
        place -= 1
      }
    }
    return ends
  }
}

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

  /// Adds a row in which each line of points meets the outline in two intervals at most; false where
  /// it meets more.
  ///
  /// - Parameter lines: memory for the lines' intervals.
  @inline(__always)
  private mutating func addSamples(
    of outline: some Outline, _ y: Int, _ lines: inout RowIntervals
  ) -> Bool {
    var samples = RowSamples()
    let left = Double(bounds.x0)
    let end = bounds.width * 16
    let count = outline.intervals(of: y, &lines)
    if count > 0 {
      samples.first.fill(&lines.first, left: left, end: end)
      if count > 1 {
        samples.second.fill(&lines.second, left: left, end: end)
        samples.hasSecond = true
      }
      add(samples)
      return true
    }
    for line in 0..<16 {
      var number = 0
      outline.forEachInterval(at: Double(y) + (Double(line) + 0.5) / 16) { from, to in
        let k0 = Self.point(after: from - left, end)
        let k1 = Self.point(after: to - left, end)
        guard k0 < k1 else { return }
        if number == 0 {
          samples.first.add(k0, k1, line)
        } else if number == 1 {
          samples.second.add(k0, k1, line)
          samples.hasSecond = true
        }
        number &+= 1
      }
      if number > 2 { return false }
    }
    add(samples)
    return true
  }

  @inline(__always)
  private mutating func add(_ samples: RowSamples) {
    // Where a pixel holds no end of any interval, the next is covered as much.
    var x = 0
    let ends = samples.ends
    for index in 0..<(samples.hasSecond ? 4 : 2) {
      let from = ends[index].x
      let to = min(ends[index].y, bounds.width - 1)
      if x < from {
        if x > 0 {
          add(samples.coverage(of: x), at: bounds.x0 &+ x, count: from &- x)
        }
        x = from
      }
      while x <= to {
        add(samples.coverage(of: x), at: bounds.x0 &+ x)
        x &+= 1
      }
    }
  }

  /// Adds a row of any kind.
  @inline(never)
  private mutating func addChanges(of outline: some Outline, _ y: Int) {
    let width = bounds.width
    // How the coverage changes from each pixel to the next; one more for intervals that end at the border,
    // and one for the part of a change that falls to the next pixel.
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

  /// The number of the first point at or right of `x`, within 0 … `end`. Point k lies at (k + ½)/16.
  @inline(__always)
  private static func point(after x: Double, _ end: Int) -> Int {
    let k = x * 16 - 0.5
    guard k > 0 else { return 0 }
    guard k < Double(end) else { return end }
    let whole = Int(k)
    return Double(whole) < k ? whole &+ 1 : whole
  }
}

/// Between which points the sixteen lines of a row of pixels lie inside of an outline, in up to two
/// intervals each.
private struct RowSamples {
  /// One interval of each line. A line that has none keeps an empty one.
  struct Intervals {
    private var starts = SIMD16<Int16>(repeating: 0)
    private var ends = SIMD16<Int16>(repeating: 0)
    private(set) var firstStart = Int.max
    private(set) var lastStart = 0
    private(set) var firstEnd = Int.max
    private(set) var lastEnd = 0

    /// Sets a line's interval to the points `k0 ..< k1`.
    @inline(__always)
    mutating func add(_ k0: Int, _ k1: Int, _ line: Int) {
      starts[line] = Int16(truncatingIfNeeded: k0)
      ends[line] = Int16(truncatingIfNeeded: k1)
      firstStart = min(firstStart, k0)
      lastStart = max(lastStart, k0)
      firstEnd = min(firstEnd, k1)
      lastEnd = max(lastEnd, k1)
    }

    /// Sets all lines at once to the intervals of an outline, which become numbers of points.
    @inline(__always)
    mutating func fill(_ lines: inout LineInterval, left: Double, end: Int) {
      (firstStart, lastStart) = Self.count(&lines.from, left, end)
      (firstEnd, lastEnd) = Self.count(&lines.to, left, end)
      starts = Self.points(lines.from)
      ends = Self.points(lines.to)
    }

    /// Added to a number and taken away again, it leaves the nearest whole one; and a sum with it has
    /// that in its lowest bits.
    private static let rounder = 6_755_399_441_055_744.0

    /// Makes of each x the number of the first point at or right of it, as `point(after:)` does but
    /// without branches, and tells the least and the greatest.
    @inline(__always)
    private static func count(
      _ places: inout LineEnds, _ left: Double, _ end: Int
    ) -> (Int, Int) {
      var (least, greatest) = (Double.infinity, 0.0)
      let last = Double(end)
      for line in 0..<16 {
        let k = (places[line] - left) * 16 - 0.5
        let inside = k > 0 ? (k < last ? k : last) : 0
        let nearest = (inside + rounder) - rounder
        let whole = nearest < inside ? nearest + 1 : nearest
        places[line] = whole
        least = whole < least ? whole : least
        greatest = whole > greatest ? whole : greatest
      }
      return (Int(least), Int(greatest))
    }

    /// Sixteen whole numbers. Written one by one into memory and read as one, they would keep the
    /// processor waiting.
    @inline(__always)
    private static func points(_ k: LineEnds) -> SIMD16<Int16> {
      @inline(__always)
      func point(_ line: Int) -> Int16 {
        Int16(truncatingIfNeeded: (k[line] + rounder).bitPattern)
      }
      return SIMD16(
        point(0), point(1), point(2), point(3), point(4), point(5), point(6), point(7), point(8),
        point(9), point(10), point(11), point(12), point(13), point(14), point(15))
    }

    /// How many points of the pixel that begins at `point` lie in each line's interval.
    @inline(__always)
    func counts(_ point: Int) -> SIMD16<Int16> {
      let from = SIMD16(repeating: Int16(truncatingIfNeeded: point))
      let inside = 16 &- Self.positive(16 &- (ends &- from))
      return Self.positive(inside &- Self.positive(starts &- from))
    }

    /// The numbers themselves, and 0 for those below it. The library's function is not inlined.
    @inline(__always)
    private static func positive(_ numbers: SIMD16<Int16>) -> SIMD16<Int16> {
      numbers & ~(numbers &>> 15)
    }
  }

  var first = Intervals()
  var second = Intervals()
  var hasSecond = false

  /// The greatest number of pixels in a row whose points can be told apart by 16 bits.
  static let greatestWidth = 2000

  /// How many of a pixel's 256 points lie inside.
  @inline(__always)
  func coverage(of x: Int) -> Int {
    var counts = first.counts(x &* 16)
    if hasSecond { counts &+= second.counts(x &* 16) }
    return Int(counts.wrappedSum())
  }

  /// The pixels in which the ends of the intervals lie, from the first line's to the last's, from left to
  /// right.
  var ends: InlineArray<4, SIMD2<Int>> {
    var ends: InlineArray<4, SIMD2<Int>> = [
      SIMD2(first.firstStart &>> 4, first.lastStart &>> 4),
      SIMD2(first.firstEnd &>> 4, first.lastEnd &>> 4),
      SIMD2(second.firstStart &>> 4, second.lastStart &>> 4),
      SIMD2(second.firstEnd &>> 4, second.lastEnd &>> 4),
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

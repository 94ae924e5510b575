// SPDX-License-Identifier: MIT

internal import Geometry
internal import Text

/// Collects coverage row by row from top to bottom, from left to right.
struct CoverageBuilder {
  private(set) var bounds: PixelRect
  /// Where each tile lies; see `Coverage.tileRects`.
  private(set) var tileRects: [[PixelRect]]
  private(set) var rows = [Coverage.Row(solids: 0, edges: 0)]
  private(set) var solids: [Coverage.Span] = []
  private(set) var edges: [Coverage.Span] = []
  private(set) var groups: [Int32] = []
  private(set) var weights: [UInt16] = []
  /// Pixels that are covered whole, as far as they are known.
  private var solid = Coverage.Span(x0: 0, x1: 0, tiles: 0, weights: 0)

  /// - Parameter tileRects: nil where there is one tile, and it is to be found out where it lies.
  init(bounds: PixelRect, tileRects: [[PixelRect]]? = nil) {
    self.bounds = bounds
    self.tileRects = tileRects ?? []
    rows.reserveCapacity(bounds.height + 1)
  }

  /// Adds `count` pixels that a tile covers alike, by 0 … 256, and that begin at `x`.
  mutating func add(_ coverage: Int, at x: Int, count: Int = 1, tile: Int = 0) {
    guard coverage > 0, count > 0 else { return }
    guard coverage < 256 else {
      if solid.x1 == x, solid.tiles == tile, solid.x0 < solid.x1 {
        solid.x1 += Int32(count)
      } else {
        endSolid()
        solid = Coverage.Span(
          x0: Int32(x), x1: Int32(x + count), tiles: Int32(tile), weights: 0)
      }
      return
    }
    endSolid()
    append(Int32(x), count, Int32(tile))
    weights.append(contentsOf: repeatElement(UInt16(coverage), count: count))
  }

  /// Adds a pixel that several tiles share.
  mutating func add(shares: [(tile: Int, weight: Int)], at x: Int) {
    endSolid()
    append(Int32(x), 1, -1 - group(shares.map(\.tile)))
    for share in shares { weights.append(UInt16(share.weight)) }
  }

  mutating func endRow() {
    endSolid()
    fillUp()
    rows.append(Coverage.Row(solids: Int32(solids.count), edges: Int32(edges.count)))
  }

  /// Finds out where the only tile lies.
  fileprivate mutating func findRects() {
    guard rows.count > bounds.height, !bounds.isEmpty else {
      tileRects = [[]]
      return
    }
    let height = max(Self.leastBand, (bounds.height + Self.mostBands - 1) / Self.mostBands)
    var bands: [PixelRect] = []
    for top in stride(from: bounds.y0, to: bounds.y1, by: height) {
      var band = PixelRect(x0: .max, y0: top, x1: .min, y1: min(top + height, bounds.y1))
      for y in band.y0..<band.y1 {
        let (row, next) = (rows[y - bounds.y0], rows[y - bounds.y0 + 1])
        // Each kind stands from left to right.
        for spans in [
          solids[Int(row.solids)..<Int(next.solids)], edges[Int(row.edges)..<Int(next.edges)],
        ] {
          guard let first = spans.first, let last = spans.last else { continue }
          band.x0 = min(band.x0, Int(first.x0))
          band.x1 = max(band.x1, Int(last.x1))
        }
      }
      if !band.isEmpty { bands.append(band) }
    }
    let box = bands.reduce(PixelRect.empty) { $0.union($1) }
    // Several rectangles must be worth it.
    let sum = bands.reduce(0) { $0 + $1.area }
    tileRects = [sum * 4 < box.area * 3 ? bands : [box]]
  }

  private static let mostBands = 8
  private static let leastBand = 16

  private func isLast(_ tiles: [Int], _ place: Int) -> Bool {
    groups[place] == tiles.count && zip(groups[(place + 1)...], tiles).allSatisfy { $0 == $1 }
  }

  /// Where these tiles stand in `groups`.
  private mutating func group(_ tiles: [Int]) -> Int32 {
    // Along an edge the same ones come again and again.
    if let last = edges.last(where: { $0.tiles < 0 }), isLast(tiles, -1 - Int(last.tiles)) {
      return -1 - last.tiles
    }
    defer {
      groups.append(Int32(tiles.count))
      groups += tiles.map(Int32.init)
    }
    return Int32(groups.count)
  }

  /// Makes room in the edges for pixels with weights.
  private mutating func append(_ x: Int32, _ count: Int, _ tiles: Int32) {
    let rowStart = Int(rows[rows.count - 1].edges)
    if edges.count > rowStart, edges[edges.count - 1].x1 == x,
      edges[edges.count - 1].tiles == tiles
    {
      edges[edges.count - 1].x1 += Int32(count)
    } else {
      fillUp()
      edges.append(
        Coverage.Span(x0: x, x1: x + Int32(count), tiles: tiles, weights: Int32(weights.count)))
    }
  }

  /// Ends the last edge's weights at a multiple of four.
  private mutating func fillUp() {
    guard let last = edges.last else { return }
    while (weights.count - Int(last.weights)) & 3 != 0 { weights.append(0) }
  }

  /// A short stretch is cheaper among its neighbours' weights than as a solid.
  private mutating func endSolid() {
    guard solid.x0 < solid.x1 else { return }
    defer { solid.x1 = solid.x0 }
    let count = Int(solid.x1 - solid.x0)
    if count >= Coverage.shortestSolid {
      solids.append(solid)
    } else {
      append(solid.x0, count, solid.tiles)
      weights.append(contentsOf: repeatElement(256, count: count))
    }
  }
}

extension Coverage {
  /// The coverage of a text's ink. 255 of 255 counts as whole.
  convenience init(_ mask: GlyphMask, clip: PixelRect) {
    let bounds = mask.bounds.intersection(clip)
    var builder = CoverageBuilder(bounds: bounds)
    if !bounds.isEmpty {
      for y in bounds.y0..<bounds.y1 {
        let row = (y - mask.bounds.y0) * mask.bounds.width - mask.bounds.x0
        for x in bounds.x0..<bounds.x1 {
          let value = Int(mask.coverage[row + x])
          builder.add(value + value >> 7, at: x)
        }
        builder.endRow()
      }
    }
    builder.findRects()
    self.init(builder)
  }

  /// The coverage of an outline in canvas pixels, inside `clip`.
  ///
  /// Each pixel is measured at 16 × 16 points, the middles of its 256 equal parts, and its coverage
  /// is how many of them lie inside. Along a row of points the outline says exactly between which x
  /// it lies, so no point is tested by itself, and every point belongs to exactly one of two outlines
  /// that share an edge: their coverages add up to the whole.
  convenience init(_ outline: some Outline, clip: PixelRect) {
    let bounds = PixelRect(covering: outline.bounds).intersection(clip)
    var builder = CoverageBuilder(bounds: bounds)
    if !bounds.isEmpty { builder.sweep(outline) }
    builder.findRects()
    self.init(builder)
  }

  /// The coverage of several tiles at once, in the order of `parts`, each of which covers one.
  ///
  /// Where tiles overlap against the rule, the earlier one keeps what it has taken of a pixel.
  convenience init(merging parts: [Coverage]) {
    let bounds = parts.reduce(PixelRect.empty) { $0.union($1.bounds) }
    var builder = CoverageBuilder(bounds: bounds, tileRects: parts.map { $0.tileRects[0] })
    let rows = RowSpans(parts, bounds)
    var live: [Int] = []
    var shares: [(tile: Int, weight: Int)] = []
    for y in bounds.y0..<max(bounds.y0, bounds.y1) {
      let row = rows.sorted(y)
      // `live` are those that cover the pixel at x; it goes on to where their number changes.
      var next = 0
      var x: Int32 = 0
      while next < row.count || !live.isEmpty {
        if live.isEmpty { x = row[next].span.x0 }
        while next < row.count, row[next].span.x0 <= x {
          live.append(next)
          next += 1
        }
        var end = next < row.count ? row[next].span.x0 : Int32.max
        for index in live { end = min(end, row[index].span.x1) }
        if live.count == 1 {
          let (span, part) = (row[live[0]].span, row[live[0]].part)
          if row[live[0]].isSolid {
            builder.add(256, at: Int(x), count: Int(end - x), tile: part)
          } else {
            for x in x..<end {
              builder.add(parts[part].weight(span, Int(x)), at: Int(x), tile: part)
            }
          }
        } else {
          for x in x..<end {
            shares.removeAll(keepingCapacity: true)
            var rest = 256
            for entry in live.map({ row[$0] }).sorted(by: { $0.part < $1.part }) {
              let part = entry.part
              let weight = min(
                rest, entry.isSolid ? 256 : parts[part].weight(entry.span, Int(x)))
              rest -= weight
              if weight > 0 { shares.append((part, weight)) }
            }
            if shares.count == 1 {
              builder.add(shares[0].weight, at: Int(x), tile: shares[0].tile)
            } else {
              builder.add(shares: shares, at: Int(x))
            }
          }
        }
        x = end
        live.removeAll { row[$0].span.x1 <= x }
      }
      builder.endRow()
    }
    self.init(builder)
  }
}

/// The spans of several coverages, row by row.
private struct RowSpans {
  struct Entry {
    var span: Coverage.Span
    var isSolid: Bool
    var part: Int
  }

  private let top: Int
  private var entries: [Entry] = []
  /// Where each row's entries end.
  private var ends: [Int]

  init(_ parts: [Coverage], _ bounds: PixelRect) {
    top = bounds.y0
    // Counted first, so that each finds its place at once, and a part costs its own rows only.
    ends = [Int](repeating: 0, count: max(bounds.height, 0))
    var total = 0
    for part in parts {
      for y in part.bounds.y0..<part.bounds.y1 {
        let count = unsafe part.solids(in: y).count + part.edges(in: y).count
        ends[y - top] += count
        total += count
      }
    }
    var start = 0
    for row in ends.indices {
      let count = ends[row]
      ends[row] = start
      start += count
    }
    let none = Entry(
      span: Coverage.Span(x0: 0, x1: 0, tiles: 0, weights: 0), isSolid: false, part: 0)
    entries = [Entry](repeating: none, count: total)
    for (index, part) in parts.enumerated() {
      for y in part.bounds.y0..<part.bounds.y1 {
        for isSolid in [true, false] {
          let spans = unsafe isSolid ? part.solids(in: y) : part.edges(in: y)
          for number in spans.indices {
            entries[ends[y - top]] = Entry(
              span: unsafe spans[number], isSolid: isSolid, part: index)
            ends[y - top] += 1
          }
        }
      }
    }
  }

  /// The entries of row `y` from left to right.
  func sorted(_ y: Int) -> [Entry] {
    let row = entries[(y == top ? 0 : ends[y - top - 1])..<ends[y - top]]
    return row.sorted { ($0.span.x0, $0.part) < ($1.span.x0, $1.part) }
  }
}

extension CoverageBuilder {
  fileprivate mutating func sweep(_ outline: some Outline) {
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
        add(Int(coverage), at: bounds.x0 + x, count: next - x)
        x = next
      }
      if first <= last {
        for index in first...min(last + 1, width + 1) { changes[index] = 0 }
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

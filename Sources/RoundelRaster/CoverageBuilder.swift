// SPDX-License-Identifier: MIT

internal import RoundelGeometry
internal import RoundelText

/// Collects coverage row by row, from left to right, in the same memory.
struct CoverageBuilder {
  private(set) var bounds = PixelRect.empty
  private(set) var rects: [PixelRect] = []
  private(set) var rectEnds: [Int] = []
  private(set) var rows: [Coverage.Row] = []
  private(set) var solids: [Coverage.Solid] = []
  private(set) var quads: [Coverage.Quad] = []
  private(set) var shared: [Coverage.Shared] = []
  private(set) var groups: [Int32] = []
  private(set) var weights: [UInt16] = []
  /// The current run of fully covered pixels.
  private var solid = Coverage.Solid(x0: 0, x1: 0, tile: 0)
  var scratch = Scratch()

  mutating func begin(_ bounds: PixelRect) {
    self.bounds = bounds
    rects.removeAll(keepingCapacity: true)
    rectEnds.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    rows.append(Coverage.Row())
    solids.removeAll(keepingCapacity: true)
    quads.removeAll(keepingCapacity: true)
    shared.removeAll(keepingCapacity: true)
    groups.removeAll(keepingCapacity: true)
    weights.removeAll(keepingCapacity: true)
    solid.x1 = solid.x0
  }

  /// - Parameter coverage: 0 … 256.
  mutating func add(_ coverage: Int, at x: Int, count: Int = 1, tile: Int = 0) {
    guard coverage > 0, count > 0 else { return }
    guard coverage < 256 else {
      if solid.x1 == x, solid.tile == tile, solid.x0 < solid.x1 {
        solid.x1 &+= Int32(truncatingIfNeeded: count)
      } else {
        endSolid()
        solid = Coverage.Solid(
          x0: Int32(truncatingIfNeeded: x), x1: Int32(truncatingIfNeeded: x &+ count),
          tile: Int32(truncatingIfNeeded: tile))
      }
      return
    }
    endSolid()
    for x in x..<x &+ count {
      addToQuad(
        UInt16(truncatingIfNeeded: coverage), Int32(truncatingIfNeeded: x),
        Int32(truncatingIfNeeded: tile))
    }
  }

  /// - Parameter coverages: 0 … 256 for up to four pixels, the first in the lowest 16 bits.
  @inline(__always)
  mutating func add(_ coverages: UInt64, _ count: Int, at x: Int) {
    // 0 and 256, rare in edge pixels, have no bits among the lowest eight.
    let parts = (coverages & 0x00ff_00ff_00ff_00ff &+ 0x00ff_00ff_00ff_00ff) & 0x0100_0100_0100_0100
    if parts == 0x0100_0100_0100_0100 &>> UInt64(truncatingIfNeeded: 64 &- 16 &* count) {
      endSolid()
      quads.append(
        Coverage.Quad(x: Int32(truncatingIfNeeded: x), count: count, coverages: coverages))
    } else {
      for index in 0..<count {
        add(Int(coverages >> UInt64(16 * index) & 0x1ff), at: x &+ index)
      }
    }
  }

  mutating func add(_ quad: Coverage.Quad, tile: Int) {
    endSolid()
    var quad = quad
    quad.tile = Int32(truncatingIfNeeded: tile)
    quads.append(quad)
  }

  /// - Parameter shares: Sorted by tile.
  mutating func add(shares: [(tile: Int32, weight: UInt16)], at x: Int) {
    endSolid()
    let group = group(shares)
    let last = shared.count - 1
    if last >= Int(rows[rows.count - 1].shared), Int(shared[last].x1) == x,
      shared[last].group == group,
      shares.indices.allSatisfy({ weights[Int(shared[last].weights) + $0] == shares[$0].weight })
    {
      shared[last].x1 += 1
      return
    }
    shared.append(
      Coverage.Shared(
        x0: Int32(x), x1: Int32(x + 1), group: group, weights: Int32(weights.count)))
    for share in shares { weights.append(share.weight) }
  }

  mutating func endRow() {
    endSolid()
    rows.append(
      Coverage.Row(
        solids: Int32(truncatingIfNeeded: solids.count),
        quads: Int32(truncatingIfNeeded: quads.count),
        shared: Int32(truncatingIfNeeded: shared.count)))
  }

  /// The previous row must not contain shared pixels.
  mutating func repeatRow() {
    let (row, next) = (rows[rows.count - 2], rows[rows.count - 1])
    for index in Int(row.solids)..<Int(next.solids) { solids.append(solids[index]) }
    for index in Int(row.quads)..<Int(next.quads) { quads.append(quads[index]) }
    endRow()
  }

  mutating func endTile(_ rects: ArraySlice<PixelRect>) {
    self.rects.append(contentsOf: rects)
    rectEnds.append(self.rects.count)
  }

  mutating func endOnlyTile() {
    defer { rectEnds.append(rects.count) }
    guard rows.count > bounds.height, !bounds.isEmpty else { return }
    let height = max(Self.leastBand, (bounds.height + Self.mostBands - 1) / Self.mostBands)
    var box = PixelRect.empty
    var sum = 0
    for top in stride(from: bounds.y0, to: bounds.y1, by: height) {
      let band = band(of: top..<min(top + height, bounds.y1))
      guard !band.isEmpty else { continue }
      let hole = hole(in: band)
      for x in [band.x0..<hole.lowerBound, hole.upperBound..<band.x1] where !x.isEmpty {
        let piece = PixelRect(x0: x.lowerBound, y0: band.y0, x1: x.upperBound, y1: band.y1)
        rects.append(piece)
        sum += piece.area
      }
      box = box.union(band)
    }
    // Several rectangles must save a quarter of the pixels.
    if sum * 4 >= box.area * 3, !box.isEmpty {
      rects.removeAll(keepingCapacity: true)
      rects.append(box)
    }
  }

  private func band(of rows: Range<Int>) -> PixelRect {
    var band = PixelRect(x0: .max, y0: rows.lowerBound, x1: .min, y1: rows.upperBound)
    for y in rows {
      let (row, next) = (self.rows[y - bounds.y0], self.rows[y - bounds.y0 + 1])
      // Each kind is sorted from left to right.
      if row.solids < next.solids {
        band.x0 = min(band.x0, Int(solids[Int(row.solids)].x0))
        band.x1 = max(band.x1, Int(solids[Int(next.solids) - 1].x1))
      }
      if row.quads < next.quads {
        band.x0 = min(band.x0, Int(quads[Int(row.quads)].x))
        band.x1 = max(band.x1, Int(quads[Int(next.quads) - 1].x1))
      }
    }
    return band
  }

  /// The columns that no row covers, as in a ring, or empty if there are few. O(n) in the spans of
  /// the band.
  private func hole(in band: PixelRect) -> Range<Int> {
    let none = band.x1..<band.x1
    var hole = band.x0..<band.x1
    for y in band.y0..<band.y1 {
      let gap = widestGap(of: y, in: band)
      hole = hole.clamped(to: gap)
      if hole.count < Self.leastHole { return none }
    }
    return hole
  }

  private func widestGap(of y: Int, in band: PixelRect) -> Range<Int> {
    let (row, next) = (rows[y - bounds.y0], rows[y - bounds.y0 + 1])
    var (solid, quad) = (Int(row.solids), Int(row.quads))
    var widest = band.x0..<band.x0
    var end = band.x0
    while true {
      let nextSolid = solid < Int(next.solids) ? Int(solids[solid].x0) : band.x1
      let nextQuad = quad < Int(next.quads) ? Int(quads[quad].x) : band.x1
      let start = min(nextSolid, nextQuad)
      if start - end > widest.count { widest = end..<start }
      guard start < band.x1 else { return widest }
      if nextSolid < nextQuad {
        end = max(end, Int(solids[solid].x1))
        solid += 1
      } else {
        end = max(end, Int(quads[quad].x1))
        quad += 1
      }
    }
  }

  private static let leastHole = 32
  private static let mostBands = 8
  private static let leastBand = 16

  private mutating func group(_ shares: [(tile: Int32, weight: UInt16)]) -> Int32 {
    // Along an edge, the same tiles repeat.
    if let last = shared.last {
      let place = Int(last.group)
      if Int(groups[place]) == shares.count,
        shares.indices.allSatisfy({ groups[place + 1 + $0] == shares[$0].tile })
      {
        return last.group
      }
    }
    let place = Int32(groups.count)
    groups.append(Int32(shares.count))
    for share in shares { groups.append(share.tile) }
    return place
  }

  @inline(__always)
  private mutating func addToQuad(_ weight: UInt16, _ x: Int32, _ tile: Int32) {
    let last = quads.count &- 1
    if last >= Int(rows[rows.count &- 1].quads), quads[last].x1 == x, quads[last].tile == tile,
      !quads[last].isFull
    {
      quads[last].append(weight)
    } else {
      quads.append(Coverage.Quad(x: x, tile: tile, weight: weight))
    }
  }

  /// Ends the current run. A short run is cheaper as weights than as a solid.
  @inline(__always)
  private mutating func endSolid() {
    guard solid.x0 < solid.x1 else { return }
    if solid.x1 &- solid.x0 >= Coverage.shortestSolid {
      solids.append(solid)
    } else {
      for x in solid.x0..<solid.x1 { addToQuad(256, x, solid.tile) }
    }
    solid.x1 = solid.x0
  }
}

extension CoverageBuilder {
  mutating func trace(_ mask: GlyphMask, clip: PixelRect) {
    let bounds = mask.bounds.intersection(clip)
    begin(bounds)
    if !bounds.isEmpty {
      for y in bounds.y0..<bounds.y1 {
        let row = (y - mask.bounds.y0) * mask.bounds.width - mask.bounds.x0
        for x in bounds.x0..<bounds.x1 {
          let value = Int(mask.coverage[row + x])
          add(value + value >> 7, at: x)
        }
        endRow()
      }
    }
    endOnlyTile()
  }

  mutating func trace(_ outline: some Outline, clip: PixelRect) {
    let bounds = PixelRect(covering: outline.bounds).intersection(clip)
    begin(bounds)
    if !bounds.isEmpty { sweep(outline) }
    endOnlyTile()
  }
}

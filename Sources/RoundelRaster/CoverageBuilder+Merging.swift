// SPDX-License-Identifier: MIT

internal import RoundelGeometry

extension CoverageBuilder {
  /// A solid or a quad of a coverage.
  struct Entry {
    var x0: Int32
    var x1: Int32
    var part: Int32
    /// −1 for a solid.
    var quad: Int32
  }

  /// If tiles overlap, the earlier one keeps its part of a pixel.
  mutating func merge(_ parts: [Covering]) {
    // The parts outlive the call.
    unsafe scratch.parts.removeAll(keepingCapacity: true)
    for part in parts { unsafe scratch.parts.append(part.coverage.view.pointee) }
    begin(unsafe scratch.parts.reduce(PixelRect.empty) { unsafe $0.union($1.bounds) })
    sortEntries()
    var first = 0
    for y in bounds.y0..<max(bounds.y0, bounds.y1) {
      let end = scratch.ends[y - bounds.y0]
      sort(first..<end)
      while first < end {
        // A group: each entry overlaps the next.
        var next = first + 1
        var x1 = scratch.entries[first].x1
        while next < end, scratch.entries[next].x0 < x1 {
          x1 = max(x1, scratch.entries[next].x1)
          next += 1
        }
        if next == first + 1 {
          add(scratch.entries[first], y)
        } else {
          share(first..<next, to: x1, y)
        }
        first = next
      }
      endRow()
    }
    for part in parts { endTile(part.coverage.rects(of: 0)) }
  }

  private mutating func sortEntries() {
    // A counting sort, whose cost depends only on the rows of the parts.
    scratch.ends.removeAll(keepingCapacity: true)
    scratch.ends.append(contentsOf: repeatElement(0, count: max(bounds.height, 0)))
    var total = 0
    for index in unsafe scratch.parts.indices {
      let part = unsafe scratch.parts[index]
      for y in unsafe part.bounds.y0..<part.bounds.y1 {
        let row = unsafe part.row(y)
        let count = row.solidCount + row.quadCount
        scratch.ends[y - bounds.y0] += count
        total += count
      }
    }
    var start = 0
    for row in scratch.ends.indices {
      let count = scratch.ends[row]
      scratch.ends[row] = start
      start += count
    }
    scratch.entries.removeAll(keepingCapacity: true)
    scratch.entries.append(
      contentsOf: repeatElement(Entry(x0: 0, x1: 0, part: 0, quad: 0), count: total))
    for index in unsafe scratch.parts.indices {
      let number = Int32(index)
      let part = unsafe scratch.parts[index]
      for y in unsafe part.bounds.y0..<part.bounds.y1 {
        let row = unsafe part.row(y)
        var place = scratch.ends[y - bounds.y0]
        let (solids, quads) = unsafe (part.solids(row), part.quads(row))
        for index in solids.indices {
          let solid = unsafe solids[index]
          scratch.entries[place] = Entry(x0: solid.x0, x1: solid.x1, part: number, quad: -1)
          place += 1
        }
        for index in quads.indices {
          let quad = unsafe quads[index]
          scratch.entries[place] = Entry(
            x0: quad.x, x1: quad.x1, part: number, quad: Int32(index))
          place += 1
        }
        scratch.ends[y - bounds.y0] = place
      }
    }
  }

  /// An insertion sort: there are few entries, mostly in order.
  private mutating func sort(_ row: Range<Int>) {
    for index in row.dropFirst() {
      let entry = scratch.entries[index]
      var place = index
      while place > row.lowerBound, scratch.entries[place - 1].x0 > entry.x0 {
        scratch.entries[place] = scratch.entries[place - 1]
        place -= 1
      }
      if place != index { scratch.entries[place] = entry }
    }
  }

  private mutating func add(_ entry: Entry, _ y: Int) {
    if entry.quad < 0 {
      add(256, at: Int(entry.x0), count: Int(entry.x1 - entry.x0), tile: Int(entry.part))
    } else {
      add(quad(entry, y), tile: Int(entry.part))
    }
  }

  private func quad(_ entry: Entry, _ y: Int) -> Coverage.Quad {
    let part = unsafe scratch.parts[Int(entry.part)]
    let quads = unsafe part.quads(part.row(y))
    precondition(quads.indices.contains(Int(entry.quad)), "no such quad of the row")
    return unsafe quads[Int(entry.quad)]
  }

  private mutating func share(_ row: Range<Int>, to end: Int32, _ y: Int) {
    for x in scratch.entries[row.lowerBound].x0..<end {
      scratch.shares.removeAll(keepingCapacity: true)
      for index in row {
        let entry = scratch.entries[index]
        guard entry.x0 <= x, x < entry.x1 else { continue }
        let weight =
          entry.quad < 0
          ? 256
          : quad(entry, y).weights[Int(x - entry.x0)]
        scratch.shares.append((entry.part, weight))
      }
      limitShares()
      if scratch.shares.count == 1 {
        add(Int(scratch.shares[0].weight), at: Int(x), tile: Int(scratch.shares[0].tile))
      } else if !scratch.shares.isEmpty {
        let shares = scratch.shares
        add(shares: shares, at: Int(x))
      }
    }
  }

  /// Sorts a pixel's shares by tile, and reduces later ones to a sum of at most 256.
  private mutating func limitShares() {
    for index in scratch.shares.indices.dropFirst() {
      var place = index
      while place > 0, scratch.shares[place - 1].tile > scratch.shares[place].tile {
        scratch.shares.swapAt(place, place - 1)
        place -= 1
      }
    }
    var rest: UInt16 = 256
    for index in scratch.shares.indices {
      scratch.shares[index].weight = min(rest, scratch.shares[index].weight)
      rest -= scratch.shares[index].weight
    }
    scratch.shares.removeAll { $0.weight == 0 }
  }
}

extension CoverageBuilder {
  // Safe: the views are used only while `merge` holds their coverages.
  @safe struct Scratch {
    fileprivate var parts: [Coverage.View] = unsafe []
    fileprivate var entries: [Entry] = []
    /// The end index of each row's entries.
    fileprivate var ends: [Int] = []
    fileprivate var shares: [(tile: Int32, weight: UInt16)] = []
    /// The change in coverage from each pixel to the next.
    var changes: [Int32] = []
  }
}

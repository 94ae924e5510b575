// SPDX-License-Identifier: MIT

package import RoundelGeometry

/// Damaged pixels in horizontal bands, so that motion around a centre, such as a dial's labels,
/// doesn't damage the centre.
package struct DamageBands: Sendable {
  /// Pieces from the top band down. Each is inside one band, and no two pieces of a band share a
  /// column.
  private var pieces: [PixelRect] = []

  /// A band has 2⁴ rows, like the painter's.
  private static let heightShift = 4
  /// The cost of starting a row of a rectangle, in pixels.
  private let rowCost: Int
  /// The rows whose start costs as much as a rectangle.
  private static let rowsOfRect = 11
  /// Sufficient for most frames.
  private static let commonCount = 256

  /// Starting a row takes as long as painting some 200 pixels. Small panels are mostly on a slow
  /// bus, where sending pixels is the main cost.
  package init(width: Int = .max) { rowCost = width < 512 ? 24 : 192 }

  package var isEmpty: Bool { pieces.isEmpty }

  package var damage: Damage {
    var damage = Damage()
    damage.assign(self)
    return damage
  }

  package mutating func removeAll() {
    pieces.removeAll(keepingCapacity: true)
  }

  package mutating func add(_ damage: Damage) {
    for rect in damage.rects { add(rect) }
  }

  /// O(n) in the rectangle's bands and in the collected pieces.
  package mutating func add(_ rect: PixelRect) {
    guard !rect.isEmpty else { return }
    if pieces.isEmpty { pieces.reserveCapacity(Self.commonCount) }
    for band in Self.band(rect.y0)...Self.band(rect.y1 - 1) {
      let (top, bottom) = (band << Self.heightShift, (band + 1) << Self.heightShift)
      add(
        PixelRect(x0: rect.x0, y0: max(rect.y0, top), x1: rect.x1, y1: min(rect.y1, bottom)),
        to: band)
    }
  }

  private static func band(_ y: Int) -> Int { y >> heightShift }

  /// Merges the piece with nearby pieces and with pieces that share columns.
  private mutating func add(_ piece: PixelRect, to band: Int) {
    var piece = piece
    let start = firstPiece(in: band)
    var index = start
    while index < pieces.count, Self.band(pieces[index].y0) == band {
      let other = pieces[index]
      if other.contains(piece) { return }
      let union = other.union(piece)
      let sharesColumns = piece.x0 < other.x1 && other.x0 < piece.x1
      if sharesColumns || cost(union) <= cost(other) + cost(piece) {
        piece = union
        pieces.remove(at: index)
        // The larger piece may share columns with earlier pieces.
        index = start
      } else {
        index += 1
      }
    }
    pieces.insert(piece, at: start)
  }

  private func cost(_ rect: PixelRect) -> Int { rect.area + rect.height * rowCost }

  /// Returns the index of the first piece in a band or below it. O(log n).
  private func firstPiece(in band: Int) -> Int {
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if Self.band(pieces[middle].y0) < band { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func write(to rects: inout [PixelRect]) {
    join(to: &rects)
    var shift = Self.heightShift
    while rects.count > Damage.maximumCount {
      shift += 1
      joinBands(ofRows: shift, to: &rects)
    }
  }

  /// Joins all pieces in each band of 2^`shift` rows.
  private func joinBands(ofRows shift: Int, to rects: inout [PixelRect]) {
    rects.removeAll(keepingCapacity: true)
    for piece in pieces {
      if let last = rects.last, last.y0 >> shift == piece.y0 >> shift {
        rects[rects.count - 1] = last.union(piece)
      } else {
        rects.append(piece)
      }
    }
  }

  /// Joins pieces with rectangles above them if this costs less than an additional rectangle.
  private func join(to rects: inout [PixelRect]) {
    rects.removeAll(keepingCapacity: true)
    for index in pieces.indices {
      let piece = pieces[index]
      let above = rects.indices.first { number in
        let rect = rects[number]
        guard rect.y1 == piece.y0 else { return false }
        let union = rect.union(piece)
        let (area, extra) = (rect.area + piece.area, union.area - rect.area - piece.area)
        // Without a limit, a narrow column below a wide piece would become as wide, band by band.
        return extra <= min(Self.rowsOfRect * rowCost, area / 4)
          && (union.width == rect.width || isFree(union, from: rects, but: number))
          && (union.width == piece.width || isFree(union, inBandOf: index))
      }
      if let above { rects[above] = rects[above].union(piece) } else { rects.append(piece) }
    }
  }

  private func isFree(_ rect: PixelRect, from rects: [PixelRect], but number: Int) -> Bool {
    !rects.indices.contains { $0 != number && rects[$0].overlaps(rect) }
  }

  private func isFree(_ rect: PixelRect, inBandOf piece: Int) -> Bool {
    let band = Self.band(pieces[piece].y0)
    return !pieces[firstPiece(in: band)...].indices.lazy
      .prefix { Self.band(pieces[$0].y0) == band }
      .contains { $0 != piece && pieces[$0].overlaps(rect) }
  }
}

// SPDX-License-Identifier: MIT

package import Geometry

/// The pixels to repaint, as rectangles without overlap.
package struct Damage: Hashable, Sendable {
  package private(set) var rects: [PixelRect] = []

  /// The maximum number of rectangles. More of them would cost more than painting the pixels between.
  private static let limit = 16

  package init() {}

  package init(_ rect: PixelRect) {
    add(rect)
  }

  package var isEmpty: Bool { rects.isEmpty }

  /// Removes all rectangles and keeps the memory.
  package mutating func removeAll() {
    rects.removeAll(keepingCapacity: true)
  }

  /// The number of damaged pixels.
  package var area: Int { rects.reduce(0) { $0 + $1.area } }

  /// The bounding rectangle.
  package var bounds: PixelRect { rects.reduce(.empty) { $0.union($1) } }

  /// The cost of starting a row of a rectangle, in pixels.
  private static let rowCost = 192

  private static func cost(_ rect: PixelRect) -> Int { rect.area + rect.height * rowCost }

  /// Adds a rectangle, in O(1) as there are few. It is merged with another where their union costs no more
  /// than both apart. If it overlaps one with which it is not merged, only the parts outside of that are
  /// added.
  package mutating func add(_ rect: PixelRect) {
    guard !rect.isEmpty else { return }
    var overlapped: PixelRect?
    for index in rects.indices {
      let other = rects[index]
      if other.contains(rect) { return }
      if grows(rect, with: index) {
        let union = other.union(rect)
        rects.removeAll { union.contains($0) }
        add(union)
        return
      }
      if overlapped == nil, other.overlaps(rect) { overlapped = other }
    }
    guard let other = overlapped else {
      // Enough for ever: the array does not grow in the middle of a motion.
      rects.reserveCapacity(Self.limit + 1)
      rects.append(rect)
      if rects.count > Self.limit { mergeLast() }
      return
    }
    // The parts above, below, left and right of the other.
    let (top, bottom) = (max(rect.y0, other.y0), min(rect.y1, other.y1))
    add(PixelRect(x0: rect.x0, y0: rect.y0, x1: rect.x1, y1: top))
    add(PixelRect(x0: rect.x0, y0: bottom, x1: rect.x1, y1: rect.y1))
    add(PixelRect(x0: rect.x0, y0: top, x1: other.x0, y1: bottom))
    add(PixelRect(x0: other.x1, y0: top, x1: rect.x1, y1: bottom))
  }

  /// Whether a rectangle should be merged with another. The union must not overlap a third one, or
  /// parts could be merged and split endlessly.
  private func grows(_ rect: PixelRect, with index: Int) -> Bool {
    let other = rects[index]
    let shared = other.intersection(rect)
    let union = other.union(rect)
    let sum = Self.cost(other) + Self.cost(rect) - (shared.isEmpty ? 0 : shared.area)
    guard Self.cost(union) <= sum else { return false }
    return rects.allSatisfy { $0 == other || !$0.overlaps(union) || union.contains($0) }
  }

  package mutating func add(_ other: Damage) {
    for rect in other.rects { add(rect) }
  }

  /// The part inside `rect`.
  package func clipped(to rect: PixelRect) -> Damage {
    // As nearly always, and no memory is asked for.
    if rects.allSatisfy({ rect.contains($0) }) { return self }
    var result = Damage()
    result.rects = rects.map { $0.intersection(rect) }.filter { !$0.isEmpty }
    return result
  }

  /// Merges the last rectangle with the one for which this is cheapest, and with all that the union
  /// overlaps.
  private mutating func mergeLast() {
    var merged = rects.removeLast()
    var best = (waste: Int.max, index: 0)
    for index in rects.indices {
      let waste = rects[index].union(merged).area - rects[index].area
      if waste < best.waste { best = (waste, index) }
    }
    merged = merged.union(rects.remove(at: best.index))
    // A union may overlap further rectangles.
    while let index = rects.firstIndex(where: { $0.overlaps(merged) }) {
      merged = merged.union(rects.remove(at: index))
    }
    rects.append(merged)
  }
}

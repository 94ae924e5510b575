// SPDX-License-Identifier: MIT

public import Geometry

/// The pixels to be painted anew, as rectangles that do not overlap.
public struct Damage: Hashable, Sendable {
  public private(set) var rects: [PixelRect] = []

  /// Beyond this many rectangles, keeping them apart costs more than painting what lies between.
  private static let limit = 16

  public init() {}

  public init(_ rect: PixelRect) {
    add(rect)
  }

  public var isEmpty: Bool { rects.isEmpty }

  /// Removes all rectangles; their memory stays for the next ones.
  public mutating func removeAll() {
    rects.removeAll(keepingCapacity: true)
  }

  /// The number of damaged pixels.
  public var area: Int { rects.reduce(0) { $0 + $1.area } }

  /// The smallest rectangle that holds them all.
  public var bounds: PixelRect { rects.reduce(.empty) { $0.union($1) } }

  /// Adds a rectangle. Where it overlaps another they grow together, unless that would take in many
  /// pixels of neither: then only what lies outside of the other is added.
  public mutating func add(_ rect: PixelRect) {
    guard !rect.isEmpty else { return }
    guard let index = rects.firstIndex(where: { $0.overlaps(rect) }) else {
      rects.append(rect)
      if rects.count > Self.limit { mergeLast() }
      return
    }
    let other = rects[index]
    if other.contains(rect) { return }
    let union = other.union(rect)
    let waste = union.area - other.area - rect.area + other.intersection(rect).area
    if waste * 8 <= union.area {
      rects.remove(at: index)
      add(union)
    } else {
      // What of it lies above, below, left and right of the other.
      let (top, bottom) = (max(rect.y0, other.y0), min(rect.y1, other.y1))
      add(PixelRect(x0: rect.x0, y0: rect.y0, x1: rect.x1, y1: top))
      add(PixelRect(x0: rect.x0, y0: bottom, x1: rect.x1, y1: rect.y1))
      add(PixelRect(x0: rect.x0, y0: top, x1: other.x0, y1: bottom))
      add(PixelRect(x0: other.x1, y0: top, x1: rect.x1, y1: bottom))
    }
  }

  public mutating func add(_ other: Damage) {
    for rect in other.rects { add(rect) }
  }

  /// The part inside `rect`.
  public func clipped(to rect: PixelRect) -> Damage {
    var result = Damage()
    result.rects = rects.map { $0.intersection(rect) }.filter { !$0.isEmpty }
    return result
  }

  /// Lets the last rectangle grow together with the one that makes this cheapest, and with all that
  /// they then overlap.
  private mutating func mergeLast() {
    var merged = rects.removeLast()
    var best = (waste: Int.max, index: 0)
    for index in rects.indices {
      let waste = rects[index].union(merged).area - rects[index].area
      if waste < best.waste { best = (waste, index) }
    }
    merged = merged.union(rects.remove(at: best.index))
    // Growing may reach further rectangles, so this goes on until nothing overlaps any more.
    while let index = rects.firstIndex(where: { $0.overlaps(merged) }) {
      merged = merged.union(rects.remove(at: index))
    }
    rects.append(merged)
  }
}

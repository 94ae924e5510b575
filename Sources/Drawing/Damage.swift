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

  /// The number of damaged pixels.
  public var area: Int { rects.reduce(0) { $0 + $1.area } }

  /// The smallest rectangle that holds them all.
  public var bounds: PixelRect { rects.reduce(.empty) { $0.union($1) } }

  /// Adds a rectangle; those that it overlaps grow together with it.
  public mutating func add(_ rect: PixelRect) {
    guard !rect.isEmpty else { return }
    var merged = rect
    // Growing may reach further rectangles, so this goes on until nothing overlaps any more.
    while let index = rects.firstIndex(where: { $0.overlaps(merged) }) {
      if rects[index].contains(merged) { return }
      merged = merged.union(rects.remove(at: index))
    }
    rects.append(merged)
    if rects.count > Self.limit { mergeCheapestPair() }
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

  private mutating func mergeCheapestPair() {
    var best = (cost: Int.max, first: 0, second: 1)
    for first in rects.indices {
      for second in rects.indices.dropFirst(first + 1) {
        let cost =
          rects[first].union(rects[second]).area - rects[first].area - rects[second].area
        if cost < best.cost { best = (cost, first, second) }
      }
    }
    let union = rects[best.first].union(rects[best.second])
    rects.remove(at: best.second)
    rects.remove(at: best.first)
    add(union)
  }
}

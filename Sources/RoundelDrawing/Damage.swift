// SPDX-License-Identifier: MIT

package import RoundelGeometry

/// The pixels to repaint, as non-overlapping rectangles.
package struct Damage: Hashable, Sendable {
  /// At most `maximumCount`.
  package private(set) var rects: [PixelRect] = []

  /// More would cost the display driver more than the pixels between them.
  package static let maximumCount = 128

  package init() {}

  package init(_ rect: PixelRect) {
    if !rect.isEmpty { rects = [rect] }
  }

  package var isEmpty: Bool { rects.isEmpty }

  /// In pixels.
  package var area: Int { rects.reduce(0) { $0 + $1.area } }

  package var bounds: PixelRect { rects.reduce(.empty) { $0.union($1) } }

  /// Reserves memory for the maximum count, to avoid allocations during a motion.
  package mutating func reserveCapacity() { rects.reserveCapacity(Self.maximumCount) }

  /// Copies `other` into this object's memory.
  package mutating func assign(_ other: Damage) {
    rects.removeAll(keepingCapacity: true)
    rects.append(contentsOf: other.rects)
  }

  package mutating func assign(_ bands: DamageBands) {
    reserveCapacity()
    bands.write(to: &rects)
  }

  package func clipped(to rect: PixelRect) -> Damage {
    // The usual case. It allocates nothing.
    if rects.allSatisfy({ rect.contains($0) }) { return self }
    var result = Damage()
    result.rects = rects.map { $0.intersection(rect) }.filter { !$0.isEmpty }
    return result
  }
}

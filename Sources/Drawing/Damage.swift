// SPDX-License-Identifier: MIT

package import Geometry

/// The pixels to repaint, as rectangles without overlap.
package struct Damage: Hashable, Sendable {
  /// At most `maximumCount`.
  package private(set) var rects: [PixelRect] = []

  /// More rectangles would cost a display's driver more than the pixels between them.
  package static let maximumCount = 128

  package init() {}

  package init(_ rect: PixelRect) {
    if !rect.isEmpty { rects = [rect] }
  }

  package var isEmpty: Bool { rects.isEmpty }

  /// The number of damaged pixels.
  package var area: Int { rects.reduce(0) { $0 + $1.area } }

  /// The bounding rectangle.
  package var bounds: PixelRect { rects.reduce(.empty) { $0.union($1) } }

  /// Asks for all the memory that it may ever need, so that it does not in the middle of a motion.
  package mutating func reserveCapacity() { rects.reserveCapacity(Self.maximumCount) }

  /// Becomes the same as another, in its own memory.
  package mutating func become(_ other: Damage) {
    rects.removeAll(keepingCapacity: true)
    rects.append(contentsOf: other.rects)
  }

  /// Becomes all that was collected, in its own memory.
  package mutating func become(_ bands: DamageBands) {
    reserveCapacity()
    bands.write(to: &rects)
  }

  /// The part inside `rect`.
  package func clipped(to rect: PixelRect) -> Damage {
    // As nearly always, and no memory is asked for.
    if rects.allSatisfy({ rect.contains($0) }) { return self }
    var result = Damage()
    result.rects = rects.map { $0.intersection(rect) }.filter { !$0.isEmpty }
    return result
  }
}

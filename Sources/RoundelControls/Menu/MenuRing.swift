// SPDX-License-Identifier: MIT

package import RoundelGeometry

/// The positions of leaves around a hub.
///
/// Leaf i of n is at `start + 360°·i/n`. On an arc of less than 360°, it is at `start + arc·i/(n −
/// 1)`.
package struct MenuRing: Hashable, Sendable {
  /// The number, at least 1.
  package let count: Int
  package let start: Angle
  /// The radius of the disc in the centre. A finger in it chooses no leaf.
  package let hub: Double
  package let leafRadius: Double
  /// The distance from the hub's centre to a leaf's centre.
  package let distance: Double
  private let gap: Double
  /// The angle, or nil if the ring is closed.
  private let arc: Angle?
  private let isReflected: Bool

  /// The default `distance` is the minimum, with gaps of an eighth of a leaf's radius.
  package init(
    count: Int, start: Angle, arc: Angle, hub: Double, leafRadius: Double, distance: Double? = nil,
    isReflected: Bool = false
  ) {
    self.count = count
    self.start = start
    self.hub = hub
    self.leafRadius = leafRadius
    gap = Self.gap(leafRadius)
    let isClosed = arc.radians > 2 * .pi - 1e-9
    self.arc = isClosed ? nil : arc
    self.isReflected = isReflected && !isClosed
    var minimum = hub + leafRadius + gap
    if count > 1 {
      let step = (isClosed ? Angle.fullTurn / Double(count) : arc / Double(count - 1)).radians
      // On an arc, the last leaf may be closest to the first.
      let nearest = isClosed ? step : min(step, 2 * .pi - arc.radians, .pi)
      // Two leaves at distance d and angle a are 2·d·sin(a/2) apart.
      minimum = max(minimum, (leafRadius + gap / 2) / Angle.radians(nearest / 2).unit.x)
    }
    self.distance = distance ?? minimum
  }

  /// The largest hub, at least one pixel, with all leaves within `reach`.
  package static func hub(within reach: Double, leafRadius: Double, _ distance: Double?) -> Double {
    max((distance ?? reach - leafRadius) - leafRadius - gap(leafRadius), 1)
  }

  private static func gap(_ leafRadius: Double) -> Double { leafRadius / 8 }

  /// A full turn if there is only one leaf.
  var step: Angle {
    if let arc, count > 1 { arc / Double(count - 1) } else { .fullTurn / Double(count) }
  }

  /// The maximum distance from the hub's centre at which a finger chooses a leaf.
  package var reach: Double { distance + 2 * leafRadius }

  private func seen(_ direction: Angle) -> Angle { isReflected ? -direction : direction }

  package func place(_ index: Int) -> Vector { seen(start + step * Double(index)).unit * distance }

  /// The leaf nearest in direction to a finger at `offset` from the hub's centre. Nil on the hub,
  /// out of reach, or more than half a step beyond an arc's end. O(1).
  package func leaf(at offset: Vector) -> Int? {
    offset.length <= reach ? leaf(towards: offset) : nil
  }

  /// Like `leaf(at:)`, but at any distance.
  package func leaf(towards offset: Vector) -> Int? {
    offset.length > hub ? nearest(Angle(of: offset)) : nil
  }

  /// Returns nil more than half a step beyond an arc's end.
  package func nearest(_ direction: Angle) -> Int? {
    let turn = (seen(direction) - start).normalized
    if let arc, turn > arc {
      let (behind, before) = (turn - arc, .fullTurn - turn)
      let half = (count > 1 ? step : arc) / 2
      // Avoids a seam between the two halves.
      guard min(behind, before).radians <= half.radians + 1e-9 else { return nil }
      return behind < before ? count - 1 : 0
    }
    guard count > 1 else { return 0 }
    guard step.radians > 0 else { return 0 }
    let index = Int((turn.radians / step.radians).rounded())
    return arc == nil ? index % count : min(index, count - 1)
  }

  /// The bounds of all leaves with a margin of one gap, relative to the hub's centre.
  private var box: Rect {
    var box = Rect(x0: .infinity, y0: .infinity, x1: -.infinity, y1: -.infinity)
    for index in 0..<count {
      let place = place(index)
      box = Rect(
        x0: min(box.x0, place.x), y0: min(box.y0, place.y),
        x1: max(box.x1, place.x), y1: max(box.y1, place.y))
    }
    return box.inset(by: -leafRadius - gap)
  }

  /// The smallest circle around all leaves with a margin of one gap, or the whole ring's for a long
  /// arc.
  private var circle: (center: Vector, radius: Double) {
    let own = leafRadius + gap
    guard count > 1 else { return (place(0), own) }
    guard let arc, arc.radians < .pi else { return (Vector(0, 0), distance + own) }
    // The ends of the arc are on opposite sides of the circle.
    let half = (arc / 2).unit
    return (seen(start + arc / 2).unit * (distance * -half.y), distance * half.x + own)
  }

  package func fits(in screen: Size, isRound: Bool = false) -> Bool {
    guard !isRound else { return 2 * circle.radius <= min(screen.width, screen.height) }
    let box = box
    return box.width <= screen.width && box.height <= screen.height
  }

  /// The hub's nearest centre with all leaves inside the screen.
  package func center(nearest center: Point, in screen: Size, isRound: Bool = false) -> Point {
    if isRound {
      let circle = circle
      let middle = Point(screen.width / 2, screen.height / 2)
      let offset = center + circle.center - middle
      let space = max(min(screen.width, screen.height) / 2 - circle.radius, 0)
      return offset.length > space
        ? middle + offset * (space / offset.length) - circle.center : center
    }
    let box = box
    func kept(_ value: Double, _ low: Double, _ high: Double) -> Double {
      low <= high ? min(max(value, low), high) : (low + high) / 2
    }
    return Point(
      kept(center.x, -box.x0, screen.width - box.x1),
      kept(center.y, -box.y0, screen.height - box.y1))
  }
}

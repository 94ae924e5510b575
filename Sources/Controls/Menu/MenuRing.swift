// SPDX-License-Identifier: MIT

package import Geometry

/// The places of leaves around a hub, and the leaf in a direction.
///
/// Leaf i of n is at `start + 360°·i/n`; on an arc of less than 360° at `start + arc·i/(n − 1)`.
package struct MenuRing: Hashable, Sendable {
  /// The number of leaves, at least 1.
  package let count: Int
  package let start: Angle
  /// Radius of the disc in the middle; a finger in it chooses no leaf.
  package let hub: Double
  package let leafRadius: Double
  /// From the hub's centre to a leaf's.
  package let distance: Double
  /// The minimum gap between two circles by default.
  private let gap: Double
  /// The turn from the first leaf to the last; nil all the way round.
  private let arc: Angle?
  /// Whether an arc is reflected horizontally, so that it turns counterclockwise.
  private let isReflected: Bool

  /// A ring with leaves at `distance` from the hub's centre; nil for the minimum at which circles are an
  /// eighth of a leaf's radius apart.
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
      // On an arc the last leaf may be closest to the first.
      let nearest = isClosed ? step : min(step, 2 * .pi - arc.radians, .pi)
      // Two leaves at the distance d and the angle a apart are 2·d·sin(a/2) apart.
      minimum = max(minimum, (leafRadius + gap / 2) / Angle.radians(nearest / 2).unit.x)
    }
    self.distance = distance ?? minimum
  }

  /// The largest hub, of at least one pixel, around which leaves keep within a radius.
  package static func hub(within reach: Double, leafRadius: Double, _ distance: Double?) -> Double {
    max((distance ?? reach - leafRadius) - leafRadius - gap(leafRadius), 1)
  }

  /// The minimum gap between two circles by default.
  private static func gap(_ leafRadius: Double) -> Double { leafRadius / 8 }

  /// The turn from a leaf to the next; all the way round where there is one leaf only.
  var step: Angle {
    if let arc, count > 1 { arc / Double(count - 1) } else { .fullTurn / Double(count) }
  }

  /// The maximum distance from the hub's centre at which a finger chooses a leaf.
  package var reach: Double { distance + 2 * leafRadius }

  /// The direction on the screen of a direction along the ring, and the other way round.
  private func seen(_ direction: Angle) -> Angle { isReflected ? -direction : direction }

  /// The vector from the hub's centre to the centre of leaf `index`.
  package func place(_ index: Int) -> Vector {
    seen(start + step * Double(index)).unit * distance
  }

  /// The leaf that a finger at `offset` from the hub's centre chooses: the nearest in direction, in
  /// constant time. Nil on the hub, out of reach, and beside an arc by more than half a step.
  package func leaf(at offset: Vector) -> Int? {
    offset.length <= reach ? leaf(towards: offset) : nil
  }

  /// The leaf nearest in direction to a finger at `offset`, however far it is. Nil on the hub and beside an
  /// arc by more than half a step.
  package func leaf(towards offset: Vector) -> Int? {
    offset.length > hub ? nearest(Angle(of: offset)) : nil
  }

  /// The leaf nearest in direction; nil beside an arc by more than half a step.
  package func nearest(_ direction: Angle) -> Int? {
    let turn = (seen(direction) - start).normalized
    if let arc, turn > arc {
      let (behind, before) = (turn - arc, .fullTurn - turn)
      let half = (count > 1 ? step : arc) / 2
      // The tolerance avoids a seam where the two halves meet.
      guard min(behind, before).radians <= half.radians + 1e-9 else { return nil }
      return behind < before ? count - 1 : 0
    }
    guard count > 1 else { return 0 }
    guard step.radians > 0 else { return 0 }
    let index = Int((turn.radians / step.radians).rounded())
    return arc == nil ? index % count : min(index, count - 1)
  }

  /// The rectangle around all leaves, with a margin as between them, around the hub's centre.
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

  /// The smallest circle around all leaves, with a margin as between them, relative to the hub's centre. For leaves
  /// on half a ring or more it is the circle of the whole ring.
  private var circle: (center: Vector, radius: Double) {
    let own = leafRadius + gap
    guard count > 1 else { return (place(0), own) }
    guard let arc, arc.radians < .pi else { return (Vector(0, 0), distance + own) }
    // Its ends lie on both sides of it.
    let half = (arc / 2).unit
    return (seen(start + arc / 2).unit * (distance * -half.y), distance * half.x + own)
  }

  /// Whether there is a place for all leaves on the screen, or in the largest circle in it.
  package func fits(in screen: Size, isRound: Bool = false) -> Bool {
    guard !isRound else { return 2 * circle.radius <= min(screen.width, screen.height) }
    let box = box
    return box.width <= screen.width && box.height <= screen.height
  }

  /// The hub's centre nearest to `center` for which all leaves are inside the screen, or the largest circle in
  /// it, with a margin as between leaves. Where they do not fit in one dimension, they are centred in it.
  package func center(
    nearest center: Point, in screen: Size, isRound: Bool = false
  ) -> Point {
    if isRound {
      let circle = circle
      let middle = Point(screen.width / 2, screen.height / 2)
      let way = center + circle.center - middle
      let room = max(min(screen.width, screen.height) / 2 - circle.radius, 0)
      return way.length > room
        ? middle + way * (room / way.length) - circle.center : center
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

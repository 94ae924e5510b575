// SPDX-License-Identifier: MIT

/// The part of a ring between two radii and two directions, clockwise. A full turn is a ring, or a
/// disc if it has no hole.
public struct Sector: Hashable, Sendable {
  /// The centre of both arcs.
  public var center: Point
  /// The radius of the hole, or 0.
  public var innerRadius: Double
  /// At least `innerRadius`.
  public var outerRadius: Double
  /// The direction of the first edge.
  public var start: Angle
  /// The direction of the second edge, clockwise from `start`. A full turn or more has no edges.
  public var end: Angle
  /// The distance by which both edges move inwards in parallel: half of a gap of constant width.
  public var inset: Double

  /// Creates a sector, with lengths in pixels.
  public init(
    center: Point, innerRadius: Double, outerRadius: Double, start: Angle, end: Angle,
    inset: Double = 0
  ) {
    self.center = center
    self.innerRadius = innerRadius
    self.outerRadius = outerRadius
    self.start = start
    self.end = end
    self.inset = inset
  }

  /// Creates a disc.
  public init(center: Point, radius: Double) {
    self.init(
      center: center, innerRadius: 0, outerRadius: radius, start: .zero, end: .fullTurn)
  }

  /// Creates a ring.
  public init(center: Point, innerRadius: Double, outerRadius: Double) {
    self.init(
      center: center, innerRadius: innerRadius, outerRadius: outerRadius, start: .zero,
      end: .fullTurn)
  }

  /// The clockwise angle from `start` to `end`.
  public var sweep: Angle { end - start }

  /// Whether the sector has no edges. The tolerance absorbs the rounding error of `start + 360° −
  /// start`.
  public var isClosed: Bool { sweep.radians > 2 * .pi - 1e-9 }

  /// The direction halfway between `start` and `end`.
  public var middle: Angle { (start + end) / 2 }

  /// Whether `p` is inside. A point on an edge belongs to the sector clockwise of that edge.
  public func contains(_ p: Point) -> Bool {
    let v = p - center
    let squared = v.dot(v)
    guard squared < outerRadius * outerRadius, squared >= innerRadius * innerRadius else {
      return false
    }
    if isClosed { return true }
    let afterStart = start.unit.cross(v) >= inset
    let beforeEnd = end.unit.cross(v) < -inset
    return sweep.radians > .pi ? afterStart || beforeEnd : afterStart && beforeEnd
  }

  /// The bounding rectangle, ignoring the inset.
  public var bounds: Rect {
    let whole = Rect(center: center, size: Size(2 * outerRadius, 2 * outerRadius))
    if isClosed { return whole }
    // The extremes are at the sector's corners and at crossings of its arc with an axis.
    var box = Rect(x0: .infinity, y0: .infinity, x1: -.infinity, y1: -.infinity)
    func include(_ direction: Vector, _ radius: Double) {
      let p = center + direction * radius
      box = Rect(
        x0: min(box.x0, p.x), y0: min(box.y0, p.y), x1: max(box.x1, p.x), y1: max(box.y1, p.y))
    }
    for edge in [start.unit, end.unit] {
      include(edge, innerRadius)
      include(edge, outerRadius)
    }
    let firstQuarter = (start.radians / (.pi / 2)).rounded(.up)
    for quarter in 0..<4 {
      let direction = Angle.radians((firstQuarter + Double(quarter)) * (.pi / 2))
      if direction < end { include(direction.unit, outerRadius) }
    }
    return box
  }
}

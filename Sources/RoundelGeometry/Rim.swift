// SPDX-License-Identifier: MIT

/// The part of a shape's rim that faces up or down: a crescent along a disc, a band along a
/// straight edge.
///
/// The rim is between the shape and a copy with vertically compressed round corners, with half axes
/// r and r − depth. It is `depth` wide where it faces straight up or down, and elsewhere, for a
/// small `depth`, `depth` times the squared cosine of the direction.
public struct Rim: Hashable, Sendable {
  /// A shape with a rim.
  public enum Body: Hashable, Sendable {
    case plate(RoundedRect)
    /// The rim is at the outer edge.
    case sector(Sector)
  }

  /// A half of the rim.
  public enum Side: Hashable, Sendable {
    case upper, lower
  }

  /// The shape.
  public var body: Body
  /// The upper or lower half.
  public var side: Side
  /// The maximum width.
  public var depth: Double

  /// Creates a rim with a maximum width of `depth`.
  public init(_ body: Body, _ side: Side, depth: Double) {
    self.body = body
    self.side = side
    self.depth = depth
  }

  /// The shape, or a sector's whole disc.
  package var plate: RoundedRect {
    switch body {
    case .plate(let plate): plate
    case .sector(let sector): RoundedRect(disc: sector.center, radius: sector.outerRadius)
    }
  }

  /// The bounding rectangle.
  public var bounds: Rect {
    let plate = plate
    let height = max(plate.radius, depth)
    var box =
      switch body {
      case .plate(let plate): plate.rect
      case .sector(let sector): sector.bounds
      }
    switch side {
    case .upper: box.y1 = min(box.y1, plate.rect.y0 + height)
    case .lower: box.y0 = max(box.y0, plate.rect.y1 - height)
    }
    return box
  }

  /// The height where `plate`, the rim's, is as wide as its compressed copy at `y`, or nil if the
  /// copy doesn't reach `y`. A parameter, because each row of sample points calls this.
  package func pressed(_ y: Double, of plate: RoundedRect) -> Double? {
    let middle = side == .upper ? plate.rect.y0 + plate.radius : plate.rect.y1 - plate.radius
    guard plate.radius > depth else {
      let distance = side == .upper ? y - plate.rect.y0 : plate.rect.y1 - y
      return distance < depth ? nil : middle
    }
    let offset = (y - middle) * plate.radius / (plate.radius - depth)
    return abs(offset) < plate.radius ? middle + offset : nil
  }

  /// Whether `p` is inside the rim.
  public func contains(_ p: Point) -> Bool {
    let plate = plate
    guard bounds.contains(p) else { return false }
    switch body {
    case .plate: guard plate.contains(p) else { return false }
    case .sector(let sector): guard sector.contains(p) else { return false }
    }
    return pressed(p.y, of: plate).map { !plate.contains(Point(p.x, $0)) } ?? true
  }
}

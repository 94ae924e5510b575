// SPDX-License-Identifier: MIT

/// The part of a shape's rim that faces up, or down: a crescent along a disc, a band along a level edge.
///
/// It lies between the shape and the same shape with its round corners pressed together vertically, so
/// that these are parts of ellipses with half axes r and r − depth. The rim is then as wide as `depth` where
/// it faces straight up or down, and elsewhere, while `depth` is small beside r, as `depth` times the square
/// of the cosine of the direction.
public struct Rim: Hashable, Sendable {
  /// A shape that has a rim.
  public enum Body: Hashable, Sendable {
    case plate(RoundedRect)
    /// Its outer edge has the rim.
    case sector(Sector)
  }

  /// A half of the rim.
  public enum Side: Hashable, Sendable {
    case upper, lower
  }

  /// The shape that has the rim.
  public var body: Body
  /// The half of the rim.
  public var side: Side
  /// The greatest width.
  public var depth: Double

  /// A rim, as deep as `depth` at the most.
  public init(_ body: Body, _ side: Side, depth: Double) {
    self.body = body
    self.side = side
    self.depth = depth
  }

  /// The body; for a sector, its whole disc.
  package var plate: RoundedRect {
    switch body {
    case .plate(let plate): plate
    case .sector(let sector): RoundedRect(disc: sector.center, radius: sector.outerRadius)
    }
  }

  /// A rectangle that holds it.
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

  /// The height at which `plate`, that of the rim, is as wide as its pressed copy is at `y`; nil where the copy
  /// does not reach `y`. It is called for each line of points.
  package func pressed(_ y: Double, of plate: RoundedRect) -> Double? {
    let middle = side == .upper ? plate.rect.y0 + plate.radius : plate.rect.y1 - plate.radius
    guard plate.radius > depth else {
      let distance = side == .upper ? y - plate.rect.y0 : plate.rect.y1 - y
      return distance < depth ? nil : middle
    }
    let way = (y - middle) * plate.radius / (plate.radius - depth)
    return abs(way) < plate.radius ? middle + way : nil
  }

  /// Whether `p` lies inside.
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

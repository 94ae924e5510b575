// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry

/// The light from above on what stands out a little from the page: its rim is lighter towards the top and
/// darker towards the foot. It is the same on every colour and in every theme.
///
/// The rim's width is the greatest at the top and at the foot, and falls with the square of the cosine of
/// the direction to nothing at the sides.
extension DisplayList {
  private enum Half {
    case upper, lower

    var color: Color { self == .upper ? .white.faded(to: 0.24) : .black.faded(to: 0.2) }

    /// How much of the light falls on a rim that faces a direction, 0 … 1.
    func share(_ direction: Vector) -> Double {
      // Up is −y.
      let up = -direction.y
      return self == .upper ? max(up, 0) * up : max(-up, 0) * -up
    }
  }

  /// The greatest width of the rim of something with a short side, in design pixels.
  private static func depth(_ side: Double) -> Double { min(max(side * 0.009, 1), 5) }

  /// Adds the light on a plate, or on a disc, which is a square with round corners. `presence`, 0 … 1, is
  /// that of the plate.
  mutating func addLight(on plate: RoundedRect, presence: Double = 1) {
    let side = min(plate.rect.width, plate.rect.height)
    guard side >= 12, presence > 0 else { return }
    let depth = Self.depth(side)
    let corner = plate.rect.inset(by: plate.radius)
    let (least, most) = (Self.roundings.lowerBound, Self.roundings.upperBound)
    let steps = Int(min(max(plate.radius / 4, Double(least)), Double(most)))
    addInOnePass { list in
      for half in [Half.upper, .lower] {
        let ways = Self.ways[steps - least][half == .upper ? 0 : 1]
        func spot(_ step: Int) -> Point {
          let isSecond = step > steps
          let middle = Point(
            isSecond == (half == .upper) ? corner.x1 : corner.x0,
            half == .upper ? corner.y0 : corner.y1)
          return middle + ways[step] * plate.radius
        }
        list.addPolygon(half.color.faded(to: presence)) { corners in
          for step in ways.indices { corners.append(spot(step)) }
          for step in ways.indices.reversed() {
            corners.append(spot(step) - ways[step] * (depth * half.share(ways[step])))
          }
        }
      }
    }
  }

  /// The steps in which a corner may be rounded.
  private static let roundings = 3...40

  /// For each number of steps and each half, the directions along its rim: two corners, one after the other.
  private static let ways = roundings.map { steps in
    [-90.0, 90].map { first in
      (0...2 * steps + 1).map { step in
        let turn = Angle.degrees(90 * Double(step > steps ? step - 1 : step) / Double(steps))
        return (turn + .degrees(first)).unit
      }
    }
  }

  /// Adds the light on the outer edge of a part of a ring.
  mutating func addLight(on sector: Sector, presence: Double = 1) {
    let radius = sector.outerRadius
    guard radius >= 6, presence > 0 else { return }
    let depth = Self.depth(2 * radius)
    // A gap of parallel edges takes this from both ends.
    let gap = sector.isClosed ? Angle.zero : .radians(min(sector.inset / radius, 1))
    let sweep = sector.sweep - gap * 2
    guard sweep > .zero else { return }
    let steps = Int(min(max(sweep.radians * radius / 10, 2), 120))
    for half in [Half.upper, .lower] {
      let start = sector.isClosed ? Angle.degrees(half == .upper ? 180 : 0) : sector.start + gap
      func direction(_ step: Int) -> Vector {
        (start + sweep * (Double(step) / Double(steps))).unit
      }
      guard (0...steps).contains(where: { half.share(direction($0)) > 0 }) else { continue }
      addPolygon(half.color.faded(to: presence)) { corners in
        for step in 0...steps { corners.append(sector.center + direction(step) * radius) }
        for step in (0...steps).reversed() {
          let direction = direction(step)
          corners.append(sector.center + direction * (radius - depth * half.share(direction)))
        }
      }
    }
  }
}

extension RoundedRect {
  /// A disc.
  init(disc center: Point, radius: Double) {
    self.init(Rect(center: center, size: Size(2 * radius, 2 * radius)), radius: radius)
  }
}

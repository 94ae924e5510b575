// SPDX-License-Identifier: MIT

internal import Geometry
internal import Glibc

/// The line that a text follows on the canvas: straight, or an arc.
struct TextPath {
  private let anchor: Point
  private let up: Vector
  private let right: Vector
  /// From the anchor down to the centre of the arc, in ems; above it where negative, nil for a straight line.
  private var drop: Double?

  /// A straight line whose text reads in the direction of `angle` as `TextRun` counts it.
  init(anchor: Point, angle: Angle) {
    self.anchor = anchor
    up = angle.unit
    right = Vector(-up.y, up.x)
  }

  /// Makes it an arc around a point `drop` ems below the anchor.
  mutating func bend(around drop: Double) {
    if drop != 0, drop.isFinite { self.drop = drop }
  }

  /// Where a glyph stands, and its directions.
  ///
  /// On an arc it is turned as the arc is in the middle of its width, and stands on the tangent there.
  /// - Parameters:
  ///   - x: from the anchor along the line, in ems.
  ///   - depth: from the anchor down to the baseline, in ems.
  ///   - width: of the glyph, in ems.
  ///   - em: in canvas pixels.
  func place(
    x: Double, depth: Double, width: Double, em: Double
  ) -> (origin: Point, right: Vector, up: Vector) {
    guard let drop else {
      return (anchor - up * (depth * em) + right * (x * em), right, up)
    }
    // Distances along the arc are those on its own baseline, whose radius is the centre's distance from it.
    let radius = drop - depth
    let turn = radius == 0 ? 0 : (x + width / 2) / radius
    let (sine, cosine) = (sin(turn), cos(turn))
    let own = (right: right * cosine - up * sine, up: up * cosine + right * sine)
    let center = anchor - up * (drop * em)
    return (center + own.up * (radius * em) - own.right * (width / 2 * em), own.right, own.up)
  }
}

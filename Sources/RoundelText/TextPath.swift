// SPDX-License-Identifier: MIT

internal import RoundelGeometry
internal import Glibc

/// A straight line or an arc on the canvas.
struct TextPath {
  private let anchor: Point
  private let up: Vector
  private let right: Vector
  /// The distance from the anchor down to the arc's centre in ems, negative if it is above, or nil
  /// for a straight line.
  private var drop: Double?

  /// - Parameter angle: Defined like `TextRun.angle`.
  init(anchor: Point, angle: Angle) {
    self.anchor = anchor
    up = angle.unit
    right = Vector(-up.y, up.x)
  }

  /// Bends the path into an arc around a point `drop` ems below the anchor.
  mutating func bend(around drop: Double) {
    if drop != 0, drop.isFinite { self.drop = drop }
  }

  /// On an arc, a glyph is on the tangent at the centre of its width.
  /// - Parameters:
  ///   - x: The distance from the anchor along the line, in ems.
  ///   - depth: The distance from the anchor down to the baseline, in ems.
  ///   - width: In ems.
  ///   - em: The em size in canvas pixels.
  func place(
    x: Double, depth: Double, width: Double, em: Double
  ) -> (origin: Point, right: Vector, up: Vector) {
    guard let drop else {
      return (anchor - up * (depth * em) + right * (x * em), right, up)
    }
    // Distances along the arc are measured on its own baseline.
    let radius = drop - depth
    let turn = radius == 0 ? 0 : (x + width / 2) / radius
    let (sine, cosine) = (sin(turn), cos(turn))
    let own = (right: right * cosine - up * sine, up: up * cosine + right * sine)
    let center = anchor - up * (drop * em)
    return (center + own.up * (radius * em) - own.right * (width / 2 * em), own.right, own.up)
  }
}

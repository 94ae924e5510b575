// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelGeometry

/// The mouse cursor: a white triangle with a dark edge, visible on any colour.
///
/// One side goes straight down from the tip, another at 45° to it. The third is perpendicular to
/// the bisector of their angle.
package enum PointerArrow {
  /// From the tip to the third side, in pixels of a small panel.
  private static let length = 18.0
  private static let edge = 1.2
  /// The sine and cosine of half of the angle at the tip, 22.5°.
  private static let (sine, cosine) = (0.382_683, 0.923_880)

  /// Returns the corners of the whole arrow, or of its white part, with the arrow's tip at (0, 0).
  private static func corners(of inset: Double) -> [Point] {
    // The sides move inwards by the inset, and the tip along the bisector.
    let along = inset / sine
    let tip = Vector(sine, cosine) * along
    let side = (length - inset - along) / cosine
    return [
      Point.zero + tip, Point(tip.x, tip.y + side),
      Point(tip.x + side * 0.5.squareRoot(), tip.y + side * 0.5.squareRoot()),
    ]
  }

  /// Returns the arrow, scaled relative to a small panel.
  package static func items(at tip: Point, scale: Double) -> [DisplayItem] {
    func part(_ inset: Double, _ color: Color) -> DisplayItem {
      DisplayItem(
        .polygon(corners(of: inset).map { tip + ($0 - .zero) * scale }), color)
    }
    return [part(0, .black), part(edge, .white)]
  }

  /// - Parameter point: Relative to the tip.
  package static func covers(_ point: Vector) -> (isCovered: Bool, isWhite: Bool) {
    let depth = min(
      point.x, (point.y - point.x) * 0.5.squareRoot(),
      length - point.x * sine - point.y * cosine)
    return (depth > 0, depth > edge)
  }
}

// SPDX-License-Identifier: MIT

package import Geometry

/// The mapping from positions on the panel to pixels of the unrotated canvas, the inverse of the picture's mapping.
package struct PanelMapping: Hashable, Sendable {
  /// The size of the unrotated canvas that fills the panel.
  package var canvas: PixelSize
  /// The clockwise rotation of the canvas on the panel.
  package var rotation: Rotation

  package init(canvas: PixelSize, rotation: Rotation) {
    self.canvas = canvas
    self.rotation = rotation
  }

  /// The point of the canvas at `place` of the panel, whose sides count as 1 each.
  package func canvasPoint(_ place: Point) -> Point {
    // If the rotation swaps the sides, it does so in both directions.
    let panel = rotation.applied(to: canvas)
    let pixel = Point(
      Self.near(place.x) * Double(panel.width), Self.near(place.y) * Double(panel.height))
    return rotation.canvasPoint(pixel, panel: panel)
  }

  /// Clamps a coordinate, so that computations don't overflow. A wrongly calibrated device may report any number, or
  /// NaN.
  private static func near(_ side: Double) -> Double {
    side.isNaN ? -1 : min(max(side, -farthest), farthest)
  }

  /// The limit as a multiple of the panel's side.
  private static let farthest = 1000.0
}

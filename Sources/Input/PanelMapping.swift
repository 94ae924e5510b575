// SPDX-License-Identifier: MIT

package import Geometry

/// The mapping from places on the panel to pixels of the upright canvas, the inverse of that of the picture.
package struct PanelMapping: Hashable, Sendable {
  /// The upright canvas that fills the panel.
  package var canvas: PixelSize
  /// How far it is turned clockwise on the panel.
  package var rotation: Rotation

  package init(canvas: PixelSize, rotation: Rotation) {
    self.canvas = canvas
    self.rotation = rotation
  }

  /// The point of the canvas at `place` of the panel, whose sides count as 1 each.
  package func canvasPoint(_ place: Point) -> Point {
    // The rotation swaps the sides in both directions, or in none.
    let panel = rotation.applied(to: canvas)
    let pixel = Point(
      Self.near(place.x) * Double(panel.width), Self.near(place.y) * Double(panel.height))
    return rotation.canvasPoint(pixel, panel: panel)
  }

  /// A place on the panel or beside it, but not so far away that computations overflow: a device with a wrong
  /// calibration may report any number, or NaN.
  private static func near(_ side: Double) -> Double {
    side.isNaN ? -1 : min(max(side, -farthest), farthest)
  }

  /// In sides of the panel.
  private static let farthest = 1000.0
}

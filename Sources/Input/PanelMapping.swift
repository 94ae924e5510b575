// SPDX-License-Identifier: MIT

package import Geometry

/// How places on the panel belong to pixels of the upright canvas: the picture's way, backwards.
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
    // Between a panel and a canvas of the same rotation, sides are swapped or not both ways.
    let panel = rotation.applied(to: canvas)
    let pixel = Point(
      Self.near(place.x) * Double(panel.width), Self.near(place.y) * Double(panel.height))
    return rotation.canvasPoint(pixel, panel: panel)
  }

  /// A place beside the panel as well as on it, but not so far away that nobody can count with it: a
  /// device with a wrong calibration may report any number, or none.
  private static func near(_ side: Double) -> Double {
    side.isNaN ? -1 : min(max(side, -farthest), farthest)
  }

  /// In sides of the panel.
  private static let farthest = 1000.0
}

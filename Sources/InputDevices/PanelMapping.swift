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
    let pixel = Point(place.x * Double(panel.width), place.y * Double(panel.height))
    return rotation.canvasPoint(pixel, panel: panel)
  }
}

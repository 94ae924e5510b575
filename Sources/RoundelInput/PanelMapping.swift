// SPDX-License-Identifier: MIT

package import RoundelGeometry

/// The mapping from positions on the panel to pixels of the unrotated canvas.
package struct PanelMapping: Hashable, Sendable {
  /// The size of the unrotated canvas that fills the panel.
  package var canvas: PixelSize
  /// Clockwise.
  package var rotation: Rotation

  package init(canvas: PixelSize, rotation: Rotation) {
    self.canvas = canvas
    self.rotation = rotation
  }

  /// - Parameter place: The panel's sides count as 1 each.
  package func canvasPoint(_ place: Point) -> Point {
    // If the rotation swaps the sides, it does so in both directions.
    let panel = rotation.applied(to: canvas)
    let pixel = Point(
      Self.near(place.x) * Double(panel.width), Self.near(place.y) * Double(panel.height))
    return rotation.canvasPoint(pixel, panel: panel)
  }

  /// Prevents overflow. A wrongly calibrated device may report any number, or NaN.
  private static func near(_ side: Double) -> Double {
    side.isNaN ? -1 : min(max(side, -farthest), farthest)
  }

  /// The largest accepted coordinate, in panel widths or heights.
  private static let farthest = 1000.0
}

// SPDX-License-Identifier: MIT

public import Geometry

/// How places on the panel belong to places of the design: the picture's way, backwards.
public struct PanelMapping: Hashable, Sendable {
  /// The panel's pixels, as it is scanned out.
  public var panel: PixelSize
  /// How far the picture is turned clockwise on the panel.
  public var rotation: Rotation
  /// How the design lies on the upright canvas.
  public var viewport: Viewport

  public init(panel: PixelSize, rotation: Rotation, viewport: Viewport) {
    self.panel = panel
    self.rotation = rotation
    self.viewport = viewport
  }

  /// The upright canvas that fills the panel.
  public var canvas: PixelSize { rotation.applied(to: panel) }

  /// The point of the canvas at `place` of the panel, whose sides count as 1 each.
  public func canvasPoint(_ place: Point) -> Point {
    let pixel = Point(place.x * Double(panel.width), place.y * Double(panel.height))
    return rotation.canvasPoint(pixel, panel: panel)
  }

  /// The point of the design at `place` of the panel, whose sides count as 1 each. Places beside
  /// the picture give points outside of the design.
  public func designPoint(_ place: Point) -> Point {
    viewport.designPoint(canvasPoint(place))
  }
}

// SPDX-License-Identifier: MIT

package import RoundelControls
package import RoundelGeometry

package protocol Touchscreen: AnyObject {
  /// Plays simultaneous touches in panel pixels, of fingers 0 … 9. Ignores moves and lifts of
  /// fingers that aren't down.
  func touch(_ touches: [Touch]) throws(TouchscreenError)
}

package struct TouchscreenError: Error, Hashable, Sendable, CustomStringConvertible {
  package var isPermission = false
  package var description: String

  package init(_ description: String, isPermission: Bool = false) {
    self.description = description
    self.isPermission = isPermission
  }
}

/// The mapping from the design to a panel.
package struct PanelPlaces: Hashable, Sendable {
  private let viewport: Viewport
  private let canvas: PixelSize
  private let rotation: Rotation

  package init(design: Size, panel: PixelSize, rotation: Rotation) {
    canvas = rotation.applied(to: panel)
    viewport = Viewport(fitting: design, into: canvas)
    self.rotation = rotation
  }

  /// The panel's size in pixels.
  package var size: PixelSize { rotation.applied(to: canvas) }

  package func panelPoint(_ point: Point) -> Point {
    rotation.inverse.canvasPoint(viewport.canvasPoint(point), panel: canvas)
  }
}

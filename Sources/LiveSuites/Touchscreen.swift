// SPDX-License-Identifier: MIT

package import Controls
package import Geometry

/// Something that a kiosk takes for a touch panel, and that a program operates.
package protocol Touchscreen: AnyObject {
  /// Lets fingers touch at the same moment, at places in panel pixels. They are numbered 0 … 9; only fingers
  /// on the panel can move or be lifted.
  func touch(_ touches: [Touch]) throws(TouchscreenError)
}

/// Why a touch did not get there.
package struct TouchscreenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Whether a permission is missing.
  package var isPermission = false
  package var description: String

  package init(_ description: String, isPermission: Bool = false) {
    self.description = description
    self.isPermission = isPermission
  }
}

/// Where places of the design are on a panel.
package struct PanelPlaces: Hashable, Sendable {
  private let viewport: Viewport
  private let canvas: PixelSize
  private let rotation: Rotation

  /// A design of `design` pixels on a panel of `panel`, turned by `rotation`.
  package init(design: Size, panel: PixelSize, rotation: Rotation) {
    canvas = rotation.applied(to: panel)
    viewport = Viewport(fitting: design, into: canvas)
    self.rotation = rotation
  }

  /// The panel's pixels.
  package var size: PixelSize { rotation.applied(to: canvas) }

  /// The place on the panel of a place of the design.
  package func panelPoint(_ point: Point) -> Point {
    rotation.inverse.canvasPoint(viewport.canvasPoint(point), panel: canvas)
  }
}

// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelGeometry
import Testing
import LiveSuites

@Suite struct PanelPlacesTests {
  @Test(arguments: [
    (Rotation.none, PixelSize(1280, 800), Point(100, 40)),
    (.quarter, PixelSize(800, 1280), Point(760, 100)),
    (.half, PixelSize(1280, 800), Point(1180, 760)),
    (.threeQuarters, PixelSize(800, 1280), Point(40, 1180)),
  ])
  func `a design point maps to its position on the rotated panel`(
    _ rotation: Rotation, _ panel: PixelSize, _ place: Point
  ) {
    let places = PanelPlaces(design: Size(1280, 800), panel: panel, rotation: rotation)
    #expect(places.size == panel)
    #expect(places.panelPoint(Point(100, 40)) == place)
  }

  @Test func `a design is scaled to the panel and centred`() {
    let places = PanelPlaces(
      design: Size(800, 480), panel: PixelSize(1024, 600), rotation: .none)
    #expect(places.panelPoint(Point(0, 0)) == Point(12, 0))
    #expect(places.panelPoint(Point(800, 480)) == Point(1012, 600))
  }

  /// The inverse of the mapping from touches to the canvas.
  @Test(arguments: Rotation.allCases)
  func `a touch at the mapped position hits the same canvas point`(_ rotation: Rotation) {
    let panel = PixelSize(1000, 700)
    let canvas = rotation.applied(to: panel)
    let design = Size(500, 300)
    let places = PanelPlaces(design: design, panel: panel, rotation: rotation)
    let viewport = Viewport(fitting: design, into: canvas)
    let point = Point(123, 234)
    let back = viewport.designPoint(
      rotation.canvasPoint(places.panelPoint(point), panel: panel))
    #expect(back.distance(to: point) < 1e-9)
  }
}

// SPDX-License-Identifier: MIT

import RoundelGeometry
import Testing
import RoundelInput

@Suite struct PanelMappingTests {
  @Test(arguments: Rotation.allCases)
  func `a touch on the centre of a displayed pixel maps to that pixel`(_ rotation: Rotation) {
    let mapping = PanelMapping(canvas: PixelSize(30, 20), rotation: rotation)
    let panel = rotation.applied(to: mapping.canvas)
    for pixel in [(0, 0), (29, 0), (0, 19), (29, 19), (7, 13)] {
      let rect = PixelRect(x0: pixel.0, y0: pixel.1, x1: pixel.0 + 1, y1: pixel.1 + 1)
      let shown = rotation.panelRect(rect, canvas: mapping.canvas)
      let place = Point(
        (Double(shown.x0) + 0.5) / Double(panel.width),
        (Double(shown.y0) + 0.5) / Double(panel.height))
      let touched = mapping.canvasPoint(place)
      #expect(Int(touched.x.rounded(.down)) == pixel.0 && Int(touched.y.rounded(.down)) == pixel.1)
    }
  }
}

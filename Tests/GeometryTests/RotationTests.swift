// SPDX-License-Identifier: MIT

import RoundelGeometry
import Testing

@Suite struct RotationTests {
  @Test(arguments: Rotation.allCases)
  func `mapping a touch is the inverse of mapping the picture to the panel`(_ rotation: Rotation) {
    let canvas = PixelSize(30, 20)
    let panel = rotation.applied(to: canvas)
    let pixel = PixelRect(x0: 4, y0: 7, x1: 5, y1: 8)
    let shown = rotation.panelRect(pixel, canvas: canvas)
    let middle = Point(Double(shown.x0) + 0.5, Double(shown.y0) + 0.5)
    #expect(rotation.canvasPoint(middle, panel: panel) == Point(4.5, 7.5))
    #expect(PixelRect(size: panel).contains(shown))
  }
}

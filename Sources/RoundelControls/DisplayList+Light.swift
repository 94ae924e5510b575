// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry

/// The light from above: the rim of a raised shape is lighter at the top and darker at the bottom.
extension DisplayList {
  /// `presence` is the plate's, from 0 to 1.
  mutating func addLight(on plate: RoundedRect, presence: Double = 1) {
    let side = min(plate.rect.width, plate.rect.height)
    addLight(on: .plate(plate), side, presence)
  }

  mutating func addLight(on sector: Sector, presence: Double = 1) {
    addLight(on: .sector(sector), 2 * sector.outerRadius, presence)
  }

  private mutating func addLight(on body: Rim.Body, _ side: Double, _ presence: Double) {
    guard side >= 12, presence > 0 else { return }
    let depth = min(max(side * 0.009, 1), 5)
    addLight(Rim(body, .upper, depth: depth), Self.light.faded(to: presence))
    addLight(Rim(body, .lower, depth: depth), Self.shade.faded(to: presence))
  }

  private mutating func addLight(_ rim: Rim, _ color: Color) {
    let bounds = rim.bounds
    if bounds.y0 < bounds.y1 { add(.rim(rim), color) }
  }

  private static let light = Color.white.faded(to: 0.24)
  private static let shade = Color.black.faded(to: 0.2)
}

// SPDX-License-Identifier: MIT

package import RoundelGeometry

/// The pixel size and orientation of a surface.
package struct SurfaceLayout: Hashable, Sendable {
  /// In surface coordinates.
  package var size: PixelSize
  /// Pixels per surface unit, in 120ths, as in fractional-scale-v1.
  package var scale: Int
  /// The clockwise rotation for the output, so that the compositor needn't rotate the picture.
  package var turn: Rotation

  /// Clamps the values, so that a compositor can't cause excessive allocations.
  package init(size: PixelSize, scale: Int = 120, turn: Rotation = .none) {
    let limit = PixelSize.maximumPanel
    self.turn = turn
    self.scale = min(max(scale, 12), Self.maximumScale)
    let isUpright = size.height > size.width
    let bounds = isUpright ? PixelSize(limit.height, limit.width) : limit
    self.size = PixelSize(
      min(max(size.width, 1), bounds.width), min(max(size.height, 1), bounds.height))
    if !uprightSize.isPanelSize { self.scale = 120 }
  }

  private static let maximumScale = 120 * 16

  /// The size of the unrotated picture in pixels. Halves are rounded up, as required by
  /// fractional-scale-v1.
  package var uprightSize: PixelSize {
    func scaled(_ side: Int) -> Int { max(1, (side * scale + 60) / 120) }
    return PixelSize(scaled(size.width), scaled(size.height))
  }

  /// In pixels.
  package var bufferSize: PixelSize { turn.applied(to: uprightSize) }

  /// The number in `enum wl_output_transform`, whose angles are counterclockwise.
  package var transform: Int {
    switch turn {
    case .none: 0
    case .threeQuarters: 1
    case .half: 2
    case .quarter: 3
    }
  }

  /// No rotation if the output is mirrored, because the compositor then rotates the picture.
  package static func turn(forTransform transform: Int) -> Rotation {
    switch transform {
    case 1: .threeQuarters
    case 2: .half
    case 3: .quarter
    default: .none
    }
  }
}

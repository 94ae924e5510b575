// SPDX-License-Identifier: MIT

package import Geometry

/// How a surface's pixels come from its size, its scale and the mounting of its output.
package struct SurfaceLayout: Hashable, Sendable {
  /// The size in the compositor's units.
  package var size: PixelSize
  /// Pixels for one unit, in 120ths as in fractional-scale-v1.
  package var scale: Int
  /// How far the picture is turned clockwise for the output, so that the compositor need not.
  package var turn: Rotation

  /// A value out of range becomes the nearest in it: a compositor must not make us ask for memory without
  /// end.
  package init(size: PixelSize, scale: Int = 120, turn: Rotation = .none) {
    let limit = PixelSize.maximumPanel
    self.turn = turn
    self.scale = min(max(scale, 12), Self.maximumScale)
    // In either orientation.
    let isUpright = size.height > size.width
    let bounds = isUpright ? PixelSize(limit.height, limit.width) : limit
    self.size = PixelSize(
      min(max(size.width, 1), bounds.width), min(max(size.height, 1), bounds.height))
    if !uprightSize.isPanelSize { self.scale = 120 }
  }

  private static let maximumScale = 120 * 16

  /// The pixels of the upright picture; halves are rounded up, as fractional-scale-v1 says.
  package var uprightSize: PixelSize {
    func scaled(_ side: Int) -> Int { max(1, (side * scale + 60) / 120) }
    return PixelSize(scaled(size.width), scaled(size.height))
  }

  /// The pixels of the buffer.
  package var bufferSize: PixelSize { turn.applied(to: uprightSize) }

  /// The number of the turn in the protocol. C: `enum wl_output_transform`, whose angles are
  /// counter-clockwise.
  package var transform: Int {
    switch turn {
    case .none: 0
    case .threeQuarters: 1
    case .half: 2
    case .quarter: 3
    }
  }

  /// The turn that suits an output; none for one that is mirrored, whose picture the compositor turns.
  package static func turn(forTransform transform: Int) -> Rotation {
    switch transform {
    case 1: .threeQuarters
    case 2: .half
    case 3: .quarter
    default: .none
    }
  }
}

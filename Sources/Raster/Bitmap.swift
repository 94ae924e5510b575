// SPDX-License-Identifier: MIT

public import Geometry

/// A decoded image: rows from top to bottom, 32-bit native `0xAARRGGBB`, colours premultiplied by
/// alpha, so that each colour is at most the alpha.
public struct Bitmap: Hashable, Sendable {
  public let size: PixelSize
  /// `size.width · size.height` values.
  public let pixels: [UInt32]

  /// There must be exactly one value for each pixel.
  public init(size: PixelSize, pixels: [UInt32]) {
    precondition(pixels.count == size.width * size.height, "one value for each pixel")
    self.size = size
    self.pixels = pixels
  }
}

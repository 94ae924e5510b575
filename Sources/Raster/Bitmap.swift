// SPDX-License-Identifier: MIT

package import Geometry

/// A decoded image: rows from top to bottom, 32-bit native `0xAARRGGBB`, colours premultiplied by
/// alpha, so that each colour is at most the alpha.
package struct Bitmap: Hashable, Sendable {
  package let size: PixelSize
  /// `size.width · size.height` values.
  package let pixels: [UInt32]

  /// There must be exactly one value for each pixel.
  package init(size: PixelSize, pixels: [UInt32]) {
    precondition(pixels.count == size.width * size.height, "one value for each pixel")
    self.size = size
    self.pixels = pixels
  }
}

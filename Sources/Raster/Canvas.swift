// SPDX-License-Identifier: MIT

package import Geometry

/// An image in cached memory: rows from top to bottom, pixels from left to right without padding, 32-bit native
/// `0xFFRRGGBB`, always opaque. The painter writes it. A display only reads it.
// Safe: the memory lives as long as the canvas and is only accessible inside `withPixels`.
@safe package final class Canvas {
  package let size: PixelSize
  /// The painter's access to the same pixels.
  let memory: PixelMemory
  @usableFromInline let pixels: UnsafeMutableBufferPointer<UInt32>

  /// A black canvas. Both sides must be at least 1.
  package init(size: PixelSize) {
    precondition(size.width > 0 && size.height > 0, "a canvas needs at least one pixel")
    self.size = size
    unsafe memory = PixelMemory(count: size.width * size.height)
    unsafe pixels = memory.pixels
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// Calls `body` with the pixels, `size.width` per row, for reading and writing. The buffer is valid only during
  /// the call.
  @inlinable
  package func withPixels<Result>(
    _ body: (UnsafeMutableBufferPointer<UInt32>) throws -> Result
  ) rethrows -> Result {
    try unsafe body(pixels)
  }

  /// The pixel at a position inside the canvas.
  @inlinable
  package subscript(x: Int, y: Int) -> UInt32 {
    precondition(x >= 0 && y >= 0 && x < size.width && y < size.height, "outside of the canvas")
    // In bounds: checked by the precondition.
    return unsafe pixels[y * size.width + x]
  }
}

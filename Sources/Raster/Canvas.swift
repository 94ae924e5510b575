// SPDX-License-Identifier: MIT

package import Geometry

/// A picture in cached memory: rows from top to bottom, pixels from left to right without padding,
/// 32-bit native `0xFFRRGGBB`, always opaque. The painter writes it; a display only reads it.
// Safe: the memory lives as long as the canvas and is lent only inside `withPixels`.
@safe package final class Canvas {
  package let size: PixelSize
  /// The painter's way to the same pixels.
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

  /// Lends the pixels for reading and writing, `size.width` a row, until `body` returns.
  @inlinable
  package func withPixels<Result>(
    _ body: (UnsafeMutableBufferPointer<UInt32>) throws -> Result
  ) rethrows -> Result {
    try unsafe body(pixels)
  }

  /// The pixel at a place inside the canvas.
  @inlinable
  package subscript(x: Int, y: Int) -> UInt32 {
    precondition(x >= 0 && y >= 0 && x < size.width && y < size.height, "outside of the canvas")
    // In bounds by the line above.
    return unsafe pixels[y * size.width + x]
  }
}

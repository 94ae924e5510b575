// SPDX-License-Identifier: MIT

package import RoundelGeometry

/// An opaque image in cached memory: rows from top to bottom without padding, 32-bit native
/// `0xFFRRGGBB`.
// Safe: the memory lives as long as the canvas and is only accessible inside `withPixels`.
@safe package final class Canvas {
  package let size: PixelSize
  let memory: PixelMemory
  @usableFromInline let pixels: UnsafeMutableBufferPointer<UInt32>

  /// Creates a black canvas. Both sides must be at least 1.
  package init(size: PixelSize) {
    precondition(size.width > 0 && size.height > 0, "a canvas needs at least one pixel")
    self.size = size
    unsafe memory = PixelMemory(count: size.width * size.height)
    unsafe pixels = memory.pixels
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// The buffer is valid only during the call. It has `size.width` pixels per row.
  @inlinable
  package func withPixels<Result>(
    _ body: (UnsafeMutableBufferPointer<UInt32>) throws -> Result
  ) rethrows -> Result {
    try unsafe body(pixels)
  }

  @inlinable
  package subscript(x: Int, y: Int) -> UInt32 {
    precondition(x >= 0 && y >= 0 && x < size.width && y < size.height, "outside the canvas")
    // In bounds: checked by the precondition.
    return unsafe pixels[y * size.width + x]
  }
}

// SPDX-License-Identifier: MIT

package import Geometry

/// A picture in cached memory: rows from top to bottom, pixels from left to right without padding,
/// 32-bit native `0xFFRRGGBB`, always opaque. The painter writes it; a display only reads it.
// Safe: the memory lives as long as the canvas and is lent only inside `withPixels`.
@safe package final class Canvas {
  package let size: PixelSize
  @usableFromInline let pixels: UnsafeMutableBufferPointer<UInt32>

  /// A black canvas. Both sides must be at least 1.
  package init(size: PixelSize) {
    precondition(size.width > 0 && size.height > 0, "a canvas needs at least one pixel")
    self.size = size
    let count = size.width * size.height
    let memory = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: count + Self.slack)
    unsafe memory.initialize(repeating: 0xff00_0000)
    unsafe pixels = UnsafeMutableBufferPointer(rebasing: memory[..<count])
  }

  /// The painter takes pixels four at a time; those beyond the last one belong to nobody.
  private static let slack = 4

  deinit {
    // The memory begins where the pixels do.
    unsafe pixels.deallocate()
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

// SPDX-License-Identifier: MIT

package import RoundelGeometry

extension Canvas {
  /// Copies an opaque bitmap.
  package convenience init(_ bitmap: Bitmap) {
    self.init(size: bitmap.size)
    // Both have `size.width · size.height` pixels.
    unsafe withPixels { target in _ = unsafe target.update(from: bitmap.pixels) }
  }

  /// Copies the pixels inside `rect`, at least one.
  package func bitmap(in rect: PixelRect? = nil) -> Bitmap {
    let whole = PixelRect(size: size)
    let part = rect?.intersection(whole) ?? whole
    precondition(!part.isEmpty, "a picture needs at least one pixel")
    return Bitmap(PixelBlock(part, of: self))
  }
}

extension Bitmap {
  init(_ block: PixelBlock) {
    self.init(size: PixelSize(block.rect.width, block.rect.height), pixels: block.pixels)
  }

  /// Returns the part inside `rect`, which must contain at least one pixel.
  package func cropped(to rect: PixelRect) -> Bitmap {
    let part = rect.intersection(PixelRect(size: size))
    precondition(!part.isEmpty, "a picture needs at least one pixel")
    return Bitmap(size: PixelSize(part.width, part.height), pixels: pixels.part(part, of: size))
  }

  /// Returns the bitmap rotated clockwise.
  package func turned(by rotation: Rotation) -> Bitmap {
    Bitmap(PixelBlock(PixelRect(size: size), pixels: pixels).turned(by: rotation))
  }
}

extension [UInt32] {
  /// - Parameter rect: Inside an image of `size` pixels.
  func part(_ rect: PixelRect, of size: PixelSize) -> [UInt32] {
    var part: [UInt32] = []
    part.reserveCapacity(rect.area)
    for y in rect.y0..<Swift.max(rect.y0, rect.y1) {
      part += self[(y * size.width + rect.x0)..<(y * size.width + rect.x1)]
    }
    return part
  }
}

// SPDX-License-Identifier: MIT

internal import CRoundelPNG
package import RoundelGeometry

extension PNG {
  /// Encodes at least one pixel of the canvas as 8-bit RGB. The same pixels give the same bytes
  /// with the same versions of libpng and zlib.
  package static func encode(_ canvas: Canvas, in rect: PixelRect? = nil) -> [UInt8] {
    let whole = PixelRect(size: canvas.size)
    let part = rect?.intersection(whole) ?? whole
    return encode(PixelSize(part.width, part.height)) { rows in
      let rect = PixelRect(
        x0: part.x0, y0: part.y0 + rows.y0, x1: part.x1, y1: part.y0 + rows.y1)
      return PixelBlock(rect, of: canvas).pixels[...]
    }
  }

  /// Encodes a block of at least one pixel.
  package static func encode(_ block: PixelBlock) -> [UInt8] {
    let width = block.rect.width
    return encode(PixelSize(width, block.rect.height)) { rows in
      block.pixels[(rows.y0 * width)..<(rows.y1 * width)]
    }
  }

  private static func encode(
    _ size: PixelSize, _ pixels: (PixelRect) -> ArraySlice<UInt32>
  ) -> [UInt8] {
    var file: [UInt8] = []
    write(size, pixels) { file += $0 }
    return file
  }

  /// Never holds all pixels, or the whole file, in memory.
  ///
  /// - Parameters:
  ///   - size: At least one pixel.
  ///   - pixels: Returns some rows. Called from top to bottom, for about 4 MiB each.
  ///   - take: Receives the next 64 KiB or so of the file.
  package static func write<Failure: Error>(
    _ size: PixelSize, _ pixels: (PixelRect) -> ArraySlice<UInt32>,
    to take: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(size.width > 0 && size.height > 0, "a picture needs at least one pixel")
    var file = unsafe roundel_png()
    // libpng keeps this pointer until the file is closed, but no pointer to a row.
    try unsafe withUnsafeMutablePointer(to: &file) { file throws(Failure) in
      defer { unsafe roundel_png_close(file) }
      var isWritten =
        unsafe roundel_png_begin(file, UInt32(size.width), UInt32(size.height)) != 0
      let height = max(1, partPixels / size.width)
      for y in stride(from: 0, to: size.height, by: height) {
        let rows = PixelRect(x0: 0, y0: y, x1: size.width, y1: min(y + height, size.height))
        try unsafe pixels(rows).withUnsafeBufferPointer { pixels throws(Failure) in
          precondition(pixels.count == rows.area, "one value per pixel")
          for row in 0..<rows.height where isWritten {
            // In bounds: the part has as many rows.
            let first = unsafe UnsafeBufferPointer(rebasing: pixels[(row * size.width)...])
            isWritten = unsafe roundel_png_row(file, first.baseAddress) != 0
            if unsafe file.pointee.count >= partBytes { try unsafe take(file.pointee.written()) }
          }
        }
      }
      if isWritten { isWritten = unsafe roundel_png_end(file) != 0 }
      precondition(isWritten, "libpng is out of memory")
      try unsafe take(file.pointee.written())
    }
  }

  private static let partPixels = 1 << 20
  private static let partBytes = 1 << 16
}

extension roundel_png {
  fileprivate mutating func written() -> [UInt8] {
    // `count` bytes are initialized.
    defer { unsafe count = 0 }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  }
}

// SPDX-License-Identifier: MIT

internal import CPNG
package import Geometry

extension PNG {
  /// The canvas, or the part of it inside `rect`, as a PNG file of 8-bit RGB.
  ///
  /// `rect` must hold at least one pixel of the canvas. The same pixels give the same bytes with
  /// the same libpng and zlib, and the same pixels with any.
  package static func encode(_ canvas: Canvas, in rect: PixelRect? = nil) -> [UInt8] {
    let whole = PixelRect(size: canvas.size)
    let part = rect?.intersection(whole) ?? whole
    return encode(PixelBlock(part, of: canvas))
  }

  /// The pixels of a block, of which there must be one, as such a file.
  package static func encode(_ block: PixelBlock) -> [UInt8] {
    let part = block.rect
    precondition(!part.isEmpty, "a picture needs at least one pixel")

    var rgb: [UInt8] = []
    rgb.reserveCapacity(3 * part.area)
    for pixel in block.pixels {
      rgb.append(UInt8(truncatingIfNeeded: pixel >> 16))
      rgb.append(UInt8(truncatingIfNeeded: pixel >> 8))
      rgb.append(UInt8(truncatingIfNeeded: pixel))
    }

    var image = unsafe png_image()
    unsafe image.version = UInt32(PNG_IMAGE_VERSION)
    unsafe image.width = UInt32(part.width)
    unsafe image.height = UInt32(part.height)
    unsafe image.format = UInt32(PNG_FORMAT_FLAG_COLOR)
    unsafe image.flags = UInt32(PNG_IMAGE_FLAG_FAST)
    let capacity = unsafe png_image_size_max(image)
    // libpng reads 3 bytes a pixel, rows without padding (stride 0), and writes no more than
    // `capacity`. It keeps neither pointer.
    return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { file, count in
      count = capacity
      let isWritten = unsafe png_image_write_to_memory(
        &image, file.baseAddress, &count, 0, rgb, 0, nil)
      precondition(isWritten != 0, "libpng has no memory left")
    }
  }
}

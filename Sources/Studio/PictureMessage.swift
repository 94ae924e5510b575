// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry
internal import Raster

/// A part of a picture as pages get it.
enum PictureMessage {
  /// Six numbers of 16 bits, the lower byte first: the picture's size, the part's place and size; then red, green, blue
  /// and 255 for each of its pixels.
  static func bytes(_ block: PixelBlock, of size: PixelSize) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(12 + 4 * block.pixels.count)
    let rect = block.rect
    for number in [size.width, size.height, rect.x0, rect.y0, rect.width, rect.height] {
      bytes.append(UInt8(truncatingIfNeeded: number))
      bytes.append(UInt8(truncatingIfNeeded: number >> 8))
    }
    for pixel in block.pixels {
      bytes.append(UInt8(truncatingIfNeeded: pixel >> 16))
      bytes.append(UInt8(truncatingIfNeeded: pixel >> 8))
      bytes.append(UInt8(truncatingIfNeeded: pixel))
      bytes.append(255)
    }
    return bytes
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry
internal import RoundelRaster

enum PictureMessage {
  /// Six 16-bit little-endian numbers: the picture's size, and the part's position and size. Pixels
  /// follow as red, green, blue and 255.
  static func bytes(_ block: PixelBlock, of size: PixelSize) -> [UInt8] {
    var bytes = [UInt8](repeating: 255, count: 12 + 4 * block.pixels.count)
    let rect = block.rect
    var place = 0
    for number in [size.width, size.height, rect.x0, rect.y0, rect.width, rect.height] {
      bytes[place] = UInt8(truncatingIfNeeded: number)
      bytes[place + 1] = UInt8(truncatingIfNeeded: number >> 8)
      place += 2
    }
    for pixel in block.pixels {
      bytes[place] = UInt8(truncatingIfNeeded: pixel >> 16)
      bytes[place + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
      bytes[place + 2] = UInt8(truncatingIfNeeded: pixel)
      place += 4
    }
    return bytes
  }
}

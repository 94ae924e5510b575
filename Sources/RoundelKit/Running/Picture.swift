// SPDX-License-Identifier: MIT

internal import LinuxIO
internal import RoundelGeometry
internal import RoundelRaster

/// The picture of a kiosk.
public struct Picture: Hashable, Sendable {
  private let bitmap: Bitmap

  init(_ bitmap: Bitmap) { self.bitmap = bitmap }

  /// The width in pixels.
  public var width: Int { bitmap.size.width }

  /// The height in pixels.
  public var height: Int { bitmap.size.height }

  /// The pixels as `0xffRRGGBB`, in rows from top to bottom.
  public var pixels: [UInt32] { bitmap.pixels }

  /// The pixel at a position as `0xffRRGGBB`, or nil outside the picture.
  public subscript(x: Int, y: Int) -> UInt32? {
    guard x >= 0, x < width, y >= 0, y < height else { return nil }
    return bitmap.pixels[y * width + x]
  }

  /// The picture as a PNG file.
  public var png: [UInt8] { PNG.encode(Canvas(bitmap)) }

  /// Writes a PNG file.
  public func write(to path: String) throws(KioskError) {
    do throws(Failure) {
      try Files.write(png, to: path)
    } catch {
      throw KioskError(error)
    }
  }
}

// SPDX-License-Identifier: MIT

public import Geometry

/// Reads and writes PNG files (libpng).
public enum PNG {
  /// The greatest width and height that `decode` accepts, in pixels.
  public static let greatestSide = 16384
  /// The greatest number of pixels that `decode` accepts: 256 MiB once decoded.
  public static let greatestArea = 64 << 20
}

/// Why bytes are no picture.
public enum PNGError: Error, Hashable, CustomStringConvertible {
  /// The bytes do not begin as a PNG file does.
  case notPNG
  /// The file ends before its picture does.
  case truncated
  case tooLarge(PixelSize)
  /// The file contradicts itself; the reason is libpng's.
  case damaged(reason: String)

  public var description: String {
    switch self {
    case .notPNG: "not a PNG file"
    case .truncated: "the PNG file is cut off"
    case .tooLarge(let size):
      """
      the picture of \(size) pixels is too large (at most \(PNG.greatestSide) a side and \
      \(PNG.greatestArea >> 20) megapixels)
      """
    case .damaged(let reason): "the PNG file is damaged: \(reason)"
    }
  }
}

// SPDX-License-Identifier: MIT

package import Geometry

/// Reads and writes PNG files (libpng).
package enum PNG {
  /// How large a picture may be.
  package struct Limit: Hashable, Sendable, CustomStringConvertible {
    package var maximumSide: Int
    package var maximumArea: Int

    package init(maximumSide: Int, maximumArea: Int) {
      self.maximumSide = maximumSide
      self.maximumArea = maximumArea
    }

    /// Pictures of panels: 256 MiB once decoded.
    package static let picture = Limit(maximumSide: 16384, maximumArea: 64 << 20)
    /// Images of kiosks: art for a panel of 3840×2160 twice over, 64 MiB once decoded.
    package static let image = Limit(maximumSide: 8192, maximumArea: 16 << 20)

    /// Whether a picture of a size is within it.
    package func allows(_ size: PixelSize) -> Bool {
      size.width <= maximumSide && size.height <= maximumSide
        && size.width * size.height <= maximumArea
    }

    package var description: String {
      "at most \(maximumSide) a side and \(maximumArea >> 20) Mi pixels"
    }
  }

  /// The properties of a picture that a file states before the picture itself.
  package struct Header: Hashable, Sendable {
    package var size: PixelSize
    /// Bits a channel, or an index of a palette.
    package var depth: Int

    /// The bytes that the picture needs while it is decoded; those that it takes afterwards are four a
    /// pixel.
    package var decodingBytes: Int { size.width * size.height * (depth > 8 ? 12 : 4) }
  }
}

/// The reason why bytes are not a picture.
package enum PNGError: Error, Hashable, CustomStringConvertible {
  /// The bytes do not begin as a PNG file does.
  case notPNG
  /// The file ends before its picture does.
  case truncated
  case tooLarge(PixelSize, PNG.Limit)
  /// The file contradicts itself; the reason is libpng's.
  case damaged(reason: String)

  package var description: String {
    switch self {
    case .notPNG: "not a PNG file"
    case .truncated: "the PNG file is cut off"
    case .tooLarge(let size, let limit):
      "the picture of \(size) pixels is too large (\(limit))"
    case .damaged(let reason): "the PNG file is damaged: \(reason)"
    }
  }
}

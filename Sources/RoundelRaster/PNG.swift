// SPDX-License-Identifier: MIT

package import RoundelGeometry

/// Reads and writes PNG files (libpng).
package enum PNG {
  package struct Limit: Hashable, Sendable, CustomStringConvertible {
    package var maximumSide: Int
    package var maximumArea: Int

    package init(maximumSide: Int, maximumArea: Int) {
      self.maximumSide = maximumSide
      self.maximumArea = maximumArea
    }

    /// Screenshots of panels: 256 MiB once decoded.
    package static let picture = Limit(maximumSide: 16384, maximumArea: 64 << 20)
    /// Images of kiosks: two panels of 3840×2160, 64 MiB once decoded.
    package static let image = Limit(maximumSide: 8192, maximumArea: 16 << 20)

    package func allows(_ size: PixelSize) -> Bool {
      size.width <= maximumSide && size.height <= maximumSide
        && size.width * size.height <= maximumArea
    }

    package var description: String {
      "at most \(maximumSide) pixels per side and \(maximumArea >> 20) Mi pixels"
    }
  }

  package struct Header: Hashable, Sendable {
    package var size: PixelSize
    /// Bits per channel, or per palette index.
    package var depth: Int

    /// In bytes. The decoded image takes four bytes per pixel.
    package var decodingBytes: Int { size.width * size.height * (depth > 8 ? 12 : 4) }
  }
}

/// An error for bytes that are not a valid PNG image.
package enum PNGError: Error, Hashable, CustomStringConvertible {
  case notPNG
  case truncated
  case tooLarge(PixelSize, PNG.Limit)
  /// The file is inconsistent, with libpng's message.
  case damaged(reason: String)

  package var description: String {
    switch self {
    case .notPNG: "not a PNG file"
    case .truncated: "the PNG file is truncated"
    case .tooLarge(let size, let limit):
      "the picture of \(size) pixels is too large (\(limit))"
    case .damaged(let reason): "the PNG file is damaged: \(reason)"
    }
  }
}

// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelGeometry

/// Pixels, or a PNG or JPEG file, decoded on demand because it takes a tenth of the memory.
package struct ImageFile: Hashable, Sendable {
  private enum Content: Hashable {
    case pixels(Bitmap)
    case png([UInt8])
    case jpeg([UInt8])
  }

  package struct Header: Sendable {
    package let size: PixelSize
    /// In bytes. The decoded image takes four bytes per pixel.
    package let decodingBytes: Int
  }

  /// The size after applying the camera's orientation.
  package let size: PixelSize
  package let tone: ImageTone
  package let mask: ImageMask
  private let content: Content

  package init(_ bitmap: Bitmap) {
    size = bitmap.size
    tone = bitmap.tone
    mask = bitmap.mask
    content = .pixels(bitmap)
  }

  /// Checks a file by decoding it, a JPEG with only the pixels for `tone`, which still reads the
  /// whole file.
  package init(_ bytes: [UInt8]) throws(ImageError) {
    size = try Self.header(bytes).size
    content = JPEG.isJPEG(bytes) ? .jpeg(bytes) : .png(bytes)
    let divisor = Self.divisor(of: size, for: Bitmap.toneSamples, content)
    let bitmap = try Self.decode(content, dividedBy: divisor)
    tone = bitmap.tone
    mask = divisor == 1 ? bitmap.mask : ImageMask(opaque: size)
  }

  /// Throws if the image exceeds a kiosk's limits.
  package static func header(_ bytes: [UInt8]) throws(ImageError) -> Header {
    // Checked first, because the product of the sides might overflow.
    func judged(_ size: PixelSize) throws(ImageError) -> PixelSize {
      guard PNG.Limit.image.allows(size) else { throw .tooLarge(size, .image) }
      return size
    }
    if JPEG.isJPEG(bytes) {
      let own = try JPEG.header(bytes)
      return Header(size: try judged(own.size), decodingBytes: own.decodingBytes)
    }
    let own: PNG.Header
    do throws(PNGError) {
      own = try PNG.header(bytes)
    } catch {
      throw error == .notPNG ? .unknownFormat : .png(error)
    }
    return Header(size: try judged(own.size), decodingBytes: own.decodingBytes)
  }

  /// In bytes, if not in use.
  package var cost: Int {
    switch content {
    case .pixels(let bitmap): bitmap.pixels.count * 4
    case .png(let bytes), .jpeg(let bytes): bytes.count
    }
  }

  /// Decoding an eighth of a JPEG takes a fifth of the time.
  func divisor(for shown: PixelSize) -> Int { Self.divisor(of: size, for: shown, content) }

  private static func divisor(
    of size: PixelSize, for shown: PixelSize, _ content: Content
  ) -> Int {
    guard case .jpeg = content else { return 1 }
    return [8, 4, 2].first { divisor in
      size.width >= shown.width * divisor && size.height >= shown.height * divisor
    } ?? 1
  }

  func bitmap(dividedBy divisor: Int) -> Bitmap? { try? Self.decode(content, dividedBy: divisor) }

  private static func decode(
    _ content: Content, dividedBy divisor: Int
  ) throws(ImageError) -> Bitmap {
    switch content {
    case .pixels(let bitmap): return bitmap
    case .jpeg(let bytes): return try JPEG.decode(bytes, dividedBy: divisor)
    case .png(let bytes):
      do throws(PNGError) {
        return try PNG.decode(bytes, limit: .image)
      } catch {
        throw .png(error)
      }
    }
  }
}

package enum ImageError: Error, Hashable, CustomStringConvertible {
  case unknownFormat
  case tooLarge(PixelSize, PNG.Limit)
  case png(PNGError)
  /// An inconsistent or truncated file of the named format, with the library's message.
  case damaged(String, reason: String)

  package var description: String {
    switch self {
    case .unknownFormat: "neither a PNG nor a JPEG file"
    case .tooLarge(let size, let limit): PNGError.tooLarge(size, limit).description
    case .png(let error): error.description
    case .damaged(let format, let reason): "the \(format) file is damaged: \(reason)"
    }
  }
}

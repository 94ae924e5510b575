// SPDX-License-Identifier: MIT

package import Drawing
package import Geometry

/// An image of a kiosk: its pixels, or a PNG or JPEG file from which they are decoded whenever they are
/// needed. A file takes a tenth of the memory of its pixels, and images that are shown are kept at the size
/// at which they are shown.
package struct ImageFile: Hashable, Sendable {
  private enum Content: Hashable {
    case pixels(Bitmap)
    case png([UInt8])
    case jpeg([UInt8])
  }

  /// The properties of an image that a file states before the image itself.
  package struct Header: Sendable {
    package let size: PixelSize
    /// The bytes that the image needs while it is decoded; those that it takes afterwards are four a
    /// pixel.
    package let decodingBytes: Int
  }

  /// Upright, where a file says how its camera was held.
  package let size: PixelSize
  /// Its colours, seen when it was decoded.
  package let tone: ImageTone
  /// Where it shows something, seen at the same time.
  package let mask: ImageMask
  private let content: Content

  /// An image whose pixels are known.
  package init(_ bitmap: Bitmap) {
    size = bitmap.size
    tone = bitmap.tone
    mask = bitmap.mask
    content = .pixels(bitmap)
  }

  /// An image whose file has these bytes. It is decoded once to see whether that can be done, a photo with no
  /// more pixels than its colours need: all of its file is read nevertheless.
  package init(_ bytes: [UInt8]) throws(ImageError) {
    size = try Self.header(bytes).size
    content = JPEG.isJPEG(bytes) ? .jpeg(bytes) : .png(bytes)
    let divisor = Self.divisor(of: size, for: Bitmap.toneSamples, content)
    let bitmap = try Self.decode(content, dividedBy: divisor)
    tone = bitmap.tone
    mask = divisor == 1 ? bitmap.mask : ImageMask(opaque: size)
  }

  /// Reads the header of a file, and says where the image is larger than one of a kiosk may be.
  package static func header(_ bytes: [UInt8]) throws(ImageError) -> Header {
    // The size is judged first: a header may name sides whose product no integer holds.
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

  /// The bytes that it takes when it is not in use.
  package var cost: Int {
    switch content {
    case .pixels(let bitmap): bitmap.pixels.count * 4
    case .png(let bytes), .jpeg(let bytes): bytes.count
    }
  }

  /// By how much each side may be divided while the image is decoded, for one that is shown with at most
  /// `shown` pixels. To decode an eighth of a JPEG picture takes a fifth of the time.
  func divisor(for shown: PixelSize) -> Int { Self.divisor(of: size, for: shown, content) }

  private static func divisor(
    of size: PixelSize, for shown: PixelSize, _ content: Content
  ) -> Int {
    guard case .jpeg = content else { return 1 }
    return [8, 4, 2].first { divisor in
      size.width >= shown.width * divisor && size.height >= shown.height * divisor
    } ?? 1
  }

  /// The pixels, with each side divided by one of the divisors; nil where there is no way to decode them.
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

/// The reason why bytes are not an image.
package enum ImageError: Error, Hashable, CustomStringConvertible {
  /// The bytes do not begin like any file that can be read.
  case unknownFormat
  case tooLarge(PixelSize, PNG.Limit)
  case png(PNGError)
  /// A file of the named format contradicts itself, or ends before its picture does; the reason is the
  /// library's.
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

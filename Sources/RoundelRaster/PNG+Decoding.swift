// SPDX-License-Identifier: MIT

internal import CRoundelPNG
internal import RoundelGeometry

extension PNG {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// Reads a file's header, within its first 33 bytes, without checking its size.
  package static func header(_ bytes: [UInt8]) throws(PNGError) -> Header {
    guard bytes.starts(with: signature) else {
      throw !bytes.isEmpty && signature.starts(with: bytes) ? .truncated : .notPNG
    }
    // The first chunk: length, name, width, height, depth, and unneeded fields.
    guard bytes.count >= 33 else { throw .truncated }
    guard bytes[12..<16].elementsEqual("IHDR".utf8) else {
      throw .damaged(reason: "the header is missing")
    }
    func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
    return Header(size: PixelSize(number(16..<20), number(20..<24)), depth: Int(bytes[24]))
  }

  /// Reads a PNG file of any colour type, depth and interlacing.
  ///
  /// Colours are interpreted as sRGB, whatever gamma or profile the file declares, so that a colour
  /// from a drawing program equals the same colour in a kiosk file. They are premultiplied and
  /// rounded to 8 bits.
  ///
  /// The limit is checked before memory for pixels is allocated.
  package static func decode(
    _ bytes: consuming [UInt8], limit: Limit = .picture
  ) throws(PNGError) -> Bitmap {
    let header = try header(bytes)
    guard limit.allows(header.size) else { throw .tooLarge(header.size, limit) }
    let picture = try essential(bytes)
    var image = unsafe png_image()
    unsafe image.version = UInt32(PNG_IMAGE_VERSION)
    // Safe: releases libpng's allocations for this image, if any are left.
    defer { unsafe png_image_free(&image) }
    // `png_image` keeps a pointer into the file between both calls, so one closure contains them.
    // The simplified interface returns errors. The other uses `longjmp`, which must never cross a
    // Swift frame.
    let result = unsafe picture.withUnsafeBytes { file -> Result<Bitmap, PNGError> in
      guard unsafe png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0
      else { return unsafe .failure(.damaged(reason: image.reason)) }
      let size = unsafe PixelSize(Int(image.width), Int(image.height))
      // Damaged files may have a second header.
      guard size == header.size else { return .failure(.damaged(reason: "two different sizes")) }
      let rgba = PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA
      // Reads 16 bits, which libpng calls linear, as 16: some releases, such as Debian's 1.6.39,
      // mix up rows of interlaced files when converting to 8.
      let pixels: [UInt32]?
      if unsafe image.format & UInt32(PNG_FORMAT_FLAG_LINEAR) != 0 {
        unsafe image.format = UInt32(rgba | PNG_FORMAT_FLAG_LINEAR)
        pixels = unsafe read(&image, as: SIMD4<UInt16>.self)?.map(rounded)
      } else {
        unsafe image.format = UInt32(rgba)
        pixels = unsafe readPremultiplied(&image)
      }
      guard let pixels else { return unsafe .failure(.damaged(reason: image.reason)) }
      return .success(Bitmap(size: size, pixels: pixels))
    }
    return try result.get()
  }

  private static func read<Pixel>(_ image: inout png_image, as: Pixel.Type) -> [Pixel]? {
    var isWhole = false
    let count = unsafe Int(image.width) * Int(image.height)
    // libpng writes exactly the image's number of pixels, rows without padding (stride 0).
    let pixels = unsafe [Pixel](unsafeUninitializedCapacity: count) {
      isWhole = unsafe png_image_finish_read(&image, nil, $0.baseAddress, 0, nil) != 0
      $1 = isWhole ? count : 0
    }
    return isWhole ? pixels : nil
  }

  /// Premultiplies in place, because a copy would double the memory.
  private static func readPremultiplied(_ image: inout png_image) -> [UInt32]? {
    var isWhole = false
    let count = unsafe Int(image.width) * Int(image.height)
    // libpng writes four bytes per pixel, rows without padding (stride 0).
    let pixels = unsafe [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      isWhole = unsafe png_image_finish_read(&image, nil, buffer.baseAddress, 0, nil) != 0
      initialized = isWhole ? count : 0
      for index in 0..<initialized {
        unsafe buffer[index] = premultiplied(
          unsafeBitCast(buffer[index], to: SIMD4<UInt8>.self))
      }
    }
    return isWhole ? pixels : nil
  }

  /// Keeps only critical chunks and tRNS, without gamma, profiles and compressed comments. Detects
  /// files truncated after their last row, unlike libpng.
  private static func essential(_ bytes: consuming [UInt8]) throws(PNGError) -> [UInt8] {
    var bytes = bytes
    var kept = signature.count
    var start = signature.count
    while true {
      // A chunk: length (4 bytes, big-endian), name (4 bytes), contents, checksum (4 bytes).
      guard bytes.count - start >= 12 else { throw .truncated }
      let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      let name = bytes[start + 4..<start + 8]
      guard bytes.count - start - 12 >= length else { throw .truncated }
      let end = start + 12 + length
      // The name of a critical chunk begins with a capital letter.
      let isCritical = bytes[start + 4] & 0x20 == 0
      let isEnd = name.elementsEqual("IEND".utf8)
      if isCritical || name.elementsEqual("tRNS".utf8) {
        if kept < start {
          for offset in 0..<(end - start) { bytes[kept + offset] = bytes[start + offset] }
        }
        kept += end - start
      }
      if isEnd {
        bytes.removeSubrange(kept...)
        return bytes
      }
      start = end
    }
  }

  static func chunksBeforePixels(
    _ bytes: [UInt8]
  ) -> [(name: ArraySlice<UInt8>, contents: ArraySlice<UInt8>)] {
    var chunks: [(name: ArraySlice<UInt8>, contents: ArraySlice<UInt8>)] = []
    var start = signature.count
    while bytes.count - start >= 12 {
      let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      let name = bytes[start + 4..<start + 8]
      guard length <= bytes.count - start - 12, !name.elementsEqual("IDAT".utf8) else { break }
      chunks.append((name, bytes[start + 8..<start + 8 + length]))
      start += 12 + length
    }
    return chunks
  }

  /// Converts straight RGBA to native `0xAARRGGBB`.
  private static func premultiplied(_ pixel: SIMD4<UInt8>) -> UInt32 {
    let alpha = UInt32(pixel.w)
    func scaled(_ channel: UInt8) -> UInt32 { (UInt32(channel) * alpha + 127) / 255 }
    return alpha << 24 | scaled(pixel.x) << 16 | scaled(pixel.y) << 8 | scaled(pixel.z)
  }

  /// Converts premultiplied RGBA to native `0xAARRGGBB`.
  private static func rounded(_ pixel: SIMD4<UInt16>) -> UInt32 {
    func byte(_ channel: UInt16) -> UInt32 { (UInt32(channel) + 128) / 257 }
    return byte(pixel.w) << 24 | byte(pixel.x) << 16 | byte(pixel.y) << 8 | byte(pixel.z)
  }
}

extension png_image {
  fileprivate var reason: String {
    // Safe: libpng terminates the message inside the array. A copy is read.
    unsafe withUnsafeBytes(of: message) { message in
      unsafe String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

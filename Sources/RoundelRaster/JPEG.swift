// SPDX-License-Identifier: MIT

internal import CRoundelJPEG
internal import RoundelGeometry

/// Reads JPEG files (libjpeg-turbo). Colours are interpreted as sRGB, whatever profile a file
/// declares.
enum JPEG {
  static func isJPEG(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xff, 0xd8, 0xff]) }

  struct Header {
    /// The size after applying the camera's orientation.
    let size: PixelSize
    fileprivate let stored: roundel_jpeg
    fileprivate let orientation: Orientation

    /// In bytes.
    var decodingBytes: Int {
      size.width * size.height * (4 + (stored.is_progressive != 0 ? 6 : 0))
    }
  }

  static func header(_ bytes: [UInt8]) throws(ImageError) -> Header {
    var stored = roundel_jpeg()
    // The bytes are only read during the call.
    guard unsafe roundel_jpeg_header(bytes, bytes.count, &stored) != 0 else {
      throw .damaged("JPEG", reason: stored.reason)
    }
    let orientation = Orientation(exif: bytes) ?? .upright
    let size = PixelSize(Int(stored.width), Int(stored.height))
    return Header(
      size: orientation.turn.applied(to: size), stored: stored, orientation: orientation)
  }

  /// - Parameter divisor: 1, 2, 4 or 8. The sides are rounded up.
  static func decode(_ bytes: [UInt8], dividedBy divisor: Int = 1) throws(ImageError) -> Bitmap {
    let header = try header(bytes)
    var stored = header.stored
    let size = PixelSize(
      (Int(stored.width) + divisor - 1) / divisor, (Int(stored.height) + divisor - 1) / divisor)
    var isWhole = false
    // libjpeg writes four bytes per pixel of the header's size, divided.
    let pixels = unsafe [UInt32](unsafeUninitializedCapacity: size.width * size.height) {
      let memory = unsafe UnsafeMutableRawPointer($0.baseAddress)?
        .assumingMemoryBound(to: UInt8.self)
      isWhole =
        unsafe roundel_jpeg_decode(bytes, bytes.count, UInt32(divisor), &stored, memory) != 0
      $1 = isWhole ? size.width * size.height : 0
    }
    guard isWhole else { throw .damaged("JPEG", reason: stored.reason) }
    return header.orientation.applied(to: Bitmap(size: size, pixels: pixels))
  }

  static func segments(_ bytes: [UInt8]) -> [(marker: UInt8, contents: ArraySlice<UInt8>)] {
    var segments: [(marker: UInt8, contents: ArraySlice<UInt8>)] = []
    var place = 2
    while place + 4 <= bytes.count, bytes[place] == 0xff, bytes[place + 1] != 0xda {
      // The length includes its own two bytes.
      let end = place + 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
      guard end >= place + 4, end <= bytes.count else { break }
      segments.append((bytes[place + 1], bytes[(place + 4)..<end]))
      place = end
    }
    return segments
  }

  struct Orientation: Hashable {
    /// The image is first mirrored horizontally, then rotated clockwise.
    var isMirrored = false
    var turn = Rotation.none

    static let upright = Orientation()

    private init() {}

    /// - Parameter number: The number in Exif.
    init?(_ number: Int) {
      guard (1...8).contains(number) else { return nil }
      isMirrored = [2, 4, 5, 7].contains(number)
      turn =
        switch number {
        case 1, 2: .none
        case 6, 7: .quarter
        case 3, 4: .half
        default: .threeQuarters
        }
    }

    init?(exif bytes: [UInt8]) {
      let mark = Array("Exif\0\0".utf8)
      let segment = JPEG.segments(bytes).first {
        $0.marker == 0xe1 && $0.contents.starts(with: mark)
      }
      guard let segment, let number = Self.number(in: segment.contents.dropFirst(mark.count))
      else { return nil }
      self.init(number)
    }

    /// Reads the first directory of a TIFF structure.
    private static func number(in tiff: ArraySlice<UInt8>) -> Int? {
      let isLittle = tiff.starts(with: Array("II".utf8))
      guard isLittle || tiff.starts(with: Array("MM".utf8)) else { return nil }
      func value(at offset: Int, bytes count: Int) -> Int? {
        guard offset >= 0, offset <= tiff.count - count else { return nil }
        let own = tiff[(tiff.startIndex + offset)..<(tiff.startIndex + offset + count)]
        return (isLittle ? Array(own.reversed()) : Array(own)).reduce(0) { $0 << 8 | Int($1) }
      }
      guard value(at: 2, bytes: 2) == 42, let fields = value(at: 4, bytes: 4),
        let count = value(at: fields, bytes: 2)
      else { return nil }
      for index in 0..<count {
        let field = fields + 2 + index * 12
        guard let tag = value(at: field, bytes: 2) else { return nil }
        if tag == 0x112 { return value(at: field + 8, bytes: 2) }
      }
      return nil
    }

    func applied(to bitmap: Bitmap) -> Bitmap {
      guard isMirrored else { return bitmap.turned(by: turn) }
      var pixels: [UInt32] = []
      pixels.reserveCapacity(bitmap.pixels.count)
      for y in 0..<bitmap.size.height {
        pixels += bitmap.pixels[(y * bitmap.size.width)..<((y + 1) * bitmap.size.width)].reversed()
      }
      return Bitmap(size: bitmap.size, pixels: pixels).turned(by: turn)
    }
  }
}

extension roundel_jpeg {
  fileprivate var reason: String {
    // Safe: libjpeg terminates the message inside the array. A copy is read.
    unsafe withUnsafeBytes(of: message) { message in
      unsafe String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

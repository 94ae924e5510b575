// SPDX-License-Identifier: MIT

/// Writes uncompressed PNG files of every kind, directly from the specification (ISO/IEC 15948).
struct PNGFile {
  enum ColorType: Int, CaseIterable, Sendable {
    case gray = 0, rgb = 2, palette = 3, grayAlpha = 4, rgba = 6

    var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][rawValue] ?? 0 }
    var depths: [Int] {
      switch self {
      case .gray: [1, 2, 4, 8, 16]
      case .palette: [1, 2, 4, 8]
      case .rgb, .grayAlpha, .rgba: [8, 16]
      }
    }
  }

  var width: Int
  var height: Int
  var depth: Int
  var colorType: ColorType
  var isInterlaced = false
  /// Chunks between IHDR and IDAT.
  var chunks: [(name: String, contents: [UInt8])] = []
  /// The value of each channel of each pixel, in row-major order.
  var samples: [Int]

  var bytes: [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    file += Self.chunk(
      "IHDR",
      Self.number(width) + Self.number(height)
        + [UInt8(depth), UInt8(colorType.rawValue), 0, 0, isInterlaced ? 1 : 0])
    for (name, contents) in chunks { file += Self.chunk(name, contents) }
    file += Self.chunk("IDAT", Self.stored(rows))
    return file + Self.chunk("IEND", [])
  }

  /// The unfiltered rows, pass by pass if interlaced.
  private var rows: [UInt8] {
    // Adam7: first column, first row, column step, row step of each pass.
    let passes =
      isInterlaced
      ? [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
      ] : [(0, 0, 1, 1)]
    var rows: [UInt8] = []
    for (x0, y0, dx, dy) in passes where x0 < width {
      for y in stride(from: y0, to: height, by: dy) {
        rows.append(0)
        var bits = 0
        var count = 0
        for x in stride(from: x0, to: width, by: dx) {
          for channel in 0..<colorType.channels {
            bits = bits << depth | samples[(y * width + x) * colorType.channels + channel]
            count += depth
            while count >= 8 {
              count -= 8
              rows.append(UInt8(truncatingIfNeeded: bits >> count))
            }
            bits &= (1 << count) - 1
          }
        }
        if count > 0 { rows.append(UInt8(truncatingIfNeeded: bits << (8 - count))) }
      }
    }
    return rows
  }

  static func chunk(_ name: String, _ contents: [UInt8]) -> [UInt8] {
    let checked = Array(name.utf8) + contents
    var crc: UInt32 = 0xffff_ffff
    for byte in checked {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    return number(contents.count) + checked + number(Int(~crc))
  }

  static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// A zlib stream of stored blocks (RFC 1950, RFC 1951).
  static func stored(_ data: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: data.count, by: 65535) {
      let block = data[start..<min(start + 65535, data.count)]
      stream.append(start + 65535 >= data.count ? 1 : 0)
      for length in [block.count, ~block.count] {
        stream += [UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8)]
      }
      stream += block
    }
    var (a, b) = (1, 0)
    for byte in data {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    return stream + number(b << 16 | a)
  }
}

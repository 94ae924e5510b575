// SPDX-License-Identifier: MIT

import RoundelGeometry
import TestSupport
import Testing

@testable import RoundelRaster

@Suite struct JPEGTests {
  /// The colours of the four areas of `JPEGFile`, by their nearest names.
  private func fields(_ bitmap: Bitmap) -> String {
    let (width, height) = (bitmap.size.width, bitmap.size.height)
    return [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)].map { x, y in
      let pixel = bitmap.pixels[y * width + x]
      #expect(pixel >> 24 == 255)
      let channels = [16, 8, 0].map { pixel >> $0 & 0xff > 128 }
      return switch channels {
      case [true, false, false]: "R"
      case [false, true, false]: "G"
      case [false, false, true]: "B"
      case [true, true, true]: "W"
      default: "?"
      }
    }.joined()
  }

  @Test(arguments: [JPEGFile.baseline, JPEGFile.progressive, JPEGFile.cmyk])
  func `all kinds of JPEG files have the right colours`(_ bytes: [UInt8]) throws {
    let file = try ImageFile(bytes)
    #expect(file.size == PixelSize(24, 16))
    let bitmap = try #require(file.bitmap(dividedBy: 1))
    #expect(bitmap.size == file.size)
    #expect(fields(bitmap) == "RGBW")
  }

  @Test func `a grey picture is grey`() throws {
    let bitmap = try JPEG.decode(JPEGFile.gray)
    #expect(
      bitmap.pixels.allSatisfy { $0 & 0xff == $0 >> 8 & 0xff && $0 & 0xff == $0 >> 16 & 0xff })
    #expect(bitmap.pixels[0] & 0xff < 120 && bitmap.pixels[24 * 16 - 1] & 0xff > 230)
  }

  @Test(arguments: [1, 2, 4, 8])
  func `an image can be scaled down during decoding`(_ divisor: Int) throws {
    let bitmap = try JPEG.decode(JPEGFile.baseline, dividedBy: divisor)
    #expect(bitmap.size == PixelSize(24 / divisor, 16 / divisor))
    #expect(fields(bitmap) == "RGBW")
  }

  @Test func `an image is scaled down to its displayed size, and no further`() throws {
    let file = try ImageFile(JPEGFile.baseline)
    #expect(file.divisor(for: PixelSize(24, 16)) == 1)
    #expect(file.divisor(for: PixelSize(12, 7)) == 2)
    #expect(file.divisor(for: PixelSize(3, 3)) == 4)
    #expect(file.divisor(for: PixelSize(3, 2)) == 8)
  }

  /// A file with an Exif orientation.
  private func turned(_ number: UInt8, isLittle: Bool) -> [UInt8] {
    let fields: [UInt8] =
      isLittle
      ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, number, 0, 0, 0]
      : [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, number, 0, 0]
    let exif = Array("Exif\0\0".utf8) + fields
    let part: [UInt8] = [0xff, 0xe1, 0, UInt8(exif.count + 2)] + exif
    let file = JPEGFile.baseline
    return [UInt8](file.prefix(2)) + part + [UInt8](file.dropFirst(2))
  }

  @Test(arguments: [true, false])
  func `an image is rotated by its Exif orientation`(_ isLittle: Bool) throws {
    // The positions of the stored image's first row and column, by Exif's definition.
    let expected = [
      "RGBW", "GRWB", "WBGR", "BWRG", "RBGW", "BRWG", "WGBR", "GWRB",
    ]
    for (index, colors) in expected.enumerated() {
      let file = try ImageFile(turned(UInt8(index + 1), isLittle: isLittle))
      #expect(file.size == (index < 4 ? PixelSize(24, 16) : PixelSize(16, 24)))
      let bitmap = try #require(file.bitmap(dividedBy: 1))
      #expect(bitmap.size == file.size)
      #expect(fields(bitmap) == colors, "orientation \(index + 1)")
    }
    for number in [0, 9, 255] as [UInt8] {
      #expect(try ImageFile(turned(number, isLittle: isLittle)).size == PixelSize(24, 16))
    }
  }

  @Test func `a truncated file is an error`() {
    for bytes in [JPEGFile.baseline, JPEGFile.progressive, JPEGFile.cmyk, JPEGFile.gray] {
      // The last two bytes mark the end of the image.
      for count in stride(from: 0, through: bytes.count - 3, by: 1) {
        #expect(throws: ImageError.self, "\(count) bytes") {
          try ImageFile(Array(bytes.prefix(count)))
        }
      }
    }
  }

  @Test func `an image that is too large is an error before it is allocated`() throws {
    var bytes = JPEGFile.baseline
    // After the frame marker, its length and depth: height and width.
    let frame = try #require(
      bytes.indices.dropLast().first { bytes[$0...].starts(with: [0xff, 0xc0]) })
    bytes.replaceSubrange((frame + 5)..<(frame + 9), with: [0x4e, 0x20, 0x4e, 0x20])
    #expect(throws: ImageError.tooLarge(PixelSize(20000, 20000), .image)) { try ImageFile(bytes) }
    #expect("\(ImageError.tooLarge(PixelSize(20000, 20000), .image))".contains("8192"))
  }

  @Test func `a damaged file is either an image or an error`() {
    var random = SeededGenerator(seed: 11)
    for bytes in [JPEGFile.baseline, JPEGFile.progressive, JPEGFile.cmyk, JPEGFile.gray] {
      for _ in 0..<1500 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: damaged.indices, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: damaged.remove(at: place)
          case 1: damaged.insert(.random(in: 0...255, using: &random), at: place)
          case 2: damaged[place] = [0xff, 0, 1, 0x7f].randomElement(using: &random) ?? 0
          default: damaged[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
          }
        }
        // A damaged size may be large, which only takes time.
        guard let header = try? ImageFile.header(damaged),
          header.size.width * header.size.height < 100_000
        else { continue }
        guard let file = try? ImageFile(damaged) else { continue }
        let bitmap = file.bitmap(dividedBy: 1)
        #expect(bitmap?.size == file.size)
      }
    }
  }
}

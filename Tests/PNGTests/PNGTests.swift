// SPDX-License-Identifier: MIT

import RoundelGeometry
import RoundelRaster
import TestSupport
import Testing

@Suite struct PNGTests {
  /// A premultiplied 8-bit pixel, computed in the simplest way from values up to `greatest`.
  private func pixel(
    _ red: Int, _ green: Int, _ blue: Int, alpha: Int? = nil, greatest: Int = 255
  ) -> UInt32 {
    let alpha = alpha ?? greatest
    // Multiplied at the file's depth, then rounded to bytes.
    let channels = [alpha * greatest, red * alpha, green * alpha, blue * alpha].map {
      Int(((Double($0) / Double(greatest)).rounded() * 255 / Double(greatest)).rounded())
    }
    return UInt32(channels[0] << 24 | channels[1] << 16 | channels[2] << 8 | channels[3])
  }

  /// A file with all kinds of values, and its pixels.
  private func example(
    _ type: PNGFile.ColorType, depth: Int, isInterlaced: Bool, width: Int = 13, height: Int = 11
  ) -> (PNGFile, Bitmap) {
    var random = SeededGenerator(seed: UInt64(type.rawValue * 16 + depth))
    var file = PNGFile(
      width: width, height: height, depth: depth, colorType: type, isInterlaced: isInterlaced,
      samples: (0..<width * height * type.channels).map { _ in
        .random(in: 0..<1 << depth, using: &random)
      })
    let palette = (0..<3 << depth).map { _ in Int.random(in: 0...255, using: &random) }
    let alphas = (0..<1 << depth).map { _ in Int.random(in: 0...255, using: &random) }
    if type == .palette {
      file.chunks = [("PLTE", palette.map(UInt8.init)), ("tRNS", alphas.map(UInt8.init))]
    }
    let greatest = (1 << depth) - 1
    let pixels = (0..<width * height).map { place in
      let s = Array(file.samples[(place * type.channels)..<((place + 1) * type.channels)])
      switch type {
      case .gray: return pixel(s[0], s[0], s[0], greatest: greatest)
      case .rgb: return pixel(s[0], s[1], s[2], greatest: greatest)
      case .grayAlpha: return pixel(s[0], s[0], s[0], alpha: s[1], greatest: greatest)
      case .rgba: return pixel(s[0], s[1], s[2], alpha: s[3], greatest: greatest)
      case .palette:
        let entry = file.samples[place]
        return pixel(
          palette[3 * entry], palette[3 * entry + 1], palette[3 * entry + 2],
          alpha: alphas[entry])
      }
    }
    return (file, Bitmap(size: PixelSize(width, height), pixels: pixels))
  }

  @Test(arguments: PNGFile.ColorType.allCases, [false, true])
  func `all colour types and depths give the same pixels, interlaced or not`(
    _ type: PNGFile.ColorType, _ isInterlaced: Bool
  ) throws {
    for depth in type.depths {
      let (file, expected) = example(type, depth: depth, isInterlaced: isInterlaced)
      let decoded = try PNG.decode(file.bytes)
      #expect(decoded == expected, "\(depth) bits")
    }
  }

  @Test func `a colour marked as transparent is transparent`() throws {
    var file = PNGFile(
      width: 2, height: 1, depth: 8, colorType: .rgb, samples: [1, 2, 3, 1, 2, 4])
    file.chunks = [("tRNS", [0, 1, 0, 2, 0, 3])]
    #expect(try PNG.decode(file.bytes).pixels == [0, 0xff01_0204])
  }

  @Test func `gamma, profiles and comments don't change pixels`() throws {
    var (file, expected) = example(.rgb, depth: 8, isInterlaced: false)
    file.chunks = [
      ("gAMA", PNGFile.number(100_000)), ("sRGB", [0]),
      ("cHRM", Array(repeating: 1, count: 32)), ("iCCP", [65, 0, 0] + PNGFile.stored([1, 2, 3])),
      ("zTXt", [65, 0, 0, 1, 2, 3]), ("tEXt", []),
    ]
    #expect(try PNG.decode(file.bytes) == expected)
  }

  @Test func `an encoded picture is decoded again`() throws {
    var random = SeededGenerator(seed: 5)
    for size in [PixelSize(1, 1), PixelSize(7, 3), PixelSize(640, 33), PixelSize(1, 300)] {
      let canvas = Canvas(size: size)
      unsafe canvas.withPixels { pixels in
        for place in pixels.indices {
          unsafe pixels[place] = 0xff00_0000 | .random(in: 0...0xff_ffff, using: &random)
        }
      }
      let file = PNG.encode(canvas)
      #expect(file == PNG.encode(canvas))
      let bitmap = try PNG.decode(file)
      #expect(bitmap.size == size)
      #expect(unsafe canvas.withPixels { unsafe Array($0) } == bitmap.pixels)
    }
  }

  @Test func `part of a canvas can be encoded`() throws {
    let canvas = Canvas(size: PixelSize(8, 6))
    unsafe canvas.withPixels { pixels in
      for place in pixels.indices { unsafe pixels[place] = 0xff00_0000 | UInt32(place) }
    }
    let part = PixelRect(x0: 2, y0: 3, x1: 4, y1: 20)
    let bitmap = try PNG.decode(PNG.encode(canvas, in: part))
    #expect(bitmap.size == PixelSize(2, 3))
    #expect(bitmap.pixels == [26, 27, 34, 35, 42, 43].map { 0xff00_0000 | $0 })
  }

  @Test func `a file that isn't PNG is reported`() {
    #expect(throws: PNGError.notPNG) { try PNG.decode([]) }
    #expect(throws: PNGError.notPNG) { try PNG.decode(Array("kiosk: shows".utf8)) }
    #expect(throws: PNGError.notPNG) { try PNG.decode([0xff, 0xd8, 0xff, 0xe0]) }
  }

  @Test func `a truncated file is reported`() {
    let (file, _) = example(.rgba, depth: 8, isInterlaced: true)
    let bytes = file.bytes
    for length in 1..<bytes.count {
      #expect(throws: PNGError.truncated) { try PNG.decode(Array(bytes.prefix(length))) }
    }
  }

  @Test func `a picture with missing rows is reported`() {
    let (whole, _) = example(.rgb, depth: 8, isInterlaced: false, width: 40, height: 20)
    var (claim, _) = example(.rgb, depth: 8, isInterlaced: false, width: 40, height: 40)
    claim.samples = whole.samples
    claim.height = 20
    // A header for 40 rows before the data of 20.
    let header = PNGFile.chunk("IHDR", PNGFile.number(40) + PNGFile.number(40) + [8, 2, 0, 0, 0])
    let bytes = [UInt8](claim.bytes[..<8]) + header + [UInt8](claim.bytes[33...])
    #expect(throws: PNGError.self) { try PNG.decode(bytes) }
  }

  @Test(arguments: [
    (0, 5), (5, 0), (16385, 1), (1, 16385), (16384, 16384), (0x7fff_ffff, 0x7fff_ffff),
    (0xffff_ffff, 1),
  ])
  func `a picture of an invalid size is rejected before it is allocated`(
    _ width: Int, _ height: Int
  ) {
    let header = PNGFile.number(width) + PNGFile.number(height) + [8, 6, 0, 0, 0]
    let bytes =
      Array(PNGFile(width: 1, height: 1, depth: 8, colorType: .gray, samples: [0]).bytes[..<8])
      + PNGFile.chunk("IHDR", header) + PNGFile.chunk("IDAT", PNGFile.stored([0, 0, 0, 0, 0]))
      + PNGFile.chunk("IEND", [])
    #expect(throws: PNGError.self) { try PNG.decode(bytes) }
    #expect(throws: ImageError.self) { try ImageFile(bytes) }
  }

  @Test(arguments: PNGFile.ColorType.allCases)
  func `a damaged file is an error or a picture, and never harmful`(_ type: PNGFile.ColorType) {
    var random = SeededGenerator(seed: 9)
    for depth in type.depths {
      let (file, _) = example(type, depth: depth, isInterlaced: depth % 3 == 2)
      let whole = file.bytes
      for round in 0..<300 {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          bytes[Int.random(in: 8..<bytes.count, using: &random)] = .random(
            in: 0...255, using: &random)
        }
        if round % 3 == 0 {
          // Corrects the checksums, so that the damage reaches further.
          bytes = Self.withChecksums(bytes)
        }
        if let bitmap = try? PNG.decode(bytes) {
          for pixel in bitmap.pixels {
            let alpha = pixel >> 24
            #expect([16, 8, 0].allSatisfy { pixel >> $0 & 0xff <= alpha })
          }
        }
      }
    }
  }

  private static func withChecksums(_ bytes: [UInt8]) -> [UInt8] {
    var mended = Array(bytes[..<8])
    var rest = bytes[8...]
    while rest.count >= 12 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard length <= rest.count - 12 else { break }
      let name = rest.dropFirst(4).prefix(4)
      let contents = rest.dropFirst(8).prefix(length)
      mended += PNGFile.number(length)
      mended += PNGFile.chunk(String(decoding: name, as: UTF8.self), Array(contents)).dropFirst(4)
      rest = rest.dropFirst(12 + length)
    }
    return mended + rest
  }
}

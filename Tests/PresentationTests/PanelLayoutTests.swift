// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import RoundelPresentation
import RoundelRaster
import TestSupport
import Testing

/// Paints one panel pixel at a time, independently by definition.
private func oracle(
  _ bitmap: Bitmap, _ rects: [PixelRect], _ layout: PanelLayout, into memory: [UInt8]
) -> [UInt8] {
  var result = memory
  for y in 0..<layout.size.height {
    for x in 0..<layout.size.width {
      let middle = layout.rotation.canvasPoint(
        Point(Double(x) + 0.5, Double(y) + 0.5), panel: layout.size)
      let (cx, cy) = (Int(middle.x), Int(middle.y))
      let isDamaged = rects.contains { $0.x0 <= cx && cx < $0.x1 && $0.y0 <= cy && cy < $0.y1 }
      guard isDamaged else { continue }
      let offset = y * layout.pitch + x * layout.format.bytesPerPixel
      for (index, byte) in bytes(
        of: bitmap.pixels[cy * bitmap.size.width + cx], layout, x, y
      ).enumerated() {
        result[offset + index] = byte
      }
    }
  }
  return result
}

/// A frame buffer layout: the bits of a pixel, and offset and length of red, green, blue and alpha.
private struct Layout {
  var bits: Int
  var channels: [(offset: Int, length: Int)]

  init(_ bits: Int, _ channels: (Int, Int)...) {
    self.bits = bits
    self.channels = channels.map { (offset: $0.0, length: $0.1) }
  }

  /// The layout of a DRM format name such as XRGB1555.
  init(_ name: String) {
    let letters = name.prefix { $0.isLetter }
    let digits = name.dropFirst(letters.count)
    let lengths =
      ["2101010": [2, 10, 10, 10], "1010102": [10, 10, 10, 2]][digits]
      ?? digits.map { $0.wholeNumberValue ?? 0 }
    bits = lengths.reduce(0, +)
    var offset = bits
    var fields: [Character: (offset: Int, length: Int)] = [:]
    for (letter, length) in zip(letters, lengths) {
      offset -= length
      fields[letter == "X" ? "A" : letter] = (offset, length)
    }
    channels = "RGBA".map { fields[$0] ?? (0, 0) }
  }

  var channelLayout: ChannelLayout? {
    let list = channels.map { ChannelLayout.Channel(offset: $0.offset, length: $0.length) }
    return ChannelLayout(
      bitsPerPixel: bits, red: list[0], green: list[1], blue: list[2],
      alpha: list.count > 3 ? list[3] : ChannelLayout.Channel(offset: 0, length: 0))
  }
}

private let layouts = [
  Layout(16, (10, 5), (5, 5), (0, 5)), Layout(16, (5, 3), (2, 3), (0, 2)),
  Layout(24, (12, 6), (6, 6), (0, 6), (18, 6)), Layout(32, (24, 8), (16, 8), (8, 8)),
  Layout(32, (0, 1), (5, 7), (16, 16)),
]

private let formats: [(format: PixelFormat, layout: Layout)] =
  PixelFormat.named.map { ($0, Layout("\($0)")) }
  + layouts.compactMap { layout in layout.channelLayout.map { (PixelFormat($0), layout) } }

private func bytes(of pixel: UInt32, _ layout: PanelLayout, _ x: Int, _ y: Int) -> [UInt8] {
  guard let bits = formats.first(where: { $0.format == layout.format })?.layout else { return [] }
  // The Bayer matrix by its recursive definition, unlike the table in the code.
  func bayer(_ x: Int, _ y: Int) -> Int {
    let fine = [[0, 2], [3, 1]][y & 1][x & 1]
    let coarse = [[0, 2], [3, 1]][y >> 1 & 1][x >> 1 & 1]
    return 4 * fine + coarse
  }
  let depth = layout.depth
  // Bit by bit; a long channel repeats its value's bits starting with the highest.
  var word = [Int](repeating: 0, count: bits.bits)
  for (index, channel) in bits.channels.enumerated() {
    let value = [pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255, 255][index]
    let shown = min(
      [depth?.red, depth?.green, depth?.blue, nil][index] ?? 8, channel.length, 8)
    let levels = Double(1 << shown - 1)
    let step =
      index == 3 || shown == 8
      ? Int(value) >> (8 - shown)
      : Int(Double(value) * levels / 255 + (2 * Double(bayer(x, y)) + 1) / 32)
    for bit in 0..<channel.length {
      let fromTop = channel.length - 1 - bit
      word[channel.offset + bit] = shown == 0 ? 0 : step >> (shown - 1 - fromTop % shown) & 1
    }
  }
  return stride(from: 0, to: bits.bits, by: 8).map { start in
    (0..<8).reduce(0) { $0 | UInt8(word[start + $1]) << UInt8($1) }
  }
}

private func noise(_ size: PixelSize, seed: UInt64) -> Bitmap {
  var generator = SeededGenerator(seed: seed)
  return Bitmap(
    size: size,
    pixels: (0..<size.width * size.height).map { _ in
      0xff00_0000 | .random(in: 0...0xff_ffff, using: &generator)
    })
}

private func painted(
  _ damage: Damage, _ bitmap: Bitmap, _ layout: PanelLayout, into memory: [UInt8]
) -> [UInt8] {
  var result = memory
  let picture = Painter(showing: bitmap)
  unsafe result.withUnsafeMutableBytes { unsafe layout.paint(damage, of: picture, to: $0) }
  return result
}

@Suite struct PanelLayoutTests {
  /// Sides below, at and above the sixteen rows that a rotation processes at once.
  static let sizes = [
    PixelSize(1, 1), PixelSize(3, 2), PixelSize(17, 5), PixelSize(5, 17), PixelSize(33, 16),
    PixelSize(16, 48), PixelSize(37, 41),
  ]

  /// For formats that differ only in the bits of a pixel.
  private static let fewSizes = [PixelSize(3, 2), PixelSize(17, 5), PixelSize(16, 19)]

  @Test(arguments: formats.map(\.format), Rotation.allCases)
  func `painting matches the definition, pixel by pixel, and changes nothing else`(
    _ format: PixelFormat, _ rotation: Rotation
  ) {
    let isCommon = [.xrgb8888, .rgb565].contains(format)
    for size in isCommon ? Self.sizes : Self.fewSizes {
      let ways: [(padding: Int, bits: Int?)] = [(6, 16), (2, 18), (0, nil), (64, 8)]
      for (padding, bits) in isCommon ? ways : Array(ways[Cases.of(ways.count)]) {
        // With 32-bit pixels, a row starts at a multiple of 4 bytes.
        let rounded = format.bytesPerPixel == 4 ? padding / 4 * 4 : padding
        let layout = PanelLayout(
          size: size, pitch: size.width * format.bytesPerPixel + rounded, format: format,
          rotation: rotation, depth: bits.flatMap { ColorDepth(bits: $0) })
        let bitmap = noise(layout.canvasSize, seed: UInt64(size.width * 100 + padding))
        let all = PixelRect(size: bitmap.size)
        let (w, h) = (bitmap.size.width, bitmap.size.height)
        let damages = [
          [all],
          [PixelRect(x0: w / 3, y0: h / 4, x1: w / 3 + w / 2 + 1, y1: h / 4 + h / 2 + 1)],
          [
            PixelRect(x0: 0, y0: 0, x1: 1, y1: 1),
            PixelRect(x0: w - 1, y0: h - 1, x1: w, y1: h),
          ],
          [PixelRect(x0: -5, y0: h / 2, x1: w + 9, y1: h + 7)],
        ]
        for rects in damages {
          var bands = DamageBands()
          for rect in rects { bands.add(rect) }
          let damage = bands.damage
          let memory = [UInt8](repeating: 0xa5, count: layout.byteCount + 16)
          #expect(
            painted(damage, bitmap, layout, into: memory)
              == oracle(bitmap, damage.rects, layout, into: memory),
            "\(size) \(format) \(bits ?? 0) \(rotation) pitch \(layout.pitch) \(rects)")
        }
      }
    }
  }

  @Test func `a layout whose channels don't fit is rejected`() {
    let rejected = [
      Layout(8, (5, 3), (2, 3), (0, 2)), Layout(1, (0, 1), (0, 1), (0, 1)),
      Layout(16, (11, 5), (5, 6), (0, 6)), Layout(16, (12, 5), (5, 6), (0, 5)),
      Layout(16, (-1, 5), (5, 5), (10, 5)), Layout(32, (0, 0), (8, 8), (16, 8)),
      Layout(32, (0, 17), (17, 8), (25, 7)), Layout(32, (Int.max, 8), (8, 8), (16, 8)),
      Layout(32, (0, Int.min), (8, 8), (16, 8)), Layout(24, (16, 8), (8, 8), (0, 8), (16, 8)),
    ]
    for layout in rejected { #expect(layout.channelLayout == nil, "\(layout)") }
    #expect(Layout(32, (16, 8), (8, 8), (0, 8)).channelLayout.map { PixelFormat($0) } == .xrgb8888)
    #expect(Layout(16, (11, 5), (5, 6), (0, 5)).channelLayout.map { PixelFormat($0) } == .rgb565)
    #expect(
      Layout(24, (0, 8), (8, 8), (16, 8)).channelLayout.map { "\(PixelFormat($0))" } == "BGR888")
  }

  @Test(arguments: [UInt32(0xff00_0000), 0xffff_ffff, 0xffff_0000, 0xff00_ff00, 0xff00_00ff])
  func `full and zero intensity are exact in 16 bits`(_ pixel: UInt32) {
    let bitmap = Bitmap(size: PixelSize(8, 8), pixels: Array(repeating: pixel, count: 64))
    let layout = PanelLayout(
      size: bitmap.size, pitch: 16, format: .rgb565, rotation: .none)
    let result = painted(
      Damage(PixelRect(size: bitmap.size)), bitmap, layout,
      into: [UInt8](repeating: 0, count: layout.byteCount))
    #expect(Set(stride(from: 0, to: result.count, by: 2).map { result[$0...($0 + 1)] }).count == 1)
  }

  @Test func `the mean of dithered pixels is right`() {
    for value in UInt32(0)...255 {
      let bitmap = Bitmap(
        size: PixelSize(4, 4),
        pixels: Array(repeating: 0xff00_0000 | value << 16 | value << 8 | value, count: 16))
      let layout = PanelLayout(size: bitmap.size, pitch: 8, format: .rgb565, rotation: .none)
      let result = painted(
        Damage(PixelRect(size: bitmap.size)), bitmap, layout,
        into: [UInt8](repeating: 0, count: layout.byteCount))
      var green = 0
      for index in stride(from: 0, to: result.count, by: 2) {
        green += (Int(result[index]) | Int(result[index + 1]) << 8) >> 5 & 63
      }
      // Sixteen thresholds resolve the mean to a thirty-second of a step.
      #expect(abs(Double(green) / 16 - Double(value) * 63 / 255) <= 1.0 / 32 + 1e-9)
    }
  }

  @Test(arguments: ["RGB565", "BGR565", "XRGB1555", "XRGB8888"])
  func `dithering shows as many grey levels by area in few bits as in many`(_ name: String) throws {
    // Each grey level is a field of 4 × 4 pixels, and all fields are different.
    let size = PixelSize(256 * 4, 4)
    let bitmap = Bitmap(
      size: size,
      pixels: (0..<size.width * size.height).map { index in
        0xff00_0000 | UInt32(index % size.width / 4) * 0x01_0101
      })
    let format = try #require(PixelFormat(named: name))
    let depth = name == "XRGB8888" ? ColorDepth(bits: 18) : nil
    let layout = PanelLayout(
      size: size, pitch: size.width * format.bytesPerPixel, format: format, rotation: .none,
      depth: depth)
    let memory = painted(
      Damage(PixelRect(size: size)), bitmap, layout,
      into: [UInt8](repeating: 0, count: layout.byteCount))
    for channel in [format.channels.red, format.channels.green, format.channels.blue] {
      var sums = [Int](repeating: 0, count: 256)
      for index in 0..<size.width * size.height {
        let bytes = memory[index * format.bytesPerPixel..<(index + 1) * format.bytesPerPixel]
        let word = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        sums[index % size.width / 4] += word >> channel.offset & (1 << channel.length - 1)
      }
      #expect(Set(sums).count >= 254)
      #expect(sums == sums.sorted())
    }
  }

  @Test func `painting the changes equals painting everything`() {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<300 {
      let format = PixelFormat.named.randomElement(using: &random) ?? .rgb565
      let size = PixelSize(.random(in: 1...70, using: &random), .random(in: 1...40, using: &random))
      let layout = PanelLayout(
        size: size, pitch: size.width * format.bytesPerPixel, format: format,
        rotation: Rotation.allCases.randomElement(using: &random) ?? .none,
        depth: Bool.random(using: &random) ? nil : ColorDepth.all.randomElement(using: &random))
      let canvas = layout.canvasSize
      let (old, other) = (noise(canvas, seed: random.next()), noise(canvas, seed: random.next()))
      let whole = Damage(PixelRect(size: canvas))
      var memory = painted(
        whole, old, layout, into: [UInt8](repeating: 0, count: layout.byteCount))
      var pixels = old.pixels
      for _ in 0..<4 {
        var bands = DamageBands()
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let (x, y) = (
            Int.random(in: 0..<canvas.width, using: &random),
            Int.random(in: 0..<canvas.height, using: &random)
          )
          bands.add(
            PixelRect(
              x0: x, y0: y, x1: .random(in: x + 1...canvas.width, using: &random),
              y1: .random(in: y + 1...canvas.height, using: &random)))
        }
        let damage = bands.damage
        for rect in damage.rects {
          for y in rect.y0..<rect.y1 {
            for x in rect.x0..<rect.x1 {
              pixels[y * canvas.width + x] = other.pixels[y * canvas.width + x]
            }
          }
        }
        let bitmap = Bitmap(size: canvas, pixels: pixels)
        memory = painted(damage, bitmap, layout, into: memory)
        let anew = painted(
          whole, bitmap, layout, into: [UInt8](repeating: 0, count: layout.byteCount))
        #expect(memory == anew, "\(layout)")
      }
    }
  }

  @Test func `an inconsistent layout from a driver is rejected`() {
    func layout(_ pitch: Int, _ bytes: Int) -> PanelLayout? {
      PanelLayout(
        size: PixelSize(480, 320), pitch: pitch, byteCount: bytes, format: .rgb565, rotation: .none)
    }
    #expect(layout(960, 960 * 320) != nil)
    #expect(layout(958, 960 * 320) == nil)
    #expect(layout(960, 960 * 320 - 1) == nil)
    #expect(layout(0, 0) == nil)
    #expect(layout(.max, .max) == nil)
    #expect(layout(-960, 960 * 320) == nil)
  }
}

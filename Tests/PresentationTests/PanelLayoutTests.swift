// SPDX-License-Identifier: MIT

import Drawing
import Geometry
import Presentation
import Raster
import TestSupport
import Testing

/// One panel pixel at a time, with nothing shared but the definition.
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
        of: bitmap.pixels[cy * bitmap.size.width + cx], layout.format, x, y
      ).enumerated() {
        result[offset + index] = byte
      }
    }
  }
  return result
}

/// A layout of a frame buffer: the bits of a pixel, and offset and length of red, green, blue and alpha.
private struct Layout {
  var bits: Int
  var channels: [(offset: Int, length: Int)]

  init(_ bits: Int, _ channels: (Int, Int)...) {
    self.bits = bits
    self.channels = channels.map { (offset: $0.0, length: $0.1) }
  }

  var channelLayout: ChannelLayout? {
    let list = channels.map { ChannelLayout.Channel(offset: $0.offset, length: $0.length) }
    return ChannelLayout(
      bitsPerPixel: bits, red: list[0], green: list[1], blue: list[2],
      alpha: list.count > 3 ? list[3] : ChannelLayout.Channel(offset: 0, length: 0))
  }
}

private let layouts = [
  Layout(16, (10, 5), (5, 5), (0, 5)), Layout(16, (0, 5), (5, 6), (11, 5)),
  Layout(16, (8, 4), (4, 4), (0, 4), (12, 4)), Layout(16, (5, 3), (2, 3), (0, 2)),
  Layout(24, (16, 8), (8, 8), (0, 8)), Layout(24, (0, 8), (8, 8), (16, 8)),
  Layout(24, (12, 6), (6, 6), (0, 6), (18, 6)), Layout(32, (0, 8), (8, 8), (16, 8), (24, 8)),
  Layout(32, (24, 8), (16, 8), (8, 8)), Layout(32, (20, 10), (10, 10), (0, 10), (30, 2)),
  Layout(32, (0, 1), (5, 7), (16, 16)),
]

private let layoutsByFormat = Dictionary(
  uniqueKeysWithValues: layouts.compactMap { layout in
    (layout.channelLayout?.format).map { ($0, layout) }
  })

private let formats = PixelFormat.named + layouts.compactMap { $0.channelLayout?.format }

private func bytes(of pixel: UInt32, _ format: PixelFormat, _ x: Int, _ y: Int) -> [UInt8] {
  let (red, green, blue) = (pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
  if format == .xrgb8888 || format == .argb8888 {
    return [UInt8(blue), UInt8(green), UInt8(red), 255]
  }
  // The Bayer matrix by its recursive definition, unlike the table in the code.
  func bayer(_ x: Int, _ y: Int) -> Int {
    let fine = [[0, 2], [3, 1]][y & 1][x & 1]
    let coarse = [[0, 2], [3, 1]][y >> 1 & 1][x >> 1 & 1]
    return 4 * fine + coarse
  }
  func step(_ value: UInt32, _ levels: Double) -> Int {
    Int(Double(value) * levels / 255 + (2 * Double(bayer(x, y)) + 1) / 32)
  }
  guard let layout = layoutsByFormat[format] else {
    let word = step(red, 31) << 11 | step(green, 63) << 5 | step(blue, 31)
    return [UInt8(word & 255), UInt8(word >> 8)]
  }
  // Bit by bit; a long channel repeats its value's bits from the highest on.
  var word = [Int](repeating: 0, count: layout.bits)
  for (index, channel) in layout.channels.enumerated() {
    let value = [red, green, blue, 255][index]
    for bit in 0..<channel.length {
      let fromTop = channel.length - 1 - bit
      word[channel.offset + bit] =
        channel.length <= 8
        ? step(value, Double(1 << channel.length - 1)) >> bit & 1
        : Int(value) >> (7 - fromTop % 8) & 1
    }
  }
  return stride(from: 0, to: layout.bits, by: 8).map { start in
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
  /// Sides below, at and above the sixteen rows that a turn gathers at once.
  static let sizes = [
    PixelSize(1, 1), PixelSize(3, 2), PixelSize(17, 5), PixelSize(5, 17), PixelSize(33, 16),
    PixelSize(16, 48), PixelSize(37, 41),
  ]

  /// For formats that differ in nothing but the bits of a pixel.
  private static let fewSizes = [PixelSize(3, 2), PixelSize(17, 5), PixelSize(16, 19)]

  @Test(arguments: formats, Rotation.allCases)
  func `what is painted equals the definition, pixel by pixel, and all else stays as it is`(
    _ format: PixelFormat, _ rotation: Rotation
  ) {
    for size in PixelFormat.named.contains(format) ? Self.sizes : Self.fewSizes {
      for padding in [0, 2, 6, 64] {
        // Of 32-bit pixels a row begins at a whole one.
        let rounded = format.bytesPerPixel == 4 ? padding / 4 * 4 : padding
        let layout = PanelLayout(
          size: size, pitch: size.width * format.bytesPerPixel + rounded, format: format,
          rotation: rotation)
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
          var damage = Damage()
          for rect in rects { damage.add(rect) }
          let memory = [UInt8](repeating: 0xa5, count: layout.byteCount + 16)
          #expect(
            painted(damage, bitmap, layout, into: memory)
              == oracle(bitmap, damage.rects, layout, into: memory),
            "\(size) \(format) \(rotation) pitch \(layout.pitch) \(rects)")
        }
      }
    }
  }

  @Test func `a layout whose channels do not fit is none`() {
    let rejected = [
      Layout(8, (5, 3), (2, 3), (0, 2)), Layout(1, (0, 1), (0, 1), (0, 1)),
      Layout(16, (11, 5), (5, 6), (0, 6)), Layout(16, (12, 5), (5, 6), (0, 5)),
      Layout(16, (-1, 5), (5, 5), (10, 5)), Layout(32, (0, 0), (8, 8), (16, 8)),
      Layout(32, (0, 17), (17, 8), (25, 7)), Layout(32, (Int.max, 8), (8, 8), (16, 8)),
      Layout(32, (0, Int.min), (8, 8), (16, 8)), Layout(24, (16, 8), (8, 8), (0, 8), (16, 8)),
    ]
    for layout in rejected { #expect(layout.channelLayout == nil, "\(layout)") }
    #expect(Layout(32, (16, 8), (8, 8), (0, 8)).channelLayout?.format == .argb8888)
    #expect(Layout(16, (11, 5), (5, 6), (0, 5)).channelLayout?.format == .rgb565)
  }

  @Test(arguments: [UInt32(0xff00_0000), 0xffff_ffff, 0xffff_0000, 0xff00_ff00, 0xff00_00ff])
  func `full and no intensity stay what they are in 16 bits`(_ pixel: UInt32) {
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
      // Sixteen thresholds tell the mean to a thirty-second of a step.
      #expect(abs(Double(green) / 16 - Double(value) * 63 / 255) <= 1.0 / 32 + 1e-9)
    }
  }
}

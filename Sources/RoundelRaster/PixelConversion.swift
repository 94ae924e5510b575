// SPDX-License-Identifier: MIT

package import RoundelDrawing
internal import RoundelGeometry

/// Converts the picture's pixels, `0x..RRGGBB`, to a panel's.
///
/// A colour with fewer than 8 bits on the panel is reduced by ordered dithering: a value v of 0 …
/// 255 is v·L/255 of the L = 2ⁿ − 1 steps, for example 31 or 63. A threshold of (2b + 1)/32, with b
/// = 0 … 15 in the order of Bayer's matrix, is added before truncation, so that the average colour
/// over 4 × 4 pixels is correct, and 0 and 255 don't change. It depends only on the position on the
/// panel, so that repainting gives the same bytes and doesn't flicker.
package struct PixelConversion: Hashable, Sendable {
  package let format: PixelFormat
  /// The panel's colour depth, if less than the format's.
  package let depth: ColorDepth?

  package init(to format: PixelFormat, depth: ColorDepth? = nil) {
    self.format = format
    self.depth = depth
    let channels = format.channels
    red = Part(channels.red, depth?.red, from: 16)
    green = Part(channels.green, depth?.green, from: 8)
    blue = Part(channels.blue, depth?.blue, from: 0)
    isCopy = channels.isPictures && [red, green, blue].allSatisfy { $0.bits == 8 }
  }

  package let isCopy: Bool
  private let red: Part
  private let green: Part
  private let blue: Part

  private struct Part: Hashable {
    /// The bit offset in the picture's pixel.
    let source: UInt32
    /// The number of bits displayed, 1 … 8, at most `length`.
    let bits: UInt32
    let length: UInt32
    let offset: UInt32

    init(_ channel: ChannelLayout.Channel, _ shown: Int?, from source: UInt32) {
      self.source = source
      bits = UInt32(min(shown ?? 8, channel.length, 8))
      length = UInt32(channel.length)
      offset = UInt32(channel.offset)
    }

    @inline(__always)
    init(_ bits: UInt32, at offset: UInt32, from source: UInt32) {
      (self.source, self.bits, length, self.offset) = (source, bits, bits, offset)
    }

    /// A channel wider than `bits` repeats its high bits as low bits, so that all ones stay all
    /// ones.
    @inline(__always)
    func word(_ pixels: SIMD8<UInt32>, _ thresholds: SIMD8<UInt32>) -> SIMD8<UInt32> {
      var value = pixels &>> source & 0xff
      if bits < 8 { value = Self.step(value, bits, thresholds) }
      guard bits < length else { return value &<< offset }
      value = value &<< (length - bits)
      var known = bits
      while known < length {
        value |= value &>> known
        known *= 2
      }
      return value &<< offset
    }

    /// ⌊(32·L·v + threshold) / 8160⌋. Vector units can't divide, but 8160 = 32·255, and ⌊m/255⌋ =
    /// (m + 1 + ⌊m/256⌋) / 256 for 0 ≤ m < 65535.
    @inline(__always)
    private static func step(
      _ value: SIMD8<UInt32>, _ bits: UInt32, _ thresholds: SIMD8<UInt32>
    ) -> SIMD8<UInt32> {
      let m = ((value &* (1 &<< bits &- 1) &<< 5) &+ thresholds) &>> 5
      return (m &+ 1 &+ m &>> 8) &>> 8
    }
  }

  /// B. E. Bayer, "An optimum method for two-level rendition of continuous-tone pictures", 1973.
  private static let matrix: [SIMD4<UInt32>] = [
    SIMD4(0, 8, 2, 10), SIMD4(12, 4, 14, 6), SIMD4(3, 11, 1, 9), SIMD4(15, 7, 13, 5),
  ]

  /// In units of 1/8160 of a step.
  private static func thresholds(_ x: Int, _ y: Int) -> SIMD8<UInt32> {
    let row = matrix[y & 3]
    var bayer = SIMD8<UInt32>()
    for lane in 0..<8 { bayer[lane] = row[(x + lane) & 3] }
    return (bayer &* 2 &+ 1) &* 255
  }

  /// Writes `count` pixels. `source` and `row` must have space for them.
  package func write(
    _ count: Int, from source: UnsafePointer<UInt32>, to row: UnsafeMutableRawPointer, x: Int,
    y: Int
  ) {
    guard !isCopy else { return unsafe row.copyMemory(from: source, byteCount: count * 4) }
    let thresholds = Self.thresholds(x, y)
    switch format.bytesPerPixel {
    case 2:
      // The most common format, with constants known to the compiler.
      if red == Self.red565, green == Self.green565, blue == Self.blue565 {
        unsafe Self.write(count, from: source, to: row, by: 2) { pixels in
          Part(5, at: 11, from: 16).word(pixels, thresholds)
            | Part(6, at: 5, from: 8).word(pixels, thresholds)
            | Part(5, at: 0, from: 0).word(pixels, thresholds)
        }
      } else {
        unsafe Self.write(count, from: source, to: row, by: 2) { words($0, thresholds) }
      }
    case 3: unsafe Self.write(count, from: source, to: row, by: 3) { words($0, thresholds) }
    default: unsafe Self.write(count, from: source, to: row, by: 4) { words($0, thresholds) }
    }
  }

  private static let red565 = Part(5, at: 11, from: 16)
  private static let green565 = Part(6, at: 5, from: 8)
  private static let blue565 = Part(5, at: 0, from: 0)

  @inline(__always)
  private func words(
    _ pixels: SIMD8<UInt32>, _ thresholds: SIMD8<UInt32>
  ) -> SIMD8<UInt32> {
    red.word(pixels, thresholds) | green.word(pixels, thresholds) | blue.word(pixels, thresholds)
      | SIMD8(repeating: format.channels.opaque)
  }

  @inline(__always)
  private static func write(
    _ count: Int, from source: UnsafePointer<UInt32>, to row: UnsafeMutableRawPointer,
    by size: Int, _ convert: (SIMD8<UInt32>) -> SIMD8<UInt32>
  ) {
    var x = 0
    while x + 8 <= count {
      // At least eight are left in both.
      let pixels = unsafe UnsafeRawPointer(source + x).loadUnaligned(as: SIMD8<UInt32>.self)
      let words = convert(pixels)
      let place = unsafe row + x * size
      switch size {
      case 2:
        unsafe place.storeBytes(
          of: SIMD8<UInt16>(truncatingIfNeeded: words), as: SIMD8<UInt16>.self)
      case 3:
        // Eight words of 24 bits are three of 64.
        let wide = SIMD8<UInt64>(truncatingIfNeeded: words)
        unsafe place.storeBytes(
          of: wide[0] | wide[1] &<< 24 | wide[2] &<< 48, as: UInt64.self)
        unsafe place.storeBytes(
          of: wide[2] &>> 16 | wide[3] &<< 8 | wide[4] &<< 32 | wide[5] &<< 56,
          toByteOffset: 8, as: UInt64.self)
        unsafe place.storeBytes(
          of: wide[5] &>> 8 | wide[6] &<< 16 | wide[7] &<< 40, toByteOffset: 16,
          as: UInt64.self)
      default: unsafe place.storeBytes(of: words, as: SIMD8<UInt32>.self)
      }
      x += 8
    }
    guard x < count else { return }
    var rest = SIMD8<UInt32>()
    for lane in 0..<(count - x) { rest[lane] = unsafe source[x + lane] }
    let last = convert(rest)
    for lane in 0..<(count - x) {
      let place = unsafe row + (x + lane) * size
      for byte in 0..<size {
        unsafe place.storeBytes(
          of: UInt8(truncatingIfNeeded: last[lane] &>> UInt32(8 * byte)), toByteOffset: byte,
          as: UInt8.self)
      }
    }
  }
}

extension PixelBlock {
  /// Returns the pixels as displayed by a panel. Nil changes nothing.
  package func reduced(to depth: ColorDepth?) -> PixelBlock {
    let conversion = PixelConversion(to: .xrgb8888, depth: depth)
    guard !conversion.isCopy, rect.width > 0 else { return self }
    let pixels = unsafe [UInt32](unsafeUninitializedCapacity: pixels.count) {
      target, count in
      unsafe self.pixels.withUnsafeBufferPointer { source in
        for y in 0..<rect.height {
          let start = y * rect.width
          guard let from = source.baseAddress, let to = target.baseAddress else { return }
          // Both have as many pixels as the rectangle.
          unsafe conversion.write(
            rect.width, from: from + start, to: UnsafeMutableRawPointer(to + start), x: rect.x0,
            y: rect.y0 + y)
        }
      }
      count = self.pixels.count
    }
    return PixelBlock(rect, pixels: pixels)
  }
}

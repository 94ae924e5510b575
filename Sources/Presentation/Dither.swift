// SPDX-License-Identifier: MIT

/// Reduction of 8 bits a channel to fewer by ordered dithering.
///
/// A channel v of 0 … 255 is v·L/255 of the L = 2ⁿ − 1 steps, as 31 or 63. A threshold of (2b + 1)/32, b = 0 … 15
/// in the order of Bayer's matrix, is added before the fraction is cut off, so that over each 4 × 4
/// pixels the mean is right and 0 and 255 stay what they are. The threshold hangs on the pixel's
/// place alone: painting a part anew gives the same bytes as painting all.
struct Dither {
  /// B. E. Bayer, "An optimum method for two-level rendition of continuous-tone pictures", 1973.
  private static let matrix: [SIMD4<UInt32>] = [
    SIMD4(0, 8, 2, 10), SIMD4(12, 4, 14, 6), SIMD4(3, 11, 1, 9), SIMD4(15, 7, 13, 5),
  ]

  /// For eight pixels side by side, in units of 1/8160 of a step.
  private let thresholds: SIMD8<UInt32>

  /// For pixels from column `x` of row `y` on.
  init(x: Int, y: Int) {
    let row = Self.matrix[y & 3]
    var bayer = SIMD8<UInt32>()
    for lane in 0..<8 { bayer[lane] = row[(x + lane) & 3] }
    thresholds = (bayer &* 2 &+ 1) &* 255
  }

  /// Writes `count` pixels `0x..RRGGBB` with 5, 6 and 5 bits. Both pointers are to that many.
  @inline(__always)
  func convert(
    _ count: Int, from source: UnsafePointer<UInt32>, to row: UnsafeMutablePointer<UInt16>
  ) {
    var x = 0
    while x + 8 <= count {
      // Eight are left in both.
      let pixels = unsafe UnsafeRawPointer(source + x).loadUnaligned(as: SIMD8<UInt32>.self)
      unsafe UnsafeMutableRawPointer(row + x).storeBytes(
        of: rgb565(pixels), as: SIMD8<UInt16>.self)
      x += 8
    }
    guard x < count else { return }
    var rest = SIMD8<UInt32>()
    for lane in 0..<(count - x) { rest[lane] = unsafe source[x + lane] }
    let last = rgb565(rest)
    for lane in 0..<(count - x) { unsafe row[x + lane] = last[lane] }
  }

  /// Writes `count` pixels `0x..RRGGBB` in another layout. `source` is to that many, `row` to as many of
  /// `layout.bytesPerPixel` bytes.
  func convert(
    _ count: Int, from source: UnsafePointer<UInt32>, to row: UnsafeMutableRawPointer,
    _ layout: ChannelLayout
  ) {
    let size = layout.bytesPerPixel
    var x = 0
    while x < count {
      let number = min(8, count - x)
      var pixels = SIMD8<UInt32>()
      for lane in 0..<number { pixels[lane] = unsafe source[x + lane] }
      var words = bits(pixels &>> 16 & 0xff, layout.red)
      words |= bits(pixels &>> 8 & 0xff, layout.green)
      words |= bits(pixels & 0xff, layout.blue)
      words |= SIMD8(repeating: layout.opaque)
      for lane in 0..<number {
        let pixel = unsafe row + (x + lane) * size
        let word = words[lane]
        switch size {
        case 2: unsafe pixel.storeBytes(of: UInt16(truncatingIfNeeded: word), as: UInt16.self)
        case 3:
          unsafe pixel.storeBytes(of: UInt16(truncatingIfNeeded: word), as: UInt16.self)
          unsafe pixel.storeBytes(
            of: UInt8(truncatingIfNeeded: word >> 16), toByteOffset: 2, as: UInt8.self)
        default: unsafe pixel.storeBytes(of: word, as: UInt32.self)
        }
      }
      x += number
    }
  }

  /// A channel of 0 … 255 at its place in the word. One of more than 8 bits has its highest ones again
  /// as its lowest, so that 255 becomes all ones.
  private func bits(
    _ values: SIMD8<UInt32>, _ channel: ChannelLayout.Channel
  ) -> SIMD8<UInt32> {
    let length = UInt32(channel.length)
    let offset = UInt32(channel.offset)
    guard length > 8 else { return step(values, 1 << length - 1) &<< offset }
    return (values &<< (length - 8) | values &>> (16 - length)) &<< offset
  }

  @inline(__always)
  private func rgb565(_ pixels: SIMD8<UInt32>) -> SIMD8<UInt16> {
    let red = step(pixels &>> 16 & 0xff, 31)
    let green = step(pixels &>> 8 & 0xff, 63)
    let blue = step(pixels & 0xff, 31)
    return SIMD8(truncatingIfNeeded: red &<< 11 | green &<< 5 | blue)
  }

  /// ⌊(32·L·v + threshold) / 8160⌋. Without a division, which no vector unit has: 8160 = 32·255, and
  /// ⌊m/255⌋ = (m + 1 + ⌊m/256⌋) / 256 for 0 ≤ m < 65535.
  @inline(__always)
  private func step(_ value: SIMD8<UInt32>, _ levels: UInt32) -> SIMD8<UInt32> {
    let m = (value &* (levels &* 32) &+ thresholds) &>> 5
    return (m &+ 1 &+ m &>> 8) &>> 8
  }
}

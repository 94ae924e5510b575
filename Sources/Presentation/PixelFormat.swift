// SPDX-License-Identifier: MIT

/// How a panel's memory holds a pixel. Names and layouts are those of `drm_fourcc.h`: the highest
/// bits first, stored as a little-endian word.
public enum PixelFormat: CaseIterable, Hashable, Sendable {
  case xrgb8888
  /// As `xrgb8888`, for planes that take nothing else; alpha is always 255.
  case argb8888
  /// Ordered dithering hides the steps.
  case rgb565

  public var bytesPerPixel: Int {
    switch self {
    case .xrgb8888, .argb8888: 4
    case .rgb565: 2
    }
  }
}

/// Reduction of 8 bits a channel to 5 or 6 by ordered dithering.
///
/// A channel v of 0 … 255 is v·L/255 of the L = 31 or 63 steps. A threshold of (2b + 1)/32, b = 0 … 15
/// in the order of Bayer's matrix, is added before the fraction is cut off, so that over each 4 × 4
/// pixels the mean is right and 0 and 255 stay what they are. The threshold hangs on the pixel's
/// place alone: painting a part anew gives the same bytes as painting all.
enum Dither {
  /// B. E. Bayer, "An optimum method for two-level rendition of continuous-tone pictures", 1973.
  private static let matrix: (SIMD4<UInt32>, SIMD4<UInt32>, SIMD4<UInt32>, SIMD4<UInt32>) = (
    SIMD4(0, 8, 2, 10), SIMD4(12, 4, 14, 6), SIMD4(3, 11, 1, 9), SIMD4(15, 7, 13, 5)
  )

  /// The four thresholds of row `y`, in units of 1/8160 of a step.
  @inline(__always)
  static func thresholds(row y: Int) -> SIMD4<UInt32> {
    let bayer =
      switch y & 3 {
      case 0: matrix.0
      case 1: matrix.1
      case 2: matrix.2
      default: matrix.3
      }
    return (bayer &* 2 &+ 1) &* 255
  }

  /// The pixel `0x..RRGGBB` with 5, 6 and 5 bits.
  @inline(__always)
  static func rgb565(_ pixel: UInt32, threshold: UInt32) -> UInt16 {
    let red = ((pixel >> 16 & 0xff) &* (31 * 32) &+ threshold) / 8160
    let green = ((pixel >> 8 & 0xff) &* (63 * 32) &+ threshold) / 8160
    let blue = ((pixel & 0xff) &* (31 * 32) &+ threshold) / 8160
    return UInt16(truncatingIfNeeded: red << 11 | green << 5 | blue)
  }
}

// SPDX-License-Identifier: MIT

internal import Drawing

/// Three channels and a weight side by side in 64 bits, 16 each, so that one multiplication serves
/// all four: blue, green, red, and above them how much of the pixel is taken.
///
/// A channel times a weight is at most 255 · 256, and weights add up to 256 at most, so no lane ever
/// runs over into the next. Everything is a whole number: the same bytes on every machine.
typealias Lanes = UInt64

@inline(__always)
func lanes(_ pixel: UInt32) -> Lanes {
  let p = UInt64(pixel)
  return (p & 0xff) | (p & 0xff00) << 8 | (p & 0xff_0000) << 16
}

/// The opaque pixel whose channels stand in the upper bytes of their lanes, rounded to the nearest.
@inline(__always)
func pixel(_ sum: Lanes) -> UInt32 {
  let rounded = (sum &+ 0x0000_0080_0080_0080) >> 8
  return 0xff00_0000
    | UInt32(
      truncatingIfNeeded: (rounded & 0xff) | (rounded >> 8 & 0xff00) | (rounded >> 16 & 0xff_0000))
}

/// What a tile gives to a pixel of which it takes `weight` 256ths.
@inline(__always)
func contribution(_ color: Lanes, weight: UInt64) -> Lanes {
  (color | 1 << 48) &* weight
}

/// What a source's pixel gives, whose colour is premultiplied, to one that it covers by `covered`
/// 256ths: only the coverage weighs the colour, and the alpha tells how much of the pixel is taken.
@inline(__always)
func contribution(premultiplied pixel: UInt32, covered: UInt64) -> Lanes {
  lanes(pixel) &* covered &+ weight(coverage: covered, alpha: UInt64(pixel >> 24)) << 48
}

/// The pixel that remains where `given` is laid over `below`.
@inline(__always)
func blend(_ given: Lanes, over below: UInt32) -> UInt32 {
  let rest = 256 - (given >> 48)
  return pixel((given & 0x0000_ffff_ffff_ffff) &+ lanes(below) &* rest)
}

/// Fills `count` pixels from `start` on.
///
/// Whole lines of the cache are written where they begin: stores that straddle two of them cost more.
@inline(__always)
func fill(_ start: UnsafeMutablePointer<UInt32>, with pixel: UInt32, count: Int) {
  guard count >= 32 else {
    for x in 0..<count { unsafe start[x] = pixel }
    return
  }
  let four = SIMD4<UInt32>(repeating: pixel)
  func fillLine(_ line: UnsafeMutableRawPointer) {
    unsafe line.storeBytes(of: four, as: SIMD4<UInt32>.self)
    unsafe line.storeBytes(of: four, toByteOffset: 16, as: SIMD4<UInt32>.self)
    unsafe line.storeBytes(of: four, toByteOffset: 32, as: SIMD4<UInt32>.self)
    unsafe line.storeBytes(of: four, toByteOffset: 48, as: SIMD4<UInt32>.self)
  }
  // The first and the last line may overlap their neighbours; all four lie in the 32 pixels or more.
  let first = UnsafeMutableRawPointer(start)
  let last = unsafe UnsafeMutableRawPointer(start + count) - 64
  unsafe fillLine(first)
  var line = unsafe (first + 1).alignedUp(toMultipleOf: 64)
  while unsafe line < last {
    unsafe fillLine(line)
    unsafe line += 64
  }
  unsafe fillLine(last)
}

extension Color {
  /// `0xFFRRGGBB`, whatever the alpha.
  var opaquePixel: UInt32 {
    0xff00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }
}

/// How many 256ths an ink of this `alpha` (0 … 255) takes of a pixel that it covers by `coverage`
/// 256ths.
@inline(__always)
func weight(coverage: UInt64, alpha: UInt64) -> UInt64 {
  (coverage &* alpha &+ 127) / 255
}

// SPDX-License-Identifier: MIT

internal import CRoundelPixels
internal import RoundelDrawing

/// Blue, red, green and the pixel's covered fraction, in 16 bits each, so that one multiplication
/// handles all four.
///
/// A channel times a weight is at most 255 · 256, and weights add up to 256 at most, so no lane
/// overflows. Integer arithmetic gives the same bytes on every machine.
typealias Lanes = UInt64

@inline(__always)
func lanes(_ pixel: UInt32) -> Lanes {
  let p = UInt64(pixel)
  return p & 0xff_00ff | (p & 0xff00) << 24
}

@inline(__always)
func pixel(_ sum: Lanes) -> UInt32 {
  let rounded = sum &+ 0x0000_0080_0080_0080
  return 0xff00_0000
    | UInt32(truncatingIfNeeded: rounded >> 8 & 0xff_00ff | rounded >> 32 & 0xff00)
}

/// color · w + below · (256 − w) = (color − below) · w + below · 256 holds for the whole integer:
/// the sum returns any borrow between lanes.
@inline(__always)
func mix(_ color: Lanes, weight: UInt64, over below: UInt32) -> UInt32 {
  let below = lanes(below)
  return pixel((color &- below) &* weight &+ below << 8)
}

/// Four pixels as sixteen bytes: blue and green in one lane, red and alpha in the next.
typealias Pairs = SIMD8<UInt16>

extension SIMD8<UInt16> {
  // Both are 16 bytes of plain numbers.
  @inline(__always)
  init(_ four: SIMD4<UInt32>) { unsafe self = unsafeBitCast(four, to: Self.self) }

  @inline(__always)
  var four: SIMD4<UInt32> { unsafe unsafeBitCast(self, to: SIMD4<UInt32>.self) }
}

/// Intermediate sums may overflow their lanes, and wrap back.
struct FourMixer {
  private let blueRed: SIMD8<UInt16>
  private let greenAlpha: SIMD8<UInt16>

  @inline(__always)
  init(_ pixel: UInt32) {
    let pairs = Pairs(SIMD4(repeating: pixel))
    blueRed = pairs & 0xff
    greenAlpha = pairs &>> 8
  }

  /// - Parameter weights: 0 … 256.
  @inline(__always)
  func mix(_ weights: SIMD4<UInt32>, over below: SIMD4<UInt32>) -> SIMD4<UInt32> {
    let weights = Pairs(weights | weights &<< 16)
    let below = Pairs(below)
    let low = (blueRed &- below & 0xff) &* weights &+ below &<< 8 &+ 128
    let high = (greenAlpha &- below &>> 8) &* weights &+ below & 0xff00 &+ 128
    return (low &>> 8 | high & 0xff00).four
  }
}

struct UniformLayer {
  private let layer: pixels_uniform_layer

  init(_ given: Lanes) {
    let weight = UInt16(truncatingIfNeeded: given >> 48)
    // Adding 128 rounds to the nearest.
    layer = pixels_uniform_layer(
      blue: UInt16(truncatingIfNeeded: given) &+ 128,
      green: UInt16(truncatingIfNeeded: given >> 32) &+ 128,
      red: UInt16(truncatingIfNeeded: given >> 16) &+ 128, alpha: 255 &* weight &+ 128,
      rest: 256 &- weight)
  }

  /// Composites the contribution over the pixels `x0 ..< x1` of `below` into `row`.
  @inline(__always)
  func blend(
    _ x0: Int, _ x1: Int, over below: UnsafePointer<UInt32>,
    into row: UnsafeMutablePointer<UInt32>
  ) {
    precondition(x0 <= x1, "a negative number of pixels")
    unsafe pixels_uniform_layer(layer, below + x0, row + x0, x1 - x0)
  }
}

/// Composites four premultiplied pixels with coverages of `weights` 256ths.
@inline(__always)
func blend(
  premultiplied source: SIMD4<UInt32>, weights: SIMD4<UInt32>, over below: SIMD4<UInt32>
) -> SIMD4<UInt32> {
  let taken = weight(coverage: weights, alpha: source &>> 24)
  let rest = Pairs((256 &- taken) &* 0x1_0001)
  let share = Pairs(weights &* 0x1_0001)
  let (given, below) = (Pairs(source), Pairs(below))
  let low = (given & 0xff) &* share &+ (below & 0xff) &* rest &+ 128
  let high = (given &>> 8) &* share &+ (below &>> 8) &* rest &+ 128
  return (low &>> 8 | high & 0xff00).four | 0xff00_0000
}

@inline(__always)
func contribution(_ color: Lanes, weight: UInt64) -> Lanes {
  (color | 1 << 48) &* weight
}

@inline(__always)
func contribution(premultiplied pixel: UInt32, covered: UInt64) -> Lanes {
  lanes(pixel) &* covered &+ weight(coverage: covered, alpha: UInt64(pixel >> 24)) << 48
}

@inline(__always)
func blend(_ given: Lanes, over below: UInt32) -> UInt32 {
  let rest = 256 - (given >> 48)
  return pixel((given & 0x0000_ffff_ffff_ffff) &+ lanes(below) &* rest)
}

@inline(__always)
func faded(_ pixel: UInt32, to share: UInt32) -> UInt32 {
  let even = ((pixel & 0xff_00ff) &* share &+ 0x80_0080) >> 8 & 0xff_00ff
  let odd = ((pixel >> 8 & 0xff_00ff) &* share &+ 0x80_0080) & 0xff00_ff00
  return even | odd
}

func covered(_ below: UInt32, by pixel: UInt32) -> UInt32 {
  let alpha = pixel >> 24
  return pixel &+ faded(below, to: 256 - alpha - alpha >> 7)
}

/// Fills `count` pixels. Stores of four pixels may overlap, which saves branches.
@inline(__always)
func fill(_ start: UnsafeMutablePointer<UInt32>, with pixel: UInt32, count: Int) {
  let first = UnsafeMutableRawPointer(start)
  guard count >= 4 else {
    // Each of these is among the `count` pixels, as is every store below.
    if count > 0 { unsafe start[0] = pixel }
    if count > 1 { unsafe start[1] = pixel }
    if count > 2 { unsafe start[2] = pixel }
    return
  }
  guard count <= 16 else { return unsafe pixels_fill(start, pixel, count) }
  let four = SIMD4<UInt32>(repeating: pixel)
  func fillFour(_ place: UnsafeMutableRawPointer) {
    unsafe place.storeBytes(of: four, as: SIMD4<UInt32>.self)
  }
  let last = unsafe first + (count - 4) * 4
  unsafe fillFour(first)
  if count > 8 {
    unsafe fillFour(first + 16)
    unsafe fillFour(last - 16)
  }
  unsafe fillFour(last)
}

extension Color {
  var opaquePixel: UInt32 {
    0xff00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }

  var premultipliedPixel: UInt32 {
    RoundelRaster.faded(opaquePixel, to: UInt32(alpha) + UInt32(alpha) >> 7)
  }
}

/// The 256ths of a pixel for an ink of `alpha` (0 … 255).
@inline(__always)
func weight(coverage: UInt64, alpha: UInt64) -> UInt64 {
  (coverage &* alpha &+ 127) / 255
}

@inline(__always)
func weight(coverage: SIMD4<UInt32>, alpha: UInt32) -> SIMD4<UInt32> {
  weight(coverage: coverage, alpha: SIMD4(repeating: alpha))
}

@inline(__always)
func weight(coverage: SIMD4<UInt32>, alpha: SIMD4<UInt32>) -> SIMD4<UInt32> {
  // ⌊x/255⌋ = ⌊(x + 1 + ⌊x/256⌋)/256⌋ for all x below 65 535. A product is at most 65 280.
  let x = coverage &* alpha &+ 127
  return (x &+ 1 &+ x &>> 8) &>> 8
}

// SPDX-License-Identifier: MIT

internal import Geometry
internal import Glibc

/// Pixels that a shape is filled with, placed on the canvas: an image at the size at which it is
/// shown, or the rows of a strip. Outside of its bounds it is clear.
// Safe: the memory is this object's own, and after `init` it is only read.
@safe final class PixelSource {
  let bounds: PixelRect
  /// `bounds.width` a row, premultiplied `0xAARRGGBB`.
  let memory: UnsafeMutableBufferPointer<UInt32>
  /// Whether every pixel inside the bounds is opaque.
  let isOpaque: Bool

  /// Pixels all of which `write` fills in, `bounds.width` a row.
  init(
    bounds: PixelRect, isOpaque: Bool, _ write: (UnsafeMutableBufferPointer<UInt32>) -> Void
  ) {
    self.bounds = bounds
    self.isOpaque = isOpaque
    unsafe memory = .allocate(capacity: bounds.area)
    unsafe write(memory)
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// `image` stretched over `frame` (canvas pixels) and turned about the frame's middle.
  ///
  /// A pixel of the result is the mean of what it covers of the image where the image is made
  /// smaller, and interpolated between neighbours where it is made larger.
  convenience init?(_ image: Bitmap, frame: Rect, turn: Angle, clip: PixelRect) {
    guard !frame.isEmpty, image.size.width > 0, image.size.height > 0 else { return nil }
    let upright = turn == .zero
    let half = (frame.width * frame.width + frame.height * frame.height).squareRoot() / 2
    let reach =
      upright ? frame : Rect(center: frame.center, size: Size(2 * half, 2 * half))
    let bounds = PixelRect(covering: reach).intersection(clip)
    guard !bounds.isEmpty else { return nil }
    let stepX = Double(image.size.width) / frame.width
    let stepY = Double(image.size.height) / frame.height
    // Enough samples a pixel that none of the image's pixels is passed over, within reason.
    let samples = min(max(Int(max(stepX, stepY).rounded(.up)), upright ? 1 : 2), 16)
    let across = (Angle.degrees(90) - turn).unit
    let down = (Angle.degrees(180) - turn).unit
    var pixels: [UInt32] = []
    pixels.reserveCapacity(bounds.area)
    var isOpaque = true
    for y in bounds.y0..<bounds.y1 {
      for x in bounds.x0..<bounds.x1 {
        var sum = SIMD4<Double>(repeating: 0)
        for sy in 0..<samples {
          for sx in 0..<samples {
            let p =
              Point(
                Double(x) + (Double(sx) + 0.5) / Double(samples),
                Double(y) + (Double(sy) + 0.5) / Double(samples)) - frame.center
            // Turned back by the frame's own turn: across is its x axis, down its y axis.
            let q = upright ? p : across * p.x + down * p.y
            let u = (q.x + frame.width / 2) * stepX
            let v = (q.y + frame.height / 2) * stepY
            sum += image.sample(u, v)
          }
        }
        let mean = (sum / Double(samples * samples)).rounded(.toNearestOrAwayFromZero)
        let alpha = UInt32(mean.w)
        if alpha != 255 { isOpaque = false }
        pixels.append(
          alpha << 24 | min(UInt32(mean.z), alpha) << 16 | min(UInt32(mean.y), alpha) << 8
            | min(UInt32(mean.x), alpha))
      }
    }
    unsafe self.init(bounds: bounds, isOpaque: isOpaque) {
      // There is one value for each pixel.
      _ = unsafe $0.initialize(fromContentsOf: pixels)
    }
  }
}

extension Bitmap {
  /// The colour at a place in the image's own pixels, between the middles of four of them; clear
  /// outside. Lanes: blue, green, red, alpha, 0 … 255.
  fileprivate func sample(_ u: Double, _ v: Double) -> SIMD4<Double> {
    guard u >= 0, v >= 0, u < Double(size.width), v < Double(size.height) else {
      return SIMD4(repeating: 0)
    }
    let x = u - 0.5
    let y = v - 0.5
    let x0 = Int(x.rounded(.down))
    let y0 = Int(y.rounded(.down))
    let fx = x - Double(x0)
    let fy = y - Double(y0)
    func at(_ x: Int, _ y: Int) -> SIMD4<Double> {
      // Beyond the outermost pixels' middles the image goes on as it ends.
      let p = pixels[
        min(max(y, 0), size.height - 1) * size.width + min(max(x, 0), size.width - 1)]
      return SIMD4(
        Double(p & 0xff), Double(p >> 8 & 0xff), Double(p >> 16 & 0xff), Double(p >> 24))
    }
    let top = at(x0, y0) * (1 - fx) + at(x0 + 1, y0) * fx
    let bottom = at(x0, y0 + 1) * (1 - fx) + at(x0 + 1, y0 + 1) * fx
    return top * (1 - fy) + bottom * fy
  }
}

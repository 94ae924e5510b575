// SPDX-License-Identifier: MIT

internal import Geometry

extension Bitmap {
  /// The pixels of a canvas in `bounds` where the image is stretched over `frame` and turned about the
  /// frame's middle, clear where it does not lie; written to `target`, `bounds.width` a row. Each row
  /// stands for `rowLines` lines of the canvas. Whether all are opaque.
  ///
  /// Each pixel is one sample between four of the image, which must have about as many pixels as the
  /// frame: what a turn costs does not depend on the image.
  func turned(
    over frame: Rect, by turn: Angle, in bounds: PixelRect, rowLines: Int,
    into target: UnsafeMutablePointer<UInt32>
  ) -> Bool {
    let across = (Angle.degrees(90) - turn).unit
    let down = (Angle.degrees(180) - turn).unit
    let scale = Vector(
      Double(size.width) / frame.width, Double(size.height) / frame.height)
    var isOpaque = true
    return unsafe pixels.withUnsafeBufferPointer { source in
      for y in bounds.y0..<bounds.y1 {
        let row = unsafe target + (y - bounds.y0) * bounds.width
        // Turned back by the frame's own turn: across is its x axis, down its y axis.
        let line = Double(bounds.y0) + (Double(y - bounds.y0) + 0.5) * Double(rowLines)
        let p = Point(Double(bounds.x0) + 0.5, line) - frame.center
        var q = across * p.x + down * p.y
        for x in 0..<bounds.width {
          defer { q = q + across }
          // How far inside of the edges the pixel's middle lies: a half less, and it fades.
          let inside =
            min(frame.width / 2 - abs(q.x), frame.height / 2 - abs(q.y)) + 0.5
          guard inside > 0 else {
            unsafe row[x] = 0
            isOpaque = false
            continue
          }
          let u = (q.x + frame.width / 2) * scale.x - 0.5
          let v = (q.y + frame.height / 2) * scale.y - 0.5
          var pixel = unsafe sample(source, u, v)
          if inside < 1 { pixel = Self.mix(0, pixel, UInt32(inside * 256)) }
          if pixel < 0xff00_0000 { isOpaque = false }
          unsafe row[x] = pixel
        }
      }
      return isOpaque
    }
  }

  /// The colour at a place, between the middles of four pixels. Beyond the outermost ones the image goes
  /// on as it ends.
  @inline(__always)
  private func sample(
    _ source: UnsafeBufferPointer<UInt32>, _ u: Double, _ v: Double
  ) -> UInt32 {
    // In 256ths of a pixel. Frames are at most 2³⁰ pixels large.
    let x = min(max(Int(u * 256 + 0.5), 0), (size.width - 1) * 256)
    let y = min(max(Int(v * 256 + 0.5), 0), (size.height - 1) * 256)
    let place = (y >> 8) * size.width + x >> 8
    // In bounds by the lines above; the next column and row lie in the image where a share of them is
    // taken.
    let right = x & 0xff == 0 ? 0 : 1
    let below = y & 0xff == 0 ? 0 : size.width
    let top = unsafe Self.mix(source[place], source[place + right], UInt32(x & 0xff))
    let bottom = unsafe Self.mix(
      source[place + below], source[place + below + right], UInt32(x & 0xff))
    return Self.mix(top, bottom, UInt32(y & 0xff))
  }

  /// `share` 256ths of `b`, and of `a` what remains. Two channels at a time have room for both.
  @inline(__always)
  private static func mix(_ a: UInt32, _ b: UInt32, _ share: UInt32) -> UInt32 {
    let rest = 256 &- share
    let even = ((a & 0xff_00ff) &* rest &+ (b & 0xff_00ff) &* share &+ 0x80_0080) >> 8
    let odd = (a >> 8 & 0xff_00ff) &* rest &+ (b >> 8 & 0xff_00ff) &* share &+ 0x80_0080
    return even & 0xff_00ff | odd & 0xff00_ff00
  }
}

// SPDX-License-Identifier: MIT

internal import CRoundelPixels
internal import RoundelDrawing
internal import RoundelGeometry

/// An image for interpolation at any position.
// Safe: this object owns the memory, and only reads it after `init`.
@safe final class ImageLevel: @unchecked Sendable {
  let size: PixelSize
  let isOpaque: Bool
  /// The argument of `pixels_sample`. Its texels are freed with the level.
  let image: pixels_image

  /// In bytes.
  static func cost(_ size: PixelSize) -> Int { stride(of: size.width) * size.height * 4 }

  /// An odd number of cache lines. Across the rows of a rotated image, an even number would leave
  /// half of the nearest cache unused.
  private static func stride(of width: Int) -> Int { ((width + 15) / 16 | 1) * 16 }

  init(_ bitmap: Bitmap) {
    size = bitmap.size
    let stride = Self.stride(of: size.width)
    let texels = UnsafeMutablePointer<UInt32>.allocate(capacity: stride * size.height)
    unsafe texels.initialize(repeating: 0, count: stride * size.height)
    // A bitmap has exactly the number of pixels of its size.
    unsafe bitmap.pixels.withUnsafeBufferPointer { pixels in
      guard let first = pixels.baseAddress else { return }
      for y in 0..<bitmap.size.height {
        unsafe (texels + y * stride).update(
          from: first + y * bitmap.size.width, count: bitmap.size.width)
      }
    }
    isOpaque = bitmap.pixels.allSatisfy { $0 >= 0xff00_0000 }
    unsafe image = pixels_image(
      texels: texels, stride: Int32(stride), width: Int32(size.width), height: Int32(size.height))
  }

  deinit {
    // Allocated by `init`.
    unsafe image.texels.deallocate()
  }
}

/// Interpolates an image, stretched over a frame and rotated about its centre, in O(n) in the
/// pixels. Safe: the user keeps the level alive.
@safe struct ImageSampler {
  private let image: pixels_image
  /// The vector from the centre of the frame to the centre of pixel (0, 0), along the frame's
  /// sides.
  private let origin: Vector
  /// The steps along the frame's sides to the next pixel and to the next row.
  private let across: Vector
  private let down: Vector
  private let half: Vector
  /// Texels per pixel.
  private let scale: Vector
  private let du: Int
  private let dv: Int
  /// Whether the image is transparent outside the frame. Otherwise its edge is extended.
  private let ends: Bool

  /// In canvas pixels. A shorter side is invisible.
  static let minimumSide = 0x1p-4
  /// Texels are counted in 32 bits.
  static let maximumSide = 0x1p20

  /// - Parameter ends: False if the frame covers all needed pixels at least in part.
  init(_ level: ImageLevel, frame: Rect, turn: Angle, ends: Bool) {
    unsafe image = level.image
    self.ends = ends
    across = (Angle.degrees(90) - turn).unit
    down = (Angle.degrees(180) - turn).unit
    let corner = Point(0.5, 0.5) - frame.center
    origin = across * corner.x + down * corner.y
    half = Vector(frame.width / 2, frame.height / 2)
    scale = Vector(Double(level.size.width) / frame.width, Double(level.size.height) / frame.height)
    du = Int((across.x * scale.x * Self.one).rounded())
    dv = Int((across.y * scale.y * Self.one).rounded())
  }

  func sample(_ y: Int, _ x0: Int, _ x1: Int, into row: UnsafeMutablePointer<UInt32>) {
    let start = origin + down * Double(y)
    guard ends else { return unsafe interpolate(start, x0, x1, into: row) }
    var (from, to) = range(start, x0, x1)
    // The distance of a pixel's centre from the edges, plus a half. Below 1, the pixel fades.
    func inside(_ x: Int) -> Double {
      let q = start + across * Double(x)
      return min(half.x - abs(q.x), half.y - abs(q.y)) + 0.5
    }
    while from < to, inside(from) <= 0 { from += 1 }
    while from < to, inside(to - 1) <= 0 { to -= 1 }
    guard from < to else { return unsafe (row + x0).update(repeating: 0, count: x1 - x0) }
    unsafe (row + x0).update(repeating: 0, count: from - x0)
    unsafe (row + to).update(repeating: 0, count: x1 - to)
    unsafe interpolate(start, from, to, into: row)
    // The frame is convex, so the pixels that don't fade are adjacent.
    while from < to {
      let share = inside(from)
      guard share < 1 else { break }
      unsafe row[from] = faded(row[from], to: UInt32(share * 256))
      from += 1
    }
    while from < to {
      let share = inside(to - 1)
      guard share < 1 else { break }
      unsafe row[to - 1] = faded(row[to - 1], to: UInt32(share * 256))
      to -= 1
    }
  }

  private static let one = 65536.0

  private func interpolate(
    _ start: Vector, _ x0: Int, _ x1: Int, into row: UnsafeMutablePointer<UInt32>
  ) {
    let u = Int((((start.x + half.x) * scale.x - 0.5) * Self.one).rounded(.down))
    let v = Int((((start.y + half.y) * scale.y - 0.5) * Self.one).rounded(.down))
    var (from, to) = x1 - x0 < 16 ? (x0, x0) : whole(u, v, x0, x1)
    if from >= to { (from, to) = (x0, x0) }
    // The row has space for all of them. In `whole`, all texels exist. Elsewhere they are clamped.
    func line(_ x: Int) -> pixels_line {
      pixels_line(
        u: Int32(clamping: u + du * x), v: Int32(clamping: v + dv * x), du: Int32(clamping: du),
        dv: Int32(clamping: dv))
    }
    var image = unsafe self.image
    if x0 < from { unsafe pixels_sample_clamped(&image, line(x0), row + x0, from - x0) }
    if from < to { unsafe pixels_sample(&image, line(from), row + from, to - from) }
    if to < x1 { unsafe pixels_sample_clamped(&image, line(to), row + to, x1 - to) }
  }

  /// The pixels with all four texels. Pixel 0 is at (u, v).
  private func whole(_ u: Int, _ v: Int, _ x0: Int, _ x1: Int) -> (Int, Int) {
    let limit = unsafe (Int(image.width - 1) << 16, Int(image.height - 1) << 16)
    var (from, to) = (x0, x1)
    func cut(_ start: Int, _ step: Int, _ limit: Int) {
      guard step != 0 else {
        if start < 0 || start >= limit { to = from }
        return
      }
      // One more on either side is checked below.
      let (a, b) = (-start / step, (limit - start) / step)
      from = max(from, min(a, b) - 1)
      to = min(to, max(a, b) + 2)
    }
    cut(u, du, limit.0)
    cut(v, dv, limit.1)
    // Both coordinates are linear along the row, so the pixels between two whole ones are whole.
    func isWhole(_ x: Int) -> Bool {
      let (u, v) = (u + du * x, v + dv * x)
      return u >= 0 && u < limit.0 && v >= 0 && v < limit.1
    }
    while from < to, !isWhole(from) { from += 1 }
    while from < to, !isWhole(to - 1) { to -= 1 }
    return (from, to)
  }

  /// The pixels up to half a pixel outside the frame.
  private func range(_ start: Vector, _ x0: Int, _ x1: Int) -> (Int, Int) {
    var from = Double(x0)
    var to = Double(x1)
    func cut(_ start: Double, _ step: Double, _ half: Double) {
      guard abs(step) > 1e-9 else {
        if abs(start) >= half { to = from }
        return
      }
      let (a, b) = ((-half - start) / step, (half - start) / step)
      from = max(from, min(a, b) - 1)
      to = min(to, max(a, b) + 2)
    }
    cut(start.x, across.x, half.x + 0.5)
    cut(start.y, across.y, half.y + 0.5)
    return from < to ? (Int(from), Int(to)) : (x0, x0)
  }
}

extension Tile {
  var liesInFrame: Bool {
    guard case .image(_, let frame, let fit, let turn, _) = fill, fit != .contain else {
      return false
    }
    switch shape {
    case .sector(let sector):
      let reach = min(frame.width, frame.height) / 2 - sector.center.distance(to: frame.center)
      return sector.outerRadius <= reach + 1e-9
    case .roundedRect(let rounded):
      return turn == .zero && rounded.rect.intersection(frame) == rounded.rect
    case .polygon, .rim, .modules, .text: return false
    }
  }
}

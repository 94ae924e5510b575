// SPDX-License-Identifier: MIT

internal import RoundelGeometry

/// The weights of an image's pixels along one side.
///
/// A pixel is the mean of samples no farther apart than the image's pixels, each interpolated
/// between two of them. The whole side has as many samples as the image has pixels, but at least
/// one per target pixel.
private struct ScalingAxis {
  private(set) var first: [Int] = []
  private(set) var start: [Int] = [0]
  private(set) var shares: [Float] = []

  /// The image's `length` pixels take `extent` on the canvas, starting at `origin`.
  init(_ range: Range<Int>, of length: Int, from origin: Double, extent: Double) {
    let step = Double(length) / extent
    // More are only needed if the whole image is smaller than a pixel.
    let samples = Int(min(max(step.rounded(.up), 1), 16_384))
    for place in range {
      var own: [Float] = []
      var low = 0
      for sample in 0..<samples {
        let u = (Double(place) + (Double(sample) + 0.5) / Double(samples) - origin) * step
        guard u >= 0, u < Double(length) else { continue }
        let x = u - 0.5
        let left = x.rounded(.down)
        let fraction = Float(x - left) / Float(samples)
        // Beyond the centres of the outermost pixels, the image's edge is extended.
        let pair = (max(Int(left), 0), min(Int(left) + 1, length - 1))
        if own.isEmpty { low = pair.0 }
        while own.count <= pair.1 - low { own.append(0) }
        own[pair.0 - low] += 1 / Float(samples) - fraction
        own[pair.1 - low] += fraction
      }
      first.append(low)
      shares += own
      start.append(shares.count)
    }
  }

  func taken(by index: Int) -> Range<Int> {
    first[index]..<(first[index] + start[index + 1] - start[index])
  }
}

extension Bitmap {
  /// Passes rows of `bounds` from top to bottom. Pixels outside the frame are transparent.
  ///
  /// A pixel is the mean of its area if the image shrinks, and interpolated if it grows. Each side
  /// is scaled separately, in O(n) in the pixels of the image and of the bounds.
  func stretch(
    over frame: Rect, in bounds: PixelRect, _ body: (_ line: Int, _ pixels: [UInt32]) -> Void
  ) {
    let across = ScalingAxis(
      bounds.x0..<bounds.x1, of: size.width, from: frame.x0, extent: frame.width)
    let down = ScalingAxis(
      bounds.y0..<bounds.y1, of: size.height, from: frame.y0, extent: frame.height)
    // A row of the canvas reuses at most two of the previous one.
    var rows = [[SIMD4<Float>]](
      repeating: Array(repeating: .zero, count: bounds.width), count: 4)
    var known = [Int](repeating: -1, count: rows.count)
    var pixels = [UInt32](repeating: 0, count: bounds.width)
    var sums = [SIMD4<Float>](repeating: .zero, count: bounds.width)
    for line in 0..<bounds.height {
      for index in sums.indices { sums[index] = .zero }
      for (share, row) in zip(down.shares[down.start[line]...], down.taken(by: line))
      where share != 0 {
        let slot = row % rows.count
        if known[slot] != row {
          scale(row, across, into: &rows[slot])
          known[slot] = row
        }
        // Both have as many pixels as the width of the bounds.
        unsafe rows[slot].withUnsafeBufferPointer { scaled in
          for index in sums.indices { unsafe sums[index] += scaled[index] * share }
        }
      }
      for index in sums.indices { pixels[index] = Self.pixel(sums[index]) }
      body(line, pixels)
    }
  }

  private func scale(_ row: Int, _ axis: ScalingAxis, into sums: inout [SIMD4<Float>]) {
    let start = row * size.width
    for index in sums.indices {
      var sum = SIMD4<Float>.zero
      var place = start + axis.first[index]
      for share in axis.start[index]..<axis.start[index + 1] {
        sum += Self.channels(pixels[place]) * axis.shares[share]
        place += 1
      }
      sums[index] = sum
    }
  }

  /// Blue, green, red, alpha, 0 … 255.
  @inline(__always)
  private static func channels(_ pixel: UInt32) -> SIMD4<Float> {
    SIMD4(
      Float(pixel & 0xff), Float(pixel >> 8 & 0xff), Float(pixel >> 16 & 0xff),
      Float(pixel >> 24))
  }

  @inline(__always)
  private static func pixel(_ channels: SIMD4<Float>) -> UInt32 {
    // Adding a half and truncating rounds. A sum of weights may exceed 1 by a rounding error.
    func value(_ channel: Float) -> UInt32 { min(UInt32(channel + 0.5), 255) }
    let alpha = value(channels.w)
    return alpha << 24 | min(value(channels.z), alpha) << 16 | min(value(channels.y), alpha) << 8
      | min(value(channels.x), alpha)
  }
}

// SPDX-License-Identifier: MIT

package import RoundelGeometry
package import RoundelRaster

/// The permitted difference between pictures. By default, they must be equal.
package struct Tolerance: Hashable, Sendable {
  /// The permitted difference of a pixel's red, green or blue, 0 … 255.
  package var difference: Int
  /// The number of pixels that may differ by more.
  package var pixels: Int

  package init(difference: Int = 0, pixels: Int = 0) {
    self.difference = difference
    self.pixels = pixels
  }
}

package struct PictureComparison: Hashable, Sendable {
  /// Pixels that differ by more than the tolerance.
  package let count: Int
  package let bounds: PixelRect
  package let worst: Int
  /// Whether each pixel differs, in row-major order.
  private let marks: [Bool]

  /// The pictures have the same size.
  package init(_ picture: Bitmap, with golden: Bitmap, tolerance: Tolerance) {
    precondition(picture.size == golden.size, "the pictures must have the same size")
    var (count, worst) = (0, 0)
    var bounds = PixelRect(x0: .max, y0: .max, x1: .min, y1: .min)
    var marks = [Bool](repeating: false, count: picture.pixels.count)
    if picture.pixels != golden.pixels {
      for index in picture.pixels.indices where picture.pixels[index] != golden.pixels[index] {
        let difference = Self.difference(picture.pixels[index], golden.pixels[index])
        worst = max(worst, difference)
        guard difference > tolerance.difference else { continue }
        count += 1
        marks[index] = true
        let (y, x) = index.quotientAndRemainder(dividingBy: picture.size.width)
        bounds = PixelRect(
          x0: min(bounds.x0, x), y0: min(bounds.y0, y), x1: max(bounds.x1, x + 1),
          y1: max(bounds.y1, y + 1))
      }
    }
    self.count = count
    self.worst = worst
    self.bounds = count > 0 ? bounds : .empty
    self.marks = marks
    isWithin = count <= tolerance.pixels
  }

  package let isWithin: Bool

  private static func difference(_ a: UInt32, _ b: UInt32) -> Int {
    [16, 8, 0].map { abs(Int(a >> $0 & 255) - Int(b >> $0 & 255)) }.max() ?? 0
  }

  /// `312 pixels differ, by up to 80, from 540,120 to 600,180`.
  package var summary: String {
    let box = "from \(bounds.x0),\(bounds.y0) to \(bounds.x1 - 1),\(bounds.y1 - 1)"
    return count == 1
      ? "1 pixel differs, by \(worst), at \(bounds.x0),\(bounds.y0)"
      : "\(count) pixels differ, by up to \(worst), \(box)"
  }

  package func image(of picture: Bitmap) -> Bitmap {
    var pixels = picture.pixels
    for index in pixels.indices {
      pixels[index] =
        marks[index] ? 0xffff_00ff : 0xff00_0000 | (pixels[index] >> 2 & 0x3f_3f3f)
    }
    guard count > 0 else { return Bitmap(size: picture.size, pixels: pixels) }
    // A gap around the different pixels, if there is space.
    let frame = PixelRect(
      x0: max(0, bounds.x0 - 3), y0: max(0, bounds.y0 - 3),
      x1: min(picture.size.width, bounds.x1 + 3), y1: min(picture.size.height, bounds.y1 + 3))
    for y in frame.y0..<frame.y1 {
      let isEdge = y == frame.y0 || y == frame.y1 - 1
      let columns = isEdge ? Array(frame.x0..<frame.x1) : [frame.x0, frame.x1 - 1]
      for x in columns where !marks[y * picture.size.width + x] {
        pixels[y * picture.size.width + x] = 0xffff_e000
      }
    }
    return Bitmap(size: picture.size, pixels: pixels)
  }
}

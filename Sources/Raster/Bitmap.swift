// SPDX-License-Identifier: MIT

package import Drawing
package import Geometry

/// A decoded image: rows from top to bottom, 32-bit native `0xAARRGGBB`, premultiplied, so that each colour is at
/// most the alpha.
package struct Bitmap: Hashable, Sendable {
  package let size: PixelSize
  /// `size.width · size.height` values.
  package let pixels: [UInt32]

  /// There must be exactly one value per pixel.
  package init(size: PixelSize, pixels: [UInt32]) {
    precondition(pixels.count == size.width * size.height, "one value for each pixel")
    self.size = size
    self.pixels = pixels
  }
}

extension Bitmap {
  /// The pixels that are not fully transparent.
  package var mask: ImageMask {
    // Most images are opaque. This is detected without visiting each pixel's position.
    if pixels.reduce(.max, &) >> 24 == 0xff { return ImageMask(opaque: size) }
    return ImageMask(size: size) { pixels[$0] >> 24 > 0 }
  }

  /// The samples along each side of a part, whose mean is the part's colour.
  private static let toneSteps = 4
  /// The total number of samples along each side.
  static let toneSamples = PixelSize(ImageTone.side * toneSteps, ImageTone.side * toneSteps)

  /// The colours of its parts, each the mean of at most 16 pixels.
  package var tone: ImageTone {
    let (side, steps) = (ImageTone.side, Self.toneSteps)
    // If there are fewer samples than pixels, they are at the centres of their areas.
    func place(_ index: Int, of length: Int) -> Int {
      (2 * index + 1) * length / (2 * side * steps)
    }
    guard size.width > 0, size.height > 0 else {
      return ImageTone(Array(repeating: .clear, count: side * side))
    }
    let colors = (0..<side * side).map { part in
      var sums: (red: Int, green: Int, blue: Int, alpha: Int) = (0, 0, 0, 0)
      for sample in 0..<steps * steps {
        let x = place(part % side * steps + sample % steps, of: size.width)
        let y = place(part / side * steps + sample / steps, of: size.height)
        let pixel = pixels[y * size.width + x]
        sums.red += Int(pixel >> 16 & 0xff)
        sums.green += Int(pixel >> 8 & 0xff)
        sums.blue += Int(pixel & 0xff)
        sums.alpha += Int(pixel >> 24)
      }
      guard sums.alpha > 0 else { return Color.clear }
      // No premultiplied colour exceeds the alpha.
      func straight(_ sum: Int) -> UInt8 { UInt8(min(sum * 255 / sums.alpha, 255)) }
      return Color(
        red: straight(sums.red), green: straight(sums.green), blue: straight(sums.blue),
        alpha: UInt8(sums.alpha / (steps * steps)))
    }
    return ImageTone(colors)
  }
}

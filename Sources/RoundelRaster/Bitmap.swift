// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelGeometry

/// A decoded image: rows from top to bottom, 32-bit native `0xAARRGGBB`, premultiplied.
package struct Bitmap: Hashable, Sendable {
  package let size: PixelSize
  package let pixels: [UInt32]

  package init(size: PixelSize, pixels: [UInt32]) {
    precondition(pixels.count == size.width * size.height, "one value per pixel")
    self.size = size
    self.pixels = pixels
  }
}

extension Bitmap {
  /// The pixels that are not fully transparent.
  package var mask: ImageMask {
    // Most images are opaque. This is faster than the loop below.
    if pixels.reduce(.max, &) >> 24 == 0xff { return ImageMask(opaque: size) }
    return ImageMask(size: size) { pixels[$0] >> 24 > 0 }
  }

  private static let toneSteps = 4
  static let toneSamples = PixelSize(ImageTone.side * toneSteps, ImageTone.side * toneSteps)

  /// The colours of its parts, each the mean of 16 samples.
  package var tone: ImageTone {
    let (side, steps) = (ImageTone.side, Self.toneSteps)
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
      func straight(_ sum: Int) -> UInt8 { UInt8(min(sum * 255 / sums.alpha, 255)) }
      return Color(
        red: straight(sums.red), green: straight(sums.green), blue: straight(sums.blue),
        alpha: UInt8(sums.alpha / (steps * steps)))
    }
    return ImageTone(colors)
  }
}

// SPDX-License-Identifier: MIT

package import Geometry

extension Canvas {
  /// A canvas with the pixels of a picture that has no alpha.
  package convenience init(_ bitmap: Bitmap) {
    self.init(size: bitmap.size)
    // Both have `size.width · size.height` pixels.
    unsafe withPixels { target in _ = unsafe target.update(from: bitmap.pixels) }
  }

  /// A copy of the pixels inside `rect`, which must hold at least one of the canvas.
  package func bitmap(in rect: PixelRect? = nil) -> Bitmap {
    let whole = PixelRect(size: size)
    let part = rect?.intersection(whole) ?? whole
    precondition(!part.isEmpty, "a picture needs at least one pixel")
    var copy: [UInt32] = []
    copy.reserveCapacity(part.area)
    unsafe withPixels { pixels in
      for y in part.y0..<part.y1 {
        // In bounds: the part lies inside of the canvas.
        let start = y * size.width
        unsafe copy.append(contentsOf: pixels[(start + part.x0)..<(start + part.x1)])
      }
    }
    return Bitmap(size: PixelSize(part.width, part.height), pixels: copy)
  }
}

extension Bitmap {
  /// The part inside `rect`, which must hold at least one pixel.
  package func cropped(to rect: PixelRect) -> Bitmap {
    let part = rect.intersection(PixelRect(size: size))
    precondition(!part.isEmpty, "a picture needs at least one pixel")
    var copy: [UInt32] = []
    copy.reserveCapacity(part.area)
    for y in part.y0..<part.y1 {
      copy += pixels[(y * size.width + part.x0)..<(y * size.width + part.x1)]
    }
    return Bitmap(size: PixelSize(part.width, part.height), pixels: copy)
  }

  /// The upright picture of which this one is what a panel shows that is turned by `rotation`.
  package func upright(from rotation: Rotation) -> Bitmap {
    guard rotation != .none else { return self }
    let canvas = rotation.applied(to: size)
    var copy: [UInt32] = []
    copy.reserveCapacity(pixels.count)
    for y in 0..<canvas.height {
      for x in 0..<canvas.width {
        let (px, py) =
          switch rotation {
          case .none: (x, y)
          case .quarter: (size.width - 1 - y, x)
          case .half: (size.width - 1 - x, size.height - 1 - y)
          case .threeQuarters: (y, size.height - 1 - x)
          }
        copy.append(pixels[py * size.width + px])
      }
    }
    return Bitmap(size: canvas, pixels: copy)
  }
}

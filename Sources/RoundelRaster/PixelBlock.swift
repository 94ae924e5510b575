// SPDX-License-Identifier: MIT

package import RoundelGeometry

/// Part of a picture: rows from top to bottom without padding, 32-bit native `0xFFRRGGBB`.
package struct PixelBlock: Hashable, Sendable {
  package var rect: PixelRect
  package let pixels: [UInt32]

  package init(_ rect: PixelRect, pixels: [UInt32]) {
    precondition(pixels.count == rect.area, "one value per pixel")
    self.rect = rect
    self.pixels = pixels
  }

  /// Copies pixels inside the canvas. Reuses `memory` if it is large enough.
  package init(_ rect: PixelRect, of canvas: Canvas, in memory: consuming [UInt32] = []) {
    precondition(PixelRect(size: canvas.size).contains(rect), "outside the canvas")
    self.rect = rect
    var pixels = memory
    pixels.removeAll(keepingCapacity: true)
    pixels.reserveCapacity(rect.area)
    unsafe canvas.withPixels { all in
      for y in rect.y0..<rect.y1 {
        // In bounds: the rectangle is inside the canvas.
        let start = y * canvas.size.width
        unsafe pixels.append(contentsOf: all[(start + rect.x0)..<(start + rect.x1)])
      }
    }
    self.pixels = pixels
  }
}

extension PixelBlock {
  /// Returns the pixels rotated for a panel, with the origin at (0, 0).
  package func turned(by rotation: Rotation) -> PixelBlock {
    let (width, height) = (rect.width, rect.height)
    let size = PixelSize(width, height)
    let target = PixelRect(size: rotation.applied(to: size))
    guard rotation != .none else { return PixelBlock(target, pixels: pixels) }
    // The distances between neighbours in the target.
    func index(_ x: Int, _ y: Int) -> Int {
      let place = rotation.panelRect(
        PixelRect(x0: x, y0: y, x1: x + 1, y1: y + 1), canvas: size)
      return place.y0 * target.width + place.x0
    }
    let (start, across, down) = (index(0, 0), index(1, 0) - index(0, 0), index(0, 1) - index(0, 0))
    var turned = [UInt32](repeating: 0, count: pixels.count)
    for y in 0..<height {
      for x in 0..<width { turned[start + y * down + x * across] = pixels[y * width + x] }
    }
    return PixelBlock(target, pixels: turned)
  }
}

/// A copy of a remote display's picture, so that only differences are sent.
package struct ShownPicture: Hashable, Sendable {
  package let size: PixelSize
  /// 0, which isn't an opaque colour, if unknown.
  package private(set) var pixels: [UInt32]

  package init(size: PixelSize) {
    self.size = size
    pixels = Array(repeating: 0, count: size.width * size.height)
  }

  /// Adopts the part inside the picture. Returns the bounds of changed pixels. O(n).
  package mutating func take(_ block: PixelBlock) -> PixelRect {
    let part = block.rect.intersection(PixelRect(size: size))
    var changed = PixelRect.empty
    guard !part.isEmpty else { return changed }
    for y in part.y0..<part.y1 {
      let own = y * size.width
      let new = (y - block.rect.y0) * block.rect.width - block.rect.x0
      let differs = { (x: Int) in pixels[own + x] != block.pixels[new + x] }
      guard let first = (part.x0..<part.x1).first(where: differs),
        let last = (part.x0..<part.x1).last(where: differs)
      else { continue }
      changed = changed.union(PixelRect(x0: first, y0: y, x1: last + 1, y1: y + 1))
      pixels.replaceSubrange(
        (own + first)...(own + last), with: block.pixels[(new + first)...(new + last)])
    }
    return changed
  }

  /// - Parameter rect: Inside the picture.
  package subscript(rect: PixelRect) -> PixelBlock {
    precondition(PixelRect(size: size).contains(rect), "outside the picture")
    return PixelBlock(rect, pixels: pixels.part(rect, of: size))
  }
}

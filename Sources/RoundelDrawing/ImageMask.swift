// SPDX-License-Identifier: MIT

package import RoundelGeometry

/// The pixels of an image that are not fully transparent, for hit testing.
public struct ImageMask: Hashable, Sendable {
  /// In pixels.
  package let size: PixelSize
  /// One bit per pixel, row by row. Nil if all are visible.
  private let words: [UInt64]?

  /// O(n). Uses one bit per pixel, or no memory if all are visible.
  package init(size: PixelSize, isVisible: (_ index: Int) -> Bool) {
    self.size = size
    let count = size.width * size.height
    var words = [UInt64](repeating: 0, count: (count + 63) / 64)
    var visible = 0
    for index in 0..<count where isVisible(index) {
      words[index / 64] |= 1 << UInt64(index % 64)
      visible += 1
    }
    self.words = visible == count ? nil : words
  }

  package init(opaque size: PixelSize) {
    self.size = size
    words = nil
  }

  package var isOpaque: Bool { words == nil }

  /// Whether the image in `frame` is visible at `point`. False outside the frame.
  package func contains(_ point: Point, in frame: Rect, _ fit: ImageFit) -> Bool {
    let place = fit.place(size, in: frame)
    guard frame.contains(point), place.width > 0, place.height > 0 else { return false }
    let across = (point.x - place.x0) / place.width * Double(size.width)
    let down = (point.y - place.y0) / place.height * Double(size.height)
    guard across >= 0, down >= 0, across < Double(size.width), down < Double(size.height) else {
      return false
    }
    guard let words else { return true }
    let index = Int(down) * size.width + Int(across)
    return words[index / 64] & 1 << UInt64(index % 64) != 0
  }
}

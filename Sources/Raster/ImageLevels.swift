// SPDX-License-Identifier: MIT

internal import Geometry

/// The images of a kiosk, and smaller ones of them. From those an image is scaled in the time that its
/// place on the canvas takes, however large it is.
final class ImageLevels {
  private let images: [String: Bitmap]
  let memory: ImageMemory
  private var levels: [Key: (level: Bitmap, share: ImageMemory.Share)] = [:]

  private struct Key: Hashable {
    var name: String
    var size: PixelSize
  }

  init(_ images: [String: Bitmap]) {
    self.images = images
    memory = ImageMemory(images: images.values)
  }

  /// The image, or a smaller one from which it can be scaled to about `width` × `height` pixels: it has
  /// twice as many on a side, and less than four times as many. Nil where there is no such image.
  func level(of name: String, for width: Double, _ height: Double) -> Bitmap? {
    guard let image = images[name] else { return nil }
    func side(_ length: Int, _ wanted: Double) -> Int {
      var side = length
      while Double(side) >= 4 * max(wanted, 1) { side = (side + 1) / 2 }
      return side
    }
    return level(
      image, name, PixelSize(side(image.size.width, width), side(image.size.height, height)))
  }

  /// The image with no more pixels on a side than it has at `width` × `height`. Nil where there is no
  /// such image.
  func copy(of name: String, for width: Double, _ height: Double) -> Bitmap? {
    guard let image = images[name], let level = level(of: name, for: width, height) else {
      return nil
    }
    func side(_ length: Int, _ wanted: Double) -> Int {
      max(1, min(length, Int(min(wanted, 0x1p30).rounded())))
    }
    return self.level(
      level, name, PixelSize(side(image.size.width, width), side(image.size.height, height)))
  }

  /// The image at another size, remembered where there is memory; else the source, which looks worse.
  private func level(_ source: Bitmap, _ name: String, _ size: PixelSize) -> Bitmap {
    guard size != source.size else { return source }
    let key = Key(name: name, size: size)
    if let known = levels[key] { return known.level }
    let bytes = size.width * size.height * 4
    var share = memory.take(bytes)
    if share == nil {
      levels.removeAll()
      share = memory.take(bytes)
    }
    guard let share else { return source }
    let bounds = PixelRect(size: size)
    let frame = Rect(
      x0: 0, y0: 0, x1: Double(size.width), y1: Double(size.height))
    let made = Bitmap(size: size, pixels: source.stretched(over: frame, in: bounds))
    levels[key] = (made, share)
    return made
  }
}

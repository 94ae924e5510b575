// SPDX-License-Identifier: MIT

internal import RoundelDrawing

/// The pixels of a tile, with memory for changing pixels.
struct Filling {
  private(set) var source: PixelSource?
  private(set) var gradient: Gradient?
  private var own: PixelSource?

  /// For pixels that change in each frame. Used once passed to `show`.
  var memory: PixelSource {
    mutating get {
      if let own { return own }
      let made = PixelSource()
      own = made
      return made
    }
  }

  mutating func show(_ source: PixelSource?) {
    self.source = source
    gradient = nil
    // An unused source needs no image.
    if let own, own !== source { own.clear() }
  }

  mutating func show(_ gradient: Gradient) {
    show(nil)
    self.gradient = gradient
  }
}

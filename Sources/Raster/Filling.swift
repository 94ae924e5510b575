// SPDX-License-Identifier: MIT

internal import Drawing

/// The pixels of a tile, and memory for pixels that change from frame to frame.
struct Filling {
  /// The pixels that it shows; nil for a plain colour and for an image that is missing.
  private(set) var source: PixelSource?
  /// A colour that changes from row to row, in canvas pixels; nil for everything else.
  private(set) var gradient: Gradient?
  /// Shown by this one only, or not at all.
  private var own: PixelSource?

  /// A source for pixels that are new in each frame. It is this one's own, and is shown where it is given to
  /// `show`.
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
    // A source that is not shown needs no image.
    if let own, own !== source { own.clear() }
  }

  /// Shows a vertical gradient: a plain colour in each row.
  mutating func show(_ gradient: Gradient) {
    show(nil)
    self.gradient = gradient
  }
}

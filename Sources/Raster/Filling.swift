// SPDX-License-Identifier: MIT

internal import Drawing

/// The pixels of a tile, with memory for pixels that change from frame to frame.
struct Filling {
  /// The pixels in use, or nil for a plain colour or a missing image.
  private(set) var source: PixelSource?
  /// A colour that varies from row to row, in canvas pixels, or nil for other fills.
  private(set) var gradient: Gradient?
  /// A source that only this filling uses.
  private var own: PixelSource?

  /// The filling's own source, for pixels that are new in each frame. It is in use once it is passed to `show`.
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

  /// Uses a vertical gradient: a plain colour in each row.
  mutating func show(_ gradient: Gradient) {
    show(nil)
    self.gradient = gradient
  }
}

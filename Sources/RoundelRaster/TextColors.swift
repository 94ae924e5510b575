// SPDX-License-Identifier: MIT

internal import RoundelGeometry
internal import RoundelText

/// The colours of emoji in text, at their positions on the canvas.
// Safe: this object owns the memory, and only reads it after `init`.
@safe final class TextColors {
  let bounds: PixelRect
  /// Premultiplied. 0 outside the emoji.
  private let pixels: UnsafeMutablePointer<UInt32>

  /// In bytes.
  var cost: Int { bounds.area * 4 }

  /// Returns nil if the text has no colours inside `clip`.
  init?(_ mask: GlyphMask, levels: ColorGlyphLevels, clip: PixelRect) {
    var bounds = PixelRect.empty
    let boxes = mask.colorGlyphs.map { $0.bounds.intersection(clip) }
    for box in boxes where !box.isEmpty { bounds = bounds.union(box) }
    guard !bounds.isEmpty else { return nil }
    self.bounds = bounds
    unsafe pixels = .allocate(capacity: bounds.area)
    unsafe pixels.initialize(repeating: 0, count: bounds.area)
    var row = [UInt32](repeating: 0, count: bounds.width)
    for (placed, box) in zip(mask.colorGlyphs, boxes) where !box.isEmpty {
      let frame = placed.frame
      let sides = ImageSampler.minimumSide...ImageSampler.maximumSide
      guard sides.contains(frame.width), sides.contains(frame.height),
        let level = levels.level(of: placed.glyph, for: frame.width, frame.height)
      else { continue }
      let sampler = ImageSampler(level, frame: frame, turn: placed.turn, ends: true)
      for y in box.y0..<box.y1 {
        // The row has as many pixels as the bounds, and the box is inside them.
        unsafe row.withUnsafeMutableBufferPointer { row in
          guard let start = row.baseAddress else { return }
          unsafe sampler.sample(y, box.x0, box.x1, into: start - bounds.x0)
        }
        for x in box.x0..<box.x1 {
          let place = (y - bounds.y0) * bounds.width + x - bounds.x0
          unsafe pixels[place] = covered(pixels[place], by: row[x - bounds.x0])
        }
      }
    }
  }

  deinit {
    unsafe pixels.deallocate()
  }

  /// Any position is valid.
  func at(_ x: Int, _ y: Int) -> UInt32 {
    guard x >= bounds.x0, x < bounds.x1, y >= bounds.y0, y < bounds.y1 else { return 0 }
    return unsafe pixels[(y - bounds.y0) * bounds.width + x - bounds.x0]
  }

  /// Writes the text's own colours, faded by `alpha`, and the ink elsewhere.
  func write(
    _ y: Int, _ x0: Int, _ x1: Int, over ink: UInt32, alpha: UInt32,
    to row: UnsafeMutablePointer<UInt32>
  ) {
    for x in x0..<x1 {
      let own = at(x, y)
      unsafe row[x] = own == 0 ? ink : faded(own, to: alpha + alpha >> 7)
    }
  }

  /// Returns a mask that also covers pixels with their own colour completely.
  func mask(with ink: GlyphMask) -> GlyphMask {
    let whole = ink.coverage.isEmpty ? bounds : bounds.union(ink.bounds)
    var coverage: [UInt8] = []
    coverage.reserveCapacity(whole.area)
    for y in whole.y0..<whole.y1 {
      for x in whole.x0..<whole.x1 { coverage.append(at(x, y) == 0 ? ink.coverage(x, y) : 255) }
    }
    return GlyphMask(bounds: whole, coverage: coverage)
  }
}

extension PlacedColorGlyph {
  fileprivate var bounds: PixelRect {
    let (across, down) = (turn.unit, (turn + .degrees(90)).unit)
    let width = abs(across.x) * frame.height + abs(down.x) * frame.width
    let height = abs(across.y) * frame.height + abs(down.y) * frame.width
    return PixelRect(
      covering: Rect(center: frame.center, size: Size(width, height)).inset(by: -1))
  }
}

extension GlyphMask {
  fileprivate func coverage(_ x: Int, _ y: Int) -> UInt8 {
    guard x >= bounds.x0, x < bounds.x1, y >= bounds.y0, y < bounds.y1 else { return 0 }
    return coverage[(y - bounds.y0) * bounds.width + x - bounds.x0]
  }
}

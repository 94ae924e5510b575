// SPDX-License-Identifier: MIT

internal import CRoundelFreeType
package import RoundelGeometry

/// A glyph that is an image with its own colours, such as an emoji.
package struct ColorGlyph: Hashable {
  /// Rows from top to bottom, `0xAARRGGBB`, premultiplied.
  package struct Picture {
    package let size: PixelSize
    package let pixels: [UInt32]
  }

  let strike: ColorStrike
  let index: UInt32
  package let size: PixelSize
  /// Relative to the glyph's origin, in ems, y upwards.
  let box: Rect

  package static func == (a: ColorGlyph, b: ColorGlyph) -> Bool {
    a.strike === b.strike && a.index == b.index
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(strike))
    hasher.combine(index)
  }

  /// Reads the image from the font file. Returns nil if the file is damaged. The result isn't
  /// cached.
  package func picture() -> Picture? { strike.picture(of: index) }
}

package struct PlacedColorGlyph: Hashable {
  package let glyph: ColorGlyph
  /// In canvas pixels, before rotation about its centre.
  package let frame: Rect
  /// Clockwise.
  package let turn: Angle
}

/// The largest set of glyph images in a font (CBDT, sbix).
// Safe: the file outlives it.
@safe final class ColorStrike {
  let unitsPerEm: Double
  /// In ems.
  let lineHeight: Double
  private let file: FreeTypeFace
  /// The em size in pixels of the images.
  private let em: Double

  /// Fonts have about 136 pixels per side. Larger images come from damaged files.
  private static let maximumSide = 1024

  /// Returns nil if the font has no colour images.
  init?(_ file: FreeTypeFace) {
    let handle = unsafe file.handle
    guard unsafe handle.pointee.face_flags & FT_FACE_FLAG_COLOR != 0,
      let head = unsafe FT_Get_Sfnt_Table(handle, FT_SFNT_HEAD)
    else { return nil }
    // FreeType counted the sizes.
    let sizes = unsafe UnsafeBufferPointer(
      start: handle.pointee.available_sizes, count: Int(handle.pointee.num_fixed_sizes))
    guard let largest = sizes.indices.max(by: { unsafe sizes[$0].size < sizes[$1].size }),
      unsafe FT_Select_Size(handle, FT_Int(largest)) == 0,
      let size = unsafe handle.pointee.size?.pointee.metrics, size.y_ppem > 0
    else { return nil }
    self.file = file
    em = Double(size.y_ppem)
    lineHeight = Double(size.height) / 64 / em
    unitsPerEm = unsafe max(
      Double(head.assumingMemoryBound(to: TT_Header.self).pointee.Units_Per_EM), 1)
  }

  /// The distance from a glyph's origin to the next one's, in ems.
  func advance(of index: UInt32) -> Double {
    unsafe slot(index, onlyMetrics: true).map {
      unsafe Double($0.pointee.advance.x) / 64 / em
    } ?? 0
  }

  func glyph(at index: UInt32) -> ColorGlyph? {
    guard let slot = unsafe slot(index, onlyMetrics: true) else { return nil }
    let bitmap = unsafe slot.pointee.bitmap
    let (width, height) = unsafe (Int(bitmap.width), Int(bitmap.rows))
    let sides = 1...Self.maximumSide
    guard sides.contains(width), sides.contains(height) else { return nil }
    let (left, top) = unsafe (Double(slot.pointee.bitmap_left), Double(slot.pointee.bitmap_top))
    return ColorGlyph(
      strike: self, index: index, size: PixelSize(width, height),
      box: Rect(
        x0: left / em, y0: (top - Double(height)) / em, x1: (left + Double(width)) / em,
        y1: top / em))
  }

  fileprivate func picture(of index: UInt32) -> ColorGlyph.Picture? {
    guard let slot = unsafe slot(index) else { return nil }
    let bitmap = unsafe slot.pointee.bitmap
    let (width, height) = unsafe (Int(bitmap.width), Int(bitmap.rows))
    guard unsafe bitmap.pixel_mode == FT_PIXEL_MODE_BGRA.rawValue, let rows = unsafe bitmap.buffer,
      width <= Self.maximumSide, height <= Self.maximumSide, unsafe Int(bitmap.pitch) >= width * 4
    else { return nil }
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      // Each row has `width` pixels. Blue comes first, as in a little-endian integer.
      let row = unsafe UnsafeRawPointer(rows + y * Int(bitmap.pitch))
      for x in 0..<width {
        let bytes = unsafe row.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)
        pixels.append(UInt32(littleEndian: bytes))
      }
    }
    return ColorGlyph.Picture(size: PixelSize(width, height), pixels: pixels)
  }

  /// The slot is valid until the next call.
  private func slot(_ index: UInt32, onlyMetrics: Bool = false) -> FT_GlyphSlot? {
    let handle = unsafe file.handle
    let flags =
      FT_Int32(FT_LOAD_COLOR) | (onlyMetrics ? FT_Int32(FT_LOAD_BITMAP_METRICS_ONLY) : 0)
    guard unsafe FT_Load_Glyph(handle, index, flags) == 0,
      let slot = unsafe handle.pointee.glyph,
      unsafe slot.pointee.format == FT_GLYPH_FORMAT_BITMAP
    else { return nil }
    return unsafe slot
  }
}

// SPDX-License-Identifier: MIT

internal import Geometry
internal import Text

/// Pictures of colour glyphs, scaled to the sizes at which they are shown.
final class ColorGlyphLevels {
  private struct Key: Hashable {
    var glyph: ColorGlyph
    var size: PixelSize
  }

  private var levels: [Key: ImageLevel] = [:]
  private var cost = 0

  /// The most bytes that they may take: those of 300 emoji of 32 pixels.
  private static let budget = 4 << 20

  /// A glyph that is shown `width` × `height` canvas pixels large; nil where its font file is damaged.
  ///
  /// It has as many texels for a pixel as a turned text, for the same reason: see `UprightMask`. From there it
  /// is interpolated, upright or turned.
  func level(of glyph: ColorGlyph, for width: Double, _ height: Double) -> ImageLevel? {
    func side(_ length: Double, _ texels: Int) -> Int {
      // At least two texels, or it could not be interpolated.
      max(Int(min((length * UprightMask.scale).rounded(.up), Double(texels))), 2)
    }
    let size = PixelSize(side(width, glyph.size.width), side(height, glyph.size.height))
    let key = Key(glyph: glyph, size: size)
    if let known = levels[key] { return known }
    guard let picture = glyph.picture() else { return nil }
    let made = ImageLevel(Bitmap(size: picture.size, pixels: picture.pixels).scaled(to: size))
    cost += ImageLevel.cost(size)
    if cost > Self.budget { (levels, cost) = ([:], ImageLevel.cost(size)) }
    levels[key] = made
    return made
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelGeometry
internal import RoundelText

/// Caches colour glyphs in the sizes in use.
final class ColorGlyphLevels {
  private struct Key: Hashable {
    var glyph: ColorGlyph
    var size: PixelSize
  }

  private var levels: [Key: ImageLevel] = [:]
  private var cost = 0

  /// In bytes: about 300 emoji of 32 pixels.
  private static let budget = 4 << 20

  /// Returns nil if the font file is damaged. A glyph has as many texels per pixel as rotated text
  /// (see `UprightMask`).
  func level(of glyph: ColorGlyph, for width: Double, _ height: Double) -> ImageLevel? {
    func side(_ length: Double, _ texels: Int) -> Int {
      // Interpolation needs at least two texels.
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

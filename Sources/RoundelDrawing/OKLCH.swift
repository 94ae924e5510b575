// SPDX-License-Identifier: MIT

internal import Glibc

/// A colour by perceived lightness, chroma and hue, in polar coordinates of OKLab (Björn Ottosson,
/// "A perceptual color space for image processing", 2020).
public struct OKLCH: Hashable, Sendable {
  /// From 0 (black) to 1 (white).
  public var lightness: Double
  /// The chroma. 0 is grey. At the lightness of a wedge, sRGB reaches about 0.13 for every hue.
  public var chroma: Double
  /// The hue in degrees: 29 is red, 142 green, 264 blue.
  public var hue: Double

  /// Creates a colour from its coordinates. `color` clips values outside sRGB.
  public init(lightness: Double, chroma: Double, hue: Double) {
    self.lightness = lightness
    self.chroma = chroma
    self.hue = hue
  }

  /// Converts a colour. Alpha is ignored.
  public init(_ color: Color) {
    let (r, g, b) = color.linear
    let l = cbrt(0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b)
    let m = cbrt(0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b)
    let s = cbrt(0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b)
    let a = 1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s
    let bb = 0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s
    lightness = 0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s
    chroma = (a * a + bb * bb).squareRoot()
    hue = atan2(bb, a) * 180 / .pi
  }

  /// The sRGB colour, with each channel clamped.
  public var color: Color {
    let a = chroma * cos(hue * .pi / 180)
    let b = chroma * sin(hue * .pi / 180)
    func cube(_ x: Double) -> Double { x * x * x }
    let l = cube(lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b)
    let m = cube(lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b)
    let s = cube(lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b)
    return Color(
      red: Color.channel(light: 4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s),
      green: Color.channel(light: -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s),
      blue: Color.channel(light: -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s))
  }
}

extension Color {
  /// Returns an item's default colour: equal lightness and chroma, hues spread evenly. White has a
  /// contrast of 3 : 1 on each, so large labels can share one colour. Beyond 14 items, hues step by
  /// the golden angle, because neighbours would be closer than 25°.
  public static func palette(_ index: Int, of count: Int) -> Color {
    let step = count <= 14 ? 360 / Double(max(1, count)) : 137.507_764
    let hue = (25 + Double(index) * step).truncatingRemainder(dividingBy: 360)
    return OKLCH(lightness: 0.645, chroma: 0.13, hue: hue).color
  }

  /// Returns the distance in OKLab. 0.02 is just visible side by side. Alpha is ignored.
  package func distance(to other: Color) -> Double {
    let (a, b) = (OKLCH(self), OKLCH(other))
    let turn = cos((a.hue - b.hue) * .pi / 180)
    // The law of cosines, between two directions of chroma.
    let chroma = a.chroma * a.chroma + b.chroma * b.chroma - 2 * a.chroma * b.chroma * turn
    let lightness = (a.lightness - b.lightness) * (a.lightness - b.lightness)
    return max(chroma + lightness, 0).squareRoot()
  }

  /// Returns the colour of a disabled element: no chroma, and a third of the difference in
  /// lightness to the background.
  public func disabled(on background: Color) -> Color {
    let own = OKLCH(self)
    let behind = OKLCH(background).lightness
    return OKLCH(lightness: behind + (own.lightness - behind) / 3, chroma: 0, hue: 0).color
  }
}

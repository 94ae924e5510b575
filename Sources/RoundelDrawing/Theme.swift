// SPDX-License-Identifier: MIT

internal import Glibc

/// The default colours and font of a kiosk's controls.
public struct Theme: Hashable, Sendable {
  /// The colour of marks, such as a dial's.
  public var accent: Color
  /// The opaque colour behind the controls.
  public var background: Color
  /// The colour of faces, rows and buttons.
  public var surface: Color
  /// The text colour on the background and on surfaces.
  public var text: Color
  /// The colour of less important text.
  public var muted: Color
  /// The font, completed by the screen's font.
  public var font: Font
  /// Whether usable controls have an outline in the text colour.
  package var hasOutlines = false
  /// The em size of text without a shape to fit, in design pixels.
  public var fontSize: Double

  /// The default em size on a design of 1280×800.
  public static let standardFontSize = 22.0

  /// ∛2.
  package static let stepRatio = 1.2599210498948732

  /// The nearest step of the type scale: the standard size times powers of ∛2, so that a page has
  /// few automatic sizes.
  package static func step(
    _ size: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) -> Double {
    guard size > 0, size.isFinite else { return size }
    // A step maps to itself, despite rounding of its logarithm.
    let place = log2(size / standardFontSize) * 3
    let nearest = place.rounded()
    let number = Int(abs(place - nearest) < 1e-9 ? nearest : place.rounded(rule))
    let octave = Double(number / 3 - (number % 3 < 0 ? 1 : 0))
    // The roots are constants, because C libraries differ in the last bits of a power.
    let part = [1, stepRatio, 1.5874010519681994][(number % 3 + 3) % 3]
    return standardFontSize * part * exp2(octave)
  }

  /// Half octaves, so that symbols used as text look alike on plates of different sizes.
  package static func signStep(_ size: Double) -> Double {
    guard size > 0, size.isFinite else { return size }
    let number = Int((log2(size / standardFontSize) * 2).rounded())
    let octave = Double(number / 2 - (number % 2 < 0 ? 1 : 0))
    return standardFontSize * (number % 2 == 0 ? 1 : 2.0.squareRoot()) * exp2(octave)
  }

  /// Returns the default em size on a design whose shorter side is `side` pixels: proportional, for
  /// reading where the whole screen is visible, and larger on small panels, which are viewed from
  /// nearby.
  public static func fontSize(onSide side: Double) -> Double {
    side > 800
      ? step(side * standardFontSize / 800)
      : max(side * standardFontSize / 800, min(standardFontSize, side / 16))
  }

  /// Returns the maximum em size of labels on a wheel or face: 5.4 … 6.7 % of its diameter, and
  /// more on a small one.
  package static func labelSize(onRadius radius: Double) -> Double {
    max(step(0.107 * radius, .up), step(min(standardFontSize, 0.2 * radius)))
  }

  /// Returns the em size of text alone in a box, on a page whose standard size is `standard`.
  package static func textSize(inHeight height: Double, _ standard: Double) -> Double {
    step(min(height * 0.42, max(standard * 14 / 11, height * 0.22)))
  }

  /// Light on a deep blue-grey.
  public static let dark = Theme(
    accent: OKLCH(lightness: 0.74, chroma: 0.13, hue: 60).color,
    background: Color(hex: 0x10151c),
    surface: OKLCH(lightness: 0.34, chroma: 0.026, hue: 257).color,
    text: OKLCH(lightness: 0.965, chroma: 0.006, hue: 257).color,
    muted: OKLCH(lightness: 0.74, chroma: 0.02, hue: 257).color)

  /// Ink on paper.
  public static let light = Theme(
    accent: OKLCH(lightness: 0.58, chroma: 0.14, hue: 45).color,
    background: OKLCH(lightness: 0.96, chroma: 0.008, hue: 85).color,
    surface: OKLCH(lightness: 0.89, chroma: 0.016, hue: 85).color,
    text: OKLCH(lightness: 0.25, chroma: 0.012, hue: 85).color,
    muted: OKLCH(lightness: 0.47, chroma: 0.015, hue: 85).color)

  /// White on black, with outlines: all text has a contrast of at least 7 to 1 to its background,
  /// and each control to its surroundings.
  public static let contrast: Theme = {
    var theme = Theme(
      accent: Color(hex: 0xffd60a), background: Color(hex: 0x000000), surface: Color(hex: 0x262626),
      text: Color(hex: 0xffffff), muted: Color(hex: 0xd9d9d9))
    theme.hasOutlines = true
    return theme
  }()

  package static let builtIn = ["dark": dark, "light": light, "contrast": contrast]

  /// The minimum lightness (OKLCH) of a light background.
  private static let lightBackground = 0.6
  /// The lightness of the darkest surface still distinguishable from black.
  private static let darkestSurface = 0.27

  /// Creates a theme from all colours.
  public init(
    accent: Color, background: Color, surface: Color, text: Color, muted: Color,
    font: Font = Font(), fontSize: Double = standardFontSize
  ) {
    self.accent = accent
    self.background = background
    self.surface = surface
    self.text = text
    self.muted = muted
    self.font = font
    self.fontSize = fontSize
  }

  /// Creates the theme for a background: surfaces in its hue, and text colours and accent of `dark`
  /// or `light`, whichever suits it.
  public init(background: Color) {
    let ground = OKLCH(background)
    let isLight = ground.lightness > Self.lightBackground
    let base = isLight ? Self.light : .dark
    let step = OKLCH(base.surface).lightness - OKLCH(base.background).lightness
    var face = ground
    face.lightness += step
    if !isLight { face.lightness = max(face.lightness, Self.darkestSurface) }
    self = base
    self.background = background
    surface = face.color
    if min(text.contrast(with: background), text.contrast(with: surface)) < 4.5 {
      text = background.readableText
    }
    if min(muted.contrast(with: background), muted.contrast(with: surface)) < 4.5 {
      muted = text.mixed(with: background, 0.2)
    }
  }
}

/// A fixed colour, or a colour of the current theme.
public enum ThemeColor: Hashable, Sendable {
  /// The same colour in every theme.
  case fixed(Color)
  case accent, background, surface, text, muted

  /// Returns the opaque colour `0xRRGGBB`.
  public static func hex(_ value: UInt32) -> ThemeColor { .fixed(Color(hex: value)) }

  /// `0x000000`.
  public static let black = ThemeColor.fixed(.black)
  /// `0xffffff`.
  public static let white = ThemeColor.fixed(.white)
  /// Invisible.
  public static let clear = ThemeColor.fixed(.clear)

  package var isClear: Bool {
    if case .fixed(let color) = self { color.alpha == 0 } else { false }
  }

  /// The colours, by their names in kiosk files.
  package static let named: [String: ThemeColor] = [
    "accent": .accent, "background": .background, "surface": .surface, "text": .text,
    "muted": .muted,
  ]

  /// Returns the colour in a theme.
  public func color(in theme: Theme) -> Color {
    switch self {
    case .fixed(let color): color
    case .accent: theme.accent
    case .background: theme.background
    case .surface: theme.surface
    case .text: theme.text
    case .muted: theme.muted
    }
  }
}

// SPDX-License-Identifier: MIT

public import Drawing

/// The colour laid over something that is held or lit.
public enum Answer: Hashable, Sendable {
  /// White, or near-black where white would hardly show.
  case automatic
  /// Nothing.
  case none
  /// A colour, seldom an opaque one.
  case color(ThemeColor)
  /// An image, stretched over the square around a wheel and turned to each wedge.
  case image(String)

  /// The opacity over something that is held, where it is chosen automatically.
  static let held = 0.15
  /// The opacity over something that is lit, where it is chosen automatically.
  static let lit = 0.6

  /// The colour laid over `color`, with `opacity` where it is chosen automatically; nil for nothing.
  package func veil(over color: Color, opacity: Double, in theme: Theme) -> Color? {
    switch self {
    case .automatic: color.veil(opacity)
    case .none, .image: nil
    case .color(let veil): veil.color(in: theme)
    }
  }
}

extension Color {
  /// The distance in OKLab, as a share of the opacity, from which a change is clearly visible. White
  /// reaches it up to a lightness of about 0.73, near-black above.
  private static let visibleShare = 0.28

  /// A veil of this opacity that shows on this colour: white where that makes a visible difference,
  /// otherwise near-black.
  func veil(_ opacity: Double) -> Color {
    let white = Color.white.faded(to: opacity)
    return distance(to: white.over(self)) >= Self.visibleShare * opacity
      ? white : Color.dark.faded(to: opacity)
  }

  /// The contrast from which a text keeps its colour while a finger holds it. It is low, as the text was read already.
  static let heldContrast = 2.0

  /// This colour of a text, or, where its contrast is lower, white or near-black.
  func kept(on fill: Color, contrast: Double = textContrast) -> Color {
    self.contrast(with: fill) >= contrast ? self : fill.readableText
  }
}

// SPDX-License-Identifier: MIT

public import RoundelDrawing

/// The colour drawn over a held or lit part.
public enum Feedback: Hashable, Sendable {
  /// White, or near-black for contrast.
  case automatic
  case none
  case color(ThemeColor)
  /// An image stretched over the square around a wheel, and turned to each wedge.
  case image(String)

  /// The feedback, or nil if automatic.
  var own: Feedback? {
    get { self == .automatic ? nil : self }
    set { self = newValue ?? .automatic }
  }

  /// The automatic opacity over a held part.
  static let held = 0.15
  /// The automatic opacity over a lit part.
  static let lit = 0.6

  /// `opacity` applies only to `automatic`.
  package func veil(over color: Color, opacity: Double, in theme: Theme) -> Color? {
    switch self {
    case .automatic: color.veil(opacity)
    case .none, .image: nil
    case .color(let veil): veil.color(in: theme)
    }
  }
}

extension Color {
  /// The minimum OKLab distance of a visible change, as a fraction of the opacity.
  private static let visibleShare = 0.28

  func veil(_ opacity: Double) -> Color {
    let white = Color.white.faded(to: opacity)
    return distance(to: white.over(self)) >= Self.visibleShare * opacity
      ? white : Color.dark.faded(to: opacity)
  }

  /// Low, because the text has already been read.
  static let heldContrast = 2.0

  /// This text colour if it contrasts enough, otherwise white or near-black.
  func kept(on fill: Color, contrast: Double = textContrast) -> Color {
    self.contrast(with: fill) >= contrast ? self : fill.readableText
  }
}

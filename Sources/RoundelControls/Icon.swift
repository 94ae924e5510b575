// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry

/// A symbol or image next to a label.
public enum Icon: Hashable, Sendable {
  /// An image file, shown completely.
  case image(String)
  /// The name of a symbol in the icon font, such as `lock`, or characters of another font.
  case sign(String)
}

struct IconSetting: Hashable {
  /// The side in design pixels.
  let side: Double
  /// All symbols, which share one size.
  let symbols: TextPeers
  private let font: Font

  /// - Parameter font: The font for symbols, whose characters aren't names.
  init(_ icons: [Icon], side: Double, font: Font) {
    self.side = side
    self.font = font
    symbols = TextPeers(
      icons.compactMap { icon in
        guard case .sign(let text) = icon else { return nil }
        return TextPeers.Text(Self.text(of: text, in: font), bounds: Self.bounds(side))
      })
  }

  fileprivate func text(of sign: String) -> String { Self.text(of: sign, in: font) }

  private static func text(of sign: String, in font: Font) -> String {
    font.families.isEmpty ? IconText.text(of: sign) : sign
  }

  /// The height doesn't limit a symbol, because its ink is at most as high as the em.
  fileprivate static func bounds(_ side: Double) -> TextBounds { .box(Size(side * 1.25, side * 4)) }
}

struct IconAppearance {
  var center: Point
  var scale = 1.0
  var isMoving = false
  /// The best scaling of an image isn't worth its time.
  var isBrief = false
  var ink: Color
  /// The opaque colour behind the icon.
  var background: Color
  var presence = 1.0
}

extension DisplayList {
  mutating func add(
    _ icon: Icon, _ setting: IconSetting, font: Font, _ appearance: IconAppearance,
    clip: Rect? = nil
  ) {
    switch icon {
    case .image(let image):
      let side = setting.side * appearance.scale
      let frame = Rect(center: appearance.center, size: Size(side, side))
      add(
        .rect(frame),
        .image(
          image, frame: frame, fit: .contain, isMoving: appearance.isMoving || appearance.isBrief),
        clip: clip)
      // Images have no opacity, so the background is drawn over them.
      if appearance.presence < 1 {
        add(.rect(frame), appearance.background.faded(to: 1 - appearance.presence), clip: clip)
      }
    case .sign(let text):
      var run = TextRun(
        setting.text(of: text), font: font, size: setting.side, at: appearance.center,
        bounds: IconSetting.bounds(setting.side), peers: setting.symbols,
        minimumSize: setting.side * 0.4, scale: appearance.scale, isMoving: appearance.isMoving)
      run.isCenteredByInk = true
      add(run, appearance.ink.faded(to: appearance.presence), clip: clip)
    }
  }
}

extension DrawingContext {
  /// The families of `icons`, or the font of text.
  func signFont(_ icons: Font) -> Font {
    icons.families.isEmpty ? font : icons.inheriting(from: Font(weight: FaceName.regular))
  }
}

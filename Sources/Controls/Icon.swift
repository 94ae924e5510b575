// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry

/// A symbol or image next to a label.
public enum Icon: Hashable, Sendable {
  /// An image file, shown completely.
  case image(String)
  /// Characters of a font, usually a single character of an icon font or the name of one of its ligatures. They have
  /// the label's colour.
  case sign(String)
}

/// The properties shared by the icons of a control.
struct IconSetting: Hashable {
  /// The width and height, in design pixels.
  let side: Double
  /// All symbols, which share one size.
  let signs: TextPeers

  /// Creates the setting of icons that fill squares of `side` pixels.
  init(_ icons: [Icon], side: Double) {
    self.side = side
    signs = TextPeers(
      icons.compactMap { icon in
        guard case .sign(let text) = icon else { return nil }
        return TextPeers.Text(text, room: Self.room(side))
      })
  }

  /// The space of a symbol, slightly wider than high. The height doesn't limit it, because the ink is at most as high
  /// as the em.
  fileprivate static func room(_ side: Double) -> TextBounds { .box(Size(side * 1.25, side * 4)) }
}

/// The current appearance of an icon.
struct IconLook {
  var center: Point
  /// The scale relative to the icon's own size.
  var scale = 1.0
  /// Whether the scale changes in each frame.
  var isMoving = false
  /// Whether this appearance is brief, so that the best scaling of an image isn't worth its time.
  var isBrief = false
  /// The colour of a symbol.
  var ink: Color
  /// The opaque colour behind the icon.
  var ground: Color
  /// The opacity, from 0 to 1.
  var presence = 1.0
}

extension DisplayList {
  /// Adds an icon. Symbols use `font`.
  mutating func add(_ icon: Icon, _ setting: IconSetting, font: Font, _ look: IconLook) {
    switch icon {
    case .image(let image):
      let side = setting.side * look.scale
      let frame = Rect(center: look.center, size: Size(side, side))
      add(
        .rect(frame),
        .image(image, frame: frame, fit: .contain, isMoving: look.isMoving || look.isBrief))
      // Images have no opacity, so the background is drawn over them instead.
      if look.presence < 1 { add(.rect(frame), look.ground.faded(to: 1 - look.presence)) }
    case .sign(let text):
      var run = TextRun(
        text, font: font, size: setting.side, at: look.center,
        room: IconSetting.room(setting.side), peers: setting.signs,
        minimumSize: setting.side * 0.4, scale: look.scale, isMoving: look.isMoving)
      run.isCenteredByInk = true
      add(run, look.ink.faded(to: look.presence))
    }
  }
}

extension DrawingContext {
  /// Returns the font of symbols: the families of `icons`, or the font of text if there aren't any.
  func signFont(_ icons: Font) -> Font {
    icons.families.isEmpty ? font : icons.inheriting(from: Font(weight: FaceName.regular))
  }
}

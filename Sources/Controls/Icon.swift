// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry

/// A sign that accompanies a label.
public enum Icon: Hashable, Sendable {
  /// An image file, all of which is shown.
  case image(String)
  /// Letters of a font, usually a single one of an icon font, or a name that such a font has a ligature
  /// for. They have the colour of the label.
  case sign(String)
}

/// The icons of a ring, or that of a control: the properties that they have in common.
struct IconSetting: Hashable {
  /// Width and height, in design pixels.
  let side: Double
  /// All signs, which have one size.
  let signs: TextPeers

  /// Icons that fill squares of `side` pixels.
  init(_ icons: [Icon], side: Double) {
    self.side = side
    signs = TextPeers(
      icons.compactMap { icon in
        guard case .sign(let text) = icon else { return nil }
        return TextPeers.Text(text, room: Self.room(side))
      })
  }

  /// Signs may be a little wider than high. The font's line height does not matter: the ink is at most as high as
  /// the em.
  fileprivate static func room(_ side: Double) -> TextBounds { .box(Size(side * 1.25, side * 4)) }
}

/// How an icon is shown at a moment.
struct IconLook {
  var center: Point
  /// How many times as large as it is set.
  var scale = 1.0
  /// Whether the scale changes in each frame.
  var isMoving = false
  /// Whether it is shown so only for a moment, for which the best scaling of an image is not worth its time.
  var isBrief = false
  /// The colour of a sign.
  var ink: Color
  /// The colour behind it; opaque.
  var ground: Color
  /// 0 … 1.
  var presence = 1.0
}

extension DisplayList {
  /// Adds an icon, whose signs are set in `font`.
  mutating func add(_ icon: Icon, _ setting: IconSetting, font: Font, _ look: IconLook) {
    switch icon {
    case .image(let image):
      let side = setting.side * look.scale
      let frame = Rect(center: look.center, size: Size(side, side))
      add(
        .rect(frame),
        .image(image, frame: frame, fit: .contain, isMoving: look.isMoving || look.isBrief))
      // An image has no opacity of its own; what lies behind it comes back over it.
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
  /// The font of signs: the families of the control's `icons`, or the font of all texts.
  func signFont(_ icons: Font) -> Font {
    icons.families.isEmpty ? font : icons.inheriting(from: Font(weight: FaceName.regular))
  }
}

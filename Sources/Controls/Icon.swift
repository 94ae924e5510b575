// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry

/// A symbol or image next to a label.
public enum Icon: Hashable, Sendable {
  /// An image file, shown completely.
  case image(String)
  case sign(String)
}

struct IconSetting: Hashable {
  /// The side in design pixels.
  let side: Double
  /// All symbols, which share one size.
  let signs: TextPeers

  init(_ icons: [Icon], side: Double) {
    self.side = side
    signs = TextPeers(
      icons.compactMap { icon in
        guard case .sign(let text) = icon else { return nil }
        return TextPeers.Text(text, room: Self.room(side))
      })
  }

  /// The height doesn't limit a symbol, because its ink is at most as high as the em.
  fileprivate static func room(_ side: Double) -> TextBounds { .box(Size(side * 1.25, side * 4)) }
}

struct IconLook {
  var center: Point
  var scale = 1.0
  var isMoving = false
  /// The best scaling of an image isn't worth its time.
  var isBrief = false
  var ink: Color
  /// The opaque colour behind the icon.
  var ground: Color
  var presence = 1.0
}

extension DisplayList {
  mutating func add(
    _ icon: Icon, _ setting: IconSetting, font: Font, _ look: IconLook, clip: Rect? = nil
  ) {
    switch icon {
    case .image(let image):
      let side = setting.side * look.scale
      let frame = Rect(center: look.center, size: Size(side, side))
      add(
        .rect(frame),
        .image(image, frame: frame, fit: .contain, isMoving: look.isMoving || look.isBrief),
        clip: clip)
      // Images have no opacity, so the background is drawn over them.
      if look.presence < 1 {
        add(.rect(frame), look.ground.faded(to: 1 - look.presence), clip: clip)
      }
    case .sign(let text):
      var run = TextRun(
        text, font: font, size: setting.side, at: look.center,
        room: IconSetting.room(setting.side), peers: setting.signs,
        minimumSize: setting.side * 0.4, scale: look.scale, isMoving: look.isMoving)
      run.isCenteredByInk = true
      add(run, look.ink.faded(to: look.presence), clip: clip)
    }
  }
}

extension DrawingContext {
  /// The families of `icons`, or the font of text.
  func signFont(_ icons: Font) -> Font {
    icons.families.isEmpty ? font : icons.inheriting(from: Font(weight: FaceName.regular))
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import KioskFile
internal import KioskHost
internal import RoundelMotion
internal import RoundelRaster
internal import RoundelRuntime

/// Thumbnails of the kinds of controls, painted from the reference's examples.
struct StudioPalette {
  struct Kind {
    let name: String
    /// The example's size in design pixels, or nil if it is invisible.
    let size: Size?
    let picture: [UInt8]
  }

  let kinds: [Kind]

  /// Pages show the picture at half this size.
  private static let picture = PixelSize(208, 144)
  private static let margin = 8.0
  private static let design = Size(480, 320)

  init(in theme: Theme) {
    kinds = KioskDraft.controlTypes.compactMap { Self.kind($0, theme) }
  }

  private static func kind(_ name: String, _ theme: Theme) -> Kind? {
    guard let example = KioskReference.example(of: name) else { return nil }
    // An invisible control has a picture of its effect.
    let shown: String? =
      switch name {
      case "timer": "- label: timer\n  at: [240, 160]\n  text: every 60 s\n  font_size: 56"
      case "menu": "\(example)\n  opened: true"
      default: nil
      }
    guard let stage = stage(of: shown ?? example, theme) else { return nil }
    if name == "chart" { fill(stage) }
    stage.run(to: stage.now + settled)
    let extent = stage.engine.pages[0].controls[0].control.extent
    // An open menu extends in all directions around its centre.
    let part = name == "menu" ? Rect(size: design) : extent
    return Kind(
      name: name, size: name == "timer" ? nil : extent?.size ?? label,
      picture: paint(stage, part ?? Rect(center: Rect(size: design).center, size: textPart)))
  }

  /// Seconds until initial animations have ended.
  private static let settled = 2.0
  /// The approximate size of the label example, and of the visible part.
  private static let label = Size(270, 124)
  private static let textPart = Size(320, 220)

  private static func stage(of control: String, _ theme: Theme) -> Stage? {
    let lines = control.split(separator: "\n").map { "      \($0)\n" }.joined()
    let text = """
      kiosk: palette
      screen: {size: [\(Int(design.width)), \(Int(design.height))]}
      pages:
        - page: only
          controls:
      \(lines)
      """
    let assets = Assets()
    let kiosk = ParsedKiosk(
      Array(text.utf8), path: "palette.yaml", assets: PaletteAssets(assets: assets))
    guard var description = kiosk.description else { return nil }
    // The loaded fonts are the default fonts.
    let font = description.theme.font
    description.theme = theme
    description.theme.font = font
    description.theme.fontSize = Theme.fontSize(onSide: design.height)
    let images = kiosk.images.reduce(into: [String: ImageFile]()) { $0[$1] = landscape }
    return Stage(Content(description, fonts: assets.fonts, images: images), seed: 3)
  }

  private static func fill(_ stage: Stage) {
    let value = Reference.property(
      PropertyPath(control: stage.engine.pages[0].controls[0].id, property: "value"))
    for second in 0..<30 {
      let level = 4 + 3 * Double((second * second) % 11) / 11 + Double(second) / 10
      try? stage.perform(at: Instant(seconds: Double(second))) {
        try $0.set(value, to: .number(level))
      }
    }
  }

  private static func paint(_ stage: Stage, _ part: Rect) -> [UInt8] {
    let bounds = Rect(size: Size(Double(picture.width), Double(picture.height))).inset(by: margin)
    let scale = min(bounds.width / part.width, bounds.height / part.height)
    let viewport = Viewport(
      scale: scale,
      offset: Vector(
        bounds.center.x - part.center.x * scale, bounds.center.y - part.center.y * scale))
    let painter = Painter(
      size: picture, viewport: viewport, fonts: stage.content.fonts, images: stage.content.images)
    painter.show(stage.engine.displayList)
    return PNG.encode(painter.canvas())
  }

  /// Hills at dusk.
  private static let landscape: ImageFile? = {
    let list = DisplayList(
      background: Color(hex: 0xf2b279),
      items: [
        DisplayItem(.disc(center: Point(150, 70), radius: 26), Color(hex: 0xffe6b0)),
        DisplayItem(.disc(center: Point(40, 300), radius: 190), Color(hex: 0xa8674f)),
        DisplayItem(.disc(center: Point(190, 330), radius: 190), Color(hex: 0x6b4450)),
        DisplayItem(.disc(center: Point(60, 420), radius: 240), Color(hex: 0x38304a)),
      ])
    let size = PixelSize(200, 200)
    let painter = Painter(
      size: size, viewport: Viewport(scale: 1, offset: Vector(0, 0)), fonts: Assets().fonts)
    painter.show(list)
    return try? ImageFile(PNG.encode(painter.canvas()))
  }()

  var answer: PaletteAnswer {
    PaletteAnswer(
      kinds: kinds.map {
        .init(
          name: $0.name, picture: PictureAddress.of(png: $0.picture),
          about: KioskReference.summary(of: $0.name), size: $0.size)
      })
  }
}

/// Accepts any image, because the examples use a painted one.
private struct PaletteAssets: AssetLoader {
  let assets: Assets

  func loadImage(at path: String) {}
  func loadFont(_ face: FaceName) throws(AssetError) { try assets.loadFont(face) }
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8] {
    throw AssetError("no such file")
  }
  func findProgram(_ name: String, for kiosk: String) {}
}

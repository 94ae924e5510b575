// SPDX-License-Identifier: MIT

import ArgumentParser
import Drawing
import Expressions
import Geometry
import Kiosk
import Runtime
import Motion
import Presentation
import Raster

struct Render: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Paint a page of a kiosk, as it looks before anybody touches it.",
    discussion: """
      The picture has the pixels of the panel: with --rotate 90 it lies on its
      side, as the panel shows it.

      Examples:
        roundel render shop.yaml -o shop.png
        roundel render shop.yaml -o small.png --size 800x480 --page dinner
        roundel render shop.yaml -o set.png --set minutes.value=15
      """)

  @Argument(help: "The kiosk file.", completion: .file())
  var kiosk: String

  @Option(name: [.short, .long], help: "The PNG file to write.", completion: .file())
  var output: String

  @Option(help: "The panel's pixels, at most 7680x4320 (default: the design size).")
  var size: PixelSize?

  @Option(help: "The page to paint (default: the first).")
  var page: String?

  @Option(help: "How the picture is turned on the panel (default: as the file says).")
  var rotate: Rotation?

  @Option(help: "Sets NAME=value first, a property or a value; may be repeated.")
  var set: [Assignment] = []

  @Option(help: "What the wall clock shows, as 2026-11-21T08:00 (default: 2000-01-01T00:00).")
  var at: CivilTime?

  func run() throws {
    let content = try Content(kioskFile: kiosk)
    var engine = Engine(
      content.description, seed: 0, clock: at ?? Engine.defaultClock)
    try engine.prepare(page: page, settings: set)
    let rotation = content.rotation(rotate)
    let panel = size ?? content.designPanel(rotation)
    // What `--set` turns is shown where it comes to rest.
    while engine.isMoving, let next = engine.nextChange { engine.advance(to: next) }
    let picture = HeadlessPicture(content, panel: panel, rotation: rotation)
    try Files.write(picture.png(of: engine.displayList), to: output)
  }
}

/// Pictures of a kiosk as a panel would show them.
struct HeadlessPicture {
  private let painter: Painter
  private let display: HeadlessDisplay

  init(_ content: Content, panel: PixelSize, rotation: Rotation) {
    // Nothing is paced: each picture is shown at once.
    display = HeadlessDisplay(
      size: panel, rotation: rotation, refreshInterval: 0, clock: { .zero })
    painter = content.painter(canvas: display.canvasSize)
  }

  /// Paints what changed since the last list.
  @discardableResult
  func show(_ list: DisplayList) throws(DisplayError) -> Damage {
    let damage = painter.show(list)
    try display.present(painter.canvas, damage: damage)
    return damage
  }

  func png(of list: DisplayList) throws(DisplayError) -> [UInt8] {
    try show(list)
    return PNG.encode(display.panel)
  }
}

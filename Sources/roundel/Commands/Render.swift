// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import KioskHost
import KioskProtocol
import LinuxIO
import RoundelRuntime
import RoundelMotion
import RoundelPresentation
import RoundelRaster

struct Render: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Paint a page of a kiosk in its initial state.",
    discussion: """
      The image has the panel's pixels: with --rotate 90 it is rotated, like the contents of \
      the panel's memory.

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

  @OptionGroup var options: PictureOptions

  @Option(help: "Set a property or a value first, as NAME=value; may be repeated.")
  var set: [Assignment] = []

  @Option(help: "The wall-clock time, such as 2026-11-21T08:00 (default: 2000-01-01T00:00).")
  var at: CivilTime?

  /// The maximum number of changes, including clocks and timers.
  private static let maximumChanges = 1_000

  func run() throws {
    let content = try Content(kioskFile: kiosk, panel: size, rotation: options.rotate)
    let stage = Stage(content, seed: 0, clock: at ?? Engine.defaultClock)
    try stage.perform { try $0.prepare(page: page, settings: set) }
    let shown = stage.engine.pages[stage.engine.activePage].name
    if let page, page != shown, stage.engine.pages.contains(where: { $0.name == page }) {
      throw Failure(
        .didNotHold, "cannot paint the page \"\(page)\": it continues to \"\(shown)\" at once")
    }
    let rest = Self.atRest(stage.engine)
    stage.perform { $0 = rest }
    let rotation = content.rotation(options.rotate)
    let panel = size ?? content.designPanel(rotation)
    // At 7680×4320, a display's memory would be larger than everything else.
    let picture = stage.picture(rotation.applied(to: panel))
    try Files.write(to: output) { append in
      try picture.writePNG(
        turned: rotation, depth: content.depth(options.depth), to: append)
    }
  }

  /// Advances until finite motion has ended, unless that changes the requested page.
  private static func atRest(_ engine: Engine) -> Engine {
    var rest = engine
    for _ in 0..<maximumChanges {
      guard rest.isMoving, let next = rest.nextChange else { break }
      rest.advance(to: next)
      if rest.activePage != engine.activePage { return engine }
    }
    return rest
  }
}

// SPDX-License-Identifier: MIT

import ArgumentParser
import DRMDisplay
import Geometry
import LinuxIO
import Logging
import Motion
import Presentation
import Runtime
import Session
import SystemPackage
import Terminal

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show a kiosk until it is told to stop.",
    discussion: """
      Prints the events, one JSON object a line; its log goes to the standard
      error. When the file changes it is shown anew; one with mistakes is not,
      and the running kiosk stays.

      Examples:
        roundel run shop.yaml
        roundel run shop.yaml --output HDMI-A-1 --mode 1280x800@60 --rotate 90
        roundel run shop.yaml --display headless --size 800x480
        roundel run shop.yaml --display terminal > events.jsonl
      """)

  enum DisplayKind: String, CaseIterable, ExpressibleByArgument {
    case auto, drm, terminal, headless
  }

  @Argument(help: "The kiosk file.", completion: .file())
  var kiosk: String

  @Option(
    help: "What to show it on; auto takes a DRM panel, or the terminal where there is no card.")
  var display = DisplayKind.auto

  @Option(help: "The DRM card (default: the first with a connected panel).", completion: .file())
  var card: String?

  @Option(help: "The connector, as doctor names it (default: the first connected).")
  var output: String?

  @Option(help: "WIDTHxHEIGHT[@HZ] (default: what the panel prefers).")
  var mode: ModeRequest?

  @Option(help: "How the picture is turned on the panel (default: as the file says).")
  var rotate: Rotation?

  @Option(help: "The pixels of a headless panel (default: the design size).")
  var size: PixelSize?

  @OptionGroup var terminal: TerminalOptions

  @Option(
    help: "Where other commands reach the kiosk (default: see tap --help).", completion: .file())
  var socket: String?

  @Option(help: "What chance begins with (default: chance itself).")
  var seed: UInt64?

  @Option(help: "How hard the panel must be shaken to start slots that wait for it, in g.")
  var shakeThreshold = ShakeDetector().threshold

  @Option(help: "Seconds of rest between two shakes.")
  var shakeInterval = ShakeDetector().interval

  @Flag(help: "Leave atomic commits alone, for a driver whose are broken.")
  var legacyKms = false

  @Flag(help: "Events are JSON anyway.")
  var json = false

  var shakes: ShakeDetector {
    ShakeDetector(threshold: shakeThreshold, interval: shakeInterval)
  }

  func validate() throws {
    guard shakeThreshold > 0, shakeInterval >= 0 else {
      throw ValidationError("--shake-threshold takes more than 0 g, --shake-interval 0 s or more.")
    }
  }

  func run() throws {
    let kiosk = try RunningKiosk(self)
    try kiosk.run()
  }

  /// The display that was asked for. None that may be opened is an error; a card without a panel is
  /// not: one will be plugged in. No card at all is one too, but not where somebody `isLookedAfter`:
  /// its driver will be loaded.
  func makeDisplay(
    for content: Content, on loop: EventLoop, isLookedAfter: Bool
  ) throws(Failure) -> any Display {
    let rotation = content.rotation(rotate)
    switch display {
    case .headless:
      return HeadlessDisplay(
        size: size ?? content.designPanel(rotation), rotation: rotation,
        lookedAt: false, clock: { MonotonicClock.now })
    case .terminal: return try terminal.makeDisplay(rotation: rotate, on: loop)
    case .auto, .drm:
      let panel = CardDisplay(
        OutputRequest(card: card, output: output, mode: mode), rotation: rotation,
        forcesLegacy: legacyKms, canvasSize: rotation.applied(to: content.designPanel(rotation)),
        on: loop)
      if case .waiting(let obstacle) = panel.state, !panel.hasCard,
        obstacle.kind == .permission || !isLookedAfter
      {
        if display == .auto, obstacle.kind == .unavailable, terminal.isUsed {
          return try terminal.makeDisplay(rotation: rotate, on: loop)
        }
        throw Failure(obstacle.kind == .permission ? .permission : .unavailable, "\(obstacle)")
      }
      return panel
    }
  }
}

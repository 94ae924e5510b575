// SPDX-License-Identifier: MIT

internal import ArgumentParser
package import RoundelBackends
import DRMDisplay
import RoundelDrawing
import RoundelGeometry
import Kiosk
import KioskHost
import KioskProtocol
import LinuxIO
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import RoundelRuntime
import RoundelTerminal

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Show a kiosk until interrupted.",
    discussion: """
      Prints events, one JSON object per line, unless the standard output is systemd's journal. \
      The log goes to the standard error. Reloads the kiosk when its file changes. If the new \
      file has errors, the running kiosk stays on the panel.

      Examples:
        roundel run shop.yaml
        roundel run shop.yaml --output HDMI-A-1 --mode 1280x800@60 --rotate 90
        roundel run shop.yaml --display headless --size 800x480
        roundel run shop.yaml --display wayland --size 1280x800
        roundel run shop.yaml --display terminal > events.jsonl
      """)

  @Argument(help: "The kiosk file.", completion: .file())
  var kiosk: String

  @Option(
    help: ArgumentHelp(
      "The kind of display.",
      discussion:
        "auto uses a DRM panel. If no DRM device is usable, it uses the compositor named by"
        + " WAYLAND_DISPLAY, or the terminal."))
  var display = BackendChoice.Kind.auto

  @Option(
    help: ArgumentHelp(
      "The DRM device (default: the first with a connected panel), or fbdev's device (/dev/fb0).",
      discussion:
        "A DRM device is given as a device file, as a stable name in /dev/dri/by-path, or as a driver,"
        + " such as vc4."), completion: .file())
  var card: String?

  @Option(
    help: ArgumentHelp(
      "The connector or the compositor's output, as listed by doctor (default: the first connected).",
      discussion:
        "Several connectors, separated by commas, show the same picture, each in its own mode. They may"
        + " belong to several DRM devices, and may be connected later.",
      valueName: "name,…"))
  var output: [String] = []

  @Option(help: "The panel's mode as WIDTHxHEIGHT[@HZ] (default: the preferred mode).")
  var mode: ModeRequest?

  @OptionGroup var options: PictureOptions

  @Option(
    help: ArgumentHelp(
      "The pixels of a headless panel (default: the design size), or of a Wayland window.",
      discussion: "Without a size, the kiosk fills an output of the Wayland compositor."))
  var size: PixelSize?

  @OptionGroup var terminal: TerminalOptions

  @Option(
    help: ArgumentHelp(
      "The number of painting threads, 1 … 64 (default: the number of processors, at most 4).",
      discussion: "Has no effect on the picture."))
  var threads: ThreadCount?

  @Option(
    help: "The socket for other commands (default: see tap --help).", completion: .file())
  var socket: String?

  @Option(help: "The random seed (default: different at each start).")
  var seed: UInt64?

  @Option(help: "The acceleration in g that counts as a shake, which starts slots.")
  var shakeThreshold = ShakeDetector().threshold

  @Option(help: "The minimum time between two shakes, in seconds.")
  var shakeInterval = ShakeDetector().interval

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Draw dials and wheels at the predicted position of the finger.",
      discussion: "Has no effect on values, events and recordings."))
  var touchResampling = true

  @Flag(
    help: ArgumentHelp(
      "Let Ctrl+Alt+F1 to F12 and chvt switch to another console and back.",
      discussion: "Without it, users of the panel cannot leave the kiosk."))
  var vtSwitching = false

  @Flag(help: "Don't use atomic commits, for drivers whose atomic commits fail.")
  var legacyKms = false

  @Flag(
    inversion: .prefixedNo,
    help: "Print the events (default: unless the standard output is the journal).")
  var events: Bool?

  private var outputs: [String] { output.flatMap { $0.split(separator: ",").map(String.init) } }

  func validate() throws {
    guard display != .wayland || outputs.count < 2 else {
      throw ValidationError("With --display wayland, only one --output is possible.")
    }
    guard display != .wayland || outputs.isEmpty || size == nil else {
      throw ValidationError("--output and --size cannot be combined with --display wayland.")
    }
    guard shakeThreshold > 0, shakeInterval >= 0 else {
      throw ValidationError(
        "--shake-threshold must be greater than 0, and --shake-interval at least 0.")
    }
  }

  func run() throws {
    let process = try KioskProcess(
      kiosk, printsEvents: events,
      threads: threads.map { ThreadPool(width: $0.value) } ?? ThreadPool())
    let place =
      socket.map { SocketPlace($0, isRequired: true) }
      ?? SocketPath.ofServer.map { SocketPlace($0, isRequired: false) }
    try process.run(
      on: choice(isService: process.isService), socket: place,
      seed: seed ?? .random(in: 0...UInt64.max))
  }

  /// Returns the backend. A service waits until the driver of its DRM device is loaded.
  private func choice(isService: Bool) -> BackendChoice {
    var choice = BackendChoice(display)
    choice.card = card
    choice.outputs = outputs
    choice.mode = mode
    choice.rotation = options.rotate
    choice.depth = options.depth
    choice.size = size
    choice.graphics = terminal.graphics.graphics
    choice.shakes = ShakeDetector(threshold: shakeThreshold, interval: shakeInterval)
    choice.resamplesTouches = touchResampling
    choice.switchesTerminals = vtSwitching
    choice.forcesLegacy = legacyKms
    choice.waitsForCard = isService
    return choice
  }
}

extension BackendChoice.Kind: ExpressibleByArgument {}

// SPDX-License-Identifier: MIT

internal import ArgumentParser
package import Backends
import DRMDisplay
import Drawing
import Expressions
import Geometry
import JSON
import Kiosk
import KioskHost
package import KioskProtocol
import LinuxIO
import Logging
import Motion
import Presentation
import Raster
import JSONRPC
import Runtime
import Session
package import SoundOutput
import SystemPackage
import Terminal

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Show a kiosk until it is told to stop.",
    discussion: """
      Prints the events, one JSON object a line, but not into systemd's journal; \
      its log goes to the standard error. When the file changes it is shown anew; one with mistakes is not, \
      and the running kiosk stays.

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
      "The display to show it on.",
      discussion: "auto takes a DRM panel; where no card can be used, the compositor that"
        + " WAYLAND_DISPLAY names, or the terminal."))
  var display = BackendChoice.Kind.auto

  @Option(
    help: ArgumentHelp(
      "The DRM card (default: the first with a connected panel), or fbdev's device (/dev/fb0).",
      discussion:
        "A card is a device file, a name of /dev/dri/by-path, which stays the same, or a driver, such as"
        + " vc4."), completion: .file())
  var card: String?

  @Option(
    help: ArgumentHelp(
      "The connector or the compositor's output, as doctor names it (default: the first connected).",
      discussion:
        "Several connectors, of one card or of several, with commas between them, show the same"
        + " picture, each in its own mode; they may be plugged in one by one.",
      valueName: "name,…"))
  var output: [String] = []

  @Option(help: "WIDTHxHEIGHT[@HZ] (default: what the panel prefers).")
  var mode: ModeRequest?

  @OptionGroup var options: PictureOptions

  @Option(
    help: ArgumentHelp(
      "The pixels of a headless panel (default: the design size); on Wayland a window of that size.",
      discussion: "Without a size the picture fills an output of the compositor's."))
  var size: PixelSize?

  @OptionGroup var terminal: TerminalOptions

  @Option(
    help: ArgumentHelp(
      "How many threads paint large damage, 1 … 64 (default: as many as there are processors, at most 4).",
      discussion: "The picture is the same for any number."))
  var threads: ThreadCount?

  @Option(
    help: "Where other commands reach the kiosk (default: see tap --help).", completion: .file())
  var socket: String?

  @Option(help: "The random seed (default: another one at each start).")
  var seed: UInt64?

  @Option(help: "How hard the panel must be shaken to start slots that wait for it, in g.")
  var shakeThreshold = ShakeDetector().threshold

  @Option(help: "Seconds of rest between two shakes.")
  var shakeInterval = ShakeDetector().interval

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Draw dials and wheels where the panel's finger is expected to be at each frame.",
      discussion: "Only what is drawn moves: values, events and recordings do not."))
  var touchResampling = true

  @Flag(
    help: ArgumentHelp(
      "Let Ctrl+Alt+F1 to F12 and chvt switch to another console and back.",
      discussion: "Without it nobody at the panel can leave the kiosk."))
  var vtSwitching = false

  @Flag(help: "Do not use atomic commits, for a driver in which they are broken.")
  var legacyKms = false

  @Flag(
    inversion: .prefixedNo,
    help: "Print the events (default: where the standard output is not the journal).")
  var events: Bool?

  @Flag(help: "Has no effect: events are always JSON.")
  var json = false

  private var outputs: [String] { output.flatMap { $0.split(separator: ",").map(String.init) } }

  func validate() throws {
    guard display != .wayland || outputs.count < 2 else {
      throw ValidationError("a compositor shows the picture on one --output.")
    }
    guard display != .wayland || outputs.isEmpty || size == nil else {
      throw ValidationError("--output is for a picture that fills it; a window has a --size only.")
    }
    guard shakeThreshold > 0, shakeInterval >= 0 else {
      throw ValidationError("--shake-threshold takes more than 0 g, --shake-interval 0 s or more.")
    }
  }

  func run() throws {
    let (loop, outputs): (EventLoop, OutputStreams)
    do throws(Errno) {
      loop = try EventLoop()
      outputs = try OutputStreams(output: 1, errors: 2, printsEvents: events, on: loop)
    } catch {
      throw Failure(.unavailable, "cannot wait for events: \(error)")
    }
    let service = Service(environment: Environment.variable, on: loop)
    Environment.remove(Service.inheritance)
    let machine = Machine(
      loop: loop, outputs: outputs, service: service,
      folders: StateFolders(environment: Environment.variable),
      sounds: Speaker(on: loop) { outputs.report($0, isWarning: $1) }, build: Handover.ownBuild,
      threads: threads.map { ThreadPool(width: $0.value) } ?? ThreadPool(),
      wallClock: { CivilTime(microseconds: WallClock.localMicroseconds) })
    let start = try Start(kiosk, in: machine)
    let ending = Ending()
    let backend: any Backend
    do throws(DisplayError) {
      backend = try choice(isService: service.isManaged).makeBackend(
        for: start.content, on: loop, store: service.descriptors,
        onEnd: { error in
          ending.reason = error
          loop.stop()
        }, report: { outputs.report($0) })
    } catch {
      throw Failure(error)
    }
    let place =
      socket.map { SocketPlace($0, isRequired: true) }
      ?? SocketPath.ofServer.map { SocketPlace($0, isRequired: false) }
    // `consume` lets the content be released once it is no longer shown.
    let running = try RunningKiosk(
      consume start, on: backend, in: machine, socket: place,
      seed: seed ?? .random(in: 0...UInt64.max))
    // Signals that would terminate the process also end the kiosk in an orderly way.
    let ends: Set<SignalWatch.Signal> = [.interrupt, .terminate, .quit, .user1, .user2]
    let signals: SignalWatch
    do throws(Errno) {
      signals = try SignalWatch(ends.union([.hangUp]), on: loop) { signal in
        if signal == .hangUp, !backend.endsOnHangUp { running.reload() } else { loop.stop() }
      }
    } catch {
      throw Failure(.unavailable, "cannot wait for signals: \(error)")
    }
    do throws(Failure) {
      try withExtendedLifetime(signals) { () throws(Failure) in try running.run() }
    } catch {
      running.end(inGoodOrder: false)
      throw error
    }
    running.end(inGoodOrder: ending.reason == nil)
    if let reason = ending.reason { throw Failure(reason) }
  }

  private final class Ending {
    var reason: DisplayError?
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

extension Failure {
  init(_ error: DisplayError) {
    self.init(error.kind == .permission ? .permission : .unavailable, "\(error)")
  }
}

extension Speaker: SoundPlayer {
  package var status: SoundStatus? {
    guard soundCount > 0 else { return nil }
    return SoundStatus {
      $0.state = isBusy ? "playing" : problem == nil ? "silent" : "failed"
      $0.count = soundCount
      $0.problem = problem
    }
  }
}

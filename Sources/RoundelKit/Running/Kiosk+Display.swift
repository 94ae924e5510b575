// SPDX-License-Identifier: MIT

internal import Kiosk
internal import KioskHost
internal import KioskProtocol
internal import LinuxIO
internal import RoundelBackends
internal import RoundelGeometry
internal import RoundelRaster
internal import RoundelRuntime
internal import RoundelSession
internal import SystemPackage

/// A display of this machine.
public enum Display: Sendable {
  /// A panel of a DRM device. If none is usable, the compositor in WAYLAND_DISPLAY, or the terminal.
  case automatic
  /// A panel of a DRM device, such as the output `HDMI-A-1` of `/dev/dri/card1`. The default is the
  /// first connected panel. If no panel is connected, the kiosk waits.
  case panel(device: String? = nil, output: String? = nil)
  /// A surface of the Wayland compositor in WAYLAND_DISPLAY. It fills an output, chosen by the
  /// compositor by default, or is a window with a size in pixels.
  case wayland(output: String? = nil, window: Size? = nil)
  /// A kernel frame buffer.
  case framebuffer(device: String = "/dev/fb0")
  /// The terminal of the process, with its mouse as the finger.
  case terminal
  /// No display, but a picture in memory with this size in pixels.
  case headless(Size)

  fileprivate var choice: BackendChoice {
    var choice: BackendChoice
    switch self {
    case .automatic: choice = BackendChoice(.auto)
    case .panel(let device, let output):
      choice = BackendChoice(.drm)
      choice.card = device
      choice.outputs = output.map { [$0] } ?? []
      choice.waitsForCard = true
    case .wayland(let output, let window):
      choice = BackendChoice(.wayland)
      choice.outputs = output.map { [$0] } ?? []
      choice.size = window.map { PixelSize(nearest: $0) }
    case .framebuffer(let device):
      choice = BackendChoice(.fbdev)
      choice.card = device
    case .terminal: choice = BackendChoice(.terminal)
    case .headless(let size):
      choice = BackendChoice(.headless)
      choice.size = PixelSize(nearest: size)
    }
    return choice
  }
}

extension Kiosk {
  /// Shows the kiosk until `stop` of its session, until the process is interrupted or terminated,
  /// or until its window or terminal is closed. Then ends all activity, and runs the resulting
  /// actions. Throws if the display can't be opened or ends for another reason.
  ///
  /// On the main thread, tasks of the main actor continue to run.
  ///
  /// - Parameters:
  ///   - display: The display, by default the first usable one.
  ///   - socket: The path of the socket for `roundel`'s commands, or nil for none.
  ///   - seed: The seed of random numbers, or nil for a different one at each start.
  ///   - begin: Called once with the session before the first frame.
  public func run(
    on display: Display = .automatic, socket: String? = nil, seed: UInt64? = nil,
    _ begin: (Session) -> Void = { _ in }
  ) throws(KioskError) {
    try checkNames()
    do throws(Failure) {
      let process = try KioskProcess(
        path, source: source, reading: takeReading(), printsEvents: false, threads: ThreadPool())
      var session: RunningSession?
      process.onEvent = { session?.handle(Event(SessionLine(withPrivateContentOf: $0))) }
      process.onTurn = { session?.updateStreams() }
      let mainQueue = MainQueue()
      var watches: [EventLoop.Token] = []
      do throws(Errno) {
        watches.append(
          try process.loop.watch(mailbox.descriptor) { _ in session?.runPosted() })
        if let mainQueue {
          watches.append(try process.loop.watch(mainQueue.descriptor) { _ in mainQueue.run() })
        }
      } catch {
        throw Failure(.unavailable, "cannot wait for other threads: \(error)")
      }
      defer { session?.end() }
      try withExtendedLifetime(watches) { () throws(Failure) in
        try process.run(
          on: display.choice, socket: socket.map { SocketPlace($0, isRequired: true) },
          seed: seed ?? .random(in: 0...UInt64.max)
        ) { running in
          let made = RunningSession(running.cycle, process.loop, of: self)
          session = made
          begin(made)
        }
      }
    } catch {
      throw KioskError(error)
    }
  }
}

final class RunningSession: Session {
  private let loop: EventLoop

  init(_ cycle: FrameCycle, _ loop: EventLoop, of kiosk: Kiosk) {
    self.loop = loop
    super.init(cycle, kiosk)
  }

  override func stop() { loop.stop() }
}

extension FrameCycle: SessionHost {
  func apply(_ command: Command) throws(CommandError) {
    try perform { engine throws(CommandError) in try engine.apply(command) }
  }

  func reportFailure(_ message: String) { reportFailure(message, by: .command) }
}

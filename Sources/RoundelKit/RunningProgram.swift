// SPDX-License-Identifier: MIT

internal import RoundelBackends
public import RoundelControls
internal import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
public import Kiosk
internal import LinuxIO
internal import RoundelMotion
internal import RoundelPresentation
internal import RoundelRaster
internal import RoundelRuntime
internal import SystemFonts
internal import SystemPackage
internal import RoundelText

/// A program running on a display of this machine, with its fonts, images, touch input and clock.
///
///     let kiosk = try RunningProgram(lunch)
///     try kiosk.run()
///
/// Use it on the thread that created it.
public final class RunningProgram {
  /// The display to run on.
  public enum Panel: Sendable {
    /// A panel of a DRM device, such as the output `HDMI-A-1` of `/dev/dri/card1`. The default is the first connected
    /// panel. If no panel is connected, the program waits.
    case card(device: String? = nil, output: String? = nil)
    /// A surface of the Wayland compositor in WAYLAND_DISPLAY. It fills an output, chosen by the compositor by
    /// default, or is a window with a size in pixels.
    case wayland(output: String? = nil, window: PixelSize? = nil)
    /// A kernel frame buffer.
    case framebuffer(device: String = "/dev/fb0")
    /// The terminal of the process, with its mouse as the finger.
    case terminal
    /// A panel of a DRM device. If none is usable, the compositor in WAYLAND_DISPLAY, or the terminal.
    case automatic
    /// No display, but a picture in memory with this size.
    case headless(PixelSize)

    var choice: BackendChoice {
      var choice: BackendChoice
      switch self {
      case .card(let device, let output):
        choice = BackendChoice(.drm)
        choice.card = device
        choice.outputs = output.map { [$0] } ?? []
        choice.waitsForCard = true
      case .wayland(let output, let window):
        choice = BackendChoice(.wayland)
        choice.outputs = output.map { [$0] } ?? []
        choice.size = window
      case .framebuffer(let device):
        choice = BackendChoice(.fbdev)
        choice.card = device
      case .terminal: choice = BackendChoice(.terminal)
      case .automatic: choice = BackendChoice(.auto)
      case .headless(let size):
        choice = BackendChoice(.headless)
        choice.size = size
      }
      return choice
    }
  }

  /// Called for each event, after the program's own closures.
  public var onEvent: (Event) -> Void = { _ in }
  /// Called with the program and the arguments of each `run` action.
  public var onProgram: ([String]) -> Void = { _ in }
  /// Called with the sound file of each `play` action.
  public var onSound: (String) -> Void = { _ in }

  private let cycle: FrameCycle
  private let backend: any Backend

  private let end: End
  private let loop: EventLoop
  private var wallClock: WallClock?
  private var signals: SignalWatch?
  private let preparer: ImagePreparer

  /// Starts a program. `images` are the paths of the PNG and JPEG files that its controls use. `seed` initializes the
  /// random numbers, for example of slot machines.
  ///
  /// Throws if a font or an image can't be read, or the display can't be opened.
  public init(
    _ program: Program, on panel: Panel = .card(), images: [String] = [],
    seed: UInt64 = .random(in: 0...UInt64.max)
  ) throws {
    loop = try EventLoop()
    var content = Content(
      program.description, fonts: try Self.fonts(of: program.description),
      images: try images.reduce(into: [:]) { images, path in
        images[path] = try ImageFile(FontFile.read(path))
      })
    content.imagePreparation = .later
    content.threads = ThreadPool()
    let end = End()
    self.end = end
    backend = try panel.choice.makeBackend(
      for: content, on: loop,
      onEnd: { [loop] error in
        end.reason = error
        loop.stop()
      }, report: { _ in })
    cycle = FrameCycle(
      content, on: backend.display, seed: seed,
      wallClock: { CivilTime(microseconds: WallClock.localMicroseconds) },
      clock: { MonotonicClock.now })
    preparer = ImagePreparer(for: cycle, on: try Worker(on: loop), loop)
    cycle.onEvent = { [unowned self] event in
      cycle.perform { engine in program.handle(event, on: &engine) }
      onEvent(event)
    }
    cycle.onProgram = { [unowned self] program in onProgram(program) }
    cycle.onSound = { [unowned self] sound in onSound(sound) }
    wallClock = try WallClock(on: loop) { [unowned self] in cycle.recordClockStep() }
    backend.connect(to: cycle)
  }

  /// Shows the kiosk until `stop`, until the process is interrupted or terminated, or until its window or terminal is
  /// closed. Then ends all activity, and runs the resulting actions. Throws if the display ends for another reason.
  public func run() throws {
    var ends: Set<SignalWatch.Signal> = [.interrupt, .terminate]
    if backend.endsOnHangUp { ends.insert(.hangUp) }
    signals = try SignalWatch(ends, on: loop) { [unowned self] _ in stop() }
    try loop.run {
      let deadline = cycle.turn()
      preparer.turn()
      backend.turn()
      loop.quietUntil = cycle.nextFrame
      return deadline
    }
    signals = nil
    cycle.finish()
    let held = backend.close()
    // The messages that were held back while the picture covered the terminal.
    _ = try? FileDescriptor.standardError.writeAll(held.utf8)
    if let reason = end.reason { throw reason }
  }

  private final class End {
    var reason: DisplayError?
  }

  /// Makes `run` return at the end of the current iteration.
  public func stop() { loop.stop() }

  /// The engine's state at the last event, touch or frame.
  public var engine: Engine { cycle.engine }

  /// Advances the engine to the current time, and passes it to `command`, which may change it.
  public func perform<Result, Failure: Error>(
    _ command: (inout Engine) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try cycle.perform(command)
  }

  /// Handles a touch now, in design pixels. Touches on the panel are handled automatically.
  public func handle(_ touch: Touch) { cycle.handle(touch, at: cycle.now) }

  /// The number of frames shown since the start.
  public var shownFrames: Int { cycle.frames.shown }

  /// The obstacle to showing frames, such as a missing panel or permission, or nil while frames are shown.
  public var obstacle: String? {
    if case .waiting(let obstacle) = backend.display.state { "\(obstacle)" } else { nil }
  }

  /// Adds the system's fonts for missing characters.
  private static func fonts(of description: Description) throws -> FontLibrary {
    let loader = FontLoader()
    for control in description.pages.flatMap(\.controls) {
      let font = control.font.inheriting(from: description.theme.font)
        .inheriting(from: description.screen.font)
        .preferring(weight: control.control.fontWeight)
      for face in font.faces { try loader.load(face) }
    }
    loader.loadFallback()
    return loader.library
  }
}

extension Program {
  /// Shows the kiosk on this machine's panel until the process is interrupted or terminated.
  public func run(on panel: RunningProgram.Panel = .card(), images: [String] = []) throws {
    try RunningProgram(self, on: panel, images: images).run()
  }
}

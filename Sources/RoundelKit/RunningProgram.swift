// SPDX-License-Identifier: MIT

internal import Backends
public import Controls
internal import DRMDisplay
internal import Drawing
internal import Expressions
public import Geometry
public import Kiosk
internal import LinuxIO
internal import Motion
internal import Presentation
internal import Raster
internal import Runtime
internal import SystemFonts
internal import SystemPackage
internal import Text

/// A program running on a display of this machine, with its fonts, images, touch input and clock.
///
///     let kiosk = try RunningProgram(lunch)
///     try kiosk.run()
///
/// Use it on the thread that created it.
public final class RunningProgram {
  /// The display to run on.
  public enum Panel: Sendable {
    /// A panel of a DRM card, such as the output `HDMI-A-1` of `/dev/dri/card1`; by default the first
    /// that is connected. Waits for a panel that is not connected yet.
    case card(device: String? = nil, output: String? = nil)
    /// No display: a picture in memory of this size.
    case headless(PixelSize)
  }

  /// Called for each event, after the program's own closures.
  public var onEvent: (Event) -> Void = { _ in }
  /// Called with the program and the arguments of each `run` action.
  public var onProgram: ([String]) -> Void = { _ in }
  /// Called with the sound file of each `play` action.
  public var onSound: (String) -> Void = { _ in }

  private let cycle: FrameCycle
  private let backend: any Backend

  private let loop: EventLoop
  private var wallClock: WallClock?
  private var signals: SignalWatch?
  private let preparer: ImagePreparer

  /// Starts a program. `images` are the paths of the PNG and JPEG files that its controls name. `seed`
  /// determines the results of slot machines.
  ///
  /// Throws where a font or an image cannot be read.
  public init(
    _ program: Program, on panel: Panel = .card(), images: [String] = [],
    seed: UInt64 = .random(in: 0...UInt64.max)
  ) throws {
    loop = try EventLoop()
    let screen = program.description.screen
    var content = Content(
      program.description, fonts: try Self.fonts(of: program.description),
      images: try images.reduce(into: [:]) { images, path in
        images[path] = try ImageFile(FontFile.read(path))
      })
    content.imagePreparation = .later
    switch panel {
    case .headless(let size):
      backend = HeadlessBackend(size: size, rotation: screen.rotation ?? .none)
    case .card(let device, let output):
      backend = PanelBackend(
        CardDisplay(
          OutputRequest(card: device, outputs: output.map { [$0] } ?? []),
          rotation: screen.rotation, canvasSize: content.designPanel(.none), on: loop),
        on: loop)
    }
    cycle = FrameCycle(
      content, on: backend.display, seed: seed,
      wallClock: { CivilTime(microseconds: WallClock.localMicroseconds) },
      clock: { MonotonicClock.now })
    preparer = ImagePreparer(for: cycle, on: try Worker(on: loop))
    cycle.onEvent = { [unowned self] event in
      cycle.perform { engine in program.handle(event, on: &engine) }
      onEvent(event)
    }
    cycle.onProgram = { [unowned self] program in onProgram(program) }
    cycle.onSound = { [unowned self] sound in onSound(sound) }
    wallClock = try WallClock(on: loop) { [unowned self] in cycle.noteClockStep() }
    backend.connect(to: cycle)
  }

  /// Shows the kiosk until `stop`, or until the process is interrupted or terminated.
  public func run() throws {
    signals = try SignalWatch([.interrupt, .terminate], on: loop) { [unowned self] _ in stop() }
    try loop.run {
      let deadline = cycle.turn()
      preparer.turn()
      backend.turn()
      loop.quietUntil = cycle.nextFrame
      return deadline
    }
    signals = nil
  }

  /// Makes `run` return at the end of the current turn.
  public func stop() { loop.stop() }

  /// The engine's state at the last event, touch or frame.
  public var engine: Engine { cycle.engine }

  /// Advances the engine to the present and passes it to `command`, which may change it.
  public func perform<Result, Failure: Error>(
    _ command: (inout Engine) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try cycle.perform(command)
  }

  /// Handles a touch now, in design pixels. Touches of the panel's own are handled automatically.
  public func handle(_ touch: Touch) { cycle.handle(touch, at: cycle.now) }

  /// The number of frames shown since the start.
  public var shownFrames: Int { cycle.frames.shown }

  /// Why nothing is shown, such as a missing panel or permission; nil while frames are shown.
  public var obstacle: String? {
    if case .waiting(let obstacle) = backend.display.state { "\(obstacle)" } else { nil }
  }

  /// The faces in which a program sets texts, and the system's for characters that they lack.
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

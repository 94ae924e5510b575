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

/// A program's kiosk on a display of this machine: its fonts, its images, its fingers and its clock.
///
///     let kiosk = try RunningProgram(lunch)
///     try kiosk.run()
///
/// It belongs to the thread that made it.
public final class RunningProgram {
  /// What a program is shown on.
  public enum Panel: Sendable {
    /// A connected panel of a DRM card, such as the output `HDMI-A-1` of `/dev/dri/card1`; the first
    /// one where nothing is named. A panel that is not there yet is waited for.
    case card(device: String? = nil, output: String? = nil)
    /// None: a picture in memory of this many pixels.
    case headless(PixelSize)
  }

  /// Called with each event, after the program's own closures.
  public var onEvent: (Event) -> Void = { _ in }
  /// Called with the program and the arguments of each `run` action.
  public var onProgram: ([String]) -> Void = { _ in }

  private let cycle: FrameCycle
  private let backend: any Backend

  private let loop: EventLoop
  private var wallClock: WallClock?
  private var signals: SignalWatch?

  /// Starts a program. `images` are the PNG files that its controls name, by their paths.
  ///
  /// Throws where a font or an image cannot be read.
  public init(
    _ program: Program, on panel: Panel = .card(), images: [String] = [],
    seed: UInt64 = .random(in: 0...UInt64.max)
  ) throws {
    loop = try EventLoop()
    let screen = program.description.screen
    let content = Content(
      program.description, fonts: try Self.fonts(for: screen.font),
      images: try images.reduce(into: [:]) { images, path in
        images[path] = try PNG.decode(FontFile.read(path), limit: .image)
      })
    switch panel {
    case .headless(let size):
      backend = HeadlessBackend(size: size, rotation: screen.rotation)
    case .card(let device, let output):
      backend = PanelBackend(
        CardDisplay(
          OutputRequest(card: device, output: output), rotation: screen.rotation,
          canvasSize: screen.rotation.applied(to: content.designPanel(screen.rotation)), on: loop),
        on: loop)
    }
    cycle = FrameCycle(
      content, on: backend.display, seed: seed,
      wallClock: { CivilTime(microseconds: WallClock.localMicroseconds) },
      clock: { MonotonicClock.now })
    cycle.onEvent = { [unowned self] event in
      cycle.perform { engine in program.handle(event, on: &engine) }
      onEvent(event)
    }
    cycle.onProgram = { [unowned self] program in onProgram(program) }
    wallClock = try WallClock(on: loop) { [unowned self] in cycle.noteClockStep() }
    backend.connect(to: cycle)
  }

  /// Shows the kiosk until `stop`, or until the process is interrupted or terminated.
  public func run() throws {
    signals = try SignalWatch([.interrupt, .terminate], on: loop) { [unowned self] _ in stop() }
    try loop.run {
      let deadline = cycle.turn()
      backend.turn()
      loop.quietUntil = cycle.nextFrame
      return deadline
    }
    signals = nil
  }

  /// Makes `run` return.
  public func stop() { loop.stop() }

  /// The engine as it was at the last event, touch or frame.
  public var engine: Engine { cycle.engine }

  /// Changes the kiosk, now: `command` is given the engine, which has moved on to the present.
  public func perform<Result, Failure: Error>(
    _ command: (inout Engine) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try cycle.perform(command)
  }

  /// A finger does something now, in design pixels; the panel's own fingers are handled without it.
  public func handle(_ touch: Touch) { cycle.handle(touch, at: cycle.now) }

  /// How many frames were shown since the start.
  public var shownFrames: Int { cycle.frames.shown }

  /// What keeps the kiosk from being seen, if something does: no panel, no permission.
  public var obstacle: String? {
    if case .waiting(let obstacle) = backend.display.state { "\(obstacle)" } else { nil }
  }

  /// The family's regular and bold faces, and the system's own for letters that it lacks. A font's name
  /// may be the path of a file.
  private static func fonts(for family: String) throws -> FontLibrary {
    let library = FontLibrary()
    let system = try SystemFonts()
    for name in [family, "sans-serif"] {
      for bold in [false, true] {
        let font = FontName(name, bold: bold)
        let file = font.isFile ? FontFile(path: name) : try system.file(for: name, bold: bold)
        // A family without a bold face has its regular one made bold by the typesetter.
        let face = bold && !file.isBold ? FontName(name) : font
        guard !library.contains(face) else { continue }
        try library.add(face, bytes: FontFile.read(file.path), faceIndex: file.faceIndex)
      }
    }
    library.fallbacks = [FontName("sans-serif")]
    return library
  }
}

extension Program {
  /// Shows the kiosk on this machine's panel until the process is interrupted or terminated.
  public func run(on panel: RunningProgram.Panel = .card(), images: [String] = []) throws {
    try RunningProgram(self, on: panel, images: images).run()
  }
}

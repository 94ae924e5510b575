// SPDX-License-Identifier: MIT

internal import Controls
public import DRMDisplay
internal import Drawing
internal import Expressions
public import Geometry
public import Kiosk
internal import LinuxIO
internal import Motion
public import Presentation
internal import Raster
public import Runtime
internal import SystemFonts
internal import SystemPackage
internal import Text
internal import TouchInput

/// A program's kiosk on a display of this machine: its fonts, its images, its fingers and its clock.
///
///     let kiosk = try RunningProgram(lunch)
///     try kiosk.run()
///
/// It belongs to the thread that made it.
public final class RunningProgram {
  /// What a program is shown on.
  public enum Panel: Sendable {
    /// The first connected panel of a DRM card, or the one that is asked for. One that is not there yet
    /// is waited for.
    case card(OutputRequest)
    /// None: a picture in memory of this many pixels.
    case headless(PixelSize)

    /// The first connected panel.
    public static var card: Panel { .card(OutputRequest()) }
  }

  /// The engine, the painter and the display, which commands reach by `perform`.
  public let cycle: FrameCycle
  /// What the kiosk is shown on.
  public let display: any Display
  /// Called with each event, after the program's own closures.
  public var onEvent: (Event) -> Void = { _ in }

  private let loop: EventLoop
  private var wallClock: WallClock?
  private var fingers: SeatInput?
  private var signals: SignalWatch?

  /// Starts a program. `images` are the PNG and JPEG files that its controls name, by their paths.
  ///
  /// Throws where a font or an image cannot be read.
  public init(
    _ program: Program, on panel: Panel = .card, images: [String] = [],
    seed: UInt64 = .random(in: 0...UInt64.max)
  ) throws {
    loop = try EventLoop()
    let screen = program.description.screen
    let content = Content(
      program.description, fonts: try Self.fonts(for: screen.font),
      images: try images.reduce(into: [:]) { images, path in
        images[path] = try ImageFile(FontFile.read(path))
      })
    display =
      switch panel {
      case .headless(let size):
        HeadlessDisplay(
          size: size, rotation: screen.rotation, lookedAt: false, clock: { MonotonicClock.now })
      case .card(let request):
        CardDisplay(
          request, rotation: screen.rotation,
          canvasSize: screen.rotation.applied(to: content.designPanel(screen.rotation)), on: loop)
      }
    cycle = FrameCycle(
      content, on: display, seed: seed,
      wallClock: { CivilTime(microseconds: WallClock.localMicroseconds) },
      clock: { MonotonicClock.now })
    cycle.onEvent = { [unowned self] event in
      cycle.perform { engine in program.handle(event, on: &engine) }
      onEvent(event)
    }
    wallClock = try WallClock(on: loop) { [unowned self] in cycle.noteClockStep() }
    if case .card = panel {
      fingers = try SeatInput(mapping: mapping, on: loop) { [unowned self] touch, time in
        cycle.handle(finger: touch.finger, touch.phase, at: touch.position, time: time)
      }
    }
  }

  /// Shows the kiosk until `stop`, or until the process is interrupted or terminated.
  public func run() throws {
    signals = try SignalWatch([.interrupt, .terminate], on: loop) { [unowned self] _ in stop() }
    try loop.run {
      fingers?.mapping = mapping
      let deadline = cycle.turn()
      loop.quietUntil = cycle.nextFrame
      return deadline
    }
    signals = nil
  }

  /// Makes `run` return.
  public func stop() { loop.stop() }

  /// What keeps the kiosk from being seen, if something does: no panel, no permission.
  public var obstacle: String? {
    if case .waiting(let obstacle) = display.state { "\(obstacle)" } else { nil }
  }

  private var mapping: PanelMapping {
    PanelMapping(canvas: display.canvasSize, rotation: display.rotation)
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
  public func run(on panel: RunningProgram.Panel = .card, images: [String] = []) throws {
    try RunningProgram(self, on: panel, images: images).run()
  }
}

// SPDX-License-Identifier: MIT

package import RoundelControls
package import RoundelGeometry
internal import Glibc
package import LinuxIO
package import RoundelMotion
package import RoundelPresentation
package import RoundelRaster
internal import SystemPackage

/// A terminal that displays a picture and reports the mouse. It is restored at the end.
///
///     pixels ──► ShownPicture ──► what has changed ──► HalfBlocks, Kitty, Sixel ──► bytes ──► TTY
///     TTY ──► bytes ──► InputParser ──► touches, keys, answers
///
/// Nothing blocks. The response to a status request acknowledges each frame, so a slow terminal or
/// connection gets fewer frames instead of later ones.
package final class TerminalScreen {
  /// Receives mouse events as touches, at positions relative to the picture, 0 … 1.
  package var onTouch: (Touch.Phase, Point, Timestamp) -> Void = { _, _, _ in }
  package var onKey: (Keysym, Timestamp) -> Void = { _, _ in }
  /// Called when the user quits, or the terminal is closed.
  package var onLeave: () -> Void = {}
  /// Called after the layout has changed and the picture was cleared.
  package var onResize: () -> Void = {}
  /// Called when the terminal has processed a frame.
  package var onTaken: (Timestamp) -> Void = { _ in }

  package private(set) var layout: TerminalLayout

  private let tty: TTY
  private let loop: EventLoop
  private let graphics: Graphics
  private let abilities: Abilities
  private var shown: ShownPicture
  private var blocks: HalfBlocks
  private var parser = InputParser()
  private var characters = TypedCharacters()
  private var token: EventLoop.Token?
  private var resizes: SignalWatch?
  private var isClosed = false
  private var isGone = false

  private var output: [UInt8] = []
  private var sent = 0
  private var untaken = 0
  /// Whether `output` contains a frame for a terminal that doesn't acknowledge frames.
  private var holdsFrame = false
  private var timeout: EventLoop.Token?
  private var escape: EventLoop.Token?
  /// The last position of the pressed mouse.
  private var touch: Point?

  /// One frame is displayed while the next one is transmitted.
  private static let maximumUntaken = 2
  private static let maximumAnswerSeconds = 1.0
  /// Seconds until an ESC counts as the key.
  private static let maximumEscapeSeconds = 0.2

  /// Takes over the terminal at `path`. Nil for `graphics` selects the best available.
  /// `isMultiplexed` is true if tmux or screen is in between.
  package init(
    at path: String = "/dev/tty", graphics wanted: Graphics? = nil, isMultiplexed: Bool,
    on loop: EventLoop
  ) throws(DisplayError) {
    self.loop = loop
    let tty: TTY
    do throws(Errno) {
      tty = try TTY(at: path, exitSequence: ControlSequence.leave)
    } catch {
      throw DisplayError(
        error == .permissionDenied ? .permission : .unavailable,
        "no terminal to show the kiosk (\(path): \(error)); start this in a terminal, or with ssh -t "
          + "on a remote machine")
    }
    self.tty = tty
    abilities = Self.ask(tty, &parser, isMultiplexed: isMultiplexed)
    graphics = wanted ?? abilities.graphics
    layout = Self.layout(of: tty, graphics, abilities)
    shown = ShownPicture(size: layout.size)
    blocks = HalfBlocks(columns: layout.columns, rows: layout.rows)
    do throws(Errno) {
      token = try loop.watch(tty.number) { [unowned self] in handle($0) }
      resizes = try SignalWatch([.windowChange], on: loop) { [unowned self] _ in resize() }
    } catch {
      token = nil
      isClosed = true
      _ = tty.write(ControlSequence.leave[...])
      tty.restore()
      throw DisplayError(.failed, "cannot wait for the terminal: \(error)")
    }
    send(
      ControlSequence.clear + ControlSequence.mouse
        + (usesPixelMouse ? ControlSequence.pixelMouse : []))
  }

  deinit { close() }

  package func close() {
    guard !isClosed else { return }
    isClosed = true
    (token, timeout, escape, resizes) = (nil, nil, nil, nil)
    let end = MonotonicClock.now + 0.5
    var rest = ControlSequence.leave
    if graphics == .kitty { rest.insert(contentsOf: ControlSequence.clearKitty, at: 2) }
    // Late reports would be typed into the next program. This request's response arrives after all
    // of them.
    untaken += abilities.answersStatus ? 1 : 0
    if abilities.answersStatus { rest += ControlSequence.askStatus }
    while !isGone, !rest.isEmpty || untaken > 0, tty.wait(toWrite: !rest.isEmpty, until: end) {
      if let input = tty.read() {
        isGone = input.isEmpty
        untaken -= parser.parse(input).count { $0.isStatus }
      }
      if !rest.isEmpty { rest.removeFirst(tty.write(rest[...]) ?? rest.count) }
    }
    tty.restore()
  }

  // MARK: Pictures

  /// Whether a frame would be sent immediately.
  package var isReady: Bool {
    !isClosed && sent == output.count && untaken < Self.maximumUntaken
  }

  /// Ignores pixels outside the picture. O(n). Returns the current time if nothing differs,
  /// otherwise nil, and `onTaken` reports the time.
  @discardableResult
  package func show(_ parts: [PixelBlock]) -> Timestamp? {
    let changes = parts.map { shown.take($0) }.filter { !$0.isEmpty }
    var frame: [UInt8] = []
    switch graphics {
    case .blocks: blocks.encode(shown, changes, into: &frame)
    case .kitty: KittyGraphics.encode(shown, changes, layout, into: &frame)
    case .sixel: SixelGraphics.encode(shown, changes, layout, into: &frame)
    }
    guard !frame.isEmpty else { return MonotonicClock.now }
    if abilities.hasSynchronizedOutput {
      frame = ControlSequence.beginUpdate + frame + ControlSequence.endUpdate
    }
    if abilities.answersStatus {
      frame += ControlSequence.askStatus
      untaken += 1
      waitForAnswer()
    } else {
      holdsFrame = true
    }
    output += frame
    return flush() ? MonotonicClock.now : nil
  }

  private func send(_ bytes: [UInt8]) {
    output += bytes
    write()
  }

  private func write() { if flush() { onTaken(MonotonicClock.now) } }

  /// Writes as much output as the terminal accepts. Returns whether it has now accepted a frame.
  private func flush() -> Bool {
    guard sent < output.count, !isGone else { return false }
    guard let count = tty.write(output[sent...]) else {
      leave()
      return false
    }
    sent += count
    var isTaken = false
    if sent == output.count {
      output.removeAll(keepingCapacity: true)
      sent = 0
      isTaken = holdsFrame
      holdsFrame = false
    }
    if let token {
      try? loop.change(token, to: sent < output.count ? [.readable, .writable] : .readable)
    }
    return isTaken
  }

  private func waitForAnswer() {
    timeout = nil
    guard untaken > 0 else { return }
    timeout = loop.schedule(at: MonotonicClock.now + Self.maximumAnswerSeconds) { [unowned self] in
      timeout = nil
      untaken = 0
    }
  }

  // MARK: Size

  private func resize() {
    let new = Self.layout(of: tty, graphics, abilities)
    guard new != layout else { return }
    cancelTouch()
    layout = new
    shown = ShownPicture(size: new.size)
    blocks = HalfBlocks(columns: new.columns, rows: new.rows)
    send((graphics == .kitty ? ControlSequence.clearKitty : []) + ControlSequence.clear)
    onResize()
  }

  private static func layout(
    of tty: TTY, _ graphics: Graphics, _ abilities: Abilities
  ) -> TerminalLayout {
    let size = tty.size
    return TerminalLayout(
      graphics, columns: size.columns, rows: size.rows,
      cell: cell(of: size) ?? abilities.cell)
  }

  private static func cell(of size: (columns: Int, rows: Int, pixels: PixelSize?)) -> PixelSize? {
    size.pixels.map { PixelSize($0.width / size.columns, $0.height / size.rows) }
      .flatMap { TerminalLayout.isUsable(cell: $0) ? $0 : nil }
  }

  // MARK: Input

  /// Waits for the terminal's capabilities.
  private static func ask(
    _ tty: TTY, _ parser: inout InputParser, isMultiplexed: Bool
  ) -> Abilities {
    var abilities = Abilities(isMultiplexed: isMultiplexed)
    var question = (ControlSequence.enter + abilities.query)[...]
    // A second is enough even for the longest connections.
    let end = MonotonicClock.now + 1
    while !abilities.isComplete, tty.wait(toWrite: !question.isEmpty, until: end) {
      if !question.isEmpty {
        guard let count = tty.write(question) else { break }
        question = question.dropFirst(count)
      }
      guard let bytes = tty.read() else { continue }
      guard !bytes.isEmpty else { break }
      for input in parser.parse(bytes) { abilities.learn(input) }
    }
    return abilities
  }

  private func handle(_ readiness: EventLoop.Readiness) {
    if readiness.contains(.writable) { write() }
    guard readiness != .writable, let bytes = tty.read() else { return }
    guard !bytes.isEmpty else {
      leave()
      return
    }
    for input in parser.parse(bytes) { handle(input) }
    escape = nil
    if parser.isEscapePending {
      escape = loop.schedule(at: MonotonicClock.now + Self.maximumEscapeSeconds) { [unowned self] in
        escape = nil
        if let input = parser.endEscape() { handle(input) }
      }
    }
  }

  private func handle(_ input: InputParser.Input) {
    switch input {
    // Ctrl+C is 3.
    case .key(UInt8(ascii: "q")), .key(UInt8(ascii: "Q")), .key(3), .escape: onLeave()
    case .mouse(let report): handle(report)
    case .key, .shift, .control, .command:
      if let symbol = characters.symbol(of: input) { onKey(symbol, MonotonicClock.now) }
      if input.isStatus, untaken > 0 {
        untaken -= 1
        waitForAnswer()
        onTaken(MonotonicClock.now)
      }
    }
  }

  private var usesPixelMouse: Bool {
    abilities.hasPixelMouse && Self.cell(of: tty.size) != nil
  }

  private func handle(_ report: MouseReport) {
    let now = MonotonicClock.now
    // The centre of a cell, or of a pixel.
    let cell = usesPixelMouse ? Self.cell(of: tty.size) ?? PixelSize(1, 1) : PixelSize(1, 1)
    func part(_ place: Int, _ count: Int) -> Double {
      min(max((Double(place) - 0.5) / Double(count), 0), 1)
    }
    let place = Point(
      part(report.column, layout.columns * cell.width), part(report.row, layout.rows * cell.height))
    switch report.action {
    case .press:
      cancelTouch()
      touch = place
      onTouch(.down, place, now)
    case .move where touch != nil:
      touch = place
      onTouch(.move, place, now)
    case .release where touch != nil:
      touch = nil
      onTouch(.up, place, now)
    case .move, .release, .other: break
    }
  }

  private func cancelTouch() {
    guard let place = touch else { return }
    touch = nil
    onTouch(.cancel, place, MonotonicClock.now)
  }

  private func leave() {
    guard !isGone else { return }
    isGone = true
    token = nil
    cancelTouch()
    onLeave()
  }
}

extension InputParser.Input {
  /// CSI 0 n.
  fileprivate var isStatus: Bool {
    self == .control(mark: nil, parameters: [0], intermediates: [], final: UInt8(ascii: "n"))
  }
}

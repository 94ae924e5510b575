// SPDX-License-Identifier: MIT

import DRMDisplay
import Geometry
import Glibc
import Haptics
import Kiosk
import Runtime
import LinuxIO
import Logging
import Motion
import Presentation
import Remote
import RemoteControl
import Session
import ShakeInput
import SystemPackage
import Terminal
import TouchInput

/// A kiosk on a display of this machine: its frame cycle, its fingers, its file, and the service
/// manager that looks after it.
final class RunningKiosk {
  private let path: String
  /// The rotation, whatever the file says: the command line's, or none in a terminal.
  private let rotationOverride: Rotation?
  private let loop: EventLoop
  /// Reads the file anew, which takes long where it has large images.
  private let reader: Worker
  private let display: any Display
  private let cycle: FrameCycle
  private let printer = EventPrinter()
  private let log: Logger
  private let service: Service
  private var signals: SignalWatch?
  private var file: FileWatch?
  private var seatInput: SeatInput?
  private var accelerometer: Accelerometer?
  private var haptics: Haptics?
  private var console: Console?
  private var remote: KioskServer?
  private var shownState: DisplayState?
  /// Whether what another page needed may still be kept from the system.
  private var hasLeftPage = false
  /// What would be written over the picture in a terminal.
  private var heldMessages: HeldMessages?

  init(_ options: Run) throws {
    var log = Logger(label: "roundel") { StreamLogHandler(label: $0, stream: StandardErrorLog()) }
    log.logLevel = .info
    self.log = log
    path = options.kiosk
    let content = try Content(kioskFile: path)
    do throws(Errno) {
      loop = try EventLoop()
      reader = try Worker(on: loop)
    } catch {
      throw Failure(.unavailable, "cannot wait for events: \(error)")
    }
    service = Service(loop, log)
    display = try options.makeDisplay(
      for: content, on: loop, isLookedAfter: service.isManaged)
    let terminal = display as? TerminalDisplay
    rotationOverride = terminal?.rotation ?? options.rotate
    if terminal != nil { heldMessages = HeldMessages() }
    let printsEvents = terminal == nil || !StandardOutput.isTerminal
    cycle = FrameCycle(
      content, on: display, seed: options.seed ?? .random(in: 0...UInt64.max),
      clock: { MonotonicClock.now })
    cycle.onEvent = { [unowned self] event in
      if printsEvents { printer.print(SessionLine(event).text) }
      if event.name == "passing" { haptics?.tick() }
      if event.name == "page" { hasLeftPage = true }
      remote?.tell(event)
    }
    cycle.onProgram = { [unowned self] program in start(program) }
    cycle.onDisplayError = { [log] error in log.warning("\(error)") }
    cycle.onFlip = { [service] _ in service.reportReady() }
    if let terminal {
      take(terminal)
    } else if options.display != .headless {
      takePanel(shakes: options.shakes)
    }
    try serve(at: options.socket)
  }

  /// Listens for clients. A socket that was asked for must be had; else the kiosk does without.
  private func serve(at path: String?) throws(Failure) {
    guard let place = path ?? SocketPath.ofServer else {
      log.info("no socket for other commands; name one with --socket")
      return
    }
    do throws(ServerError) {
      let remote = try KioskServer(
        at: place, for: cycle, on: display, version: Roundel.version, loop: loop,
        clock: { MonotonicClock.now })
      remote.onReload = { [unowned self] whenDone in
        reload { problem in whenDone(problem.map { RemoteError(.failed, $0) }) }
      }
      remote.inputs = { [unowned self] in seatInput?.devices.map(\.name) ?? [] }
      remote.onStop = { [unowned self] in loop.stop() }
      remote.output = { [display] in
        guard let output = (display as? CardDisplay)?.output else { return [] }
        return [
          ("card", output.card), ("output", output.connector.name), ("mode", "\(output.mode)"),
        ]
      }
      self.remote = remote
    } catch {
      guard path == nil else {
        throw Failure(error.isPermission ? .permission : .unavailable, "\(error)")
      }
      log.warning("other commands cannot reach this kiosk: \(error)")
    }
  }

  /// Listens to the mouse in a terminal.
  private func take(_ terminal: TerminalDisplay) {
    terminal.onTouch = { [unowned self] phase, place, time in
      cycle.handle(finger: 0, phase, at: place, time: time)
    }
    terminal.onLeave = { [unowned self] in loop.stop() }
  }

  /// How fingers on the panel find the picture.
  private var mapping: PanelMapping {
    PanelMapping(canvas: display.canvasSize, rotation: display.rotation)
  }

  /// Listens to the fingers on the panel, and as a service takes over the console under it; a person
  /// who starts a kiosk by hand wants to end it by Ctrl+C.
  private func takePanel(shakes: ShakeDetector) {
    do throws(InputError) {
      let input = try SeatInput(mapping: mapping, on: loop) { [unowned self] touch, time in
        cycle.handle(finger: touch.finger, touch.phase, at: touch.position, time: time)
      }
      input.onMessage = { [log] message in log.debug("libinput: \(message)") }
      for problem in input.problems { log.warning("\(problem)") }
      if !input.devices.contains(where: { $0.kinds.contains(.touch) || $0.kinds.contains(.pointer) }
      ) {
        log.warning("there is no touch panel and no pointer; one that is plugged in will be used")
      }
      seatInput = input
    } catch {
      // The kiosk can be seen all the same, and driven over its socket.
      log.error("no touch: \(error)")
    }
    accelerometer = Accelerometer(detector: shakes, on: loop) { [unowned self] time in
      cycle.shake(time: time)
    }
    do throws(Errno) {
      haptics = try Haptics(on: loop)
    } catch {
      log.warning("no haptics: \(error)")
    }
    guard service.isManaged else { return }
    do throws(Errno) {
      console = try Console(0)
    } catch {
      log.warning("the console stays as it is: \(error)")
    }
  }

  func run() throws {
    // A reader of the events that has gone must not end the kiosk.
    _ = signal(SIGPIPE, SIG_IGN)
    do throws(Errno) {
      signals = try SignalWatch([.interrupt, .terminate, .hangUp], on: loop) {
        [unowned self] signal in
        // A terminal that hangs up is gone.
        if signal == .hangUp, !(display is TerminalDisplay) { reload() } else { loop.stop() }
      }
      file = try FileWatch([path], on: loop) { [unowned self] in reload() }
      try loop.run { turn() }
    } catch {
      throw Failure(.unavailable, "the kiosk cannot go on: \(error)")
    }
    service.reportStopping()
    leaveTerminal()
  }

  private func leaveTerminal() {
    guard let terminal = display as? TerminalDisplay else { return }
    terminal.close()
    heldMessages?.release()
  }

  private func turn() -> Instant? {
    let deadline = cycle.turn()
    loop.quietUntil = cycle.nextFrame
    remote?.turn()
    seatInput?.mapping = mapping
    listenForShakes()
    if hasLeftPage, cycle.isStill {
      hasLeftPage = false
      FreedMemory.giveBack()
    }
    tellState()
    printer.flush()
    // A slow reader is asked again soon; nothing tells when it has room that also works for files.
    guard printer.isBehind else { return deadline }
    let again = MonotonicClock.now + 0.05
    return min(deadline ?? again, again)
  }

  /// An accelerometer costs wake-ups, so it is asked only while a shake would do something.
  private func listenForShakes() {
    do throws(Errno) {
      try accelerometer?.listen(cycle.awaitsShake)
    } catch {
      log.warning("no shaking: \(error)")
      accelerometer = nil
    }
  }

  private func tellState() {
    guard display.state != shownState else { return }
    shownState = display.state
    switch display.state {
    case .showing: log.info("showing \(path) at \(display.canvasSize)")
    case .asleep: log.info("the panel sleeps")
    case .waiting(let obstacle):
      log.warning("nothing is shown: \(obstacle)")
      // The kiosk does all that it can, and goes on by itself when there is a panel.
      service.reportReady()
    }
    service.report(display.state)
  }

  /// Reads the file anew, with its fonts and images, while the running kiosk goes on; then tells what
  /// went wrong, if it did.
  private func reload(whenDone: @escaping (_ problem: String?) -> Void = { _ in }) {
    reader.run { [path] in
      Result { () throws(Failure) in try Content(kioskFile: path) }
    } whenDone: { [unowned self] reading in
      switch reading {
      case .success(let content):
        // A rotation that was commanded since stays until the file says another.
        if content.rotation(nil) != cycle.content.rotation(nil) {
          display.rotation = content.rotation(rotationOverride)
        }
        cycle.replace(with: content)
        log.info("\(path) was read anew")
        whenDone(nil)
      case .failure(let failure):
        let problem = "\(path) was not read anew, the running kiosk stays. \(failure.message)"
        log.error("\(problem)")
        whenDone(problem)
      }
    }
  }

  private func start(_ program: [String]) {
    let name = program.first ?? ""
    do throws(Errno) {
      try ChildProcess.start(program, on: loop) { [unowned self] exit in
        if exit != .status(0) { cycle.reportFailure("\(name) \(exit)") }
      }
    } catch {
      cycle.reportFailure("cannot start \(name): \(error)")
    }
  }
}

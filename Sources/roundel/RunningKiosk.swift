// SPDX-License-Identifier: MIT

import DRMDisplay
import Expressions
import Geometry
import Glibc
import Haptics
import JSON
import Kiosk
import Runtime
import LinuxIO
import Logging
import Motion
import Presentation
import Raster
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
  /// Reads the file anew and scales images, both of which take long.
  private let reader: Worker
  private var isScaling = false
  private let display: any Display
  private let cycle: FrameCycle
  private let programs: ChildProcesses
  /// The standard output and error. Either may be read slowly, or never.
  private let events: LineWriter
  private let messages: LineWriter
  private let log: Logger
  private let service: Service
  private var signals: SignalWatch?
  /// What the kiosk was read from.
  private var files: [String]
  private var watch: FileWatch?
  private var seatInput: SeatInput?
  private var accelerometer: Accelerometer?
  private var haptics: Haptics?
  private var console: Console?
  private var wallClock: WallClock?
  private let kept: KeptValues?
  private var remote: KioskServer?
  private var shownState: DisplayState?
  /// Whether what another page, another version or a decoded image needed may still be kept from the
  /// system.
  private var hasFreedMemory = false
  /// What would be written over the picture in a terminal.
  private var heldMessages: HeldMessages?
  /// Those who wait for the reading that is under way, and for the next; nil where there is none.
  private var readingIsFor: [ReloadHandler]?
  private var nextReadingIsFor: [ReloadHandler]?

  /// Called with what went wrong, if something did.
  typealias ReloadHandler = (_ problem: String?) -> Void

  /// Seconds for what is unread when the kiosk ends.
  private static let farewell = 0.5

  init(_ options: Run) throws {
    path = options.kiosk
    do throws(Errno) {
      loop = try EventLoop()
      reader = try Worker(on: loop)
      programs = ChildProcesses(on: loop)
      events = try LineWriter(to: 1, on: loop) { "{\"event\":\"lost\",\"count\":\($0)}" }
      messages = try LineWriter(to: 2, on: loop) {
        "roundel: \($0) messages were not read and are lost"
      }
    } catch {
      throw Failure(.unavailable, "cannot wait for events: \(error)")
    }
    let stream = LogStream(messages)
    var log = Logger(label: "roundel") { StreamLogHandler(label: $0, stream: stream) }
    log.logLevel = .info
    self.log = log
    let reading = KioskReading(path)
    for mistake in reading.mistakes { messages.write("\(mistake)".printableLines) }
    var content: Content
    do throws(Failure) {
      content = try reading.content.get()
      content.imagePreparation = .later
    } catch {
      messages.finish(until: MonotonicClock.now + Self.farewell)
      throw error
    }
    files = reading.files
    service = Service(loop, log)
    display = try options.makeDisplay(
      for: content, on: loop, isLookedAfter: service.isManaged)
    let terminal = display as? TerminalDisplay
    rotationOverride = terminal?.rotation ?? options.rotate
    if terminal != nil {
      heldMessages = HeldMessages()
      messages.isHeld = heldMessages != nil
    }
    let printsEvents = terminal == nil || !StandardOutput.isTerminal
    do throws(Errno) {
      kept = try KeptValues(of: content.description, on: loop, log)
    } catch {
      throw Failure(.unavailable, "cannot keep values: \(error)")
    }
    cycle = FrameCycle(
      content, on: display, seed: options.seed ?? .random(in: 0...UInt64.max),
      kept: kept?.values ?? [:],
      wallClock: { CivilTime(microseconds: WallClock.localMicroseconds) },
      clock: { MonotonicClock.now })
    cycle.onEvent = { [unowned self] event in
      if printsEvents { events.write(SessionLine(event).text) }
      if event.name == "passing" { haptics?.tick() }
      if event.name == "page" { hasFreedMemory = true }
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
    do throws(Errno) {
      wallClock = try WallClock(on: loop) { [unowned self] in cycle.noteClockStep() }
    } catch {
      log.warning("a clock that is set will be noticed late: \(error)")
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
    do throws(Errno) {
      // Those that end a process by default end the kiosk in good order, too.
      let ends: Set<SignalWatch.Signal> = [.interrupt, .terminate, .quit, .user1, .user2]
      signals = try SignalWatch(ends.union([.hangUp]), on: loop) {
        [unowned self] signal in
        // A terminal that hangs up is gone.
        if signal == .hangUp, !(display is TerminalDisplay) { reload() } else { loop.stop() }
      }
      watch = try FileWatch(files, on: loop) { [unowned self] in reload() }
      try loop.run { turn() }
    } catch {
      throw Failure(.unavailable, "the kiosk cannot go on: \(error)")
    }
    service.reportStopping()
    kept?.finish(from: cycle.engine)
    leaveTerminal()
    let deadline = MonotonicClock.now + Self.farewell
    messages.finish(until: deadline)
    events.finish(until: deadline)
  }

  private func leaveTerminal() {
    guard let terminal = display as? TerminalDisplay else { return }
    terminal.close()
    if let held = heldMessages?.take(), !held.isEmpty { messages.write(held) }
  }

  private func turn() -> Instant? {
    let deadline = cycle.turn()
    loop.quietUntil = cycle.nextFrame
    scaleImages()
    remote?.turn()
    seatInput?.mapping = mapping
    listenForShakes()
    if hasFreedMemory, cycle.isStill {
      hasFreedMemory = false
      FreedMemory.giveBack()
    }
    tellState()
    guard let writing = kept?.update(from: cycle.engine) else { return deadline }
    return min(deadline ?? writing, writing)
  }

  /// One image at a time, so that what a new page needs does not wait for all that is left of another.
  private func scaleImages() {
    guard !isScaling, let work = cycle.takeImageWork() else { return }
    isScaling = true
    reader.run {
      work.run()
    } whenDone: { [unowned self] images in
      isScaling = false
      hasFreedMemory = true
      cycle.finish(images)
    }
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

  /// Reads the file again, with its fonts and images, while the running kiosk goes on, and calls
  /// `whenDone`. What is asked for during a reading is done by one more after it.
  private func reload(whenDone: @escaping ReloadHandler = { _ in }) {
    guard readingIsFor == nil else {
      nextReadingIsFor = (nextReadingIsFor ?? []) + [whenDone]
      return
    }
    read(for: [whenDone])
  }

  private func read(for handlers: [ReloadHandler]) {
    readingIsFor = handlers
    reader.run { [path] in
      KioskReading(path)
    } whenDone: { [unowned self] reading in
      let problem = replace(by: reading)
      let handlers = readingIsFor ?? []
      readingIsFor = nil
      if let next = nextReadingIsFor {
        nextReadingIsFor = nil
        read(for: next)
      }
      for handler in handlers { handler(problem) }
    }
  }

  /// Shows what was read; returns what went wrong, if something did.
  private func replace(by reading: KioskReading) -> String? {
    for mistake in reading.mistakes { messages.write("\(mistake)".printableLines) }
    // A file that could not be used stays watched with the others: it may be mended.
    let wasRead = Set(reading.files)
    do throws(Failure) {
      var content = try reading.content.get()
      content.imagePreparation = .later
      files = reading.files
      watch?.watch(files)
      // A rotation that was commanded since stays until the file says another.
      if content.rotation(nil) != cycle.content.rotation(nil) {
        display.rotation = content.rotation(rotationOverride)
      }
      cycle.replace(with: content)
      hasFreedMemory = true
      log.info("\(path) was read anew")
      return nil
    } catch {
      watch?.watch(reading.files + files.filter { !wasRead.contains($0) })
      let problem = "\(path) was not read anew, the running kiosk stays. \(error.message)"
      log.error("\(problem)")
      return ([problem] + reading.reasons).joined(separator: "\n")
    }
  }

  private func start(_ program: [String]) {
    let name = program.first ?? ""
    do throws(ChildProcess.StartError) {
      // One that is not there is looked for by the name that the file has for it.
      let place = (try? Programs.path(of: name, for: path)) ?? name
      try programs.start([place] + program.dropFirst()) { [unowned self] exit in
        if exit != .status(0) { cycle.reportFailure("\(name) \(exit)") }
      }
    } catch {
      cycle.reportFailure("cannot start \(name): \(error)")
    }
  }
}

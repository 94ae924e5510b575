// SPDX-License-Identifier: MIT

import Audio
import Backends
import Expressions
import Glibc
import JSON
import Kiosk
import KioskHost
import KioskProtocol
import Runtime
import LinuxIO
import Logging
import Motion
import Presentation
import Raster
import Remote
import RemoteControl
import Session
import SoundOutput
import SystemPackage
import YAML

/// A kiosk on a backend of this machine: its frame cycle, its file, and the service manager that looks
/// after it.
final class RunningKiosk {
  private let path: String
  private let loop: EventLoop
  /// Reads the file anew and scales images, both of which take long.
  private let reader: Worker
  private var images: ImagePreparer?
  private let backend: any Backend
  /// Why the display has ended, if it has.
  private let ending = Ending()
  private let cycle: FrameCycle
  private let programs: ChildProcesses
  private let speaker: Speaker
  /// The standard output and error. Either may be read slowly, or never.
  private let events: LineWriter
  private let messages: LineWriter
  private let log: Logger
  /// Where the log goes.
  private let lines: LogStream
  private let service: Service
  private var signals: SignalWatch?
  /// What the kiosk was read from.
  private var files: [String]
  private var watch: FileWatch?
  /// What is shown where the file cannot be; nil where no service manager looks after the kiosk, which
  /// then ends.
  private let ladder: Ladder?
  /// Why the file is not shown.
  private var fault: Fault?
  /// Why the last edit of the file is not shown.
  private var reloadError: String?
  private var wallClock: WallClock?
  private let kept: KeptValues?
  /// What is left to another build of the program; nil where no service manager starts it.
  private let handover: Handover?
  private var remote: KioskServer?
  private var shownState: DisplayState?
  /// Whether what another page, another version or a decoded image needed may still be kept from the
  /// system.
  private var hasFreedMemory = false
  /// The reading that is under way, and the next; nil where there is none.
  private var reading: Reload?
  private var nextReading: Reload?

  /// What a reading of the file is for.
  private struct Reload {
    /// A command where one has asked for it, else time.
    var cause: Cause
    /// Those who wait for it.
    var handlers: [ReloadHandler]
  }

  /// Called with what went wrong, if something did.
  typealias ReloadHandler = (_ problem: String?) -> Void

  /// Seconds for what is unread when the kiosk ends.
  private static let farewell = 0.5
  /// Seconds between two looks at the machine's addresses, where a page says them.
  private static let pageInterval = 10.0

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
    lines = stream
    log = Logger(label: "roundel") { _ in stream }
    service = Service(loop, log)
    speaker = Speaker(on: loop) { [log] message, isWarning in
      if isWarning { log.warning("\(message)") } else { log.info("\(message)") }
    }
    let folders = StateFolders(environment: Environment.variable)
    ladder = service.isManaged ? Ladder(for: path, in: folders) : nil
    let opening = ladder?.opening() ?? Opening(KioskReading(path))
    for mistake in opening.mistakes { stream.write("\(mistake)", .init(mistake.severity)) }
    var content: Content
    do throws(Failure) {
      content = try opening.content.get()
      content.imagePreparation = .later
    } catch {
      messages.finish(until: MonotonicClock.now + Self.farewell)
      throw error
    }
    files = opening.files
    fault = opening.fault
    backend = try options.makeBackend(
      for: content, on: loop, store: service.descriptors,
      onEnd: { [loop, ending] error in
        ending.reason = error
        loop.stop()
      }
    ) { [log] message in
      switch message.level {
      case .debug: log.debug("\(message.text)")
      case .warning: log.warning("\(message.text)")
      case .error: log.error("\(message.text)")
      }
    }
    // A card that is not used any more would keep its last picture.
    service.descriptors?.forgetUnused()
    messages.isHeld = backend.coversErrors
    // Nobody reads them in the journal, and some kiosks have many.
    let printsEvents =
      (options.events ?? !JournalStream.isReached(by: 1)) && !backend.coversOutput
    do throws(Errno) {
      kept = try KeptValues(of: content.description, in: folders, on: loop, log)
    } catch {
      throw Failure(.unavailable, "cannot keep values: \(error)")
    }
    let build = service.isManaged ? Handover.ownBuild : nil
    handover = build.flatMap { Handover(of: options.kiosk, in: folders, build: $0) }
    let past = handover?.take(for: content.description)
    if past != nil { log.info("going on where another build of the program was") }
    cycle = FrameCycle(
      content, on: backend.display, seed: options.seed ?? .random(in: 0...UInt64.max),
      kept: kept?.values ?? [:], continuing: past,
      wallClock: { CivilTime(microseconds: WallClock.localMicroseconds) },
      clock: { MonotonicClock.now })
    cycle.onEvent = { [unowned self] event in
      if printsEvents { events.write(SessionLine(event).text) }
      if event.name == "passing" { backend.tick() }
      if event.name == "page" { hasFreedMemory = true }
      remote?.report(event)
    }
    cycle.onProgram = { [unowned self] program in start(program) }
    cycle.onSound = { [unowned self] path in play(path) }
    cycle.onDisplayError = { [log] error in log.warning("\(error)") }
    cycle.onFlip = { [service] _ in service.reportReady() }
    backend.connect(to: cycle)
    images = ImagePreparer(for: cycle, on: reader) { [unowned self] in hasFreedMemory = true }
    do throws(Errno) {
      wallClock = try WallClock(on: loop) { [unowned self] in cycle.noteClockStep() }
    } catch {
      log.warning("a clock that is set will be noticed late: \(error)")
    }
    try serve(at: options.socket)
    if let fault {
      log.error("\(fault.message)")
      cycle.reportFailure(fault.message, by: .time)
    }
    refreshPage()
    prove()
    runLogic()
  }

  /// Listens for clients. A socket that was asked for must be had; else the kiosk does without.
  private func serve(at path: String?) throws(Failure) {
    guard let place = path ?? SocketPath.ofServer else {
      log.info("no socket for other commands; name one with --socket")
      return
    }
    do throws(ServerError) {
      let remote = try makeServer()
      try remote.listen(at: place)
      self.remote = remote
    } catch {
      guard path == nil else {
        throw Failure(error.isPermission ? .permission : .unavailable, "\(error)")
      }
      log.warning("other commands cannot reach this kiosk: \(error)")
    }
  }

  /// Runs the program that the kiosk's file names, or none.
  private func runLogic() {
    let program = cycle.content.description.logic
    guard let name = program.first else {
      remote?.logic.run(nil)
      return
    }
    do throws(ServerError) {
      if remote == nil { remote = try makeServer() }
      // One that is not there is looked for by the name that the file has for it.
      let place = (try? Programs.path(of: name, for: path)) ?? name
      remote?.logic.run(.init(name: name, arguments: [place] + program.dropFirst()))
    } catch {
      log.error("\(name) cannot run: \(error)")
    }
  }

  private func makeServer() throws(ServerError) -> KioskServer {
    let host = HostAccess(
      reload: { [unowned self] whenDone in
        reload(by: .command) { problem in whenDone(problem.map { RemoteError(.failed, $0) }) }
      },
      stop: { [loop] in loop.stop() },
      inputs: { [backend] in backend.inputs },
      output: { [backend] in backend.output },
      fault: { [unowned self] in fault.map { ($0.message, $0.standIn) } },
      reloadError: { [unowned self] in reloadError }, sound: { [speaker] in speaker.status })
    return try KioskServer(
      for: cycle, on: backend.display, host: host, version: Roundel.version, loop: loop,
      log: { [log] message, isWarning in
        if isWarning { log.warning("\(message)") } else { log.info("\(message)") }
      }, clock: { MonotonicClock.now })
  }

  func run() throws {
    do throws(Errno) {
      // Those that end a process by default end the kiosk in good order, too.
      let ends: Set<SignalWatch.Signal> = [.interrupt, .terminate, .quit, .user1, .user2]
      signals = try SignalWatch(ends.union([.hangUp]), on: loop) {
        [unowned self] signal in
        if signal == .hangUp, !backend.endsOnHangUp { reload(by: .command) } else { loop.stop() }
      }
      watch = try FileWatch(files, on: loop) { [unowned self] in reload(by: .time) }
      try loop.run { turn() }
    } catch {
      throw Failure(.unavailable, "the kiosk cannot go on: \(error)")
    }
    service.reportStopping()
    if ending.reason == nil { ladder?.forgetEnds() }
    if fault == nil { handover?.leave(cycle.engine.continuation, of: cycle.content.description) }
    kept?.finish(from: cycle.engine)
    remote?.logic.end(by: MonotonicClock.now + Self.farewell)
    let held = backend.close()
    if !held.isEmpty { messages.write(held) }
    let deadline = MonotonicClock.now + Self.farewell
    messages.finish(until: deadline)
    events.finish(until: deadline)
    if let reason = ending.reason { throw Failure(reason) }
  }

  /// The end of the display, which comes by an event.
  private final class Ending {
    var reason: DisplayError?
  }

  private func turn() -> Timestamp? {
    let deadline = cycle.turn()
    loop.quietUntil = cycle.nextFrame
    images?.turn()
    remote?.turn()
    backend.turn()
    if hasFreedMemory, cycle.isStill {
      hasFreedMemory = false
      FreedMemory.giveBack()
    }
    reportState()
    guard let writing = kept?.update(from: cycle.engine) else { return deadline }
    return min(deadline ?? writing, writing)
  }

  private func reportState() {
    guard backend.display.state != shownState else { return }
    shownState = backend.display.state
    switch backend.display.state {
    case .showing:
      let shown = fault == nil ? path : "a stand-in for \(path)"
      log.info("showing \(shown) at \(backend.display.canvasSize)")
      // Whatever shows the page now, it is laid out for it.
      loop.perform(at: MonotonicClock.now) { [weak self] in self?.layOutPage() }
    case .asleep: log.info("the panel sleeps")
    case .waiting(let obstacle):
      log.warning("nothing is shown: \(obstacle)")
      // The kiosk does all that it can, and goes on by itself when there is a panel.
      service.reportReady()
    }
    service.report(backend.display.state, fault: fault?.message)
  }

  /// Once what is shown has lasted, its files are those to go back to.
  private func prove() {
    guard let ladder else { return }
    let shown = cycle.content.fonts
    loop.perform(at: MonotonicClock.now + Ladder.provingTime) { [weak self] in
      guard let self, cycle.content.fonts === shown else { return }
      ladder.noteLastingStart()
      guard fault == nil, let copy = ladder.copy else { return }
      reader.run { [files] in
        Result { () throws(Failure) in try copy.save(files) }
      } whenDone: { [log] result in
        if case .failure(let failure) = result {
          log.warning("no copy of \(copy.file) is kept: \(failure.message)")
        }
      }
    }
  }

  private func showPage(of fault: Fault) {
    let opening = Opening(page: fault, path, files, on: backend.display.canvasSize)
    guard opening.fault?.page != self.fault?.page, let content = try? opening.content.get() else {
      return
    }
    self.fault = opening.fault
    cycle.replace(with: content)
  }

  /// Shows the page of a fault as it is now: the machine may be reached by other addresses, and the panel
  /// may be another.
  private func refreshPage() {
    guard fault?.page != nil else { return }
    layOutPage()
    loop.perform(at: MonotonicClock.now + Self.pageInterval) { [weak self] in self?.refreshPage() }
  }

  private func layOutPage() {
    if let fault, fault.page != nil { showPage(of: fault) }
  }

  /// Reads the file again, with its fonts and images, while the running kiosk goes on, and calls
  /// `whenDone`. What is asked for during a reading is done by one more after it.
  private func reload(by cause: Cause, whenDone: @escaping ReloadHandler = { _ in }) {
    guard reading == nil else {
      let next = nextReading ?? Reload(cause: cause, handlers: [])
      nextReading = Reload(
        cause: next.cause == .command ? .command : cause, handlers: next.handlers + [whenDone])
      return
    }
    read(for: Reload(cause: cause, handlers: [whenDone]))
  }

  private func read(for reload: Reload) {
    reading = reload
    reader.run { [path] in
      KioskReading(path)
    } whenDone: { [unowned self] found in
      let problem = replace(by: found, cause: reload.cause)
      reading = nil
      if let next = nextReading {
        nextReading = nil
        read(for: next)
      }
      for handler in reload.handlers { handler(problem) }
    }
  }

  /// Shows what was read; returns what went wrong, if something did.
  private func replace(by reading: KioskReading, cause: Cause) -> String? {
    for mistake in reading.mistakes { lines.write("\(mistake)", .init(mistake.severity)) }
    // A file that could not be used stays watched with the others: it may be mended.
    let wasRead = Set(reading.files)
    do throws(Failure) {
      var content = try reading.content.get()
      guard fault == nil else {
        // A start of its own finds the values that the kiosk keeps, which its stand-in has not.
        ladder?.forgetEnds()
        log.info("\(path) is shown by the next start")
        loop.stop()
        return nil
      }
      content.imagePreparation = .later
      reloadError = nil
      files = reading.files
      watch?.watch(files)
      // A rotation that was commanded since stays until the file says another.
      let rotation = content.description.screen.rotation
      if rotation != cycle.content.description.screen.rotation {
        backend.display.turn(by: backend.fixedRotation ?? rotation)
      }
      cycle.replace(with: content, by: cause)
      runLogic()
      hasFreedMemory = true
      prove()
      log.info("\(path) was read anew")
      return nil
    } catch {
      watch?.watch(reading.files + files.filter { !wasRead.contains($0) })
      if fault?.page != nil { showPage(of: Fault(of: path, error, reading.reasons)) }
      let problem = "\(path) was not read anew, the running kiosk stays. \(error.message)"
      log.error("\(problem)")
      let message = ([problem] + reading.reasons).joined(separator: "\n")
      reloadError = message
      cycle.reportFailure(message, by: cause)
      return message
    }
  }

  /// Plays a sound. One whose name came of a template, so that it was not loaded with the file, is read
  /// off the loop.
  private func play(_ path: String) {
    if let sound = cycle.content.sounds[path] { return speaker.play(sound) }
    reader.run { () -> Result<Sound, Failure> in
      do {
        return .success(try Sound(fileAt: path))
      } catch let failure as Failure {
        return .failure(failure)
      } catch {
        return .failure(Failure(.badFile, "\(path): \(error)"))
      }
    } whenDone: { [unowned self] result in
      switch result {
      case .success(let sound): speaker.play(sound)
      case .failure(let failure): cycle.reportFailure("play: \(failure.message)", by: .action)
      }
    }
  }

  private func start(_ program: [String]) {
    let name = program.first ?? ""
    do throws(ChildProcess.StartError) {
      // One that is not there is looked for by the name that the file has for it.
      let place = (try? Programs.path(of: name, for: path)) ?? name
      try programs.start([place] + program.dropFirst()) { [unowned self] exit in
        if exit != .status(0) { cycle.reportFailure("\(name) \(exit)", by: .action) }
      }
    } catch {
      cycle.reportFailure("cannot start \(name): \(error)", by: .action)
    }
  }
}

extension JournalStream.Priority {
  fileprivate init(_ severity: Mistake.Severity) {
    self =
      switch severity {
      case .error: .error
      case .warning: .warning
      }
  }
}

extension Speaker {
  /// Nil where it has played nothing.
  fileprivate var status: SoundStatus? {
    guard soundCount > 0 else { return nil }
    return SoundStatus {
      $0.state = isBusy ? "playing" : problem == nil ? "silent" : "failed"
      $0.count = soundCount
      $0.problem = problem
    }
  }
}

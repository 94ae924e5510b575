// SPDX-License-Identifier: MIT

package import RoundelBackends
package import Kiosk
internal import KioskProtocol
package import LinuxIO
internal import Logging
package import RoundelMotion
internal import RoundelPresentation
internal import JSONRPC
internal import KioskService
package import RoundelRuntime
internal import SystemPackage

/// A kiosk on a backend of this machine.
///
/// Call `turn` before each wait of the machine's loop, or call `run`. Call `end` when the loop has
/// ended.
package final class RunningKiosk {
  package let cycle: FrameCycle
  private let machine: Machine
  private let backend: any Backend
  private let file: ShownFile
  private let actions: MachineActions
  private let speech: SpeechProgram
  private let persistentState: PersistentState
  private let socket: SocketHost
  private let images: ImagePreparer
  private var wallClock: WallClock?
  private var shownState: DisplayState?
  /// Whether freed memory may not have been returned to the system.
  private var hasFreedMemory = false
  /// Called with each event, after it was reported to clients.
  package var onEvent: (Event) -> Void = { _ in }
  /// Called in each turn, after the kiosk has advanced.
  package var onTurn: () -> Void = {}

  /// `seed` initializes the random number generator.
  package init(
    _ start: Start, on backend: any Backend, in machine: Machine, socket place: SocketPlace?,
    seed: UInt64
  ) throws(Failure) {
    self.machine = machine
    self.backend = backend
    let start = start.laidOut(on: backend.display.canvasSize, in: machine)
    let (loop, outputs) = (machine.loop, machine.outputs)
    // Otherwise an unused DRM device would keep its last picture.
    machine.service.descriptors?.forgetUnused()
    outputs.leave(to: backend)
    let reader: Worker
    do throws(Errno) {
      reader = try Worker(on: loop)
      persistentState = try PersistentState(of: start, in: machine)
      cycle = FrameCycle(
        start.content, on: backend.display, seed: seed, persistentValues: persistentState.values,
        continuing: persistentState.past, wallClock: machine.wallClock, clock: { loop.now })
      backend.connect(to: cycle)
      file = try ShownFile(start, in: cycle, on: backend, machine, reader)
    } catch {
      throw Failure(.unavailable, "cannot start the kiosk: \(error)")
    }
    actions = MachineActions(of: start.path, in: cycle, machine, reader)
    speech = SpeechProgram(of: start.path, in: cycle, machine)
    images = ImagePreparer(for: cycle, on: reader, loop)
    socket = SocketHost(
      of: start.path, in: cycle, on: backend, machine,
      access: HostAccess(
        path: start.path == "-" ? nil : Files.absolutePath(start.path),
        reload: { [file] whenDone in
          file.reload(by: .command) { problem in whenDone(problem.map { RemoteError(.failed, $0) })
          }
        },
        stop: { loop.stop() },
        inputs: { [backend] in backend.inputs },
        output: { [backend] in backend.output },
        problems: { [backend] in backend.problems },
        fault: { [file] in file.fault.map { ($0.message, $0.fallbackKind) } },
        reloadError: { [file] in file.reloadError },
        sound: { [sounds = machine.sounds] in sounds.status },
        file: { [file] in file.identity },
        restarts: Restarts(of: start.path, in: machine.folders).counted(),
        speech: { [speech] in speech.status },
        touchscreens: TouchscreenAccess(
          take: { [backend] in backend.touchTaker = $0 },
          calibrate: { [backend] in backend.calibrate($0, by: $1) },
          isPresent: { [backend] in backend.hasTouchscreen })))
    connect(to: start.path)
    try socket.listen(at: place)
    socket.runLogic()
  }

  private func connect(to path: String) {
    let (outputs, service) = (machine.outputs, machine.service)
    images.onPrepared = { [unowned self] in hasFreedMemory = true }
    file.onSearched = { [unowned self] in hasFreedMemory = true }
    file.onReplacement = { [unowned self] in
      socket.runLogic()
      hasFreedMemory = true
    }
    cycle.onEvent = { [unowned self] event in
      outputs.report(event)
      if event.name == "passing" { backend.tick() }
      if event.name == "page" { hasFreedMemory = true }
      socket.report(event)
      onEvent(event)
    }
    cycle.onDisplayError = { error in outputs.log.warning("\(error)") }
    cycle.onFlip = { _ in service.reportReady() }
    do throws(Errno) {
      wallClock = try WallClock(on: machine.loop) { [cycle] in cycle.recordClockStep() }
    } catch {
      outputs.log.warning(
        "cannot watch the system clock, so its changes take effect late: \(error)")
    }
  }

  package func reload() { file.reload(by: .command) }

  package func run() throws(Failure) {
    do throws(Errno) {
      try machine.loop.run { turn() }
    } catch {
      throw Failure(.unavailable, "cannot continue: \(error)")
    }
  }

  /// Returns the time of the next call.
  package func turn() -> Timestamp? {
    let deadline = cycle.turn()
    machine.loop.quietUntil = cycle.nextFrame
    file.layOut()
    images.turn()
    onTurn()
    socket.turn()
    speech.turn()
    backend.turn()
    if hasFreedMemory, cycle.isStill {
      hasFreedMemory = false
      FreedMemory.giveBack()
    }
    reportState()
    file.turn()
    guard let writing = persistentState.update(from: cycle.engine) else { return deadline }
    return min(deadline ?? writing, writing)
  }

  private func reportState() {
    let state = backend.display.state
    guard state != shownState else { return }
    shownState = state
    let log = machine.outputs.log
    switch state {
    case .showing:
      let shown = file.fault == nil ? file.path : "a fallback for \(file.path)"
      log.info("showing \(shown) at \(backend.display.canvasSize)")
      machine.loop.perform(at: machine.loop.now) { [weak file] in file?.layOutPage() }
    case .asleep: log.info("the panel sleeps")
    case .waiting(let obstacle):
      log.warning("nothing is shown: \(obstacle)")
      // The kiosk runs, and shows its pages once there is a panel.
      machine.service.reportReady()
    }
    machine.service.report(state, fault: file.fault?.message)
  }

  /// Saves the state for the next process.
  ///
  /// After an orderly end, that process uses no fallback. Programs of ending actions, and clients
  /// with unread data, have `OutputStreams.flushTimeout` seconds.
  package func end(inGoodOrder: Bool) {
    machine.service.reportStopping()
    if inGoodOrder { file.recordEnd() }
    actions.finish(by: MonotonicClock.now + OutputStreams.flushTimeout) {
      cycle.finish()
      socket.finish(until: MonotonicClock.now)
    }
    persistentState.leave(cycle, isFallback: file.fault != nil)
    speech.stop()
    socket.finish(until: MonotonicClock.now + OutputStreams.flushTimeout)
    socket.endLogic(by: MonotonicClock.now + OutputStreams.flushTimeout)
    machine.outputs.finish(held: backend.close())
  }
}

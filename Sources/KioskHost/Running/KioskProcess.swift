// SPDX-License-Identifier: MIT

package import RoundelBackends
internal import RoundelExpressions
package import Kiosk
package import KioskFile
package import LinuxIO
internal import RoundelMotion
internal import RoundelPresentation
package import RoundelRaster
internal import SoundOutput
internal import SystemPackage

/// A kiosk as the task of this process, until a signal or its display ends it.
package final class KioskProcess {
  package let loop: EventLoop
  private let machine: Machine
  /// Nil while the kiosk runs, so that the initial content can be released.
  private var start: Start?
  package var onEvent: (Event) -> Void = { _ in }
  /// Called before each wait of the loop.
  package var onTurn: () -> Void = {}

  private final class Ending {
    var reason: DisplayError?
  }

  /// Reads a kiosk.
  ///
  /// - Parameters:
  ///   - path: The kiosk's file. Names of other files are relative to it.
  ///   - reading: A reading of it, or nil to read it.
  ///   - printsEvents: Whether events are written to the standard output, or nil unless that is
  ///     the journal.
  package init(
    _ path: String, source: KioskSource = .file, reading: KioskReading? = nil,
    printsEvents: Bool?, threads: ThreadPool?
  ) throws(Failure) {
    let outputs: OutputStreams
    do throws(Errno) {
      loop = try EventLoop()
      outputs = try OutputStreams(output: 1, errors: 2, printsEvents: printsEvents, on: loop)
    } catch {
      throw Failure(.unavailable, "cannot wait for events: \(error)")
    }
    let service = Service(environment: Environment.variable, on: loop)
    Environment.remove(Service.inheritance)
    machine = Machine(
      loop: loop, outputs: outputs, service: service,
      folders: StateFolders(environment: Environment.variable),
      sounds: Speaker(on: loop) { outputs.report($0, isWarning: $1) }, build: Handover.ownBuild,
      threads: threads, wallClock: { CivilTime(microseconds: WallClock.localMicroseconds) })
    start = try Start(path, source: source, reading: reading, in: machine)
  }

  package var isService: Bool { machine.service.isManaged }

  /// Shows the kiosk until a signal, `stop`, or the end of the display.
  ///
  /// - Parameter whenRunning: Called once before the first turn.
  package func run(
    on choice: BackendChoice, socket: SocketPlace?, seed: UInt64,
    whenRunning: (RunningKiosk) -> Void = { _ in }
  ) throws(Failure) {
    guard let start = start.take() else { preconditionFailure("a process runs once") }
    let (loop, outputs) = (loop, machine.outputs)
    let ending = Ending()
    let backend: any Backend
    do throws(DisplayError) {
      backend = try choice.makeBackend(
        for: start.content, on: loop, store: machine.service.descriptors,
        onEnd: { error in
          ending.reason = error
          loop.stop()
        }, report: { outputs.report($0) })
    } catch {
      throw Failure(error)
    }
    let running = try RunningKiosk(
      consume start, on: backend, in: machine, socket: socket, seed: seed)
    running.onEvent = onEvent
    running.onTurn = onTurn
    whenRunning(running)
    // Signals that would terminate the process also end the kiosk in an orderly way.
    let ends: Set<SignalWatch.Signal> = [.interrupt, .terminate, .quit, .user1, .user2]
    let signals: SignalWatch
    do throws(Errno) {
      signals = try SignalWatch(ends.union([.hangUp]), on: loop) { signal in
        if signal == .hangUp, !backend.endsOnHangUp { running.reload() } else { loop.stop() }
      }
    } catch {
      throw Failure(.unavailable, "cannot wait for signals: \(error)")
    }
    do throws(Failure) {
      try withExtendedLifetime(signals) { () throws(Failure) in try running.run() }
    } catch {
      running.end(inGoodOrder: false)
      throw error
    }
    running.end(inGoodOrder: ending.reason == nil)
    if let reason = ending.reason { throw Failure(reason) }
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelBackends
internal import Kiosk
internal import KioskFile
internal import KioskProtocol
internal import LinuxIO
internal import Logging
internal import RoundelMotion
internal import JSONRPC
internal import KioskService
internal import RoundelRuntime

package struct SocketPlace {
  package let path: String
  package let isRequired: Bool

  package init(_ path: String, isRequired: Bool) {
    self.path = path
    self.isRequired = isRequired
  }
}

/// The server for the socket's clients and the `logic` program, if either is used.
final class SocketHost {
  private let path: String
  private let cycle: FrameCycle
  private let backend: any Backend
  private let machine: Machine
  private let access: HostAccess
  private var server: KioskServer?

  init(
    of path: String, in cycle: FrameCycle, on backend: any Backend, _ machine: Machine,
    access: HostAccess
  ) {
    self.path = path
    self.cycle = cycle
    self.backend = backend
    self.machine = machine
    self.access = access
  }

  /// Throws if a required socket isn't available.
  func listen(at place: SocketPlace?) throws(Failure) {
    guard let place else {
      machine.outputs.log.info("no socket for other commands; specify one with --socket")
      return
    }
    do throws(ServerError) {
      let server = try makeServer()
      try server.listen(at: place.path)
      self.server = server
    } catch {
      guard !place.isRequired else {
        throw Failure(error.isPermission ? .permission : .unavailable, "\(error)")
      }
      machine.outputs.log.warning("other commands cannot reach this kiosk: \(error)")
    }
  }

  /// Starts the kiosk's `logic` program after ending the previous one.
  func runLogic() {
    let program = cycle.content.description.logic
    guard let name = program.first else {
      server?.logic.run(nil)
      return
    }
    do throws(ServerError) {
      if server == nil { server = try makeServer() }
      // Errors contain the name in the kiosk file.
      let place = (try? Programs.path(of: name, for: path)) ?? name
      server?.logic.run(.init(name: name, arguments: [place] + program.dropFirst()))
    } catch {
      machine.outputs.log.error("\(name) cannot run: \(error)")
    }
  }

  private func makeServer() throws(ServerError) -> KioskServer {
    let (outputs, loop) = (machine.outputs, machine.loop)
    return try KioskServer(
      for: cycle, on: backend.display, host: access, version: ProgramVersion.current,
      loop: loop, log: { outputs.report($0, isWarning: $1) }, clock: { loop.now })
  }

  func report(_ event: Event) { server?.report(event) }

  func turn() { server?.turn() }

  /// Reports pending events and sends due responses.
  func finish(until deadline: Timestamp) { server?.finish(until: deadline) }

  func endLogic(by deadline: Timestamp) { server?.logic.end(by: deadline) }
}

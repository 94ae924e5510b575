// SPDX-License-Identifier: MIT

internal import Backends
internal import Kiosk
internal import KioskFile
internal import KioskProtocol
internal import LinuxIO
internal import Logging
internal import Motion
internal import JSONRPC
internal import KioskService
internal import Runtime

/// The place of a kiosk's socket.
package struct SocketPlace {
  package let path: String
  /// Whether the kiosk ends without it.
  package let isRequired: Bool

  package init(_ path: String, isRequired: Bool) {
    self.path = path
    self.isRequired = isRequired
  }
}

/// The server of a running kiosk, for clients of its socket and for the program that its file names; none
/// where there is neither.
final class SocketHost {
  /// The kiosk file.
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

  /// Listens for clients. A socket that is required must be had; else the kiosk does without.
  func listen(at place: SocketPlace?) throws(Failure) {
    guard let place else {
      machine.outlets.log.info("no socket for other commands; name one with --socket")
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
      machine.outlets.log.warning("other commands cannot reach this kiosk: \(error)")
    }
  }

  /// Runs the program that the kiosk's file names, or none.
  func runLogic() {
    let program = cycle.content.description.logic
    guard let name = program.first else {
      server?.logic.run(nil)
      return
    }
    do throws(ServerError) {
      if server == nil { server = try makeServer() }
      // A missing program is looked for by its name in the kiosk file.
      let place = (try? Programs.path(of: name, for: path)) ?? name
      server?.logic.run(.init(name: name, arguments: [place] + program.dropFirst()))
    } catch {
      machine.outlets.log.error("\(name) cannot run: \(error)")
    }
  }

  private func makeServer() throws(ServerError) -> KioskServer {
    let (outlets, loop) = (machine.outlets, machine.loop)
    return try KioskServer(
      for: cycle, on: backend.display, host: access, version: ProgramVersion.current,
      loop: loop, log: { outlets.report($0, isWarning: $1) }, clock: { loop.now })
  }

  func report(_ event: Event) { server?.report(event) }

  func turn() { server?.turn() }

  /// Tells clients everything that has happened and sends the answers that are due, before the process ends.
  func finish(until deadline: Timestamp) { server?.finish(until: deadline) }

  /// Ends the kiosk's own program.
  func endLogic(by deadline: Timestamp) { server?.logic.end(by: deadline) }
}

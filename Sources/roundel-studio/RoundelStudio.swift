// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import KioskProtocol
import LinuxIO
import Motion
import Studio
import SystemPackage

struct RoundelStudio: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roundel-studio",
    abstract: "Make a kiosk in the browser: the living kiosk, its source, its keys and its suites.",
    discussion: """
      Prints an address of this machine, which a browser here opens. Only who knows it can use \
      it. What is changed there changes those bytes of the file when it is saved, and no others.

      With --host it is the kiosk that runs on another machine: its panel, its values and \
      events, and its file, which is saved there if it has no mistakes there. A kiosk file of \
      this machine that is named besides takes the place of that one when it is saved.

      Examples:
        roundel studio shop.yaml
        roundel studio --host root@lobby
        roundel studio shop.yaml --host root@lobby
      """,
    version: "roundel-studio \(ProgramVersion.current)")

  @Argument(help: "The kiosk file.", completion: .file())
  var kiosk: String?

  @Option(help: "[USER@]HOST on which the kiosk runs; goes through ssh.")
  var host: String?

  @Option(help: "The kiosk's socket there (default: the usual one).")
  var socket: String?

  @Option(help: "The port of the address (default: one that is free).")
  var port: UInt16 = 0

  func validate() throws {
    if kiosk == nil, host == nil { throw ValidationError("Name a kiosk file, or a --host.") }
    if socket != nil, host == nil { throw ValidationError("--socket is one of a --host.") }
  }

  func run() throws {
    let loop: EventLoop
    let server: StudioServer
    let session: StudioSession
    do throws(Errno) {
      loop = try EventLoop()
    } catch {
      throw Self.failure("cannot wait for a browser: \(error)", 69)
    }
    do throws(Failure) {
      session = try open(on: loop)
    } catch {
      throw Self.failure(error.message, error.code.rawValue)
    }
    do throws(Errno) {
      server = try StudioServer(port: port, on: loop)
    } catch {
      throw Self.failure(
        "cannot listen at port \(port): \(error)"
          + (port == 0 ? "" : " (another --port may be free)"),
        error == .permissionDenied ? 77 : 69)
    }
    server.serve(session)
    // A caller that doesn't read the address doesn't need it.
    _ = try? FileDescriptor.standardOutput.writeAll("\(server.address)\n".utf8)
    do throws(Errno) {
      let signals = try SignalWatch([.interrupt, .terminate], on: loop) { _ in loop.stop() }
      try loop.run { server.beforeWait() }
      withExtendedLifetime(signals) {}
    } catch {
      throw Self.failure("cannot wait for a browser: \(error)", 69)
    }
  }

  private func open(on loop: EventLoop) throws(Failure) -> StudioSession {
    if let host {
      let address = KioskAddress(host: host, socket: socket)
      return try StudioSession(runningAt: address, file: kiosk, on: loop)
    }
    return try StudioSession(kiosk ?? "", on: loop)
  }

  private static func failure(_ message: String, _ code: Int32) -> ExitCode {
    // The other machine's messages have already been printed.
    if !message.isEmpty {
      _ = try? FileDescriptor.standardError.writeAll("roundel-studio: \(message)\n".utf8)
    }
    return ExitCode(code)
  }
}

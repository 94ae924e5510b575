// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import KioskProtocol
import LinuxIO
import RoundelMotion
import RoundelStudio
import SystemPackage

struct RoundelStudio: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roundel-studio",
    abstract: "Edit a kiosk in the browser: the live kiosk, its source, its keys and its suites.",
    discussion: """
      Prints a URL to open in a browser on this machine. The URL contains a secret token. \
      Saving changes only the edited bytes of the file.

      With --host, edits the kiosk running on another machine: shows its panel, values and \
      events, and saves its file there if the file has no errors. If a kiosk file is also \
      given, saving replaces the remote file with it.

      Examples:
        roundel studio shop.yaml
        roundel studio --host root@lobby
        roundel studio shop.yaml --host root@lobby
      """,
    version: "roundel-studio \(ProgramVersion.current)")

  @Argument(help: "The kiosk file.", completion: .file())
  var kiosk: String?

  @Option(help: "The kiosk's machine as [USER@]HOST, connected by ssh.")
  var host: String?

  @Option(help: "The kiosk's socket on HOST (default: the usual socket).")
  var socket: String?

  @Option(help: "The port of the URL (default: any free port).")
  var port: UInt16 = 0

  @Option(help: "A browser to open the URL in.")
  var browser: String?

  func validate() throws {
    if kiosk == nil, host == nil { throw ValidationError("Specify a kiosk file or --host.") }
    if socket != nil, host == nil { throw ValidationError("--socket requires --host.") }
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
      server = try StudioServer(port: port, for: host == nil ? kiosk : nil, on: loop)
    } catch {
      throw Self.failure(
        "cannot listen on port \(port): \(error)"
          + (port == 0 ? "" : "; try another --port"),
        error == .permissionDenied ? 77 : 69)
    }
    server.serve(session)
    // A caller that doesn't read the address doesn't need it.
    _ = try? FileDescriptor.standardOutput.writeAll("\(server.address)\n".utf8)
    let children = ChildProcesses(on: loop)
    if let browser {
      do throws(ChildProcess.StartError) {
        try children.start([browser, server.address]) { _ in }
      } catch {
        Self.report("cannot open \(browser): \(error); open the URL yourself")
      }
    }
    do throws(Errno) {
      let signals = try SignalWatch([.interrupt, .terminate], on: loop) { _ in loop.stop() }
      try loop.run { server.beforeWait() }
      withExtendedLifetime((signals, children)) {}
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
    if !message.isEmpty { report(message) }
    return ExitCode(code)
  }

  private static func report(_ message: String) {
    _ = try? FileDescriptor.standardError.writeAll("roundel-studio: \(message)\n".utf8)
  }
}

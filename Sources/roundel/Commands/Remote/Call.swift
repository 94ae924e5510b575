// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import RoundelJSON
import KioskProtocol
import LinuxIO
import JSONRPC
import SystemPackage

struct Call: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "call",
    abstract: "Call a method of the running kiosk's socket, and print its result.",
    discussion: """
      The method help lists all methods.

      Examples:
        roundel call help
        roundel call get '{"property": "minutes.value"}'
      """)

  @Argument(
    help: "The method's name.",
    completion: .custom { _, _, _ in SocketReference.methods.compactMap { $0["method"]?.string } })
  var method: String

  @Argument(help: "The parameters, a JSON object.")
  var parameters: String?

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    var members: [JSONValue.Member] = []
    if let parameters {
      guard case .object(let given)? = try? JSONValue(parsing: Array(parameters.utf8)) else {
        throw Failure(.usage, "the parameters must be a JSON object, not \(parameters)")
      }
      members = given
    }
    let connection = try kiosk.connect()
    StandardOutput.write(json: try connection.call(method, members, timeout: nil))
  }
}

struct Relay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "relay",
    abstract: "Connect the standard input and output to the kiosk's socket.",
    discussion: """
      The other commands start it on the remote machine for --host.

      Example:
        ssh lobby roundel relay
      """,
    shouldDisplay: false)

  @OptionGroup var options: RelayedKioskOptions

  func run() throws {
    _ = signal(SIGPIPE, SIG_IGN)
    let path = options.socket ?? SocketPath.ofClient
    let kiosk: OwnedDescriptor
    do throws(Errno) {
      kiosk = try LocalSocket.connect(to: path)
    } catch {
      throw Failure(ClientError(connectingTo: path, error))
    }
    StandardOutput.write(json: KioskConnection.greeting.json)
    var entries = [
      pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
      pollfd(fd: kiosk.rawValue, events: Int16(POLLIN), revents: 0),
      // Only reports a disconnected reader.
      pollfd(fd: 1, events: 0, revents: 0),
    ]
    let server = FileDescriptor(rawValue: kiosk.rawValue)
    while true {
      // The array's count.
      guard unsafe poll(&entries, 3, -1) > 0 else { continue }
      // Otherwise the kiosk would keep a disconnected client until its next answer.
      if entries[2].revents != 0 { return }
      if entries[0].revents != 0, !pass(.standardInput, to: server) {
        // The kiosk may still send answers.
        shutdown(kiosk.rawValue, CInt(SHUT_WR))
        entries[0].fd = -1
      }
      if entries[1].revents != 0, !pass(server, to: .standardOutput) { return }
    }
  }

  /// Returns false at the end of the input.
  private func pass(_ source: FileDescriptor, to sink: FileDescriptor) -> Bool {
    guard let bytes = try? source.receive(upTo: 1 << 16), !bytes.isEmpty else { return false }
    return (try? sink.writeAll(bytes)) != nil
  }
}

// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelJSON
import KioskProtocol
import LinuxIO
import JSONRPC

struct KioskOptions: ParsableArguments {
  @Option(
    help: "The kiosk's socket (default: $XDG_RUNTIME_DIR/roundel.sock, or the unit's).",
    completion: .file())
  var socket: String?

  @Option(help: "The kiosk's machine as [USER@]HOST, connected by ssh.")
  var host: String?

  @Flag(help: "Print JSON, for programs.")
  var json = false

  var address: KioskAddress { KioskAddress(host: host, socket: socket) }

  func connect(outlivingInterrupt: Bool = false) throws(KioskError) -> KioskConnection {
    try KioskConnection(
      to: address, version: Roundel.version, outlivesInterrupt: outlivingInterrupt)
  }

  /// Prints the answer with --json.
  @discardableResult
  func call<Request: MethodRequest>(
    _ request: Request, timeout: Double? = 30
  ) throws(KioskError) -> Request.Answer {
    let (answer, json) = try connect().ask(request, timeout: timeout)
    if self.json { StandardOutput.write(json: json) }
    return answer
  }
}

/// The kiosk on this machine, for a command started by a client elsewhere.
struct RelayedKioskOptions: ParsableArguments {
  @Option(help: "The kiosk's socket.")
  var socket: String?
}

extension StandardOutput {
  static func write(json: JSONValue) { write(json.text + "\n") }
}

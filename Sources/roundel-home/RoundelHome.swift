// SPDX-License-Identifier: MIT

import ArgumentParser
import Exchange
import Glibc
import HomeBridge
import KioskProtocol
import LinuxIO
import RoundelJSON
import RoundelWebSocket
import SystemPackage

@main
struct RoundelHome: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roundel-home",
    abstract: "Connect the running kiosk to Home Assistant, without a broker.",
    discussion: """
      Sets the kiosk's values from entities (from: {home: sensor.outside}), and calls services \
      (to: {home: climate.set_temperature, …} and the action call).

      The access token is the first line of --token-file, or of the service's credential \
      home-token. To create one in Home Assistant, open your profile, then Security, then \
      Long-lived access tokens. The file must not be accessible to other users.

      Examples:
        roundel home --url ws://homeassistant.local:8123 --token-file ~/.home-token
        roundel home --url wss://home.example --ca /etc/ssl/home.pem --token-file ~/.home-token
      """,
    version: "roundel-home \(ProgramVersion.current)")

  @Option(help: "Home Assistant's address: ws://HOST:8123, or wss://HOST for encryption.")
  var url: String

  @Option(
    help: "The file whose first line is the access token, with mode 0600.", completion: .file())
  var tokenFile: String?

  @Option(
    help: "The file of trusted certificates, for wss (default: the system's).",
    completion: .file())
  var ca: String?

  @Option(
    help: "The kiosk's socket (default: $XDG_RUNTIME_DIR/roundel.sock, or the unit's).",
    completion: .file())
  var socket: String?

  @Flag(
    help: ArgumentHelp(
      "Read names from standard input, print problems with them, and exit.", visibility: .hidden))
  var examine = false

  /// Home Assistant sends the states of all subscribed entities in one message.
  private static let maximumBytes = 4 << 20
  /// An examination gets the descriptions of all services, and the states of all entities.
  private static let maximumExaminedBytes = 64 << 20

  func validate() throws {
    guard let address else {
      throw ValidationError("--url must be ws://HOST[:PORT] or wss://HOST[:PORT], not \"\(url)\"")
    }
    if ca != nil, !address.isEncrypted { throw ValidationError("--ca requires wss://") }
  }

  private var address: WebSocketAddress? {
    WebSocketAddress(url, port: 8123, path: "/api/websocket")
  }

  func run() throws {
    _ = signal(SIGPIPE, SIG_IGN)
    guard let address else { throw ExitCode.validationFailure }
    let token = try tokenReader
    do throws(Failure) {
      _ = try token()
    } catch {
      log.write(error.message)
      throw ExitCode(error.code.rawValue)
    }
    if let ca, unsafe access(ca, R_OK) != 0 {
      log.write("cannot read \(ca): \(Errno(rawValue: errno))")
      throw ExitCode(errno == EACCES ? 77 : 64)
    }
    do throws(Errno) {
      let loop = try EventLoop()
      let home = HomeConnections(
        to: address, authorities: ca,
        maximumBytes: examine ? Self.maximumExaminedBytes : Self.maximumBytes, token: token,
        on: loop)
      if examine {
        guard let names else { throw Errno.invalidArgument }
        return try ExaminationRun(names, at: address.description, home, on: loop).run()
      }
      let bridge = HomeRun(
        at: address.description, home, kiosk: socket ?? SocketPath.ofClient, on: loop)
      let signals = try SignalWatch([.interrupt, .terminate], on: loop) { _ in loop.stop() }
      bridge.start()
      try loop.run()
      withExtendedLifetime(signals) { bridge.stop() }
    } catch {
      log.write("cannot wait for the kiosk and Home Assistant: \(error)")
      throw ExitCode(69)
    }
  }

  private var tokenReader: () throws(Failure) -> String {
    get throws {
      if let tokenFile {
        return { () throws(Failure) in
          try SecretFile.firstLine(of: tokenFile, "the access token", isPrivate: true)
        }
      }
      // Only the service can read its credentials.
      guard let folder = Environment.variable("CREDENTIALS_DIRECTORY") else {
        throw ValidationError("--token-file is missing")
      }
      return { () throws(Failure) in
        try SecretFile.firstLine(of: folder + "/home-token", "the access token")
      }
    }
  }

  private var names: HomeNames? {
    let kind = Files.Kind("the names", maximumBytes: 1 << 20)
    return (try? Files.read("-", kind)).flatMap { try? JSONValue(parsing: $0) }
      .flatMap { HomeNames($0) }
  }
}

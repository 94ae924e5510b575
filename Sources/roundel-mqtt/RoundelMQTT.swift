// SPDX-License-Identifier: MIT

import ArgumentParser
import Exchange
import RoundelBroker
import Glibc
import HomeAssistant
import KioskProtocol
import LinuxIO
import MQTTBridge
import SystemPackage

@main
struct RoundelMQTT: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roundel-mqtt",
    abstract: "Make the running kiosk a Home Assistant device, by MQTT.",
    discussion: """
      Home Assistant discovers each control and value as an entity. Other programs read \
      PREFIX/NODE/NAME/state, a JSON object with "value" and "by", and publish to \
      PREFIX/NODE/NAME/set. PREFIX/NODE/availability is online or offline. Topics of the \
      panel itself are below PREFIX/NODE/$node/: status, problem, and restart/set and \
      reset/set, which accept PRESS.

      NODE is --name, or the machine's name and six digits of a hash of /etc/machine-id. \
      Panels of one broker need different names.

      The password is read from --password-file, the service's credential mqtt-password or \
      ROUNDEL_MQTT_PASSWORD, in this order.

      Examples:
        roundel mqtt --broker homeassistant.local --user kiosk --password-file ~/.mqtt
        roundel mqtt --broker mqtts://broker.example:8883 --ca /etc/ssl/broker.pem
      """,
    version: "roundel-mqtt \(ProgramVersion.current)")

  @Option(help: "The broker as HOST[:PORT], mqtt://HOST or mqtts://HOST.")
  var broker: String

  @Option(help: "The prefix of all topics.")
  var prefix = "roundel"

  @Option(help: "The panel's name in topics and in Home Assistant (default: the machine's).")
  var name: String?

  @Option(
    help:
      "A group of panels: PREFIX/GROUP/NAME/set sets all of them; may be repeated.")
  var group: [String] = []

  @Option(
    help: ArgumentHelp(
      "The interval in seconds over which a fleet spreads its attempts to reconnect to the broker. With 0, a panel"
        + " retries after 1 s, 2 s, and so on up to 60 s (default: 120 with --group, otherwise 0).",
      valueName: "seconds"))
  var spread: Double?

  @Option(
    help: ArgumentHelp(
      "The file to write when Home Assistant requests the newest version, for a unit that watches it"
        + " (default: update in the unit's RuntimeDirectory)."),
    completion: .file())
  var updateRequest: String?

  /// The panel's name in topics without `--name`.
  enum Naming: String, CaseIterable, ExpressibleByArgument {
    case node, kiosk
  }

  @Option(
    help:
      "The name in topics without --name: the machine's (node), or the kiosk's as before version 3."
  )
  var topics = Naming.node

  @Option(help: "The prefix of Home Assistant's own topics.")
  var discoveryPrefix = "homeassistant"

  @Option(
    help: ArgumentHelp(
      "The identifier of the device in Home Assistant that connects the panel, such as a gateway.",
      valueName: "identifier"))
  var viaDevice: String?

  @Option(
    help: ArgumentHelp(
      "The address of a page with help, which Home Assistant shows.", valueName: "url"))
  var supportURL: String?

  @Option(help: "The broker's user name.")
  var user: String?

  @Option(help: "The file whose first line is the password.", completion: .file())
  var passwordFile: String?

  @Flag(help: "Encrypt the connection.")
  var tls = false

  @Option(help: "The file or folder of trusted certificates, for TLS.", completion: .file())
  var ca: String?

  @Option(help: "The file of the client's certificate, for TLS.", completion: .file())
  var cert: String?

  @Option(help: "The file of the client certificate's key.", completion: .file())
  var key: String?

  @Flag(help: "Accept any certificate of the broker, with TLS. For tests only.")
  var insecure = false

  @Option(
    help: "The kiosk's socket (default: $XDG_RUNTIME_DIR/roundel.sock, or the unit's).",
    completion: .file())
  var socket: String?

  func validate() throws {
    guard address != nil else {
      throw ValidationError("--broker must be HOST[:PORT], not \"\(broker)\"")
    }
    for (option, prefix) in [("--prefix", prefix), ("--discovery-prefix", discoveryPrefix)]
    where !Topics.isPrefix(prefix) {
      throw ValidationError(
        "\(option) must be topic levels without + and #, not \"\(prefix)\"")
    }
    if name?.isEmpty == true { throw ValidationError("--name must not be empty") }
    if group.contains("") { throw ValidationError("--group must not be empty") }
    if let spread, spread != 0, !(1...3600).contains(spread) {
      throw ValidationError("--spread must be 0, or between 1 and 3600, not \(spread)")
    }
    if viaDevice?.isEmpty == true { throw ValidationError("--via-device must not be empty") }
    if let supportURL, !supportURL.hasPrefix("https://"), !supportURL.hasPrefix("http://") {
      throw ValidationError("--support-url must be http://… or https://…, not \"\(supportURL)\"")
    }
    if (cert == nil) != (key == nil) { throw ValidationError("--cert and --key need each other") }
  }

  private var address: BrokerAddress? {
    let isEncrypted = tls || ca != nil || cert != nil || insecure
    guard var address = BrokerAddress(broker, isEncrypted: isEncrypted) else { return nil }
    address.encryption?.authorities = ca
    address.encryption?.certificate = cert
    address.encryption?.key = key
    address.encryption?.isInsecure = insecure
    address.user = user
    return address
  }

  func run() throws {
    _ = signal(SIGPIPE, SIG_IGN)
    guard var address else { throw ExitCode.validationFailure }
    address.password = try password()
    if address.password != nil, user == nil {
      throw ValidationError("a password requires --user")
    }
    for file in [ca, cert, key].compactMap(\.self) where unsafe access(file, R_OK) != 0 {
      log.write("cannot read \(file): \(Errno(rawValue: errno))")
      throw ExitCode(errno == EACCES ? 77 : 64)
    }
    do throws(Errno) {
      let loop = try EventLoop()
      let bridge = BridgeRun(
        settings(for: address), broker: address, kiosk: socket ?? SocketPath.ofClient, on: loop)
      let signals = try SignalWatch([.interrupt, .terminate], on: loop) { _ in loop.stop() }
      bridge.start()
      try loop.run()
      withExtendedLifetime(signals) { bridge.stop() }
    } catch {
      log.write("cannot wait for the kiosk and the broker: \(error)")
      throw ExitCode(69)
    }
  }

  /// The default is 120 for a group: ten thousand panels make 83 connections per second, with peaks
  /// of 130.
  private var spreadSeconds: Double? {
    let seconds = spread ?? (group.isEmpty ? 0 : 120)
    return seconds == 0 ? nil : seconds
  }

  private func settings(for address: BrokerAddress) -> BridgeSettings {
    let updateFile =
      updateRequest ?? Environment.variable("RUNTIME_DIRECTORY").map { $0 + "/update" }
    var settings = BridgeSettings(
      broker: "\(address.host):\(address.port)", prefix: prefix,
      discoveryPrefix: discoveryPrefix, version: ProgramVersion.current,
      wallTime: { WallClock.secondsSince1970 },
      requestUpdate: {
        guard let updateFile else { return "updates are not set up; see --update-request" }
        do throws(Failure) {
          try Files.write([], to: updateFile, isDurable: false)
          return nil
        } catch {
          return error.message
        }
      })
    var images = ImageFolder(at: ImageFolder.standardPath(of: "roundel-mqtt"))
    settings.keepImage = { (name, file) throws(MessageError) in try images.keep(name, file) }
    settings.node = node
    settings.groups = group
    settings.links = Discovery.Links(hub: viaDevice, support: supportURL)
    settings.spread = spreadSeconds
    settings.slot = BootedSlot.name
    return settings
  }

  private var node: (name: String, title: String)? {
    if let name { return (name, name) }
    guard topics == .node else { return nil }
    let machine = NodeName.ofMachine
    if machine.digits == nil {
      log.write(
        "\(NodeName.file) has no identity, so this panel is named \(machine.text) without a unique suffix; "
          + "run systemd-machine-id-setup, or give each panel its own --name")
    }
    return (machine.text, machine.host)
  }

  private func password() throws -> String? {
    if let passwordFile { return try firstLine(of: passwordFile) }
    if let folder = Environment.variable("CREDENTIALS_DIRECTORY") {
      let file = folder + "/mqtt-password"
      if Folder.isAnythingAt(file) { return try firstLine(of: file) }
    }
    return Environment.variable("ROUNDEL_MQTT_PASSWORD").flatMap { $0.isEmpty ? nil : $0 }
  }

  private func firstLine(of file: String) throws -> String {
    do throws(Failure) {
      return try SecretFile.firstLine(of: file, "the password")
    } catch {
      log.write(error.message)
      throw ExitCode(error.code.rawValue)
    }
  }
}

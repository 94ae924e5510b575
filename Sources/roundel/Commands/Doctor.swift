// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelDiagnosis
import RoundelJSON
import KioskClients
import KioskProtocol
import LinuxIO
import JSONRPC

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract:
      "Report this machine's displays and inputs, and problems that prevent a kiosk from running.",
    discussion: """
      Examines DRM devices with their connectors and masters, frame buffers, the Wayland \
      compositor named by WAYLAND_DISPLAY, the console and the splash screen, units of \
      kiosks, input devices, sound cards, the user's groups, and fonts. With kiosk files, \
      also examines their images, and whether the unit lets their programs run. With --url, \
      also checks the connection to Home Assistant, and its entities, services and fields \
      that the files name. The default is from /etc/roundel/home.conf, for root. Exits with 1 \
      if there are problems, which are marked with !.

      Examples:
        roundel doctor
        roundel doctor shop.yaml
        roundel doctor shop.yaml --url ws://homeassistant.local:8123 --token-file ~/.home-token
        sudo -u roundel roundel doctor
        roundel doctor --json
        roundel doctor --report > report.txt
      """)

  @Argument(help: "Kiosk files whose images and programs to examine.", completion: .file())
  var kiosks: [String] = []

  @Option(help: "Home Assistant's address, as for roundel home.")
  var url: String?

  @Option(
    help: "The file with the access token, as for roundel home.", completion: .file())
  var tokenFile: String?

  @Option(
    help: "The file of trusted certificates, as for roundel home.", completion: .file())
  var ca: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(
    help: ArgumentHelp(
      "Print details about this machine and its panels, for a fault report.",
      discussion: "Contains no host names, user names, addresses or serial numbers."
        + " If no kiosk is running, shows and times a hundred grey frames."))
  var report = false

  @Option(
    name: [.short, .long], help: "The file for the report.", completion: .file())
  var output: String?

  @Option(help: "The socket of the kiosk whose display the report includes.", completion: .file())
  var socket: String?

  func validate() throws {
    guard report || output == nil && socket == nil else {
      throw ValidationError("--output and --socket require --report.")
    }
    guard url != nil || tokenFile == nil && ca == nil else {
      throw ValidationError("--token-file and --ca require --url.")
    }
    guard !report || kiosks.isEmpty && !json && url == nil else {
      throw ValidationError("--report cannot be combined with kiosk files, --json or --url.")
    }
  }

  func run() throws {
    guard !report else { return try writeReport() }
    let examination = Examination(for: kiosks, home: try home)
    StandardOutput.write(json ? examination.json.text + "\n" : examination.text)
    let count = examination.problemCount
    if count > 0 {
      throw Failure(
        .didNotHold,
        count == 1 ? "found 1 problem" : "found \(count) problems")
    }
  }

  /// The check by the options, or by the unit's, or nil.
  private var home: HomeCheck? {
    get throws {
      var options = HomeOptions.ofUnit
      if let url {
        options = HomeOptions(url: url, tokenFile: tokenFile, ca: ca)
      }
      guard let options else { return nil }
      guard let program = SiblingProgram.path(of: "roundel-home") else {
        throw Failure(
          .unavailable,
          "roundel-home is neither next to this program nor in PATH; install the package roundel-home"
        )
      }
      return HomeCheck(program, options.arguments, url: options.url)
    }
  }

  private func writeReport() throws {
    let text = FaultReport(version: "roundel \(Roundel.version)", running: running).text
    if let output {
      try Files.write(Array(text.utf8), to: output)
    } else {
      StandardOutput.write(text)
    }
  }

  /// The display and frames of a running kiosk, or nil.
  private var running: String? {
    guard
      let kiosk = try? KioskConnection(
        to: KioskAddress(host: nil, socket: socket), version: Roundel.version),
      let (status, json) = try? kiosk.ask(StatusRequest())
    else { return nil }
    let latency = (try? kiosk.call(LatencyRequest()))?.table ?? ""
    return ["display", "frames"].map { "\($0) \(json[$0]?.text ?? "unknown")\n" }.joined()
      + "inputs \(status.inputs.joined(separator: ", "))\n" + latency
  }
}

/// The connection to Home Assistant.
private struct HomeOptions {
  var url: String
  var tokenFile: String?
  var ca: String?

  var arguments: [String] {
    ["--url", url] + (tokenFile.map { ["--token-file", $0] } ?? [])
      + (ca.map { ["--ca", $0] } ?? [])
  }

  /// The options of roundel-home@NAME, or nil if they cannot be read.
  static var ofUnit: HomeOptions? {
    let kind = Files.Kind("the options", maximumBytes: 1 << 16)
    let token = "/etc/roundel/home-token"
    guard Files.isReadable(token), let bytes = try? Files.read("/etc/roundel/home.conf", kind)
    else { return nil }
    let prefix = "ROUNDEL_HOME_ARGUMENTS="
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .last { $0.hasPrefix(prefix) }
    let words = line?.dropFirst(prefix.count).split { " \"'".contains($0) }.map(String.init) ?? []
    func value(_ option: String) -> String? {
      words.firstIndex(of: option).flatMap { words.dropFirst($0 + 1).first }
    }
    guard let url = value("--url") else { return nil }
    return HomeOptions(url: url, tokenFile: token, ca: value("--ca"))
  }
}

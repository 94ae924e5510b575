// SPDX-License-Identifier: MIT

import ArgumentParser
import Diagnosis
import JSON
import KioskClients
import KioskProtocol
import LinuxIO
import JSONRPC

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Report what this machine offers a kiosk, and what prevents one from being shown.",
    discussion: """
      Looks at the DRM cards, their connectors and who is their master, at the \
      frame buffers, at the Wayland compositor that WAYLAND_DISPLAY names, at the \
      console and the splash, at the units of kiosks, at the input devices and sound \
      cards, at the user's groups and at the fonts; with kiosk files, also at their \
      images, and at what the unit lets their programs do. Exit code 1 says that \
      something stands in the way, marked with !.

      Examples:
        roundel doctor
        roundel doctor shop.yaml
        sudo -u roundel roundel doctor
        roundel doctor --json
        roundel doctor --report > report.txt
      """)

  @Argument(help: "Kiosk files whose images and programs are looked at.", completion: .file())
  var kiosks: [String] = []

  @Flag(help: "One JSON object.")
  var json = false

  @Flag(
    help: ArgumentHelp(
      "A text for a fault report, about this machine and its panels.",
      discussion: "It has no names of hosts or users, no addresses and no numbers of devices."
        + " Where no kiosk runs, a hundred grey pictures are shown and timed."))
  var report = false

  @Option(
    name: [.short, .long], help: "The file that the report is written to.", completion: .file())
  var output: String?

  @Option(help: "The socket of the kiosk whose display is in the report.", completion: .file())
  var socket: String?

  func validate() throws {
    guard report || output == nil && socket == nil else {
      throw ValidationError("--output and --socket are for a --report.")
    }
    guard !report || kiosks.isEmpty && !json else {
      throw ValidationError("a --report is a text about the machine, not about kiosks.")
    }
  }

  func run() throws {
    guard !report else { return try writeReport() }
    let examination = Examination(for: kiosks)
    StandardOutput.write(json ? examination.json.text + "\n" : examination.text)
    let count = examination.problemCount
    if count > 0 {
      throw Failure(
        .didNotHold,
        count == 1 ? "something stands in the way" : "\(count) things stand in the way")
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

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
      also examines their images, and whether the unit lets their programs run. Exits with 1 \
      if there are problems, which are marked with !.

      Examples:
        roundel doctor
        roundel doctor shop.yaml
        sudo -u roundel roundel doctor
        roundel doctor --json
        roundel doctor --report > report.txt
      """)

  @Argument(help: "Kiosk files whose images and programs to examine.", completion: .file())
  var kiosks: [String] = []

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
    guard !report || kiosks.isEmpty && !json else {
      throw ValidationError("--report cannot be combined with kiosk files or --json.")
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
        count == 1 ? "found 1 problem" : "found \(count) problems")
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

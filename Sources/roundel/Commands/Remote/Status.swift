// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelJSON
import KioskClients
import KioskProtocol
import LinuxIO
import JSONRPC

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Report the state of the running kiosk and its display.",
    discussion: """
      --metrics prints Prometheus' text format. If -o is a folder, writes roundel-NODE.prom there, for the \
      textfile collector of node_exporter. If no kiosk answers, roundel_up is 0 in the file. NODE is --name, or the \
      machine's name and six digits of a hash of /etc/machine-id. After the machine is renamed, the new file \
      replaces the old one.

      --in-use exits with 0 if the kiosk is in use, because it was touched within --idle seconds or its page is \
      `busy`. It exits with 1 if the kiosk isn't in use, and with 69 if no kiosk is running.

      Examples:
        roundel status
        roundel status --host kiosk@lobby --json
        roundel status --metrics -o /var/lib/prometheus/node-exporter
        roundel status --in-use || systemctl reboot
      """)

  @Flag(help: "Print metrics for Prometheus.")
  var metrics = false

  @Option(
    name: [.short, .long],
    help: "The file or folder for the metrics (default: the standard output).")
  var output: String?

  @Option(help: "The panel's name in the name of the metrics file (default: the machine's).")
  var name: String?

  @Flag(help: "Report by the exit code whether the kiosk is in use.")
  var inUse = false

  @Option(help: "Seconds after a touch until the kiosk counts as unused.")
  var idle: Seconds = 60.0

  @OptionGroup var kiosk: KioskOptions

  func validate() throws {
    guard !metrics || !inUse else {
      throw ValidationError("--metrics and --in-use cannot be combined.")
    }
    guard metrics || output == nil && name == nil else {
      throw ValidationError("--output and --name require --metrics.")
    }
    guard name != "" else { throw ValidationError("--name must not be empty.") }
  }

  func run() throws {
    if metrics { return try writeMetrics() }
    // A newer kiosk may report more.
    let (status, json) = try kiosk.connect().ask(StatusRequest())
    if inUse { return try report(status.use(within: idle.value, at: WallClock.secondsSince1970)) }
    if kiosk.json { StandardOutput.write(json: json) } else { StandardOutput.write(json.table) }
  }

  private func writeMetrics() throws {
    let status: StatusAnswer
    do throws(KioskError) {
      status = try kiosk.connect().ask(StatusRequest()).0
    } catch {
      if let output { try write(.ofNobody, to: output) }
      throw error
    }
    if let output {
      try write(Metrics(status), to: output)
    } else {
      StandardOutput.write(Metrics(status).text)
    }
  }

  /// Writes to a file, or in a folder to a file with the panel's name.
  private func write(_ metrics: Metrics, to output: String) throws {
    let text = Array(metrics.text.utf8)
    guard Folder.isThere(output) else { return try Files.write(text, to: output, isDurable: false) }
    let machine = NodeName.ofMachine
    let node = String((name ?? machine.text).map { $0 == "/" ? "_" : $0 })
    let file = "roundel-\(node).prom"
    try Files.write(text, to: "\(output)/\(file)", isDurable: false)
    guard name == nil, let digits = machine.digits else { return }
    // The exporter would report the files of the machine's former names for ever.
    for former in Folder.names(in: output)
    where former != file && former.hasPrefix("roundel-") && former.hasSuffix("-\(digits).prom") {
      Files.remove("\(output)/\(former)")
    }
  }

  private func report(_ use: String?) throws {
    if kiosk.json {
      StandardOutput.write(
        json: .object(
          [.init("in_use", .bool(use != nil))] + (use.map { [.init("reason", .string($0))] } ?? []))
      )
    } else {
      StandardOutput.write(use.map { "in use: \($0)\n" } ?? "not in use\n")
    }
    if use == nil { throw Failure(.didNotHold) }
  }
}

extension DisplayStatus {
  fileprivate var blankSentence: String {
    switch blanks {
    case "panel": "the panel reports the times of flips"
    case "timer": "a timer reports flips, up to a frame after the picture is shown"
    default: "flips are reported at once; the time at which a picture is shown is unknown"
    }
  }
}

struct Latencies: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "latency",
    abstract: "Report the latency from touches to the panel.",
    discussion: """
      Latency is the time from the kernel's time stamp of the touch to the flip that shows its \
      effect, in milliseconds, for all touches since the start. A touch sent by a command \
      counts from its scheduled time.

      Example:
        roundel latency
      """)

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let latency = try kiosk.call(LatencyRequest())
    guard !kiosk.json else { return }
    let display = try kiosk.call(StatusRequest()).display
    StandardOutput.write(latency.table + display.blankSentence + "\n")
  }
}

// SPDX-License-Identifier: MIT

import ArgumentParser
import JSON
import KioskClients
import KioskProtocol
import LinuxIO
import JSONRPC

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Report how the running kiosk and its display are.",
    discussion: """
      Examples:
        roundel status
        roundel status --host kiosk@lobby --json
      """)

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    // As it came: another version may say more.
    let (_, json) = try kiosk.connect().ask(StatusRequest())
    if kiosk.json { StandardOutput.write(json: json) } else { StandardOutput.write(json.table) }
  }
}

extension DisplayStatus {
  /// What the moments of flips say of the panel.
  fileprivate var blankSentence: String {
    switch blanks {
    case "panel": "flips are the panel's own"
    case "timer": "flips are reported by a timer; a picture is shown up to a frame earlier"
    default: "flips are reported at once; when a picture is seen is not known"
    }
  }
}

struct Latencies: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "latency",
    abstract: "Report how long touches took to be seen on the panel.",
    discussion: """
      From the kernel's time stamp of the touch to the flip that showed its effect,
      in milliseconds, since the kiosk was started. A touch that a command has sent
      counts from when it was due.

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

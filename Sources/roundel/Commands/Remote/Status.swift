// SPDX-License-Identifier: MIT

import ArgumentParser
import JSON
import KioskProtocol
import LinuxIO
import Remote

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
    let connection = try kiosk.connect()
    do throws(KioskError) {
      let (_, json) = try connection.ask(StatusRequest())
      if kiosk.json { StandardOutput.write(json: json) } else { StandardOutput.write(json.table) }
    } catch {
      throw Failure(error)
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
    func cell(_ text: String) -> String {
      String(repeating: " ", count: max(1, 10 - text.count)) + text
    }
    func row(_ name: String, _ cells: [String]) -> String {
      name + String(repeating: " ", count: max(1, 18 - name.count)) + cells.map(cell).joined()
        + "\n"
    }
    StandardOutput.write(row("", ["touches", "median", "95 %", "99 %", "worst"]))
    for (stage, times) in latency.stages {
      let cells = [times.median, times.p95, times.p99, times.worst].map { seconds in
        seconds.map { ($0 * 1e5).rounded() / 100 }.map { "\($0)" } ?? "-"
      }
      let name = String(stage.map { $0 == "_" ? " " : $0 })
      StandardOutput.write(row(name, ["\(times.count)"] + cells))
    }
  }
}

extension JSONValue {
  /// Members one below the other, those of members indented.
  var table: String { table(indent: "") }

  private func table(indent: String) -> String {
    guard case .object(let members) = self else { return indent + words + "\n" }
    let width = members.map(\.name.count).max() ?? 0
    return members.map { member in
      if case .object = member.value {
        return indent + member.name + "\n" + member.value.table(indent: indent + "  ")
      }
      let gap = String(repeating: " ", count: width - member.name.count + 2)
      return indent + (member.name + gap + member.value.words).printable + "\n"
    }.joined()
  }

  /// How a person reads it: texts without quotation marks.
  var words: String {
    switch self {
    case .string(let text): text
    case .array(let values): values.map(\.words).joined(separator: ", ")
    case .null: "-"
    default: text
    }
  }
}

// SPDX-License-Identifier: MIT

internal import JSON
package import KioskProtocol

/// A kiosk's status as Prometheus metrics.
///
/// Source: "Exposition formats", text format 0.0.4, and "Metric and label naming", both at prometheus.io/docs.
package struct Metrics {
  private enum Kind: String { case gauge, counter, histogram }

  private typealias Label = (name: String, value: String)

  /// Each line ends with a line feed.
  package private(set) var text = ""

  package static var ofNobody: Metrics {
    var metrics = Metrics()
    metrics.add(isUp: false)
    return metrics
  }

  private init() {}

  package init(_ status: StatusAnswer) {
    add(isUp: true)
    let words = status.version.split(separator: " ", maxSplits: 1)
    add(
      "build_info", .gauge, "The program's version and commit; always 1.", 1,
      [
        ("version", words.first.map(String.init) ?? ""),
        ("commit", words.count < 2 ? "" : words[1].filter { $0 != "(" && $0 != ")" }),
      ])
    add(
      "kiosk_info", .gauge, "The kiosk that is shown, and the SHA-256 of its file; always 1.", 1,
      [("kiosk", status.kiosk), ("sha256", status.sha256)])
    add(
      "bundle_version", .gauge, "The version of the bundle that the kiosk came of; 0 for none.",
      Double(status.bundle ?? 0))
    add(
      "display_up", .gauge, "Whether there is a display, awake or asleep.",
      status.display.state == "waiting" ? 0 : 1)
    add("display_awake", .gauge, "Whether the display shows the kiosk.", status.isBlank ? 0 : 1)
    add(
      "display_problems", .gauge,
      "Refused states of the panel, such as sleep and backlights.",
      Double(status.display.problems?.count ?? 0))
    add(
      "frames_total", .counter, "Frames that were shown since the program was started.",
      Double(status.frames.shown))
    add(
      "frames_late_total", .counter, "Those of them that came late.", Double(status.frames.late))
    begin(
      "restarts_total", .counter,
      "Starts by the service manager since the unit was started, by the cause of the end before.")
    for cause in status.restarts {
      sample("restarts_total", [("cause", cause.name)], cause.value.number ?? 0)
    }
    add(status.touchToFlip)
    add(
      "last_touch_timestamp_seconds", .gauge,
      "When somebody last touched the kiosk, in seconds since 1970; 0 before anybody has.",
      status.lastTouch ?? 0)
    add("busy", .gauge, "Whether the page must not be disturbed.", status.isBusy ? 1 : 0)
    add(
      "fault", .gauge, "Whether something else is shown in place of the kiosk's file.",
      status.fault == nil ? 0 : 1)
    add(
      "reload_error", .gauge, "Whether the last edit of the kiosk's file is not shown.",
      status.reloadError == nil ? 0 : 1)
    add(
      "memory_bytes", .gauge, "Memory that the program takes, shared memory included.",
      Double(status.memory))
    add(
      "image_cache_bytes", .gauge, "Memory that decoded and scaled images take.",
      Double(status.images.bytes))
    add(
      "image_cache_limit_bytes", .gauge, "Memory that they may take.", Double(status.images.limit))
    add(
      "clients", .gauge, "Clients of the kiosk's socket, this one included.", Double(status.clients)
    )
    add("wakeups_total", .counter, "How often the program has woken up.", Double(status.wakeUps))
    add(
      "uptime_seconds", .gauge, "Seconds since the program was started.", status.uptime)
    add(
      "bridge_connected", .gauge, "Whether roundel-mqtt is connected to its broker.",
      status.isBridged ? 1 : 0)
  }

  private mutating func add(isUp: Bool) {
    add("up", .gauge, "Whether the kiosk answers.", isUp ? 1 : 0)
  }

  private mutating func add(_ histogram: HistogramStatus) {
    let name = "touch_to_flip_seconds"
    begin(name, .histogram, "Seconds from a touch to the flip that showed its effect.")
    for (bound, count) in zip(histogram.bounds, histogram.counts) {
      sample(name + "_bucket", [("le", Self.number(bound))], Double(count))
    }
    sample(name + "_bucket", [("le", "+Inf")], Double(histogram.count))
    sample(name + "_sum", [], histogram.sum)
    sample(name + "_count", [], Double(histogram.count))
  }

  private mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ value: Double, _ labels: [Label] = []
  ) {
    begin(name, kind, help)
    sample(name, labels, value)
  }

  private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP roundel_\(name) \(help)\n# TYPE roundel_\(name) \(kind.rawValue)\n"
  }

  private mutating func sample(_ name: String, _ labels: [Label], _ value: Double) {
    let labels = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    text += "roundel_\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(Self.number(value))\n"
  }

  private static func number(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  private static func escaped(_ value: String) -> String {
    value.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

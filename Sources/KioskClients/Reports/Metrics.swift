// SPDX-License-Identifier: MIT

internal import RoundelJSON
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
      "build_info", .gauge, "The program's version and commit. Always 1.", 1,
      [
        ("version", words.first.map(String.init) ?? ""),
        ("commit", words.count < 2 ? "" : words[1].filter { $0 != "(" && $0 != ")" }),
      ])
    add(
      "kiosk_info", .gauge, "The current kiosk and the SHA-256 of its file. Always 1.", 1,
      [("kiosk", status.kiosk), ("sha256", status.sha256)])
    add(
      "bundle_version", .gauge, "The version of the kiosk's bundle, or 0 without a bundle.",
      Double(status.bundle ?? 0))
    add(
      "display_up", .gauge, "Whether a display is available, awake or asleep.",
      status.display.state == "waiting" ? 0 : 1)
    add("display_awake", .gauge, "Whether the display shows the kiosk.", status.isBlank ? 0 : 1)
    add(
      "display_problems", .gauge,
      "The number of refused panel settings, such as sleep and backlights.",
      Double(status.display.problems?.count ?? 0))
    add(
      "frames_total", .counter, "The number of displayed frames since the program started.",
      Double(status.frames.shown))
    add(
      "frames_late_total", .counter, "The number of late frames.", Double(status.frames.late))
    begin(
      "restarts_total", .counter,
      "The number of restarts by the service manager since the unit started, by cause.")
    for cause in status.restarts {
      sample("restarts_total", [("cause", cause.name)], cause.value.number ?? 0)
    }
    add(status.touchToFlip)
    add(
      "last_touch_timestamp_seconds", .gauge,
      "The time of the last touch, in seconds since 1970, or 0 before the first touch.",
      status.lastTouch ?? 0)
    add(
      "busy", .gauge, "Whether the page states that users must not be interrupted.",
      status.isBusy ? 1 : 0)
    add(
      "fault", .gauge, "Whether a fallback is shown instead of the kiosk's file.",
      status.fault == nil ? 0 : 1)
    add(
      "reload_error", .gauge,
      "Whether the last edit of the kiosk's file has errors and isn't shown.",
      status.reloadError == nil ? 0 : 1)
    add(
      "memory_bytes", .gauge, "The program's memory use in bytes, including shared memory.",
      Double(status.memory))
    add(
      "image_cache_bytes", .gauge, "The size of decoded and scaled images, in bytes.",
      Double(status.images.bytes))
    add(
      "image_cache_limit_bytes", .gauge, "The maximum size of the images, in bytes.",
      Double(status.images.limit))
    add(
      "clients", .gauge, "The number of the socket's clients, including this one.",
      Double(status.clients)
    )
    add("wakeups_total", .counter, "The number of wake-ups of the program.", Double(status.wakeUps))
    add(
      "uptime_seconds", .gauge, "Seconds since the program started.", status.uptime)
    add(
      "bridge_connected", .gauge, "Whether roundel-mqtt is connected to its broker.",
      status.isBridged ? 1 : 0)
  }

  private mutating func add(isUp: Bool) {
    add("up", .gauge, "Whether the kiosk answers.", isUp ? 1 : 0)
  }

  private mutating func add(_ histogram: HistogramStatus) {
    let name = "touch_to_flip_seconds"
    begin(name, .histogram, "Seconds from a touch to the page flip that shows its effect.")
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

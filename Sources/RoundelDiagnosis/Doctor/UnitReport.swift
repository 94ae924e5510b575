// SPDX-License-Identifier: MIT

internal import LinuxIO
internal import SystemPackage

/// A kiosk's unit, as systemd reports it.
struct UnitReport: Hashable {
  /// The properties by their names in `systemctl show`.
  private let properties: [String: String]

  /// Returns nil without systemd.
  static func all() -> [UnitReport]? {
    guard
      let (text, exit) = try? PipedProcess.output(of: [
        // Messages about missing systemd are useless here.
        "sh", "-c",
        "exec systemctl show --no-pager --property=\"$1\" 'roundel@*.service' 'roundel-cage@*.service'"
          + " 'roundel-weston@*.service' 2>/dev/null",
        "sh", names.joined(separator: ","),
      ]), exit == .status(0)
    else { return nil }
    return text.split(separator: "\n\n").map { UnitReport(String($0)) }
  }

  private static let names = [
    "Id", "ActiveState", "StatusText", "Restart", "WatchdogUSec", "FileDescriptorStoreMax",
    "StartLimitIntervalUSec", "StartLimitBurst", "StartLimitAction",
  ]

  init(_ text: String) {
    let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
    properties = Dictionary(pairs) { first, _ in first }
  }

  private subscript(_ name: String) -> String { properties[name] ?? "" }

  var name: String { self["Id"] }
  var state: String { self["ActiveState"] }

  var description: String {
    let said = self["StatusText"].isEmpty ? "" : ", \(self["StatusText"])"
    return "\(name): \(state)\(said)"
  }

  var lastResort: String {
    self["StartLimitAction"] == "none" || self["StartLimitAction"].isEmpty
      ? "the unit doesn't reboot the machine as a last resort; StartLimitAction=reboot would"
      : "after \(self["StartLimitBurst"]) starts within \(self["StartLimitIntervalUSec"]):"
        + " \(self["StartLimitAction"])"
  }

  var problems: [String] {
    var found: [String] = []
    let edit = "sudo systemctl edit \(name)"
    if state == "failed" {
      found.append(
        "\(name) has failed: see journalctl -b -u \(name); then run sudo systemctl restart \(name)")
    }
    // Under a compositor, the unit doesn't hold a DRM device.
    if name.hasPrefix("roundel@"), self["FileDescriptorStoreMax"] == "0" {
      found.append(
        "\(name) does not keep the DRM device open during restarts, so the panel turns dark:"
          + " set FileDescriptorStoreMax=4 with \(edit)")
    }
    if ["0", "infinity"].contains(self["WatchdogUSec"]) {
      found.append(
        "\(name) has no watchdog, so a hung kiosk isn't restarted: set WatchdogSec=15 with \(edit)")
    }
    if !["always", ""].contains(self["Restart"]) {
      found.append(
        "\(name) is not always restarted (Restart=\(self["Restart"])): set Restart=always with \(edit)"
      )
    }
    let hasLimit =
      !["0", "infinity", ""].contains(self["StartLimitIntervalUSec"])
      && self["StartLimitBurst"] != "0"
    let action = self["StartLimitAction"]
    if !["none", ""].contains(action), !hasLimit {
      found.append(
        "\(name) never reaches StartLimitAction=\(action): set StartLimitIntervalSec=10min and"
          + " StartLimitBurst=20 with \(edit)")
    } else if ["none", ""].contains(action), hasLimit {
      found.append(
        "\(name) stays stopped after \(self["StartLimitBurst"]) starts within"
          + " \(self["StartLimitIntervalUSec"]): set StartLimitIntervalSec=0 or"
          + " StartLimitAction=reboot with \(edit)")
    }
    return found
  }
}

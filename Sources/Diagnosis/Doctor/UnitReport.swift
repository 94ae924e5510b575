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
      ? "the machine is not restarted as a last resort: StartLimitAction=reboot would"
      : "after \(self["StartLimitBurst"]) starts within \(self["StartLimitIntervalUSec"]):"
        + " \(self["StartLimitAction"])"
  }

  /// The obstacles, each with a remedy.
  var problems: [String] {
    var found: [String] = []
    let edit = "sudo systemctl edit \(name)"
    if state == "failed" {
      found.append(
        "\(name) has failed: journalctl -b -u \(name) says why; sudo systemctl restart \(name) tries"
          + " again")
    }
    // Under a compositor, the unit doesn't hold a DRM device.
    if name.hasPrefix("roundel@"), self["FileDescriptorStoreMax"] == "0" {
      found.append(
        "\(name) does not keep the card open between two starts, so the panel turns dark then:"
          + " FileDescriptorStoreMax=4 by \(edit)")
    }
    if ["0", "infinity"].contains(self["WatchdogUSec"]) {
      found.append("\(name) has no watchdog, so a hang lasts: set WatchdogSec=15 by \(edit)")
    }
    if !["always", ""].contains(self["Restart"]) {
      found.append(
        "\(name) is not restarted whenever it ends (Restart=\(self["Restart"])): set Restart=always by"
          + " \(edit)")
    }
    let hasLimit =
      !["0", "infinity", ""].contains(self["StartLimitIntervalUSec"])
      && self["StartLimitBurst"] != "0"
    let action = self["StartLimitAction"]
    if !["none", ""].contains(action), !hasLimit {
      found.append(
        "\(name) never reaches StartLimitAction=\(action): set StartLimitIntervalSec=10min and"
          + " StartLimitBurst=20 by \(edit)")
    } else if ["none", ""].contains(action), hasLimit {
      found.append(
        "\(name) stays ended after \(self["StartLimitBurst"]) starts within"
          + " \(self["StartLimitIntervalUSec"]): StartLimitIntervalSec=0, or StartLimitAction=reboot,"
          + " by \(edit)")
    }
    return found
  }
}

// SPDX-License-Identifier: MIT

internal import LinuxIO
internal import SystemPackage

/// A unit that shows a kiosk, as the service manager knows it.
struct UnitReport: Hashable {
  /// By the names of systemctl show.
  private let properties: [String: String]

  /// The units of kiosks that are loaded; nil where there is no systemd.
  static func all() -> [UnitReport]? {
    guard
      let (text, exit) = try? PipedProcess.output(of: [
        // Its messages on a machine without systemd are of no use here.
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

  /// From the lines that systemctl show prints.
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

  /// Its state, in a line.
  var description: String {
    let said = self["StatusText"].isEmpty ? "" : ", \(self["StatusText"])"
    return "\(name): \(state)\(said)"
  }

  /// The last resort, if all else fails.
  var lastResort: String {
    self["StartLimitAction"] == "none" || self["StartLimitAction"].isEmpty
      ? "the machine is not restarted as a last resort: StartLimitAction=reboot would"
      : "after \(self["StartLimitBurst"]) starts within \(self["StartLimitIntervalUSec"]):"
        + " \(self["StartLimitAction"])"
  }

  /// Its obstacles, each with a remedy.
  var problems: [String] {
    var found: [String] = []
    let edit = "sudo systemctl edit \(name)"
    if state == "failed" {
      found.append(
        "\(name) has failed: journalctl -b -u \(name) says why; sudo systemctl restart \(name) tries"
          + " again")
    }
    // Under a compositor it holds no card.
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

// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemPackage

/// The console or splash that this machine shows without a kiosk.
package struct ConsoleReport: Hashable, Sendable {
  /// The active virtual console, such as `tty1`, or nil.
  package let shown: String?
  package let kernelOptions: [String]
  /// Whether plymouth shows a splash during boot.
  package let hasSplash: Bool
  /// The processes of plymouth, which is the DRM master while it runs.
  package let splashProcesses: [Int]

  package init(root: String = "") {
    shown = Files.kernelText("\(root)/sys/class/tty/tty0/active").split(separator: "\n").first
      .map(String.init)
    kernelOptions = Files.kernelText("\(root)/proc/cmdline")
      .split { $0 == " " || $0 == "\n" }.map(String.init)
    hasSplash = ["usr/sbin/plymouthd", "sbin/plymouthd"].contains {
      unsafe access("\(root)/\($0)", F_OK) == 0
    }
    splashProcesses = Folder.names(in: "\(root)/proc").compactMap(Int.init).filter {
      Files.kernelText("\(root)/proc/\($0)/comm") == "plymouthd\n"
    }.sorted()
  }

  private static let ofKiosk = "tty1"

  /// The obstacles for a kiosk's picture, each with its remedy.
  package var problems: [String] {
    var found: [String] = []
    if let process = splashProcesses.first {
      found.append(
        "plymouth (\(process)) still holds the panel, and no kiosk can be shown: sudo plymouth quit"
          + " --retain-splash ends it; systemctl status plymouth-quit says why it still runs")
    }
    if let shown, shown != Self.ofKiosk {
      found.append(
        "\(shown) is shown, and the kiosk of a unit is on \(Self.ofKiosk): Ctrl+Alt+F1 at the panel"
          + " or sudo chvt 1 shows it")
    }
    return found
  }

  /// The messages and splashes visible around a kiosk's picture, each with the setting that hides
  /// it.
  package var advice: [String] {
    guard shown != nil else { return [] }
    return [
      ("quiet", "messages of the kernel may be seen before the first kiosk"),
      ("vt.global_cursor_default=0", "a cursor may be seen before the first kiosk"),
    ].filter { !kernelOptions.contains($0.0) }.map {
      "without \($0.0) on the kernel's command line: \($0.1)"
    }
  }
}

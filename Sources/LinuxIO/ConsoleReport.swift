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

  /// The problems that keep a kiosk's picture off the panel, each with its remedy.
  package var problems: [String] {
    var found: [String] = []
    if let process = splashProcesses.first {
      found.append(
        "plymouth (\(process)) still holds the panel, so no kiosk can be shown: run sudo plymouth quit"
          + " --retain-splash; see systemctl status plymouth-quit for the reason")
    }
    if let shown, shown != Self.ofKiosk {
      found.append(
        "\(shown) is active, but the unit's kiosk is on \(Self.ofKiosk): press Ctrl+Alt+F1 at the panel,"
          + " or run sudo chvt 1")
    }
    return found
  }

  /// Messages and splashes around a kiosk's picture, each with the setting that hides it.
  package var advice: [String] {
    guard shown != nil else { return [] }
    return [
      ("quiet", "kernel messages may appear before the kiosk"),
      ("vt.global_cursor_default=0", "a cursor may appear before the kiosk"),
    ].filter { !kernelOptions.contains($0.0) }.map {
      "without \($0.0) on the kernel's command line: \($0.1)"
    }
  }
}

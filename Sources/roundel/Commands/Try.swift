// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import KioskFile
import KioskHost
import LinuxIO
import RoundelBeginnings

struct Try: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "try",
    abstract: "Edit a kiosk in the studio if there is a browser, or show it in this terminal.",
    discussion: """
      Begins the kiosk with its suite if the file doesn't exist; see roundel new. The studio needs \
      a graphical browser and the package roundel-studio. In the terminal, the mouse acts as the \
      finger, the kiosk reloads while you edit its file, and q quits.

      Examples:
        roundel try lunch.yaml
        roundel try lunch.yaml --from coffee-machine
        roundel try lunch.yaml --terminal
      """)

  @Argument(help: "The kiosk file (default: kiosk.yaml).", completion: .file())
  var kiosk = "kiosk.yaml"

  @Option(
    help: ArgumentHelp("The example for a new file; see roundel new.", valueName: "example"))
  var from: Beginning?

  @Flag(help: "Use the terminal, even if there is a browser.")
  var terminal = false

  func run() throws {
    let isNew = !Folder.hasEntry(kiosk)
    if from != nil, !isNew {
      throw Failure(
        .didNotHold, "cannot begin \(kiosk) from an example: it exists; omit --from")
    }
    let browser = terminal ? nil : Self.browser
    guard browser != nil || (isatty(0) == 1 && isatty(1) == 1) else {
      throw Failure(
        .unavailable,
        "cannot show \(kiosk): there is neither a browser with the studio nor a terminal; "
          + "use roundel render \(kiosk) -o picture.png")
    }
    if isNew {
      let suite = try New.write(kiosk, from: from)
      StandardError.write("created \(kiosk) and \(suite)\n")
    }
    if let browser {
      try SiblingProgram.execute("roundel-studio", [kiosk, "--browser", browser])
    }
    try SiblingProgram.executeSelf(["run", kiosk, "--display", "terminal"])
  }

  /// The path of a graphical browser, or nil if there is none, no desktop or no studio.
  private static var browser: String? {
    guard
      ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { Environment.variable($0)?.isEmpty == false }
      ),
      SiblingProgram.isInstalled("roundel-studio")
    else { return nil }
    let names =
      [Environment.variable("BROWSER") ?? ""] + [
        "x-www-browser", "firefox", "firefox-esr", "chromium", "google-chrome", "epiphany",
      ]
    return names.lazy.filter { !$0.isEmpty }.compactMap {
      try? Programs.path(of: $0, for: "/dev/null")
    }.first
  }
}

// SPDX-License-Identifier: MIT

import ArgumentParser
import LinuxIO

struct SetUp: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "setup",
    abstract: "Show the set-up of a disk or card again: Wi-Fi, name, time zone, SSH keys, broker.",
    discussion: """
      Replaces the kiosk on the touchscreen until the set-up is finished. Works on the disks and \
      cards by deploy/image, as root. The settings are in /state/settings, /etc/roundel and \
      /var/lib/iwd.

      Example:
        sudo roundel setup
      """)

  private static let program = "/usr/libexec/roundel/setup"

  func run() throws {
    guard Files.isExecutable(Self.program) else {
      throw Failure(
        .unavailable,
        "cannot start the set-up: it is part of the disks and cards by deploy/image; "
          + "use this system's own settings")
    }
    try SiblingProgram.executeFile(Self.program, ["again"])
  }
}

// SPDX-License-Identifier: MIT

import ArgumentParser

struct HomeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "home",
    abstract: "Connect the running kiosk to Home Assistant, without a broker.",
    discussion: """
      Executes roundel-home, which must be next to this program or in PATH. roundel home --help \
      lists its options.

      Example:
        roundel home --url ws://homeassistant.local:8123 --token-file ~/.home-token
      """)

  @Argument(parsing: .captureForPassthrough, help: "The arguments of roundel-home.")
  var arguments: [String] = []

  func run() throws { try SiblingProgram.execute("roundel-home", arguments) }
}

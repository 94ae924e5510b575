// SPDX-License-Identifier: MIT

import ArgumentParser

struct StudioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Edit a kiosk in the browser: the live kiosk, its source, its keys and its suites.",
    discussion: """
      Executes roundel-studio, which must be next to this program or in PATH. roundel studio \
      --help lists its options. The first printed line is the URL to open in a browser on this \
      machine.

      Examples:
        roundel studio shop.yaml
        roundel studio --host root@lobby
      """)

  @Argument(parsing: .captureForPassthrough, help: "The arguments of roundel-studio.")
  var arguments: [String] = []

  func run() throws { try SiblingProgram.execute("roundel-studio", arguments) }
}

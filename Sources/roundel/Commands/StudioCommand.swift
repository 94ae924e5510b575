// SPDX-License-Identifier: MIT

import ArgumentParser

struct StudioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Make a kiosk in the browser: the living kiosk, its source, its keys and its suites.",
    discussion: """
      Executes the program roundel-studio, which stands beside this one or in PATH, so that \
      this one needs no network. roundel studio --help lists its options. The first line that \
      it prints is an address of this machine, which a browser here opens.

      Examples:
        roundel studio shop.yaml
        roundel studio --host root@lobby
      """)

  @Argument(parsing: .captureForPassthrough, help: "The arguments of roundel-studio.")
  var arguments: [String] = []

  func run() throws { try SiblingProgram.execute("roundel-studio", arguments) }
}

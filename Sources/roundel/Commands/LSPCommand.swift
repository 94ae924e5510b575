// SPDX-License-Identifier: MIT

import ArgumentParser

struct LSPCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Support editors of kiosk files, by the Language Server Protocol.",
    discussion: """
      Executes roundel-studio, which must be next to this program or in PATH. See roundel lsp --help.
      """)

  @Argument(parsing: .captureForPassthrough, help: "The arguments of roundel-studio lsp.")
  var arguments: [String] = []

  func run() throws { try SiblingProgram.execute("roundel-studio", ["lsp"] + arguments) }
}

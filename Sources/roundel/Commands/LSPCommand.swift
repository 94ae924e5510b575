// SPDX-License-Identifier: MIT

import ArgumentParser

struct LSPCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Help to write kiosk files in an editor, by the Language Server Protocol.",
    discussion: """
      Executes the program roundel-studio, which stands beside this one or in PATH, so that \
      this one stays small. roundel lsp --help says more.
      """)

  @Argument(parsing: .captureForPassthrough, help: "The arguments of roundel-studio lsp.")
  var arguments: [String] = []

  func run() throws { try SiblingProgram.execute("roundel-studio", ["lsp"] + arguments) }
}

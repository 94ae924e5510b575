// SPDX-License-Identifier: MIT

import ArgumentParser

/// The studio, or as `roundel-studio lsp` the language server: both stand on the language service, which the
/// kiosk's own program has no use for. A kiosk file that is called lsp is named ./lsp.
@main
enum Program {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    if words.first == "lsp" {
      LanguageServerProtocol.main(Array(words.dropFirst()))
    } else {
      RoundelStudio.main()
    }
  }
}

// SPDX-License-Identifier: MIT

import ArgumentParser

/// The studio, or the language server as `roundel-studio lsp`. Both use the language service,
/// unlike the kiosk's program. A kiosk file called lsp must be given as ./lsp.
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

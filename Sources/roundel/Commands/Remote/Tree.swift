// SPDX-License-Identifier: MIT

import ArgumentParser
import KioskClients
import KioskProtocol
import JSONRPC

struct Tree: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tree",
    abstract: "List all controls: names, kinds, places and state.",
    discussion: """
      The names are those that tap, drag, get, set and wait take. Places are in \
      design pixels; what is not to be seen has none.

      Examples:
        roundel tree
        roundel tree --properties
        roundel tree --json | jq '.pages[].controls[].id'
      """)

  @Flag(help: "List all properties, including those of items and those that the file sets.")
  var properties = false

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let tree = try kiosk.call(TreeRequest { $0.properties = properties })
    guard !kiosk.json else { return }
    if tree.isIncomplete {
      StandardError.write("roundel: the kiosk has more properties than one answer holds\n")
    }
    StandardOutput.write(tree.text(eachOnItsLine: properties))
  }
}

// SPDX-License-Identifier: MIT

import ArgumentParser
import KioskClients
import KioskProtocol
import JSONRPC

struct Tree: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tree",
    abstract: "List all controls: names, types, positions and states.",
    discussion: """
      tap, drag, get, set and wait accept these names. Positions are in design pixels. \
      Invisible elements have no position.

      Examples:
        roundel tree
        roundel tree --properties
        roundel tree --json | jq '.pages[].controls[].id'
      """)

  @Flag(help: "List all properties, including items' properties and properties set by the file.")
  var properties = false

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let tree = try kiosk.call(TreeRequest { $0.properties = properties })
    guard !kiosk.json else { return }
    if tree.isIncomplete {
      StandardError.write(
        "roundel: the list is incomplete: the kiosk has too many properties for one answer\n")
    }
    StandardOutput.write(tree.text(eachOnItsLine: properties))
  }
}

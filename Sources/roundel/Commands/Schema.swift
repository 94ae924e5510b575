// SPDX-License-Identifier: MIT

import ArgumentParser
import Declarations
import JSON
import KioskFile
import KioskProtocol
import JSONRPC
import Suites

struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of kiosk files, test suites, or what status answers.",
    discussion: """
      Examples:
        roundel schema > kiosk.schema.json
        roundel schema --suite > suite.schema.json
        roundel schema --status > status.schema.json
      """)

  @Flag(help: "Of suite files.")
  var suite = false

  @Flag(help: "Of what roundel status --json prints.")
  var status = false

  func validate() throws {
    guard !suite || !status else { throw ValidationError("Give --suite or --status, not both.") }
  }

  func run() {
    guard status else { return StandardOutput.write(suite ? SuiteSchema.json : KioskSchema.json) }
    let head: JSONValue = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "What roundel status --json prints",
    ]
    StandardOutput.write(head.with(StatusAnswer.schema).indented() + "\n")
  }
}

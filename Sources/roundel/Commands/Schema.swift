// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelDeclarations
import RoundelJSON
import KioskFile
import KioskProtocol
import JSONRPC
import RoundelSuites

struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of kiosk files, test suites, or the status.",
    discussion: """
      Examples:
        roundel schema > kiosk.schema.json
        roundel schema --suite > suite.schema.json
        roundel schema --status > status.schema.json
      """)

  @Flag(help: "Print the schema of suite files.")
  var suite = false

  @Flag(help: "Print the schema of the output of roundel status --json.")
  var status = false

  func validate() throws {
    guard !suite || !status else {
      throw ValidationError("--suite and --status cannot be combined.")
    }
  }

  func run() {
    guard status else { return StandardOutput.write(suite ? SuiteSchema.json : KioskSchema.json) }
    let head: JSONValue = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "The output of roundel status --json",
    ]
    StandardOutput.write(head.with(StatusAnswer.schema).indented() + "\n")
  }
}

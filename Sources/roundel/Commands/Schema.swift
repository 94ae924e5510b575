// SPDX-License-Identifier: MIT

import ArgumentParser
import KioskFile
import Suites

struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the JSON Schema of kiosk files or test suites, for editors.",
    discussion: """
      Examples:
        roundel schema > kiosk.schema.json
        roundel schema --suite > suite.schema.json
      """)

  @Flag(help: "Of suite files.")
  var suite = false

  func run() {
    StandardOutput.write(suite ? SuiteSchema.json : KioskSchema.json)
  }
}

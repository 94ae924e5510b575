// SPDX-License-Identifier: MIT

import ArgumentParser
import KioskFile

struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the JSON Schema of kiosk files, for editors.",
    discussion: """
      Example:
        roundel schema > kiosk.schema.json
      """)

  func run() {
    StandardOutput.write(KioskSchema.json)
  }
}

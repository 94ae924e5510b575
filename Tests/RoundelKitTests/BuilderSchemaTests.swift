// SPDX-License-Identifier: MIT

import Foundation
import KioskFile
import Testing

@Suite struct BuilderSchemaTests {
  /// If UPDATE_SCHEMA is set in the environment, writes the file. The test then still fails once.
  @Test func `the builders are up to date`() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/RoundelKit/Building/Builders.swift")
    let text = BuilderSource.text(from: KioskSchema.schema)
    if ProcessInfo.processInfo.environment["UPDATE_SCHEMA"] != nil {
      try text.write(to: path, atomically: true, encoding: .utf8)
      Issue.record("wrote \(path.lastPathComponent)")
    }
    #expect(try String(contentsOf: path, encoding: .utf8) == text)
  }
}

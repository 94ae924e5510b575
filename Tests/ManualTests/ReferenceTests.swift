// SPDX-License-Identifier: MIT

import Foundation
import KioskFile
import RoundelManual
import Testing

@testable import RoundelSession

private let repository = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()

@Suite struct ReferenceTests {
  /// If UPDATE_SCHEMA is set in the environment, writes the file. The test then still fails once.
  @Test func `the reference is up to date in deploy`() throws {
    let file = repository.appending(path: "deploy/reference.md")
    if ProcessInfo.processInfo.environment["UPDATE_SCHEMA"] != nil {
      try Manual.text.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("wrote \(file.path)")
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == Manual.text)
  }

  @Test func `each line in the reference of recordings is valid`() throws {
    let names = try RecordingReference.lines.map { line in
      let fingers = #"{"t":0,"down":{"finger":0,"x":1,"y":1}}"#
      let isFirst = line.example.contains("\"t\":0,")
      let text = (isFirst ? "" : fingers + "\n") + line.example
      let recording = try Recording(Array(text.utf8), path: "r.jsonl")
      #expect(recording.steps.count == (isFirst ? 1 : 2))
      return Recording.names.first { line.example.contains("\"\($0)\":") }
    }
    #expect(
      RecordingReference.text.split(separator: "\n").count { $0.hasPrefix("- `") }
        == Recording.names.count)
    #expect(!names.contains(nil))
  }

  @Test func `the reference file has a picture for each example, the terminal's sections don't`() {
    for section in Manual.sections {
      #expect(!section.text.contains("!["))
      let picture = "](manual/pictures/\(section.name).png)"
      #expect(Manual.text.contains(picture) == section.hasPicture)
    }
  }
}

// SPDX-License-Identifier: MIT

import Foundation
import KioskFile
import Manual
import Testing

@testable import Session

private let repository = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()

@Suite struct ReferenceTests {
  /// With UPDATE_SCHEMA in the environment the file is written, and the test fails once more.
  @Test func `the reference is the one in deploy`() throws {
    let file = repository.appending(path: "deploy/reference.md")
    if ProcessInfo.processInfo.environment["UPDATE_SCHEMA"] != nil {
      try Manual.text.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("wrote \(file.path)")
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == Manual.text)
  }

  @Test func `each line of the reference of recordings is one that a recording has`() throws {
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

  @Test func `a section for the terminal has no picture, and the file has one of each example`() {
    for section in Manual.sections {
      #expect(!section.text.contains("!["))
      let picture = "](manual/pictures/\(section.name).png)"
      #expect(Manual.text.contains(picture) == section.hasPicture)
    }
  }
}

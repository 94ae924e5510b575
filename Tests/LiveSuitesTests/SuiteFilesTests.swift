// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import LiveSuites
@testable import Suites
import Testing

@Suite struct SuiteFilesTests {
  private let folder = "/tmp/roundel-suite-files-\(UInt64.random(in: 0 ... .max))"

  private func result(_ name: String, _ artifacts: [Artifact]) -> TestResult {
    TestResult(
      suite: "Timer & co",
      test: TestCase(
        name: name, line: 1, tags: [], timeout: 1, seed: 0, isHeadlessOnly: false, steps: []),
      outcome: .passed, artifacts: artifacts)
  }

  private static func remove(_ path: String) {
    guard unsafe unlink(path) != 0 else { return }
    for name in Folder.names(in: path) { remove("\(path)/\(name)") }
    _ = unsafe rmdir(path)
  }

  @Test func `each test with artifacts has a folder whose name needs no quotes`() throws {
    defer { Self.remove(folder) }
    var folders = ArtifactFolders(folder)
    let artifact = Artifact("touches.jsonl", [1, 2])
    #expect(
      try folders.keep(result("at 3 o'clock", [artifact])) == "\(folder)/Timer-co/at-3-o-clock")
    #expect(
      try folders.keep(result("at 3 o:clock", [artifact])) == "\(folder)/Timer-co/at-3-o-clock-2")
    #expect(try folders.keep(result("…", [artifact])) == "\(folder)/Timer-co/test")
    #expect(try folders.keep(result("passes", [])) == nil)
    #expect(
      try StateFile("\(folder)/Timer-co/test/touches.jsonl", maximumBytes: 10).read() == [1, 2])
  }

  @Test func `without a folder for them artifacts are left`() throws {
    var folders = ArtifactFolders(nil)
    #expect(try folders.keep(result("a", [Artifact("b", [])])) == nil)
  }

  @Test func `an expected picture is missing, or read as it was written`() throws {
    defer { Self.remove(folder) }
    let goldens = GoldenFiles()
    #expect(try goldens.read("\(folder)/seen/a.png") == nil)
    try goldens.write([9, 8], to: "\(folder)/seen/a.png")
    #expect(try goldens.read("\(folder)/seen/a.png") == [9, 8])
    #expect(goldens.names(in: "\(folder)/seen") == ["a.png"])
  }
}

// SPDX-License-Identifier: MIT

import Glibc
import Kiosk
import LinuxIO
import LiveSuites
import RoundelRuntime
@testable import RoundelSuites
import Testing
import RoundelText

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

  @Test func `each test with artifacts has a folder whose name needs no quoting`() throws {
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

  @Test func `without a folder, artifacts are discarded`() throws {
    var folders = ArtifactFolders(nil)
    #expect(try folders.keep(result("a", [Artifact("b", [])])) == nil)
  }

  @Test func `an expected picture is nil if missing, or read as written`() throws {
    defer { Self.remove(folder) }
    let goldens = GoldenFiles()
    #expect(try goldens.read("\(folder)/seen/a.png") == nil)
    try goldens.write([9, 8], to: "\(folder)/seen/a.png")
    #expect(try goldens.read("\(folder)/seen/a.png") == [9, 8])
    #expect(goldens.names(in: "\(folder)/seen") == ["a.png"])
  }

  private static let suite = """
    suite: s
    kiosk: k.yaml
    tests:
      - test: goes there
        tags: [fast]
        steps: [{go: only}]
      - test: stays
        steps: [{go: only}]

    """

  /// The plan for a suite, and its error messages.
  private func plan(_ text: String, readKiosk: @escaping () throws(Failure) -> Content) -> (
    TestPlan?, String
  ) {
    var reported = ""
    let path = folder + "/s.yaml"
    try? Files.makeFolder(folder)
    try? Files.write(Array(text.utf8), to: path)
    let plan = try? TestPlan([path], readKiosk: { _, _ throws(Failure) in try readKiosk() }) {
      reported += $0
    }
    return (plan, reported)
  }

  private var kiosk: Content {
    Content(
      Description(name: "k", pages: [Page(name: "only", controls: [])]), fonts: FontLibrary())
  }

  @Test func `a plan contains the tests selected by tag or name`() throws {
    defer { Self.remove(folder) }
    let all = try #require(plan(Self.suite) { kiosk }.0)
    #expect(all.count == 2)
    for (tags, filter, count) in [
      (["fast"], nil, 1), (["slow"], nil, 0), ([], "STAYS", 1), ([], "s: ", 2),
      (["fast"], "stays", 0),
    ] as [([String], String?, Int)] {
      var some = all
      some.choose(tags: tags, filter: filter)
      #expect(some.count == count, "\(tags) \(filter ?? "")")
    }
  }

  @Test func `an invalid suite or kiosk gives no plan, and is reported`() {
    defer { Self.remove(folder) }
    let (bad, diagnostics) = plan(Self.suite.replacing("only", with: "nowhere")) { kiosk }
    #expect(bad == nil && diagnostics.contains("s.yaml:"))
    let (none, reported) = plan(Self.suite) { () throws(Failure) in
      throw Failure(.badFile, "cannot read it")
    }
    #expect(none == nil && reported.contains("roundel: cannot read it\n"))
  }
}

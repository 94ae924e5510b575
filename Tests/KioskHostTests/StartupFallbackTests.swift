// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import Glibc
import HostSupport
import Kiosk
import KioskHost
import KioskProtocol
import LinuxIO
import RoundelMotion
import RoundelRuntime
import Testing
import RoundelDeclarations

@Suite struct StartupFallbackTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.write(wall("Welcome"), to: "wall.yaml")
    try folder.write("", to: "run/none")
  }

  private var fallback: StartupFallback { StartupFallback(for: file, in: folder.state) }

  /// Records `count` starts that ended early.
  private func end(_ count: Int, by reason: String = "core-dump ILL") throws {
    try folder.write(String(repeating: reason + "\n", count: count), to: "run/wall.ends")
  }

  private func copy() throws { try #require(fallback.copy).save([file]) }

  private func text(_ initialContent: InitialContent) throws -> String? {
    let page = try initialContent.content.get().description.pages[0]
    guard case .text(let text)? = page.controls.first?.control.value(of: "text", at: .zero) else {
      return nil
    }
    return text
  }

  @Test func `a valid file is shown`() throws {
    let initialContent = fallback.initialContent()
    #expect(
      initialContent.fault == nil && initialContent.diagnostics.isEmpty
        && initialContent.files == [file])
    #expect(try text(initialContent) == "Welcome")
  }

  @Test func `the last copy replaces a file with errors`() throws {
    try copy()
    try folder.write(brokenWall, to: "wall.yaml")
    let initialContent = fallback.initialContent()
    #expect(try text(initialContent) == "Welcome")
    #expect(initialContent.fault?.fallbackKind == .copy && initialContent.fault?.page == nil)
    #expect(
      initialContent.fault?.message
        == "cannot show \(file): it has errors; the panel shows the last working copy")
    #expect(initialContent.diagnostics.first?.line == 2)
    #expect(initialContent.files == [file])
  }

  @Test func `a copy is watched at its original files`() throws {
    let part = try folder.write("{label: more, at: [640, 600], text: More}\n", to: "more.yaml")
    try folder.write(wall("Welcome", more: "      - {include: more.yaml}"), to: "wall.yaml")
    try #require(fallback.copy).save([file, part])
    try folder.write(brokenWall, to: "wall.yaml")
    #expect(fallback.initialContent().files == [file, part])
  }

  @Test func `without a copy, a page shows the errors`() throws {
    try folder.write(brokenWall, to: "wall.yaml")
    let fault = try #require(fallback.initialContent().fault)
    #expect(fault.fallbackKind == .page)
    #expect(fault.message == "cannot show \(file): it has errors; the panel shows the error")
    #expect(fault.reasons.first?.hasPrefix("\(file):2:") == true)
  }

  @Test func `the page names a missing file, which is watched`() throws {
    folder.remove("wall.yaml")
    let initialContent = fallback.initialContent()
    #expect(
      initialContent.fault?.reasons == [
        "cannot read the kiosk file \(file): No such file or directory"
      ])
    #expect(initialContent.files == [file])
  }

  @Test(arguments: [(2, "Welcome anew"), (3, "Welcome"), (5, "Welcome")])
  func `repeated early ends lead from the file to the copy`(count: Int, shown: String) throws {
    try copy()
    try folder.write(wall("Welcome anew"), to: "wall.yaml")
    try end(count)
    #expect(try text(fallback.initialContent()) == shown)
  }

  @Test func `more early ends lead to the page, which names the last end`() throws {
    try copy()
    try end(5)
    try folder.write(
      try #require(try folder.text(of: "run/wall.ends")) + "watchdog ABRT\n", to: "run/wall.ends")
    let fault = try #require(fallback.initialContent().fault)
    #expect(fault.fallbackKind == .page)
    #expect(
      fault.reasons
        == ["cannot show \(file): the last 6 starts failed, most recently by watchdog ABRT"])
  }

  @Test func `an invalid copy is skipped`() throws {
    try copy()
    let place = try #require(fallback.copy).file
    try Files.write(Array("kiosk: [".utf8), to: place)
    try end(3)
    #expect(fallback.initialContent().fault?.fallbackKind == .page)
  }

  @Test(arguments: [(1, 0), (2, 0), (3, 3), (5, 3), (6, 6), (9, 6)])
  func `a lasting start keeps its fallback stage`(count: Int, kept: Int) throws {
    try end(count)
    fallback.recordSuccessfulStart()
    let lines = try folder.text(of: "run/wall.ends")?.split(separator: "\n").count ?? 0
    #expect(lines == kept)
  }

  @Test func `a clean stop returns to the file`() throws {
    try end(9)
    fallback.forgetEnds()
    #expect(fallback.initialContent().fault == nil)
  }

  @Test func `without directories there are only the file and the page`() throws {
    let fallback = StartupFallback(for: file, in: StateFolders(persistent: nil, volatile: nil))
    fallback.recordSuccessfulStart()
    fallback.forgetEnds()
    #expect(fallback.copy == nil && fallback.initialContent().fault == nil)
    try folder.write(brokenWall, to: "wall.yaml")
    #expect(fallback.initialContent().fault?.fallbackKind == .page)
  }
}

// SPDX-License-Identifier: MIT

import Controls
import Expressions
import Glibc
import HostSupport
import Kiosk
import KioskHost
import KioskProtocol
import LinuxIO
import Motion
import Runtime
import Testing
import Declarations

@Suite struct LadderTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.write(wall("Welcome"), to: "wall.yaml")
    try folder.write("", to: "run/none")
  }

  private var ladder: Ladder { Ladder(for: file, in: folder.state) }

  /// Lets as many starts end early.
  private func end(_ count: Int, by reason: String = "core-dump ILL") throws {
    try folder.write(String(repeating: reason + "\n", count: count), to: "run/wall.ends")
  }

  private func copy() throws { try #require(ladder.copy).save([file]) }

  private func text(_ opening: Opening) throws -> String? {
    let page = try opening.content.get().description.pages[0]
    guard case .text(let text)? = page.controls.first?.control.value(of: "text", at: .zero) else {
      return nil
    }
    return text
  }

  @Test func `a file without mistakes is shown`() throws {
    let opening = ladder.opening()
    #expect(opening.fault == nil && opening.mistakes.isEmpty && opening.files == [file])
    #expect(try text(opening) == "Welcome")
  }

  @Test func `in place of a file with mistakes the last copy is shown`() throws {
    try copy()
    try folder.write(brokenWall, to: "wall.yaml")
    let opening = ladder.opening()
    #expect(try text(opening) == "Welcome")
    #expect(opening.fault?.standIn == .copy && opening.fault?.page == nil)
    #expect(
      opening.fault?.message
        == "\(file) is not shown: it has mistakes; the last copy that worked is shown")
    #expect(opening.mistakes.first?.line == 2)
    #expect(opening.files == [file])
  }

  @Test func `the files of a copy are watched as the files that they were copied from`() throws {
    let part = try folder.write("{label: more, at: [640, 600], text: More}\n", to: "more.yaml")
    try folder.write(wall("Welcome", more: "      - {include: more.yaml}"), to: "wall.yaml")
    try #require(ladder.copy).save([file, part])
    try folder.write(brokenWall, to: "wall.yaml")
    #expect(ladder.opening().files == [file, part])
  }

  @Test func `without a copy a page says what is wrong`() throws {
    try folder.write(brokenWall, to: "wall.yaml")
    let fault = try #require(ladder.opening().fault)
    #expect(fault.standIn == .page)
    #expect(fault.message == "\(file) is not shown: it has mistakes; a page on the panel says so")
    #expect(fault.reasons.first?.hasPrefix("\(file):2:") == true)
  }

  @Test func `a file that is missing is named by the page, and awaited`() throws {
    folder.remove("wall.yaml")
    let opening = ladder.opening()
    #expect(
      opening.fault?.reasons == ["cannot read the kiosk file \(file): No such file or directory"])
    #expect(opening.files == [file])
  }

  @Test(arguments: [(2, "Welcome anew"), (3, "Welcome"), (5, "Welcome")])
  func `starts that end early lead from the file to the copy`(count: Int, shown: String) throws {
    try copy()
    try folder.write(wall("Welcome anew"), to: "wall.yaml")
    try end(count)
    #expect(try text(ladder.opening()) == shown)
  }

  @Test func `more starts that end early lead to the page, which names the last end`() throws {
    try copy()
    try end(5)
    try folder.write(
      try #require(try folder.text(of: "run/wall.ends")) + "watchdog ABRT\n", to: "run/wall.ends")
    let fault = try #require(ladder.opening().fault)
    #expect(fault.standIn == .page)
    #expect(
      fault.reasons
        == ["\(file) is not shown: the last 6 starts failed, most recently by watchdog ABRT"])
  }

  @Test func `a copy that cannot be shown is passed over`() throws {
    try copy()
    let place = try #require(ladder.copy).file
    try Files.write(Array("kiosk: [".utf8), to: place)
    try end(3)
    #expect(ladder.opening().fault?.standIn == .page)
  }

  @Test(arguments: [(1, 0), (2, 0), (3, 3), (5, 3), (6, 6), (9, 6)])
  func `a start that lasts stays on its rung`(count: Int, kept: Int) throws {
    try end(count)
    ladder.noteLastingStart()
    let lines = try folder.text(of: "run/wall.ends")?.split(separator: "\n").count ?? 0
    #expect(lines == kept)
  }

  @Test func `a stop in good order leads back to the file`() throws {
    try end(9)
    ladder.forgetEnds()
    #expect(ladder.opening().fault == nil)
  }

  @Test func `without folders only the file and the page are left`() throws {
    let ladder = Ladder(for: file, in: StateFolders(lasting: nil, passing: nil))
    ladder.noteLastingStart()
    ladder.forgetEnds()
    #expect(ladder.copy == nil && ladder.opening().fault == nil)
    try folder.write(brokenWall, to: "wall.yaml")
    #expect(ladder.opening().fault?.standIn == .page)
  }
}

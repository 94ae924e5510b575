// SPDX-License-Identifier: MIT

import Glibc
import HostSupport
import KioskHost
import LinuxIO
import Testing

@Suite struct KioskCopyTests {
  private let folder: TemporaryFolder
  private let file: String
  private let part: String
  private let copy: KioskCopy

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.write("one", to: "wall.yaml")
    part = try folder.write("part of one", to: "parts/more.yaml")
    copy = try #require(KioskCopy(of: file, in: folder.state))
  }

  private func text(_ path: String) throws -> String? {
    try StateFile(path, maximumBytes: 1 << 20).read().map { String(decoding: $0, as: UTF8.self) }
  }

  private var copiedPart: String { "\(folder.path)/state/last/wall.yaml\(part)" }

  private func node(of path: String) -> UInt64 {
    var status = stat()
    _ = unsafe stat(path, &status)
    return UInt64(status.st_ino)
  }

  @Test func `copies are stored below a directory under their full paths`() throws {
    try copy.save([file, part])
    #expect(copy.file == "\(folder.path)/state/last/wall.yaml\(file)")
    #expect(try text(copy.file) == "one")
    #expect(try text(copiedPart) == "part of one")
    #expect(copy.original(of: copiedPart) == part && copy.original(of: part) == part)
  }

  @Test func `unchanged files aren't written again`() throws {
    try copy.save([file, part])
    let before = node(of: copy.file)
    try copy.save([file, part])
    #expect(node(of: copy.file) == before)
  }

  @Test func `a new copy replaces the previous one completely`() throws {
    try copy.save([file, part])
    try folder.write("two", to: "wall.yaml")
    try folder.write("part of two", to: "parts/more.yaml")
    try copy.save([file, part])
    #expect(try text(copy.file) == "two" && text(copiedPart) == "part of two")
    #expect(Folder.names(in: "\(folder.path)/state/last") == ["wall.yaml"])
  }

  @Test func `a file that no longer belongs to the kiosk is removed`() throws {
    try copy.save([file, part])
    try copy.save([file])
    #expect(try text(copy.file) == "one" && text(copiedPart) == nil)
  }

  @Test func `an unreadable file keeps the old copy`() throws {
    try copy.save([file, part])
    try folder.write("two", to: "wall.yaml")
    folder.remove("parts/more.yaml")
    #expect(throws: Failure.self) { try copy.save([file, part]) }
    #expect(try text(copy.file) == "one" && text(copiedPart) == "part of one")
  }

  @Test func `a failure to write names the path`() throws {
    try folder.write("in the way", to: "state")
    do throws(Failure) {
      try copy.save([file])
      Issue.record("it was saved")
    } catch {
      #expect(error.code == .didNotHold && error.message.contains("\(folder.path)/state"))
    }
  }
}

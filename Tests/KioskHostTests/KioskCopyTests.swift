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

  @Test func `the copies lie below a folder as the files do below the root`() throws {
    try copy.save([file, part])
    #expect(copy.file == "\(folder.path)/state/last/wall.yaml\(file)")
    #expect(try text(copy.file) == "one")
    #expect(try text(copiedPart) == "part of one")
    #expect(copy.original(of: copiedPart) == part && copy.original(of: part) == part)
  }

  @Test func `files that are as they were are not written again`() throws {
    try copy.save([file, part])
    let before = node(of: copy.file)
    try copy.save([file, part])
    #expect(node(of: copy.file) == before)
  }

  @Test func `another copy takes the place of the whole`() throws {
    try copy.save([file, part])
    try folder.write("two", to: "wall.yaml")
    try folder.write("part of two", to: "parts/more.yaml")
    try copy.save([file, part])
    #expect(try text(copy.file) == "two" && text(copiedPart) == "part of two")
    #expect(Folder.names(in: "\(folder.path)/state/last") == ["wall.yaml"])
  }

  @Test func `a file that is no part of the kiosk any more goes`() throws {
    try copy.save([file, part])
    try copy.save([file])
    #expect(try text(copy.file) == "one" && text(copiedPart) == nil)
  }

  @Test func `where a file cannot be read, the old copy stays`() throws {
    try copy.save([file, part])
    try folder.write("two", to: "wall.yaml")
    folder.remove("parts/more.yaml")
    #expect(throws: Failure.self) { try copy.save([file, part]) }
    #expect(try text(copy.file) == "one" && text(copiedPart) == "part of one")
  }

  @Test func `where nothing can be written, the failure names the place`() throws {
    try folder.write("in the way", to: "state")
    do throws(Failure) {
      try copy.save([file])
      Issue.record("it was saved")
    } catch {
      #expect(error.code == .didNotHold && error.message.contains("\(folder.path)/state"))
    }
  }
}

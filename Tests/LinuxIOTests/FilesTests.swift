// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import SystemPackage
import Testing

@Suite struct FilesTests {
  private static let kind = Files.Kind("the test", maximumBytes: 1 << 20)
  private static let pipeKind = Files.Kind("the test", maximumBytes: 1 << 20, mayBePipe: true)
  private let folder: String

  init() throws {
    var template = Array("/tmp/roundel-files-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func clear() {
    for name in Folder.names(in: folder) { _ = unsafe unlink("\(folder)/\(name)") }
    _ = unsafe rmdir(folder)
  }

  private func problem(_ path: String, _ kind: Files.Kind = Self.kind) -> Failure? {
    do throws(Failure) {
      _ = try Files.read(path, kind)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a file that was written is read, and no draft of it is left`() throws {
    defer { clear() }
    try Files.write([1, 2, 3], to: folder + "/a")
    try Files.write([4], to: folder + "/a")
    #expect(try Files.read(folder + "/a", Self.kind) == [4])
    #expect(Folder.names(in: folder) == ["a"])
  }

  @Test func `a file whose contents fail to come stays as it was`() throws {
    defer { clear() }
    try Files.write([1], to: folder + "/a")
    #expect(throws: Failure.self) {
      try Files.write(to: folder + "/a") { append in
        try append([2])
        throw Errno.ioError
      }
    }
    #expect(try Files.read(folder + "/a", Self.kind) == [1])
    #expect(Folder.names(in: folder) == ["a"])
  }

  @Test func `a pipe gets what is written to it, and stays a pipe`() throws {
    let path = folder + "/pipe"
    #expect(unsafe mkfifo(path, 0o600) == 0)
    // Read and write: nobody waits.
    let reader = try OwnedDescriptor(opening: path, O_RDWR)
    try Files.write([7, 8], to: path)
    #expect(try reader.receive(upTo: 10) == [7, 8])
    var status = stat()
    #expect(unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test func `a pipe that nobody writes to is refused, not waited for`() throws {
    defer { clear() }
    #expect(unsafe mkfifo(folder + "/pipe", 0o600) == 0)
    #expect(
      problem(folder + "/pipe")?.message
        == "cannot read the test \(folder)/pipe: it is a pipe (expected a regular file)")
  }

  @Test(.timeLimit(.minutes(1)))
  func `a pipe of which nobody has opened the other end yet is read once somebody writes to it`()
    throws
  {
    defer { clear() }
    let path = folder + "/pipe"
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let reading = Future { try? Files.read(path, Self.pipeKind) }
    // There is no other end before this one is open.
    var opened: FileDescriptor?
    while opened == nil {
      opened = try? FileDescriptor.open(FilePath(path), .writeOnly, options: .nonBlocking)
    }
    let end = try #require(opened)
    _ = try end.writeAll([1, 2])
    _ = try end.writeAll([3])
    try end.close()
    #expect(reading.value == [1, 2, 3])
  }

  @Test func `folders and devices are refused`() {
    defer { clear() }
    #expect(problem(folder)?.message.contains("it is a folder") == true)
    #expect(problem("/dev/null")?.message.contains("it is a device") == true)
    #expect(problem("/dev/null", Self.pipeKind)?.code == .badFile)
  }

  @Test func `a file that is larger than its kind may be is refused`() throws {
    defer { clear() }
    try Files.write(Array(repeating: 0, count: 1 << 20 + 1), to: folder + "/large")
    #expect(
      problem(folder + "/large")?.message == "the test \(folder)/large is larger than 1 MiB")
  }

  @Test func `a file that is missing is named with the reason`() {
    defer { clear() }
    #expect(
      problem(folder + "/none")?.message
        == "cannot read the test \(folder)/none: No such file or directory")
  }

  @Test func `a folder that cannot be made is named`() throws {
    defer { clear() }
    try Files.write([], to: folder + "/a")
    do throws(Failure) {
      try Files.makeFolder(folder + "/a/b")
      Issue.record("it was made")
    } catch {
      #expect(error.message == "cannot make the folder \(folder)/a/b/: Not a directory")
    }
  }
}

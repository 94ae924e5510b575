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

  @Test func `a written file can be read, and its draft is removed`() throws {
    defer { clear() }
    try Files.write([1, 2, 3], to: folder + "/a")
    try Files.write([4], to: folder + "/a")
    #expect(try Files.read(folder + "/a", Self.kind) == [4])
    #expect(Folder.names(in: folder) == ["a"])
  }

  @Test func `a file keeps its contents if writing new ones fails`() throws {
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

  @Test func `a pipe receives the data and remains a pipe`() throws {
    let path = folder + "/pipe"
    #expect(unsafe mkfifo(path, 0o600) == 0)
    // Opened for reading and writing, so that neither side waits.
    let reader = try OwnedDescriptor(opening: path, O_RDWR)
    try Files.write([7, 8], to: path)
    #expect(try reader.receive(upTo: 10) == [7, 8])
    var status = stat()
    #expect(unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  // MARK: Replacing

  private struct Attributes: Equatable {
    var mode: UInt32
    var user: UInt32
    var group: UInt32
  }

  private func attributes(_ name: String) throws -> Attributes {
    var status = stat()
    // Writes into a local.
    try #require(unsafe lstat("\(folder)/\(name)", &status) == 0)
    return Attributes(mode: status.st_mode & 0o7777, user: status.st_uid, group: status.st_gid)
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    try Files.read("\(folder)/\(name)", Self.kind)
  }

  @Test(arguments: [0o600, 0o640, 0o444, 0o666, 0o755])
  func `a replaced file keeps its permissions, whatever a new file would get`(
    _ mode: UInt32
  ) throws {
    defer { clear() }
    try Files.write([1], to: folder + "/a")
    #expect(unsafe chmod(folder + "/a", mode) == 0)
    try Files.write([2], to: folder + "/a")
    #expect(try attributes("a").mode == mode && bytes("a") == [2])
    try Files.write([3], to: folder + "/a", access: .mode(0o622))
    #expect(try attributes("a").mode == mode && bytes("a") == [3])
    try StateFile(folder + "/a", maximumBytes: 10).write([4])
    #expect(try attributes("a").mode == mode && bytes("a") == [4])
  }

  @Test(.enabled(if: getuid() == 0))
  func `a file replaced by root keeps its owner and group`() throws {
    defer { clear() }
    try Files.write([1], to: folder + "/a", access: .mode(0o640))
    #expect(unsafe chown(folder + "/a", 12, 34) == 0)
    try Files.write([2], to: folder + "/a")
    #expect(try attributes("a") == Attributes(mode: 0o640, user: 12, group: 34))
    try StateFile(folder + "/a", maximumBytes: 10).write([3])
    #expect(try attributes("a") == Attributes(mode: 0o640, user: 12, group: 34))
  }

  @Test func `a replaced program loses its setuid bit`() throws {
    defer { clear() }
    try Files.write([1], to: folder + "/a")
    #expect(unsafe chmod(folder + "/a", 0o6755) == 0)
    try Files.write([2], to: folder + "/a")
    #expect(try attributes("a").mode == 0o755)
  }

  @Test func `a new file has the requested permissions, whatever the umask`() throws {
    defer { clear() }
    try Files.write([1], to: folder + "/a", access: .mode(0o666))
    #expect(try attributes("a").mode == 0o666)
    try StateFile(folder + "/b", maximumBytes: 10).write([1])
    #expect(try attributes("b").mode == 0o600)
    try Files.write([1], to: folder + "/c")
    #expect(try attributes("c").mode & ~0o644 == 0)
    try Files.makeFolder(folder + "/d/e", access: .mode(0o777))
    defer { Folder.remove(folder + "/d") }
    #expect(try attributes("d").mode == 0o777 && attributes("d/e").mode == 0o777)
  }

  @Test func `a new file or folder can copy the access of another`() throws {
    defer { clear() }
    try Files.write([1], to: folder + "/a", access: .mode(0o604))
    try Files.makeFolder(folder + "/d", access: .mode(0o2705))
    defer { Folder.remove(folder + "/d") }
    if getuid() == 0 {
      for name in ["a", "d"] { #expect(unsafe chown("\(folder)/\(name)", 12, 34) == 0) }
      #expect(unsafe chmod(folder + "/d", 0o2705) == 0)
    }
    try Files.write([2], to: folder + "/b", access: .like(folder + "/a"))
    try Files.makeFolder(folder + "/d/e", access: .like(folder + "/d"))
    #expect(try attributes("b") == attributes("a"))
    #expect(try attributes("d/e") == attributes("d"))
  }

  @Test func `writing through a link replaces its target`() throws {
    defer { clear() }
    try Files.makeFolder(folder + "/there")
    defer { Folder.remove(folder + "/there") }
    try Files.write([1], to: folder + "/there/a")
    #expect(unsafe symlink("there/a", folder + "/relative") == 0)
    #expect(unsafe symlink("\(folder)/relative", folder + "/absolute") == 0)
    #expect(unsafe symlink("there/new", folder + "/dangling") == 0)
    try Files.write([2], to: folder + "/absolute")
    #expect(try bytes("there/a") == [2])
    try StateFile(folder + "/relative", maximumBytes: 10).write([3])
    #expect(try bytes("there/a") == [3])
    try Files.write([4], to: folder + "/dangling")
    #expect(try bytes("there/new") == [4])
    for name in ["relative", "absolute", "dangling"] {
      #expect(Files.target(ofLink: "\(folder)/\(name)") != nil)
    }
    #expect(Set(Folder.names(in: folder + "/there")) == ["a", "new"])
  }

  @Test func `circular links are an error`() throws {
    defer { clear() }
    #expect(unsafe symlink("b", folder + "/a") == 0)
    #expect(unsafe symlink("a", folder + "/b") == 0)
    let failure = #expect(throws: Failure.self) { try Files.write([1], to: folder + "/a") }
    #expect(failure?.message.contains("Too many levels of symbolic links") == true)
    #expect(Set(Folder.names(in: folder)) == ["a", "b"])
  }

  @Test func `a file appears only when complete, so a kill leaves nothing`() throws {
    defer { clear() }
    try Files.write(to: folder + "/a") { append in
      try append([1])
      #expect(Folder.names(in: folder) == [])
    }
    #expect(try bytes("a") == [1])
  }

  @Test func `a folder isn't replaced by a file`() throws {
    defer { clear() }
    for path in [folder, folder + "/", folder + "/."] {
      let failure = #expect(throws: Failure.self) { try Files.write([1], to: path) }
      #expect(failure?.message == "cannot write \(path): Is a directory")
    }
    #expect(Folder.names(in: folder) == [])
  }

  @Test func `simultaneous writers leave the whole content of one of them`() throws {
    defer { clear() }
    let path = folder + "/a"
    let writers = (1...4).map { number in
      Future {
        (0..<50).allSatisfy { _ in
          (try? Files.write(
            [UInt8](repeating: UInt8(number), count: 100_000), to: path, isDurable: false)) != nil
        }
      }
    }
    let isWritten = writers.map { $0.value }
    #expect(!isWritten.contains(false))
    let left = try bytes("a")
    #expect(left.count == 100_000 && Set(left).count == 1)
    #expect(Folder.names(in: folder) == ["a"])
  }

  @Test func `an open file of the process receives the bytes at its position`() throws {
    defer { clear() }
    try Files.write([1, 2], to: folder + "/a")
    let file = try FileDescriptor.open(FilePath(folder + "/a"), .writeOnly, options: .append)
    #expect(unsafe symlink("/proc/self/fd/\(file.rawValue)", folder + "/link") == 0)
    try file.closeAfter {
      try Files.write([3], to: "/proc/self/fd/\(file.rawValue)")
      try Files.write([4], to: "/dev/fd/\(file.rawValue)")
      try Files.write([5], to: folder + "/link")
    }
    #expect(try bytes("a") == [1, 2, 3, 4, 5])
  }

  @Test func `a device that rejects data is an error, and remains a device`() {
    let failure = #expect(throws: Failure.self) { try Files.write([1], to: "/dev/full") }
    #expect(failure?.message == "cannot write /dev/full: No space left on device")
    var status = stat()
    #expect(unsafe stat("/dev/full", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  // MARK: Reading

  @Test func `a pipe without a writer is rejected immediately`() throws {
    defer { clear() }
    #expect(unsafe mkfifo(folder + "/pipe", 0o600) == 0)
    #expect(
      problem(folder + "/pipe")?.message
        == "cannot read the test \(folder)/pipe: it is a pipe (expected a regular file)")
  }

  @Test(.timeLimit(.minutes(1)))
  func `a pipe is read once a writer opens it`() throws {
    defer { clear() }
    let path = folder + "/pipe"
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let reading = Future { try? Files.read(path, Self.pipeKind) }
    // Opening for writing fails until the reader has opened it.
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

  @Test func `folders and devices are rejected`() {
    defer { clear() }
    #expect(problem(folder)?.message.contains("it is a folder") == true)
    #expect(problem("/dev/null")?.message.contains("it is a device") == true)
    #expect(problem("/dev/null", Self.pipeKind)?.code == .badFile)
  }

  @Test func `a file larger than its kind allows is rejected`() throws {
    defer { clear() }
    try Files.write(Array(repeating: 0, count: 1 << 20 + 1), to: folder + "/large")
    #expect(
      problem(folder + "/large")?.message == "the test \(folder)/large is larger than 1 MiB")
  }

  @Test func `a missing file is reported with the reason`() {
    defer { clear() }
    #expect(
      problem(folder + "/none")?.message
        == "cannot read the test \(folder)/none: No such file or directory")
  }

  @Test func `a folder that can't be created is reported`() throws {
    defer { clear() }
    try Files.write([], to: folder + "/a")
    do throws(Failure) {
      try Files.makeFolder(folder + "/a/b")
      Issue.record("it was made")
    } catch {
      #expect(error.message == "cannot create the folder \(folder)/a/b/: Not a directory")
    }
  }
}

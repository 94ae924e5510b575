// SPDX-License-Identifier: MIT

import Glibc
import HostSupport
import KioskHost
import LinuxIO
import Testing

@Suite struct KioskSourceTests {
  private static let kiosk = """
    kiosk: wall
    screen: {size: [400, 300]}
    pages:
      - page: only
        controls: {include: parts/more.yaml}
    """
  private static let part = "[{label: title, at: [200, 150], text: Hello}]"
  private let folder: TemporaryFolder
  private let file: String
  private let part: String
  private let source: KioskSource

  init() throws {
    folder = try TemporaryFolder()
    part = try folder.write(Self.part, to: "parts/more.yaml")
    file = try folder.write(Self.kiosk, to: "wall.yaml")
    source = KioskSource(file)
  }

  private func text() throws -> String {
    String(decoding: try Files.read(file, .kiosk), as: UTF8.self)
  }

  private var digest: String { SHA256.text(of: Array(Self.kiosk.utf8)) }

  @Test func `the files of a kiosk begin with its own`() throws {
    let files = try source.files()
    #expect(files.map(\.path) == [file, part])
    #expect(files.map { String(decoding: $0.bytes, as: UTF8.self) }.first == Self.kiosk)
  }

  @Test func `another content is written where it takes the place of the known one`() throws {
    let new = Self.kiosk + "\n# more"
    #expect(try source.save(Array(new.utf8), over: digest))
    #expect(try text() == new)
    #expect(try !source.save(Array(Self.kiosk.utf8), over: digest))
    #expect(try text() == new)
    #expect(try source.save(Array(Self.kiosk.utf8), over: nil))
    #expect(try text() == Self.kiosk)
  }

  @Test func `a content with mistakes is not written`() throws {
    let wrong = Self.kiosk.replacing("controls:", with: "contorls:")
    let failure = #expect(throws: Failure.self) {
      try source.save(Array(wrong.utf8), over: digest)
    }
    #expect(failure?.message.contains("wall.yaml:5") == true)
    #expect(try text() == Self.kiosk)
  }

  @Test func `a link to the file stays one`() throws {
    let link = "\(folder.path)/link.yaml"
    #expect(unsafe symlink(file, link) == 0)
    let new = Self.kiosk + "\n"
    #expect(try KioskSource(link).save(Array(new.utf8), over: digest))
    #expect(try text() == new && Files.realPath(link) == Files.realPath(file))
  }

  @Test func `a file of a signed bundle stays as it is`() throws {
    let bundled = try folder.write(Self.kiosk, to: ".bundles/wall/3/wall.yaml")
    try folder.write(Self.part, to: ".bundles/wall/3/parts/more.yaml")
    let failure = #expect(throws: Failure.self) {
      try KioskSource(bundled).save(Array((Self.kiosk + "\n").utf8), over: nil)
    }
    #expect(failure?.message.contains("signed bundle") == true)
  }

  private func attributes(_ name: String) throws -> [UInt32] {
    var status = stat()
    // Writes into a local.
    try #require(unsafe stat("\(folder.path)/\(name)", &status) == 0)
    return [status.st_mode & 0o777, status.st_uid, status.st_gid]
  }

  @Test func `a saved kiosk and the files that come with it have the access of the former kiosk`()
    throws
  {
    #expect(unsafe chmod(file, 0o640) == 0)
    #expect(unsafe chmod(folder.path, 0o750) == 0)
    if getuid() == 0 {
      #expect(unsafe chown(file, 12, 34) == 0 && chown(folder.path, 12, 34) == 0)
    }
    let before = try attributes("wall.yaml")
    let new = Self.kiosk.replacing("parts/more.yaml", with: "a/b.yaml")
    #expect(try save(new, [.init("a/b.yaml", Array(Self.part.utf8), over: "")]))
    #expect(try text() == new)
    #expect(try attributes("wall.yaml") == before && attributes("a/b.yaml") == before)
    #expect(try attributes("a") == attributes("."))
  }

  // MARK: Companions

  private func save(_ text: String, _ companions: [KioskSource.Companion]) throws -> Bool {
    try source.save(Array(text.utf8), over: digest, with: companions)
  }

  private static let more = Self.kiosk.replacing("more.yaml", with: "other.yaml")

  @Test func `a file that the kiosk names is written with it`() throws {
    let bytes = Array(Self.part.utf8)
    #expect(try save(Self.more, [.init("parts/other.yaml", bytes, over: "")]))
    #expect(try source.files().map(\.path) == [file, "\(folder.path)/parts/other.yaml"])
    #expect(try Files.read("\(folder.path)/parts/other.yaml", .kiosk) == bytes)
    // Folders are made for it.
    let deep = Self.kiosk.replacing("parts/more.yaml", with: "a/b/c.yaml")
    #expect(
      try source.save(Array(deep.utf8), over: nil, with: [.init("a/b/c.yaml", bytes, over: nil)]))
    #expect(try Files.read("\(folder.path)/a/b/c.yaml", .kiosk) == bytes)
  }

  @Test func `nothing is written where a file is another than what was known`() throws {
    let bytes = Array("[{label: title, at: [200, 150], text: New}]".utf8)
    for old in ["", SHA256.text(of: bytes)] {
      #expect(try !save(Self.kiosk + "\n", [.init("parts/more.yaml", bytes, over: old)]))
    }
    #expect(try text() == Self.kiosk)
    #expect(try String(decoding: Files.read(part, .kiosk), as: UTF8.self) == Self.part)
    let known = SHA256.text(of: Array(Self.part.utf8))
    #expect(try save(Self.kiosk + "\n", [.init("parts/more.yaml", bytes, over: known)]))
    #expect(try Files.read(part, .kiosk) == bytes)
  }

  @Test func `files are as they were where the kiosk has mistakes or does not name them`() throws {
    let wrong = Array("[{lable: title}]".utf8)
    #expect(throws: Failure.self) {
      try save(Self.kiosk, [.init("parts/more.yaml", wrong, over: nil)])
    }
    #expect(try String(decoding: Files.read(part, .kiosk), as: UTF8.self) == Self.part)
    #expect(throws: Failure.self) {
      try save(
        Self.more,
        [
          .init("parts/other.yaml", Array(Self.part.utf8), over: nil),
          .init("unnamed.yaml", Array(Self.part.utf8), over: nil),
        ])
    }
    #expect(!Folder.hasEntry("\(folder.path)/unnamed.yaml"))
    #expect(!Folder.hasEntry("\(folder.path)/parts/other.yaml"))
    #expect(try text() == Self.kiosk)
  }

  @Test func `a file that comes with a kiosk is not written into a signed bundle`() throws {
    let bundled = try folder.write(Self.part, to: ".bundles/other/3/part.yaml")
    #expect(unsafe symlink(".bundles/other/3/part.yaml", "\(folder.path)/part.yaml") == 0)
    let failure = #expect(throws: Failure.self) {
      try save(
        Self.kiosk.replacing("parts/more.yaml", with: "part.yaml"),
        [.init("part.yaml", Array((Self.part + "\n").utf8), over: nil)])
    }
    #expect(failure?.message.contains("signed bundle") == true)
    #expect(try String(decoding: Files.read(bundled, .kiosk), as: UTF8.self) == Self.part)
  }

  @Test(arguments: [
    "/etc/more.yaml", "../more.yaml", "parts/../../more.yaml", ".more.yaml", "parts/.git/x.yaml",
    "parts//more.yaml", "more.sh", "more", "", "wall.yaml", "out/more.yaml", "link.yaml",
    "nowhere.yaml", "a\0.yaml", "a\u{9b}.yaml", "a\u{202e}.yaml", "wall.overlay.yaml",
  ]) func `no file outside of the kiosk's folder is written`(_ name: String) throws {
    let outside = try TemporaryFolder()
    let other = try outside.write("theirs", to: "theirs.yaml")
    #expect(unsafe symlink(outside.path, "\(folder.path)/out") == 0)
    #expect(unsafe symlink(other, "\(folder.path)/link.yaml") == 0)
    #expect(unsafe symlink("\(outside.path)/new.yaml", "\(folder.path)/nowhere.yaml") == 0)
    let kiosk = Self.kiosk.replacing("parts/more.yaml", with: name.isEmpty ? "x" : name)
    for text in [Self.kiosk, kiosk] {
      #expect(throws: Failure.self) { try save(text, [.init(name, [1, 2], over: nil)]) }
    }
    #expect(try text() == Self.kiosk)
    #expect(Folder.names(in: outside.path) == ["theirs.yaml"])
    #expect(try String(decoding: Files.read(other, .kiosk), as: UTF8.self) == "theirs")
  }
}

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
}

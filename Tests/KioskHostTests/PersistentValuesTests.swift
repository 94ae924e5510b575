// SPDX-License-Identifier: MIT

import RoundelExpressions
import Glibc
import HostSupport
import Kiosk
import KioskHost
import LinuxIO
import Logging
import RoundelMotion
import Testing

@Suite(.timeLimit(.minutes(5))) struct PersistentValuesTests {
  private let folder: TemporaryFolder
  private let clock = VirtualClock()
  private let loop: EventLoop
  private let log = CapturedLog()
  private var engine: Engine

  init() throws {
    folder = try TemporaryFolder()
    loop = try EventLoop(clock: { [clock] in clock.now })
    engine = Engine(Self.kiosk("wall"), seed: 0)
  }

  private static func kiosk(_ name: String) -> Description {
    Description(
      name: name, pages: [Page(name: "only", controls: [])],
      values: [
        ValueDeclaration(name: "guests", initial: .number(0), isPersistent: true),
        ValueDeclaration(name: "cups", initial: .number(0)),
      ])
  }

  private func kept(_ name: String = "wall") throws -> PersistentValues {
    try #require(
      try PersistentValues(of: Self.kiosk(name), in: folder.state, on: loop, log.logger))
  }

  private mutating func set(_ guests: Double) throws {
    try engine.set(.value("guests"), to: .number(guests))
  }

  /// Waits until the file has been written.
  private func wait(for text: String, in file: String = "state/wall.json") throws {
    while try folder.text(of: file) != text { try loop.turn() }
    // Wait for the worker's completion, too.
    try loop.turn(until: clock.now)
  }

  private func text(_ guests: Int) -> String {
    #"{"format":1,"values":{"guests":\#(guests)}}"# + "\n"
  }

  @Test mutating func `the next process finds persistent values`() throws {
    try set(3)
    try kept().finish(from: engine)
    #expect(try folder.text(of: "state/wall.json") == text(3))
    #expect(try kept().values == ["guests": .number(3)])
    #expect(try kept("other").values == [:])
  }

  @Test(arguments: ["👩‍👩‍👧‍👦", "中", "e\u{301}", "\u{301}"])
  mutating func `a kiosk with a long name has persistent values`(_ letter: String) throws {
    let name = String(repeating: letter, count: 300)
    try set(3)
    try kept(name).finish(from: engine)
    #expect(try kept(name).values == ["guests": .number(3)])
    #expect(log.lines == [])
  }

  @Test mutating func `a name of 80 three-byte characters is kept whole in the file's name`()
    throws
  {
    let name = String(repeating: "中", count: 80)
    try set(3)
    try kept(name).finish(from: engine)
    #expect(try folder.text(of: "state/\(name).json") == text(3))
  }

  @Test mutating func `changes are written at most once per second`() throws {
    let kept = try kept()
    try set(1)
    #expect(kept.update(from: engine) == nil)
    try wait(for: text(1))
    clock.now = Timestamp(seconds: 0.25)
    try set(2)
    #expect(kept.update(from: engine) == Timestamp(seconds: 1))
    #expect(try folder.text(of: "state/wall.json") == text(1))
    clock.now = Timestamp(seconds: 1)
    #expect(kept.update(from: engine) == nil)
    try wait(for: text(2))
  }

  @Test mutating func `a value that isn't persistent causes no write`() throws {
    try engine.set(.value("cups"), to: .number(5))
    let kept = try kept()
    // Persistent values are written once at the start.
    kept.finish(from: engine)
    let before = try folder.text(of: "state/wall.json")
    try engine.set(.value("cups"), to: .number(6))
    kept.finish(from: engine)
    #expect(try folder.text(of: "state/wall.json") == before)
    #expect(before?.contains("cups") != true)
  }

  @Test(arguments: ["", "{", "[]", #"{"format": 9, "values": {"guests": 4}}"#, #"{"format": 1}"#])
  func `an unreadable file is set aside and reported`(_ text: String) throws {
    try folder.write(text, to: "state/wall.json")
    #expect(try kept().values == [:])
    #expect(try folder.text(of: "state/wall.json.bad") == text)
    #expect(log.lines.count == 1)
    #expect(log.lines[0].contains("using the initial values"))
  }

  @Test func `a file that is too large is set aside, too`() throws {
    try folder.write(String(repeating: " ", count: (16 << 20) + 1), to: "state/wall.json")
    #expect(try kept().values == [:])
    #expect(try folder.text(of: "state/wall.json") == nil)
    #expect(log.lines.count == 1 && log.lines[0].contains("renamed the file to"))
  }

  @Test mutating func `characters that are invalid in file names are replaced`() throws {
    try set(1)
    try kept("../a/b").finish(from: engine)
    #expect(Folder.names(in: folder.path + "/state") == [".._a_b.json"])
  }

  @Test mutating func `an unwritable directory is reported once`() throws {
    try folder.write("in the way", to: "state")
    let kept = try kept()
    log.forget()
    for count in 1...3 {
      try set(Double(count))
      kept.finish(from: engine)
    }
    #expect(log.lines.count == 1 && log.lines[0].contains("cannot save the persistent values"))
  }
}

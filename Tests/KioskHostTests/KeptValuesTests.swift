// SPDX-License-Identifier: MIT

import Expressions
import Glibc
import HostSupport
import Kiosk
import KioskHost
import LinuxIO
import Logging
import Motion
import Testing

@Suite(.timeLimit(.minutes(5))) struct KeptValuesTests {
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
        ValueDeclaration(name: "guests", initial: .number(0), isKept: true),
        ValueDeclaration(name: "cups", initial: .number(0)),
      ])
  }

  private func kept(_ name: String = "wall") throws -> KeptValues {
    try #require(
      try KeptValues(of: Self.kiosk(name), in: folder.state, on: loop, log.logger))
  }

  private mutating func set(_ guests: Double) throws {
    try engine.set(.value("guests"), to: .number(guests))
  }

  /// Lets what is being written end.
  private func wait(for text: String, in file: String = "state/wall.json") throws {
    while try folder.text(of: file) != text { try loop.turn() }
    // The worker has reported it, too.
    try loop.turn(until: clock.now)
  }

  private func text(_ guests: Int) -> String {
    #"{"format":1,"values":{"guests":\#(guests)}}"# + "\n"
  }

  @Test mutating func `values that are kept are found by the next process`() throws {
    try set(3)
    try kept().finish(from: engine)
    #expect(try folder.text(of: "state/wall.json") == text(3))
    #expect(try kept().values == ["guests": .number(3)])
    #expect(try kept("other").values == [:])
  }

  @Test(arguments: ["👩‍👩‍👧‍👦", "中", "e\u{301}", "\u{301}"])
  mutating func `values of a kiosk with a long name are kept`(_ letter: String) throws {
    let name = String(repeating: letter, count: 300)
    try set(3)
    try kept(name).finish(from: engine)
    #expect(try kept(name).values == ["guests": .number(3)])
    #expect(log.lines == [])
  }

  @Test mutating func `the kept values of a kiosk with 80 letters are found under all of them`()
    throws
  {
    let name = String(repeating: "中", count: 80)
    try set(3)
    try kept(name).finish(from: engine)
    #expect(try folder.text(of: "state/\(name).json") == text(3))
  }

  @Test mutating func `changes are written at most once in a second`() throws {
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

  @Test mutating func `a value that is not kept writes nothing`() throws {
    try engine.set(.value("cups"), to: .number(5))
    let kept = try kept()
    // What is kept is written once, at its beginning.
    kept.finish(from: engine)
    let before = try folder.text(of: "state/wall.json")
    try engine.set(.value("cups"), to: .number(6))
    kept.finish(from: engine)
    #expect(try folder.text(of: "state/wall.json") == before)
    #expect(before?.contains("cups") != true)
  }

  @Test(arguments: ["", "{", "[]", #"{"format": 9, "values": {"guests": 4}}"#, #"{"format": 1}"#])
  func `a file that cannot be read is set aside, and said so`(_ text: String) throws {
    try folder.write(text, to: "state/wall.json")
    #expect(try kept().values == [:])
    #expect(try folder.text(of: "state/wall.json.bad") == text)
    #expect(log.lines.count == 1)
    #expect(log.lines[0].contains("cannot be read, so the initial values are used"))
  }

  @Test func `so is one that is too large`() throws {
    try folder.write(String(repeating: " ", count: (16 << 20) + 1), to: "state/wall.json")
    #expect(try kept().values == [:])
    #expect(try folder.text(of: "state/wall.json") == nil)
    #expect(log.lines.count == 1 && log.lines[0].contains("the file is now"))
  }

  @Test mutating func `a name that no file may have is changed for it`() throws {
    try set(1)
    try kept("../a/b").finish(from: engine)
    #expect(Folder.names(in: folder.path + "/state") == [".._a_b.json"])
  }

  @Test mutating func `a folder that cannot be written is said once`() throws {
    try folder.write("in the way", to: "state")
    let kept = try kept()
    log.forget()
    for count in 1...3 {
      try set(Double(count))
      kept.finish(from: engine)
    }
    #expect(log.lines.count == 1 && log.lines[0].contains("cannot keep values"))
  }
}

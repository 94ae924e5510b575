// SPDX-License-Identifier: MIT

import RoundelExpressions
import HostSupport
import Kiosk
import KioskHost
import LinuxIO
import Testing

@Suite struct HandoverTests {
  private let folder: TemporaryFolder
  private let kiosk = Description(name: "wall", pages: [Page(name: "only", controls: [])])
  private let chosen = HandoverState(
    page: "second", language: "de", values: ["cups": .number(7), "open": .flag(false)],
    properties: [
      PropertyPath(control: "hour", property: "value"): .number(2),
      PropertyPath(control: "hour", property: "enabled"): .flag(false),
      PropertyPath(control: "note", property: "text"): .text("hello"),
    ])

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "run/none")
  }

  private func handover(_ build: String) throws -> Handover {
    try #require(Handover(of: "/etc/roundel/wall.yaml", in: folder.state, build: build))
  }

  @Test func `another build restores all selections, once`() throws {
    try handover("old").leave(chosen, of: kiosk)
    let taken = try #require(try handover("new").take(for: kiosk))
    #expect(taken.page == "second" && taken.language == "de")
    #expect(taken.values == chosen.values && taken.properties == chosen.properties)
    #expect(try handover("new").take(for: kiosk) == nil)
  }

  @Test func `the same build starts afresh, and removes the handover`() throws {
    try handover("old").leave(chosen, of: kiosk)
    #expect(try handover("old").take(for: kiosk) == nil)
    #expect(try handover("new").take(for: kiosk) == nil)
  }

  @Test func `a kiosk with another name starts afresh`() throws {
    try handover("old").leave(chosen, of: kiosk)
    var other = kiosk
    other.name = "lobby"
    #expect(try handover("new").take(for: other) == nil)
  }

  @Test(arguments: [
    "", "{", "[]", "null", #"{"format": 2}"#, #"{"format": 1, "kiosk": "wall"}"#,
    #"{"format":1,"kiosk":"wall","build":"old","page":1,"language":"de"}"#,
  ])
  func `an invalid handover file is deleted`(_ text: String) throws {
    try folder.write(text, to: "run/wall.chosen")
    #expect(try handover("new").take(for: kiosk) == nil)
    #expect(try folder.text(of: "run/wall.chosen") == nil)
  }

  @Test func `invalid entries in a handover are skipped`() throws {
    try folder.write(
      #"""
      {"format":1,"kiosk":"wall","build":"old","page":"second","language":"de","values":[1],
       "properties":{"hour":{"value":1e300},"shows":3}}
      """#, to: "run/wall.chosen")
    let taken = try #require(try handover("new").take(for: kiosk))
    #expect(taken.values.isEmpty)
    #expect(taken.properties == [PropertyPath(control: "hour", property: "value"): .number(1e300)])
  }

  @Test func `there is no handover without a directory for it`() {
    let folders = StateFolders(persistent: nil, volatile: nil)
    #expect(Handover(of: "/etc/roundel/wall.yaml", in: folders, build: "old") == nil)
  }
}

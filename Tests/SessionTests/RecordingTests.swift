// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import RoundelJSON
import Kiosk
import RoundelMotion
import RoundelSession
import TestSupport
import Testing

@Suite struct RecordingTests {
  @Test func `a recording has a maximum number of shots`() throws {
    func read(_ count: Int) throws -> Int {
      let text = String(repeating: "{\"t\":0,\"shot\":\"a\"}\n", count: count)
      return try Recording(Array(text.utf8), path: "r").steps.count
    }
    #expect(try read(20_000) == 20_000)
    #expect {
      try read(20_001)
    } throws: {
      "\($0)" == "r:20001: error: more than 20000 shots (expected several recordings)"
    }
  }

  @Test func `a step is small in memory`() {
    #expect(MemoryLayout<Recording.Step>.stride <= 64)
  }

  private func read(_ text: String) throws -> [Recording.Step] {
    try Recording(Array(text.utf8), path: "r.jsonl").steps
  }

  @Test func `a set may contain several names`() throws {
    let steps = try read(#"{"t":1,"set":{"cups":3,"minutes.value":4,"guest":"Ada"}}"#)
    #expect(
      steps == [
        .init(Instant(seconds: 1), .command(.set(.value("cups"), .number(3)))),
        .init(
          Instant(seconds: 1),
          .command(.set(.property(PropertyPath(control: "minutes", property: "value")), .number(4)))
        ),
        .init(Instant(seconds: 1), .command(.set(.value("guest"), .text("Ada")))),
      ])
    for line in [#"{"t":1,"set":{}}"#, #"{"t":1,"set":{"cups":3,"guest":null}}"#] {
      #expect {
        try read(line)
      } throws: { error in
        "\(error)" == #"r.jsonl:1: error: "set" takes {"name": value, …}"#
      }
    }
  }

  @Test func `every documented line is read`() throws {
    let steps = try read(
      """
      {"t":0,"down":{"finger":0,"x":640,"y":120}}

      {"t":0.016,"move":{"finger":0,"x":650,"y":121.5}}
      {"t":0.08,"up":{"finger":0}}
      {"t":0.1,"shot":"lit.png"}
      {"t":0.2,"cancel":{"finger":0}}
      {"t":1,"get":"minutes.value"}
      {"t":1,"set":{"reels.left.index":3}}
      {"t":1,"go":"two"}
      {"t":1,"spin":"reels"}
      {"t":1,"blank":true}
      {"t":6,"end":true}
      """)
    #expect(
      steps.map(\.what) == [
        .touch(Touch(finger: 0, phase: .down, position: Point(640, 120))),
        .touch(Touch(finger: 0, phase: .move, position: Point(650, 121.5))),
        .touch(Touch(finger: 0, phase: .up, position: Point(650, 121.5))),
        .shot("lit.png"),
        .touch(Touch(finger: 0, phase: .cancel, position: .zero)),
        .get(.property(PropertyPath(control: "minutes", property: "value"))),
        .command(
          .set(.property(PropertyPath(control: "reels", property: "left.index")), .number(3))),
        .command(.go(page: "two")), .command(.perform("spin", control: "reels")),
        .command(.blank(true)),
        .end,
      ])
    #expect(steps.map(\.time.microseconds).last == 6_000_000)
  }

  @Test(arguments: [
    ("{\"t\":0,\"down\":{\"finger\":0,\"x\":6", "is the recording complete?"),
    ("{\"t\":-1,\"end\":true}", "the time is missing"),
    ("{\"t\":\"1\",\"end\":true}", "the time is missing"),
    ("{\"t\":1e300,\"end\":true}", "the time is missing"),
    ("{\"end\":true}", "the time is missing"),
    ("[1,2]", "not a JSON object"),
    ("{\"t\":1}", "expected one of"),
    ("{\"t\":1,\"up\":{\"finger\":0},\"end\":true}", "found \"up\", \"end\""),
    ("{\"t\":1,\"dawn\":{}}", "unknown \"dawn\""),
    ("{\"t\":1,\"down\":{\"finger\":0.5,\"x\":1,\"y\":1}}", "a finger's position"),
    ("{\"t\":1,\"up\":7}", "a lifted finger"),
    ("{\"t\":1,\"shot\":\"../x.png\"}", "without a folder"),
    ("{\"t\":1,\"get\":\"minutes.\"}", "control.property"),
    ("{\"t\":1,\"set\":{\"a.b\":null}}", "takes {"),
    ("{\"t\":1,\"go\":7}", "\"go\" takes the name of a page"),
    ("{\"t\":1,\"open\":{}}", "\"open\" takes the id of a control"),
    ("{\"t\":0,\"size\":[800]}", "\"size\" takes [width, height] in design pixels"),
    ("{\"t\":0,\"size\":[800,9]}", "\"size\" takes [width, height] in design pixels"),
    ("{\"t\":1,\"clock\":\"noon\"}", "\"clock\" takes a time such as"),
    ("{\"t\":1,\"blank\":\"yes\"}", "\"blank\" takes true or false"),
  ])
  func `the error for an invalid line includes its number`(_ line: String, _ reason: String) {
    let error = #expect(throws: Recording.ParseError.self) {
      try read("{\"t\":0,\"get\":\"a.b\"}\n\(line)\n")
    }
    #expect(error?.description.hasPrefix("r.jsonl:2: error: ") == true)
    #expect(error?.what.contains(reason) == true, "\(error?.what ?? "")")
  }

  @Test func `a decreasing time is an error`() {
    let error = #expect(throws: Recording.ParseError.self) {
      try read("{\"t\":1,\"end\":true}\n{\"t\":0.5,\"end\":true}")
    }
    #expect(error?.description == "r.jsonl:2: error: \"t\" decreases from 1.0 to 0.5")
  }

  @Test func `any bytes are read as a recording or rejected`() {
    let seed = Array(
      "{\"t\":0,\"down\":{\"finger\":0,\"x\":640,\"y\":120}}\n{\"t\":1,\"set\":{\"a.b\":[1,true,\"x\"]}}\n"
        .utf8)
    var random = SeededGenerator(seed: 11)
    for _ in 0..<3000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          bytes[.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
        case 1: bytes.remove(at: .random(in: bytes.indices, using: &random))
        default:
          bytes.insert(
            .random(in: 0...255, using: &random), at: .random(in: bytes.indices, using: &random))
        }
      }
      _ = try? Recording(bytes, path: "r")
    }
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: Recording.ParseError.self) { try read(deep) }
  }
}

@Suite struct SessionLineTests {
  @Test func `an event is one line with its members in the documented order`() {
    let event = Event(
      "selected", at: Instant(seconds: 0.08), control: "shows", item: "dateline",
      fields: [Field("index", .integer(0)), Field("label", .text("Date\"line\n"))],
      by: .finger)
    #expect(
      SessionLine(event).text
        == #"{"t":0.080,"control":"shows","event":"selected","item":"dateline","index":0,"label":"Date\"line\n","by":"finger"}"#
    )
    #expect(
      SessionLine(answer: .number(2.5), to: "a.b", at: Instant(microseconds: 1_000_001)).text
        == #"{"t":1.000001,"get":"a.b","value":2.5}"#)
    #expect(
      SessionLine(answer: nil, to: "a.b", at: .zero).text
        == #"{"t":0.000,"get":"a.b","value":null}"#)
  }
}

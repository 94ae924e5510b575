// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelJSON
import Kiosk
import LinuxIO
import RoundelMotion
import RoundelRuntime
import RoundelSession
import Testing

@Suite struct KioskKeyTests {
  @Test func `keys of clients and of the panel are recorded and replayed`() throws {
    let fixture = try KioskFixture()
    let recorder = try fixture.connect()
    _ = try fixture.ask("record", on: recorder)
    #expect(try fixture.ask("status")["focus"] == nil)
    #expect(try fixture.ask("key", #"{"key":"right"}"#) == true)
    let focus = try #require(try fixture.ask("status")["focus"]?.string)
    for _ in 0..<3 { _ = try fixture.ask("key", #"{"key":"enter"}"#) }
    fixture.cycle.press(.keystroke(.right), time: MonotonicClock.now)
    #expect(try fixture.ask("wait", #"{"still":true}"#)["holds"] == true)
    let end = try fixture.ask("record", #"{"on":false}"#, on: recorder)["t"] ?? .null
    let lines =
      recorder.answers.filter { $0["method"] == "touch" }.compactMap { $0["params"] }
      + [JSONValue.object([.init("t", end), .init("end", true)])]
    #expect(
      lines.dropFirst().dropLast().map { $0["key"]?.string } == [
        "right", "enter", "enter", "enter", "right",
      ])

    let text = lines.map(\.text).joined(separator: "\n")
    let recording = try Recording(Array(text.utf8), path: "r")
    var replayed: [String] = []
    try Replay(recording, on: Stage(fixture.cycle.content, seed: 1)).run { outcome in
      guard case .line(let line) = outcome else { return }
      let json = JSONValue.object(line.members)
      #expect(json["by"] == "finger" && json["control"]?.string == focus)
      let item = json["item"]?.string.map { "(\($0))" } ?? ""
      replayed.append("\(json["control"]?.string ?? "").\(json["event"]?.string ?? "")\(item)")
    }
    #expect(replayed == fixture.events)
    #expect(!replayed.isEmpty)
  }

  @Test func `an unknown key is rejected with a list of the known ones`() throws {
    let fixture = try KioskFixture()
    let error = try fixture.ask("key", #"{"key":"rihgt"}"#)["message"]?.string ?? ""
    #expect(error.contains("one of left, right, up, down, next, previous, enter, back"), "\(error)")
  }
}

// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelGeometry
import RoundelJSON
import Kiosk
import LinuxIO
import RoundelMotion
import JSONRPC
import RoundelRuntime
import RoundelSession
import Testing

@Suite struct KioskTouchTests {
  @Test func `a tap acts as a finger and reports its control`() throws {
    let fixture = try KioskFixture()
    let tap = try fixture.ask("tap", #"{"target":"shows/b","duration":0.01}"#)
    #expect(tap["taken"] == true && tap["control"] == "shows")
    #expect(tap["at"]?.text == "[100,155]")
    #expect(fixture.touchEvents == ["shows.pressed(b)", "shows.selected(b)"])
    #expect(try fixture.ask("get", #"{"property":"shows.item"}"#)["value"] == "b")
  }

  @Test func `a tap outside all controls hits nothing`() throws {
    let fixture = try KioskFixture()
    for parameters in [#"{"at":[200,5]}"#, #"{"target":"shows"}"#, #"{"at":[-50,900]}"#] {
      let tap = try fixture.ask("tap", parameters)
      #expect(tap["taken"] == false && tap["control"] == .null)
    }
    #expect(try fixture.ask("go", #"{"page":"two"}"#) == true)
    // A disabled control swallows the tap.
    #expect(try fixture.ask("tap", #"{"target":"back"}"#)["taken"] == false)
    #expect(
      try fixture.ask("tap", #"{"target":"ghost"}"#)["message"]?.string?.contains("visible") == true
    )
  }

  @Test func `a leaf is found while its menu is open`() throws {
    let fixture = try KioskFixture()
    #expect(try fixture.ask("go", #"{"page":"two"}"#) == true)
    let early = try fixture.ask("tap", #"{"target":"drinks/tea"}"#)
    #expect(early["message"]?.string?.contains("not visible now") == true)
    #expect(try fixture.ask("open", #"{"control":"drinks"}"#) == true)
    #expect(try fixture.ask("tap", #"{"target":"drinks/more"}"#)["taken"] == true)
    #expect(try fixture.ask("tap", #"{"target":"drinks/more/x"}"#)["taken"] == true)
    #expect(
      try fixture.ask("get", #"{"property":"drinks.path"}"#)["value"]?.text == #"["more","x"]"#)
  }

  @Test func `a drag turns a dial by the distance of the finger`() throws {
    let fixture = try KioskFixture()
    let drag = try fixture.ask(
      "drag", #"{"target":"minutes/0","to_target":"minutes/3","duration":0.1,"hold":0.15}"#)
    #expect(drag["control"] == "minutes")
    #expect(try fixture.ask("wait", #"{"still":true}"#)["holds"] == true)
    #expect(try fixture.ask("get", #"{"property":"minutes.value"}"#)["value"] == 9)
    #expect(fixture.events.first == "minutes.pressed")
    #expect(fixture.events.last == "minutes.settled")
  }

  @Test func `the latency of a drag is reported for each stage`() throws {
    let fixture = try KioskFixture()
    #expect(try fixture.ask("latency")["total"]?["count"] == 0)
    _ = try fixture.ask(
      "drag", #"{"target":"shows/a","to_target":"shows/b","duration":0.05,"hold":0.05}"#)
    let latency = try fixture.ask("latency")
    let total = latency["total"]
    // The wedge is pressed and released; the rest of the drag changes nothing.
    #expect((total?["count"]?.integer ?? 0) >= 2)
    for stage in Latency.Stage.allCases.map(\.rawValue) {
      #expect(latency[stage]?["count"] == total?["count"])
      #expect((latency[stage]?["worst"]?.number ?? 9) <= (total?["worst"]?.number ?? 0))
      for share in ["median", "p95", "p99"] { #expect(latency[stage]?[share]?.number != nil) }
    }
    #expect(try fixture.ask("status")["latency"] == total)
  }

  @Test func `several fingers play simultaneously`() throws {
    let fixture = try KioskFixture()
    let recording = #"""
      {\"t\":0,\"down\":{\"finger\":0,\"x\":100,\"y\":45}}\n\#
      {\"t\":0,\"down\":{\"finger\":1,\"x\":100,\"y\":155}}\n\#
      {\"t\":0.01,\"get\":\"shows.item\"}\n\#
      {\"t\":0.02,\"up\":{\"finger\":1}}\n{\"t\":0.03,\"up\":{\"finger\":0}}\n\#
      {\"t\":0.03,\"set\":{\"minutes.value\":4}}\n{\"t\":0.03,\"set\":{\"minutes.value\":99}}
      """#
    let played = try fixture.ask("touch", "{\"recording\":\"\(recording)\"}")
    #expect(played["taken"]?.text == #"["shows","shows"]"#)
    guard case .array(let answers)? = played["answers"] else {
      Issue.record("no answers")
      return
    }
    #expect(answers.count == 1 && answers[0]["get"] == "shows.item" && answers[0]["value"] == "")
    #expect(
      fixture.touchEvents == [
        "shows.pressed(a)", "shows.pressed(b)", "shows.selected(b)", "shows.selected(a)", "failed",
      ])
  }

  @Test func `parts of a recording continue from the first, with its fingers`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    let first = #"{\"t\":0,\"down\":{\"finger\":7,\"x\":100,\"y\":45}}"#
    _ = try fixture.ask("touch", "{\"recording\":\"\(first)\",\"more\":true}", on: wire)
    #expect(fixture.cycle.engine.fingers.count == 1)
    let second = #"{\"t\":0.01,\"up\":{\"finger\":7}}"#
    _ = try fixture.ask("touch", "{\"recording\":\"\(second)\"}", on: wire)
    #expect(fixture.touchEvents == ["shows.pressed(a)", "shows.selected(a)"])
    #expect(fixture.cycle.engine.fingers.isEmpty)
  }

  @Test func `a client's touches are released when it disconnects`() throws {
    let fixture = try KioskFixture()
    var wire: Wire? = try fixture.connect()
    wire?.send(
      line:
        #"{"jsonrpc":"2.0","method":"tap","params":{"target":"shows/a","duration":60},"id":1}"#)
    #expect(try fixture.run { fixture.events == ["shows.pressed(a)"] })
    wire = nil
    #expect(try fixture.run { fixture.events.count == 2 })
    #expect(fixture.events.last == "shows.cancelled(a)")
  }

  @Test func `a recording that ends with fingers down releases them`() throws {
    let fixture = try KioskFixture()
    let recording = #"{\"t\":0,\"down\":{\"finger\":0,\"x\":100,\"y\":45}}"#
    _ = try fixture.ask("touch", "{\"recording\":\"\(recording)\"}")
    #expect(try fixture.run { fixture.events.last == "shows.cancelled(a)" })
  }

  @Test func `touches are recorded in the format of recordings and replayed`() throws {
    let fixture = try KioskFixture()
    let recorder = try fixture.connect()
    #expect(try fixture.ask("record", on: recorder)["t"] == 0)
    _ = try fixture.ask(
      "drag", #"{"target":"minutes/0","to_target":"minutes/3","duration":0.05,"hold":0.15}"#)
    // A finger on the panel, in canvas pixels.
    let now = MonotonicClock.now
    fixture.cycle.handle(finger: 0, .down, at: Point(100, 45), time: now)
    fixture.cycle.handle(finger: 0, .up, at: Point(100, 45), time: now + 0.004)
    #expect(try fixture.ask("wait", #"{"still":true}"#)["holds"] == true)
    let end = try fixture.ask("record", #"{"on":false}"#, on: recorder)["t"] ?? .null
    let lines =
      recorder.answers.filter { $0["method"] == "touch" }.compactMap { $0["params"]?.text }
      + [JSONValue.object([.init("t", end), .init("end", true)]).text]
    // The clock, the drag and the tap.
    #expect(lines.count == 1 + 1 + 6 + 1 + 2 + 1)
    #expect(lines[0].hasPrefix(#"{"t":0,"clock":"20"#), "\(lines[0])")

    let recording = try Recording(Array(lines.joined(separator: "\n").utf8), path: "r")
    var replayed: [String] = []
    try Replay(recording, on: Stage(fixture.cycle.content, seed: 1)).run { outcome in
      if case .line(let line) = outcome {
        let json = JSONValue.object(line.members)
        let item = json["item"]?.string.map { "(\($0))" } ?? ""
        replayed.append("\(json["control"]?.string ?? "").\(json["event"]?.string ?? "")\(item)")
      }
    }
    #expect(replayed == fixture.events)
    #expect(replayed.filter { $0 == "minutes.passing" }.count == 3)
  }

  @Test func `more than 32 fingers are rejected, and a flood of steps takes turns`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    for id in 0..<40 {
      wire.send(
        line: "{\"jsonrpc\":\"2.0\",\"method\":\"tap\",\"params\":"
          + "{\"at\":[5,5],\"duration\":0.2},\"id\":\(id)}")
    }
    #expect(
      try fixture.run {
        wire.read()
        return wire.lines.count == 40
      })
    #expect(wire.answers.filter { $0["error"]?["code"] == -32001 }.count == 8)

    let move = #"{\"t\":0,\"move\":{\"finger\":0,\"x\":100,\"y\":45}}\n"#
    let down = #"{\"t\":0,\"down\":{\"finger\":0,\"x\":100,\"y\":45}}\n"#
    let flood = down + String(repeating: move, count: 3000)
    let other = try fixture.connect()
    other.send(
      line: "{\"jsonrpc\":\"2.0\",\"method\":\"touch\",\"params\":[\"\(flood)\"],\"id\":1}")
    var turns = 0
    #expect(
      try fixture.run {
        other.read()
        if !fixture.events.isEmpty { turns += 1 }
        return !other.lines.isEmpty
      })
    #expect(other.answers.first?["result"]?["taken"]?.text == #"["shows"]"#)
    #expect(turns > 3)
  }
}

// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelExpressions
import RoundelGeometry
import RoundelJSON
import Kiosk
import KioskProtocol
import LinuxIO
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import JSONRPC
import KioskService
import RoundelRuntime
import Testing

@Suite struct KioskStateTests {
  @Test func `a client is answered while a worker describes the kiosk`() throws {
    var limits = Limits()
    // Both requests are handled in one turn.
    limits.maximumTurnSeconds = 60
    let fixture = try KioskFixture(limits: limits)
    let wire = try fixture.connect()
    wire.send(
      line: #"{"jsonrpc":"2.0","method":"tree","params":{"properties":true},"id":1}"# + "\n"
        + #"{"jsonrpc":"2.0","method":"version","id":2}"#)
    #expect(
      try fixture.run {
        wire.read()
        return wire.lines.count == 2
      })
    #expect(wire.answers.map { $0["id"] } == [2, 1])
    #expect(wire.answers.last?["result"]?["pages"] != nil)
  }

  @Test func `clients take turns getting trees`() throws {
    let fixture = try KioskFixture()
    let (first, second) = (try fixture.connect(), try fixture.connect())
    let request = #"{"jsonrpc":"2.0","method":"tree","id":1}"#
    first.send(line: Array(repeating: request, count: 20).joined(separator: "\n"))
    second.send(line: request)
    #expect(
      try fixture.run {
        first.read()
        second.read()
        return !second.lines.isEmpty
      })
    #expect(first.lines.count < 20)
    #expect(
      try fixture.run {
        first.read()
        return first.lines.count == 20
      })
  }

  private func message(_ answer: JSONValue) -> String { answer["message"]?.string ?? answer.text }

  @Test func `status reports the kiosk and its display`() throws {
    let fixture = try KioskFixture(rotation: .quarter)
    let status = try fixture.ask("status")
    #expect(status["kiosk"] == "stand")
    #expect(status["page"] == "one")
    #expect(status["version"] == "1.2.3")
    #expect(status["clients"] == 1)
    #expect(status["display"]?["state"] == "showing")
    #expect(status["display"]?["size"]?.text == "[200,400]")
    #expect(status["display"]?["rotate"] == 90)
    #expect(try fixture.ask("version")["version"] == "1.2.3")
  }

  @Test func `times are reported to a microsecond`() {
    let status = StatusAnswer {
      $0.time = 2.6434729999999997
      $0.uptime = 1 / 3
      $0.display.refreshInterval = 1 / 60
      $0.latency.median = 0.016_600_000_000_000_002
    }.json
    #expect(status["t"]?.text == "2.643473" && status["uptime"]?.text == "0.333333")
    #expect(status["display"]?["refresh_interval"]?.text == "0.016667")
    #expect(status["latency"]?["median"]?.text == "0.0166")
  }

  @Test func `the tree describes each control and its items`() throws {
    let fixture = try KioskFixture()
    let tree = try fixture.ask("tree")
    #expect(tree["size"]?.text == "[400,200]")
    let text = tree.text
    #expect(text.contains(#"{"id":"shows","kind":"pinwheel","at":[100,100],"enabled":true"#))
    #expect(text.contains(#"{"id":"a","at":[100,45],"enabled":true}"#))
    #expect(text.contains(#""properties":{"value":0,"label":"0","angle":0}"#))
    #expect(text.contains(#"{"id":"more/x","at":null,"enabled":true}"#))
    #expect(text.contains(#"{"page":"two","shown":false"#))
  }

  @Test func `properties are read and set`() throws {
    let fixture = try KioskFixture()
    #expect(try fixture.ask("get", #"{"property":"minutes.label"}"#)["value"] == "0")
    #expect(try fixture.ask("set", #"{"property":"minutes.value","value":3}"#) == true)
    #expect(try fixture.ask("get", #"{"property":"shows.enabled"}"#)["value"] == true)
    let wait = try fixture.ask("wait", #"{"property":"minutes.label","value":3,"timeout":5}"#)
    #expect(wait["holds"] == true)
  }

  @Test(arguments: [
    ("get", #"{"property":"nope.x"}"#, "no control \"nope\""),
    ("get", #"{"property":"minutes"}"#, "expected control.property"),
    ("get", #"{"property":"minutes.speed"}"#, "value, label, angle, enabled or visible"),
    ("set", #"{"property":"nope.x","value":1}"#, "no control \"nope\""),
    ("set", #"{"property":"minutes.value","value":99}"#, "from 0 to 11"),
    ("set", #"{"property":"minutes.value","value":null}"#, "null"),
    ("go", #"{"page":"three"}"#, "there is no page \"three\" (expected one or two)"),
    ("spin", #"{"control":"minutes"}"#, "a dial, which does not spin"),
    ("open", #"{"control":"nope"}"#, "no control \"nope\""),
    ("wait", "{}", "expected either"),
    ("wait", #"{"page":"one","still":true}"#, "expected either"),
    ("wait", #"{"property":"minutes.value"}"#, "expected either"),
    ("wait", #"{"page":"three"}"#, "there is no page \"three\" (expected one or two)"),
    ("wait", #"{"property":"minutes.speed","value":1}"#, "no property"),
    ("wait", #"{"still":true,"timeout":-1}"#, "0 … 86400"),
    ("rotate", #"{"degrees":45}"#, "0, 90, 180 or 270"),
    ("tap", "{}", "expected one of \"target\" or \"at\""),
    ("tap", #"{"target":"shows","at":[1,2]}"#, "expected one of"),
    ("tap", #"{"target":"nope"}"#, "no control"),
    ("tap", #"{"target":"shows/z"}"#, "\"shows\" has no item \"z\" (expected a"),
    ("tap", #"{"target":"drinks"}"#, "on the page two"),
    ("tap", #"{"at":[1]}"#, "[x, y]"),
    ("tap", #"{"at":[1e9,0]}"#, "[x, y]"),
    ("drag", #"{"at":[1,2]}"#, "\"to\""),
    ("drag", #"{"at":[1,2],"to":[1,2],"by":[1,2]}"#, "expected one of"),
    ("touch", #"{"recording":"{"}"#, "recording:1: error"),
    ("screenshot", #"{"region":[0,0,0,5]}"#, "[x, y, width, height]"),
    ("screenshot", #"{"region":[500,0,5,5]}"#, "outside"),
    ("screenshot", #"{"scale":0}"#, "0.01"),
    ("reload", "{}", "the file has an error"),
  ])
  func `an impossible request reports the reason`(
    _ method: String, _ parameters: String, _ words: String
  )
    throws
  {
    let fixture = try KioskFixture()
    let answer = try fixture.ask(method, parameters)
    #expect(answer["code"] != nil)
    #expect(message(answer).contains(words), "\(answer.text)")
  }

  @Test func `a position is reported only if a touch there would hit the target`() throws {
    let fixture = try KioskFixture()
    func place(_ target: String) throws -> JSONValue {
      try fixture.ask("place", "{\"target\":\"\(target)\"}")
    }
    #expect(try place("shows/a")["at"]?.text == "[100,45]")
    #expect(message(try place("shows/c")).contains("no item \"c\""))
    #expect(message(try place("drinks")).contains("on the page two, which is not shown"))
  }

  @Test func `a restart clears selections, and reports earlier events first`() throws {
    let fixture = try KioskFixture()
    _ = try fixture.ask("tap", #"{"target":"shows/a","duration":0.001}"#)
    _ = try fixture.ask("go", #"{"page":"two"}"#)
    _ = try fixture.ask("blank")
    let before = fixture.cycle.engine.now
    fixture.cycle.handle(
      Touch(finger: 5, phase: .down, position: Point(1, 1)), at: MonotonicClock.now)
    #expect(try fixture.ask("restart", #"{"seed":7}"#) == true)
    #expect(fixture.events.contains("shows.selected(a)"))
    #expect(
      fixture.cycle.engine.value(of: .property(PropertyPath(control: "shows", property: "item")))
        == .text(""))
    #expect(try fixture.ask("status")["page"] == "one")
    #expect(try fixture.ask("status")["blank"] == false)
    #expect(fixture.cycle.engine.control(heldBy: 5) == nil)
    // The time of events continues.
    #expect(fixture.cycle.engine.now >= before)
    #expect(try fixture.ask("wait", #"{"still":true}"#)["holds"] == true)
  }

  @Test(arguments: [
    (#"{"min":2,"max":4}"#, true), (#"{"min":4}"#, false), (#"{"one_of":[1,3]}"#, true),
    (#"{"not":3}"#, false), (#"{"not":{"min":4}}"#, true),
  ])
  func `a wait may be for a range, for one of several values or for any other value`(
    _ pattern: String, _ holds: Bool
  ) throws {
    let fixture = try KioskFixture()
    _ = try fixture.ask("set", #"{"property":"minutes.value","value":3}"#)
    _ = try fixture.ask("wait", #"{"still":true}"#)
    let answer = try fixture.ask(
      "wait", #"{"property":"minutes.value","timeout":0,"value":\#(pattern)}"#)
    #expect(answer["holds"] == .bool(holds))
  }

  @Test func `a wait ends when an input device is connected`() throws {
    let fixture = try KioskFixture()
    var inputs = ["glass"]
    fixture.inputs = { inputs }
    #expect(try fixture.ask("status")["inputs"]?.text == #"["glass"]"#)
    let waiting = try fixture.connect()
    waiting.send(
      line: #"{"jsonrpc":"2.0","method":"wait","params":{"input":"more","timeout":60},"id":1}"#)
    _ = try fixture.ask("version")
    waiting.read()
    #expect(waiting.lines.isEmpty)
    inputs.append("more")
    #expect(
      try fixture.run {
        waiting.read()
        return !waiting.lines.isEmpty
      })
    #expect(waiting.answers.last?["result"]?["holds"] == true)
  }

  @Test func `a wait ends exactly when its condition becomes true, without a new request`() throws {
    let fixture = try KioskFixture()
    let waiting = try fixture.connect()
    waiting.send(
      line: #"{"jsonrpc":"2.0","method":"wait","params":{"page":"two","timeout":60},"id":1}"#)
    waiting.send(
      line: #"{"jsonrpc":"2.0","method":"wait","params":{"page":"one"},"id":2}"#)
    #expect(
      try fixture.run {
        waiting.read()
        return !waiting.lines.isEmpty
      })
    #expect(waiting.answers.map { $0["id"] } == [2])
    #expect(try fixture.ask("go", #"{"page":"two"}"#) == true)
    #expect(
      try fixture.run {
        waiting.read()
        return waiting.lines.count == 2
      })
    #expect(waiting.answers.last?["result"]?["holds"] == true)
    #expect(waiting.answers.last?["result"]?["value"] == "two")
  }

  @Test func `a wait that times out reports the actual value`() throws {
    let fixture = try KioskFixture()
    let answer = try fixture.ask(
      "wait", #"{"property":"minutes.value","value":7,"timeout":0.02}"#)
    #expect(answer["holds"] == false)
    #expect(answer["value"] == 0)
  }

  @Test func `still means that nothing moves or blinks and the picture is shown`() throws {
    let fixture = try KioskFixture()
    #expect(try fixture.ask("set", #"{"property":"minutes.value","value":5}"#) == true)
    #expect(!fixture.cycle.isStill)
    #expect(try fixture.ask("wait", #"{"still":true}"#)["holds"] == true)
    #expect(fixture.cycle.isStill)
    #expect(try fixture.ask("get", #"{"property":"minutes.angle"}"#)["value"] == 210)
  }

  @Test func `subscribers get each event in order`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    #expect(try fixture.ask("events", on: wire)["t"]?.number != nil)
    #expect(try fixture.ask("set", #"{"property":"minutes.value","value":2}"#) == true)
    #expect(try fixture.run { fixture.events.last == "minutes.settled" })
    #expect(
      try fixture.run {
        wire.read()
        return wire.lines.count > fixture.events.count
      })
    let reported = wire.answers.filter { $0["method"] == "event" }.compactMap { $0["params"] }
    #expect(reported.map { "minutes." + ($0["event"]?.string ?? "") } == fixture.events)
    #expect(reported.last?["label"] == "2")
    // In printed order.
    #expect(reported.last?.text.hasPrefix(#"{"t":0."#) == true)
    #expect(try fixture.ask("events", #"{"on":false}"#, on: wire)["t"] != nil)
    let count = wire.lines.count
    #expect(try fixture.ask("go", #"{"page":"two"}"#) == true)
    _ = try fixture.ask("status")
    wire.read()
    #expect(wire.lines.count == count)
  }

  @Test func `a state that the machine refuses is in the status until it is set`() throws {
    let fixture = try KioskFixture()
    #expect(try fixture.ask("status")["display"]?["problems"] == nil)
    fixture.problems = ["cannot set the backlight a: no permission"]
    #expect(
      try fixture.ask("status")["display"]?["problems"]?.text
        == #"["cannot set the backlight a: no permission"]"#)
  }

  @Test func `a tap on a sleeping panel only wakes it`() throws {
    let fixture = try KioskFixture()
    #expect(try fixture.ask("blank") == true)
    #expect(try fixture.ask("status")["display"]?["state"] == "asleep")
    let tap = try fixture.ask("tap", #"{"target":"shows/a"}"#)
    #expect(tap["taken"] == false && tap["woke"] == true)
    #expect(try fixture.ask("status")["blank"] == false)
    #expect(try fixture.ask("blank") == true)
    #expect(try fixture.ask("unblank") == true)
    #expect(try fixture.ask("status")["display"]?["state"] == "showing")
  }

  @Test func `help lists every documented method`() throws {
    let fixture = try KioskFixture()
    guard case .array(let methods) = try fixture.ask("help") else {
      Issue.record("no list")
      return
    }
    let names = methods.compactMap { $0["method"]?.string }
    for name in [
      "blank", "close", "drag", "events", "get", "go", "help", "latency", "open", "record",
      "reload", "rotate", "screenshot", "set", "spin", "status", "stop", "tap", "touch", "tree",
      "unblank", "version", "wait",
    ] {
      #expect(names.contains(name))
    }
  }

  @Test func `stop is answered before it takes effect`() throws {
    let fixture = try KioskFixture()
    #expect(try fixture.ask("stop") == true)
    #expect(try fixture.run { fixture.isStopped })
  }
}

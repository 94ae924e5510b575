// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelExpressions
import RoundelJSON
import Kiosk
import LinuxIO
import RoundelMotion
import RoundelPresentation
import JSONRPC
import KioskService
import RoundelRuntime
import Testing

/// Clients whose requests need more memory than the kiosk allows.
@Suite struct KioskLimitsTests {
  /// The limit that rejected a request.
  private func limit(_ answer: JSONValue) -> String? { answer["data"]?["limit"]?.string }

  private func recording(_ line: String, _ count: Int = 1) -> String {
    JSONValue.string(String(repeating: line + "\n", count: count)).text
  }

  private func kept(_ fixture: KioskFixture) throws -> Int? {
    try fixture.ask("status")["client_work"]?["kept_bytes"]?.integer
  }

  @Test func `strings set by a client have a maximum size`() throws {
    let fixture = try KioskFixture()
    let text = String(repeating: "x", count: 70_000)
    #expect(
      limit(try fixture.ask("set", #"{"property":"back.text","value":"\#(text)"}"#))
        == "maximumValueBytes")
    #expect(
      limit(
        try fixture.ask(
          "touch",
          "[\(recording(#"{"t":0,"set":{"back.text":"\#(text)"}}"#))]"))
        == "maximumValueBytes")
  }

  @Test(arguments: ["set", "text", "lines"])
  func `a list may have 1 MiB and 100 000 rows, and no more`(_ route: String) throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    func set(_ list: String) throws -> JSONValue {
      let line = #"{"t":0,"set":{"rows":\#(list)}}"#
      let (method, parameters) =
        switch route {
        case "set": ("set", #"{"property":"rows","value":\#(list)}"#)
        case "lines": ("touch", #"{"recording":[\#(line)]}"#)
        default: ("touch", #"{"recording":\#(JSONValue.string(line).text)}"#)
        }
      try fixture.send(
        line: #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#, on: wire)
      let before = wire.lines.count
      #expect(
        try fixture.run {
          wire.read()
          return wire.lines.count > before
        })
      return try JSONValue(parsing: Array(wire.lines.last?.utf8 ?? "".utf8))
    }
    func bytes(_ count: Int) -> String { #"["\#(String(repeating: "x", count: count - 4))"]"# }
    func rows(_ count: Int) -> String {
      "[\((0..<count).map { "\($0)" }.joined(separator: ","))]"
    }
    func tiny(_ count: Int) -> String {
      "[[\(repeatElement("1", count: count).joined(separator: ","))]]"
    }
    for list in [bytes(1 << 20), rows(100_000), tiny(500_000)] {
      #expect(try set(list)["result"] != nil)
      #expect(fixture.cycle.engine.value(of: .value("rows")).map { JSONValue($0).text } == list)
    }
    let before = fixture.cycle.engine.value(of: .value("rows"))
    let failures = fixture.failures.count
    for (list, words) in [
      (bytes(1 << 20 + 1), "at most 1048576 bytes as JSON, not 1048577"),
      (rows(100_001), "at most 100000 rows, not 100001"),
    ] {
      let answer = try set(list)
      let message = answer["error"]?["message"]?.string ?? fixture.failures.last ?? ""
      #expect(message.hasSuffix(words))
    }
    #expect(route == "set" || fixture.failures.count == failures + 2)
    #expect(fixture.cycle.engine.value(of: .value("rows")) == before)
    #expect(try kept(fixture) == 0)
  }

  @Test func `a client can set a short list as a string`() throws {
    let fixture = try KioskFixture()
    let rows = repeatElement("1", count: 9_000).joined(separator: ",")
    #expect(try fixture.ask("set", #"{"property":"rows","value":"[1,2]"}"#) == true)
    #expect(
      limit(try fixture.ask("set", #"{"property":"rows","value":"[\#(rows)]"}"#))
        == "maximumPromptBytes")
  }

  @Test func `many tiny values are limited in memory and rejected by number`() throws {
    var limits = Limits()
    limits.maximumClientBytes = 4 << 20
    let fixture = try KioskFixture(limits: limits)
    let nest = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
    let hostile = repeatElement(nest, count: 1_000).joined(separator: ",")
    let wire = try fixture.connect()
    try fixture.send(
      line:
        #"{"jsonrpc":"2.0","id":1,"method":"set","params":{"property":"rows","value":[\#(hostile)]}}"#,
      on: wire)
    #expect(
      try fixture.run {
        wire.read()
        return !wire.lines.isEmpty
      })
    #expect(wire.answers.last?["error"]?["data"]?["limit"] == "maximumClientBytes")
    // The connection still works.
    #expect(try fixture.ask("version", on: wire)["version"] != nil)
    #expect(try kept(fixture) == 0)
  }

  @Test func `a recording's queries are answered up to a limit`() throws {
    var limits = Limits()
    limits.maximumAnswerBytes = 10_000
    let fixture = try KioskFixture(limits: limits)
    let get = #"{"t":0,"get":"minutes.value"}"#
    let few = try fixture.ask("touch", "[\(recording(get, 100))]")
    guard case .array(let answers)? = few["answers"] else {
      Issue.record("no answers")
      return
    }
    #expect(answers.count == 100 && answers.last?["value"] == 0)
    #expect(limit(try fixture.ask("touch", "[\(recording(get, 2000))]")) == "maximumAnswerBytes")
    #expect(try kept(fixture) == 0)
  }

  @Test func `pictures of recordings are rendered no faster than they are packed`() throws {
    var limits = Limits()
    limits.maximumPictureBytes = 400 * 200 * 4
    let fixture = try KioskFixture(limits: limits)
    let wires = try (0..<4).map { _ in try fixture.connect() }
    for wire in wires {
      wire.send(
        line: #"{"jsonrpc":"2.0","method":"touch","params":{"shots":true,"recording":"#
          + recording(#"{"t":0,"shot":"s"}"#, 6) + #"},"id":1}"#)
    }
    let other = try fixture.connect()
    // Another client's picture is packed in between.
    #expect(try fixture.ask("screenshot", on: other)["png"] != nil)
    #expect(
      try fixture.run {
        wires.forEach { $0.read() }
        return wires.allSatisfy { $0.lines.count == 7 }
      })
    #expect(wires.allSatisfy { $0.answers.last?["result"] != nil })
  }

  @Test func `an enlarged screenshot is limited to the pixels of a large panel`() throws {
    var limits = Limits()
    limits.maximumPicturePixels = 100_000
    let fixture = try KioskFixture(limits: limits)
    #expect(limit(try fixture.ask("screenshot", #"{"scale":2}"#)) == "maximumPicturePixels")
    #expect(try fixture.ask("screenshot", #"{"scale":1}"#)["png"] != nil)
    #expect(
      try fixture.ask("screenshot", #"{"scale":8,"region":[0,0,30,30]}"#)["png"] != nil)
  }

  @Test func `awaited values have a maximum length`() throws {
    let fixture = try KioskFixture()
    let values = Array(repeating: "1", count: 5000).joined(separator: ",")
    let long = String(repeating: "n", count: 5000)
    for parameters in [
      #"{"property":"minutes.value","value":{"one_of":[\#(values)]}}"#,
      #"{"input":"\#(long)"}"#, #"{"property":"minutes.value","value":"\#(long)"}"#,
    ] {
      #expect(limit(try fixture.ask("wait", parameters)) == "maximumPatternBytes")
    }
  }

  @Test func `many waits with long patterns take turns, and each ends when true`() throws {
    var limits = Limits()
    limits.maximumTurnSeconds = 0
    let fixture = try KioskFixture(limits: limits)
    let wire = try fixture.connect()
    let values = Array(repeating: "77", count: 100).joined(separator: ",")
    for id in 0..<100 {
      try fixture.send(
        line: #"{"jsonrpc":"2.0","method":"wait","params":{"property":"minutes.value","value":"#
          + #"{"one_of":[\#(values),3]},"timeout":600},"id":\#(id)}"#, on: wire)
    }
    let page = try fixture.connect()
    page.send(line: #"{"jsonrpc":"2.0","method":"wait","params":{"page":"two"},"id":1}"#)
    // Requests are served in between, and each turn evaluates one wait.
    #expect(try fixture.ask("set", #"{"property":"minutes.value","value":3}"#) == true)
    #expect(try fixture.ask("go", #"{"page":"two"}"#) == true)
    #expect(
      try fixture.run {
        wire.read()
        page.read()
        return wire.lines.count == 100 && page.lines.count == 1
      })
    #expect(wire.answers.allSatisfy { $0["result"]?["holds"] == true })
    #expect(try kept(fixture) == 0)
  }

  @Test func `waits cost nothing while nothing changes`() throws {
    let fixture = try KioskFixture()
    _ = try fixture.ask("wait", #"{"still":true}"#)
    let wire = try fixture.connect()
    wire.send(line: #"{"jsonrpc":"2.0","method":"wait","params":{"page":"two"},"id":1}"#)
    _ = try fixture.ask("version")
    var asked = 0
    fixture.inputs = {
      asked += 1
      return []
    }
    let revision = fixture.cycle.engine.revision
    for _ in 0..<10 {
      _ = fixture.cycle.turn()
      fixture.remote?.turn()
    }
    #expect(fixture.cycle.engine.revision == revision && asked == 10)
  }

  @Test func `fingers of all recordings count towards one limit`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    func downs(_ range: Range<Int>) -> String {
      JSONValue.string(
        range.map { #"{"t":0,"down":{"finger":\#($0),"x":100,"y":45}}"# + "\n" }.joined()
      ).text
    }
    let few = try fixture.ask(
      "touch", "{\"recording\":\(downs(0..<30)),\"more\":true,\"marker\":true}", on: wire)
    #expect(few["taken"] != nil)
    #expect(
      limit(try fixture.ask("touch", "{\"recording\":\(downs(0..<3000))}")) == "maximumFingers")
    #expect(fixture.cycle.engine.fingers.count <= 32)
    // Recordings that already play continue.
    let up = #"{"t":0,"up":{"finger":0}}"#
    #expect(try fixture.ask("touch", "[\(recording(up))]", on: wire)["taken"] != nil)
    #expect(try fixture.run { fixture.cycle.engine.fingers.isEmpty })
  }

  @Test func `recordings for later are limited, and dropped with their client`() throws {
    var limits = Limits()
    limits.maximumClientBytes = 1 << 20
    let fixture = try KioskFixture(limits: limits)
    var wire: Wire? = try fixture.connect()
    let later = recording(#"{"t":3000000,"go":"two"}"#, 2000)
    for id in 0..<20 {
      let wire = try #require(wire)
      try fixture.send(
        line: #"{"jsonrpc":"2.0","method":"touch","params":{"more":true,"recording":"#
          + later + #"},"id":\#(id)}"#, on: wire)
    }
    #expect(
      try fixture.run {
        wire?.read()
        return (wire?.lines.count ?? 0) > 10
      })
    #expect(
      wire?.answers.allSatisfy { $0["error"]?["data"]?["limit"] == "maximumClientBytes" } == true)
    #expect(try #require(try kept(fixture)) > 500_000)
    wire = nil
    #expect(try fixture.run { try kept(fixture) == 0 })
  }

  @Test func `a long recording is parsed outside the loop, in order of arrival`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    let down = #"{\"t\":0,\"down\":{\"finger\":7,\"x\":100,\"y\":45}}\n"#
    let moves = String(
      repeating: #"{\"t\":0,\"move\":{\"finger\":7,\"x\":100,\"y\":45}}\n"#, count: 1000)
    wire.send(
      line: #"{"jsonrpc":"2.0","method":"touch","params":{"more":true,"recording":""#
        + down + moves + #""},"id":1}"#)
    wire.send(
      line: #"{"jsonrpc":"2.0","method":"touch","params":{"recording":"#
        + recording(#"{"t":0.01,"up":{"finger":7}}"#) + #"},"id":2}"#)
    #expect(
      try fixture.run {
        wire.read()
        return wire.lines.count == 2
      })
    #expect(wire.answers.map { $0["id"] } == [1, 2])
    #expect(fixture.events == ["shows.pressed(a)", "shows.selected(a)"])
  }

  @Test func `viewers get memory for their pictures, or are rejected`() throws {
    var limits = Limits()
    limits.guaranteedClientBytes = 0
    limits.maximumTotalBytes = 3 * 400 * 200 * 4
    let fixture = try KioskFixture(limits: limits)
    var viewers: [Wire] = []
    for index in 0..<5 {
      let wire = try fixture.connect()
      viewers.append(wire)
      let answer = try fixture.ask("frame", on: wire)
      #expect((answer["parts"] != nil) == (index < 3))
      if index >= 3 { #expect(limit(answer) == "maximumTotalBytes") }
    }
    viewers.removeFirst()
    #expect(try fixture.run { try kept(fixture) == 2 * 400 * 200 * 4 })
    #expect(try fixture.ask("frame", on: viewers[3])["parts"] != nil)
  }

  @Test func `clients that watch or touch aren't disconnected for new ones`() throws {
    var limits = Limits()
    limits.maximumClients = 3
    let fixture = try KioskFixture(limits: limits)
    let viewer = try fixture.connect()
    _ = try fixture.ask("frame", on: viewer)
    let finger = try fixture.connect()
    let down = recording(#"{"t":0,"down":{"finger":7,"x":100,"y":45}}"#)
    _ = try fixture.ask("touch", "{\"recording\":\(down),\"more\":true}", on: finger)
    for _ in 0..<5 { #expect(try fixture.ask("version")["version"] != nil) }
    let idle = try fixture.connect()
    #expect(try fixture.ask("version")["version"] != nil)
    for wire in [viewer, finger, idle] { wire.read() }
    #expect([viewer, finger, idle].map(\.isClosed) == [false, false, true])
  }

  @Test func `status reports the longest work for clients in a turn`() throws {
    let fixture = try KioskFixture()
    _ = try fixture.ask("tree")
    let longest = try fixture.ask("status")["client_work"]?["longest_turn"]?.number ?? 0
    #expect(longest > 0 && longest < 1)
  }
}

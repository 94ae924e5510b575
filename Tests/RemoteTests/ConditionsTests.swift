// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelExpressions
import RoundelJSON
import Kiosk
import LinuxIO
import RoundelMotion
import JSONRPC
import RoundelRuntime
import Testing

@Suite struct ConditionsTests {
  private func message(_ answer: JSONValue) -> String { answer["message"]?.string ?? answer.text }

  private func set(_ name: String, _ value: String, _ fixture: KioskFixture) throws {
    #expect(
      try fixture.ask("set", "{\"property\":\"\(name)\",\"value\":\(value)}") == true)
  }

  /// The values of an expression that a client received, as JSON.
  private func values(_ text: String, _ wire: Wire) -> [String] {
    wire.read()
    return wire.answers.filter { $0["method"] == "watch" }.compactMap { $0["params"] }
      .filter { $0["watch"]?.string == text }.map { $0["value"]?.text ?? "" }
  }

  @Test func `a watch reports whether a finger holds or moves the control`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    #expect(
      try fixture.ask(
        "watch", #"{"expressions":["minutes.value"],"settled":true}"#, on: wire)["t"] != nil)
    #expect(
      try fixture.ask(
        "drag", #"{"target":"minutes/0","to_target":"minutes/3","duration":0.05,"hold":0}"#)[
          "taken"]
        == true)
    _ = try fixture.ask("wait", #"{"settled":["minutes"],"timeout":10}"#)
    #expect(
      try fixture.run {
        wire.read()
        return phases(wire).last == true && phases(wire).contains(false)
      })
    #expect(phases(wire).first == true)
  }

  private func phases(_ wire: Wire) -> [Bool] {
    wire.answers.filter { $0["method"] == "watch" }.compactMap { $0["params"]?["settled"]?.bool }
  }

  @Test func `a message without a connected bridge is one failure, and isn't kept`() throws {
    let fixture = try KioskFixture()
    let bridge = try fixture.connect()
    _ = try fixture.ask("events", on: bridge)
    let message = #"{"mqtt":"a/b","payload":"go"}"#
    #expect(try fixture.ask("publish", message) == true)
    #expect(
      fixture.failures == ["cannot publish a/b: not connected; roundel mqtt connects"])
    #expect(try fixture.ask("bridge", #"{"connected":true}"#, on: bridge) == true)
    #expect(try fixture.ask("publish", message) == true)
    #expect(fixture.failures.count == 1)
    #expect(try fixture.ask("bridge", #"{"connected":false}"#, on: bridge) == true)
    #expect(try fixture.ask("publish", message) == true)
    #expect(fixture.failures.count == 2)
    #expect(fixture.events.filter { $0 == "publish" }.count == 3)
  }

  @Test func `a call without Home Assistant is one failure, even with a broker`() throws {
    let fixture = try KioskFixture()
    let bridge = try fixture.connect()
    let message = #"{"home":"light.toggle","entity":"light.kitchen"}"#
    #expect(try fixture.ask("bridge", #"{"connected":true}"#, on: bridge) == true)
    #expect(try fixture.ask("call", message) == true)
    #expect(fixture.failures == ["cannot call light.toggle: not connected; roundel home connects"])
    let home = try fixture.connect()
    #expect(
      try fixture.ask("bridge", #"{"connected":true,"service":"home"}"#, on: home) == true)
    #expect(try fixture.ask("call", message) == true)
    #expect(fixture.failures.count == 1)
  }

  // MARK: Waits

  @Test func `a wait for an expression ends when it becomes true`() throws {
    let fixture = try KioskFixture()
    let waiting = try fixture.connect()
    waiting.send(
      line: #"{"jsonrpc":"2.0","method":"wait","params":{"expression":"cups > 2 && page == 'two'","#
        + #""timeout":60},"id":1}"#)
    try set("cups", "3", fixture)
    waiting.read()
    #expect(waiting.lines.isEmpty)
    _ = try fixture.ask("go", #"{"page":"two"}"#)
    #expect(
      try fixture.run {
        waiting.read()
        return !waiting.lines.isEmpty
      })
    #expect(waiting.answers.last?["result"]?["holds"] == true)
    #expect(
      try fixture.ask("wait", #"{"expression":"note.text == '' && open","timeout":0}"#)["holds"]
        == true)
  }

  @Test func `a wait that times out reports the expression's inputs`() throws {
    let fixture = try KioskFixture()
    let answer = try fixture.ask("wait", #"{"expression":"cups > 2","timeout":0.02}"#)
    #expect(answer["holds"] == false && answer["value"] == false)
    #expect(answer["found"] == "cups is 1")
  }

  @Test func `an undefined expression is false`() throws {
    let fixture = try KioskFixture()
    #expect(
      try fixture.ask("wait", #"{"expression":"1 / (cups - 1) > 0","timeout":0.02}"#)["holds"]
        == false)
    try set("cups", "2", fixture)
    #expect(
      try fixture.ask("wait", #"{"expression":"1 / (cups - 1) > 0","timeout":0}"#)["holds"] == true)
  }

  @Test(arguments: [
    (
      "cpus > 2",
      "there is no value \"cpus\" (expected control.property, cups, guest, open or rows; did you mean \"cups\"?)"
    ),
    ("cups > 2 && shows.itme == ''", "\"shows\" has no property \"itme\""),
    ("cups > 2 && nope.x", "no control \"nope\""),
    ("texts.welcome == ''", "unknown name \"texts.welcome\""),
    ("cups", "\"cups\" is a number (expected true or false)"),
    ("cups > 'a'", "at character"),
    ("cups >", "at character 7"),
    ("cups = 2", "at character 6"),
    ("", "at character 1"),
  ])
  func `an expression that can never be true is rejected immediately`(
    _ text: String, _ words: String
  ) throws {
    let fixture = try KioskFixture()
    let answer = try fixture.ask(
      "wait", "{\"expression\":\(JSONValue.string(text).text),\"timeout\":60}")
    #expect(answer["code"] == -32602)
    #expect(message(answer).contains(words), "\(answer.text)")
  }

  @Test func `an expression that takes too much work is false`() throws {
    let fixture = try KioskFixture()
    try set("guest", "\"\(String(repeating: "x", count: 16_000))\"", fixture)
    func holds(times: Int) throws -> JSONValue? {
      let sum = Array(repeating: "guest", count: times).joined(separator: " + ")
      return try fixture.ask("wait", "{\"expression\":\"size(\(sum)) > 0\",\"timeout\":0}")["holds"]
    }
    #expect(try holds(times: 2) == true)
    #expect(try holds(times: 20) == false)
  }

  @Test func `an expression has a maximum length`() throws {
    let fixture = try KioskFixture()
    let long = "cups > 2" + String(repeating: " ", count: 4090)
    let answer = try fixture.ask("wait", "{\"expression\":\"\(long)\"}")
    #expect(message(answer).contains("longer than 4096 bytes"))
  }

  @Test func `a wait that reads the time ends by time alone`() throws {
    let fixture = try KioskFixture()
    let start = fixture.cycle.engine.now.seconds
    let answer = try fixture.ask("wait", "{\"expression\":\"uptime > \(start + 0.25)\"}")
    #expect(answer["holds"] == true)
    #expect((answer["t"]?.number ?? 0) >= start + 0.25)
    // Wait for another second of the wall clock, so that a slow machine doesn't matter.
    let second = fixture.cycle.engine.clock.second
    #expect(
      try fixture.ask("wait", "{\"expression\":\"now.getSeconds() != \(second)\"}")["holds"] == true
    )
  }

  @Test func `a clock on a hidden page can be read, awaited and watched`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    _ = try fixture.ask("watch", #"{"expressions":["clock.text"]}"#, on: wire)
    let start = fixture.cycle.engine.now.seconds
    let next = "00:0\(Int(start) + 1)"
    #expect(
      try fixture.ask("wait", "{\"property\":\"clock.text\",\"value\":\"\(next)\"}")["holds"]
        == true)
    #expect(try fixture.run { values("clock.text", wire).contains("\"\(next)\"") })
  }

  @Test func `a request to an idle kiosk gets the current state`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    _ = try fixture.ask("version", on: wire)
    let last = fixture.cycle.engine.now.seconds
    // A second without an update of the kiosk.
    let later = MonotonicClock.now + 1.1
    while MonotonicClock.now < later { try fixture.loop.turn(until: later) }
    wire.send(
      line: #"{"jsonrpc":"2.0","method":"get","params":{"property":"clock.text"},"id":77}"#)
    var answer: JSONValue?
    while answer == nil {
      try fixture.loop.turn(until: MonotonicClock.now + 0.01)
      wire.read()
      answer = wire.answers.first { $0["id"] == 77 }?["result"]
    }
    #expect(try #require(answer?["value"]?.string) > "00:0\(Int(last))")
  }

  @Test func `a wait in a batch ends with its client`() throws {
    let fixture = try KioskFixture()
    do {
      let waiting = try fixture.connect()
      waiting.send(
        line: #"{"jsonrpc":"2.0","method":"wait","params":{"expression":"uptime < 0"},"id":1}"#)
      #expect(try fixture.run { try fixture.ask("status")["client_work"]?["kept_bytes"] != 0 })
    }
    #expect(
      try fixture.run { try fixture.ask("status")["client_work"]?["kept_bytes"] == 0 })
  }

  // MARK: Watches

  @Test func `a watched expression is sent immediately and on each change`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    #expect(
      try fixture.ask("watch", #"{"expressions":["cups","cups * 2","guest"]}"#, on: wire)["t"]?
        .number != nil)
    #expect(try fixture.run { values("guest", wire) == ["\"\""] })
    #expect(values("cups", wire) == ["1"] && values("cups * 2", wire) == ["2"])
    try set("cups", "3", fixture)
    try set("cups", "3", fixture)
    try set("guest", "\"Ada\"", fixture)
    #expect(try fixture.run { values("guest", wire) == ["\"\"", "\"Ada\""] })
    #expect(values("cups", wire) == ["1", "3"] && values("cups * 2", wire) == ["2", "6"])
    let line = wire.answers.first { $0["method"] == "watch" }?["params"]
    #expect(line?["t"]?.number != nil)
  }

  @Test func `a watch reports the causes of changes on request`() throws {
    let fixture = try KioskFixture()
    let (asking, other) = (try fixture.connect(), try fixture.connect())
    _ = try fixture.ask("watch", #"{"expressions":["cups"],"causes":true}"#, on: asking)
    _ = try fixture.ask("watch", #"{"expressions":["cups"]}"#, on: other)
    try set("cups", "2", fixture)
    _ = values("cups", asking)
    _ = values("cups", other)
    func causes(_ wire: Wire) -> [JSONValue?] {
      wire.answers.filter { $0["method"] == "watch" }.map { $0["params"]?["by"] }
    }
    #expect(causes(asking) == ["time", "command"])
    #expect(causes(other) == [nil, nil])
  }

  @Test func `the panel's brightness is watched like a property`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    _ = try fixture.ask("watch", #"{"expressions":["screen.brightness"]}"#, on: wire)
    try set("screen.brightness", "0.25", fixture)
    #expect(values("screen.brightness", wire) == ["1", "0.25"])
  }

  @Test func `an undefined watched expression is null`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    _ = try fixture.ask("watch", #"{"expressions":["6 / (cups - 1)"]}"#, on: wire)
    try set("cups", "4", fixture)
    #expect(try fixture.run { values("6 / (cups - 1)", wire) == ["null", "2"] })
    try set("cups", "1", fixture)
    #expect(try fixture.run { values("6 / (cups - 1)", wire) == ["null", "2", "null"] })
  }

  @Test func `several changes in one turn are sent once`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    _ = try fixture.ask("watch", #"{"expressions":["cups"]}"#, on: wire)
    #expect(try fixture.run { values("cups", wire) == ["1"] })
    for cups in 2...5 { try fixture.cycle.apply(.set(.value("cups"), .integer(cups))) }
    #expect(try fixture.run { values("cups", wire).last == "5" })
    #expect(values("cups", wire) == ["1", "5"])
  }

  @Test func `a turning dial is watched at each detent until it stops`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    _ = try fixture.ask("watch", #"{"expressions":["minutes.value"]}"#, on: wire)
    try set("minutes.value", "3", fixture)
    #expect(try fixture.run { values("minutes.value", wire).last == "3" })
    #expect(try fixture.ask("watch", #"{"on":false}"#, on: wire)["t"] != nil)
    let count = values("minutes.value", wire).count
    try set("minutes.value", "5", fixture)
    _ = try fixture.ask("wait", #"{"still":true}"#, on: wire)
    #expect(values("minutes.value", wire).count == count)
  }

  @Test func `a watch ends by its expression`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    _ = try fixture.ask("watch", #"{"expressions":["cups","guest"]}"#, on: wire)
    #expect(try fixture.run { values("cups", wire) == ["1"] })
    _ = try fixture.ask("watch", #"{"expressions":["cups"],"on":false}"#, on: wire)
    try set("cups", "2", fixture)
    try set("guest", "\"Ada\"", fixture)
    #expect(try fixture.run { values("guest", wire).count == 2 })
    #expect(values("cups", wire) == ["1"])
  }

  @Test func `a list with an invalid expression starts no watch`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    let answer = try fixture.ask("watch", #"{"expressions":["cups","nope.x"]}"#, on: wire)
    #expect(message(answer).contains("\"nope.x\": there is no control \"nope\""))
    #expect(message(try fixture.ask("watch", "{}", on: wire)).contains("a list of strings"))
    #expect(
      message(try fixture.ask("watch", #"{"expressions":[1]}"#, on: wire)).contains(
        "list of strings")
    )
    try set("cups", "2", fixture)
    _ = try fixture.ask("status", on: wire)
    #expect(values("cups", wire).isEmpty)
  }

  @Test func `watches are limited by number and size`() throws {
    var limits = Limits()
    limits.maximumWatches = 3
    limits.maximumWatchBytes = 64
    limits.maximumExpressions = 4
    let fixture = try KioskFixture(limits: limits)
    let wire = try fixture.connect()
    let many = try fixture.ask("watch", #"{"expressions":["cups","1","2","3"]}"#, on: wire)
    #expect(many["data"]?["limit"] == "maximumWatches")
    let more = try fixture.ask("watch", #"{"expressions":["cups","1","2","3","4"]}"#, on: wire)
    #expect(more["data"]?["limit"] == "maximumExpressions")
    let long = "cups" + String(repeating: " ", count: 61)
    let bytes = try fixture.ask("watch", "{\"expressions\":[\"\(long)\"]}", on: wire)
    #expect(bytes["data"]?["limit"] == "maximumWatchBytes")
    // A repeated watch counts once.
    for _ in 0..<5 {
      #expect(try fixture.ask("watch", #"{"expressions":["cups"]}"#, on: wire)["t"] != nil)
    }
  }

  @Test func `a slow reader loses changes, then gets the newest with the number lost`() throws {
    var limits = Limits()
    limits.maximumUnreadBytes = 4096
    let fixture = try KioskFixture(limits: limits)
    let wire = try fixture.connect()
    _ = try fixture.ask("watch", #"{"expressions":["guest"]}"#, on: wire)
    // More than the buffers of socket and kiosk.
    let text = String(repeating: "x", count: 8000)
    for turn in 0..<200 {
      try fixture.cycle.apply(.set(.value("guest"), .text("\(turn)\(text)")))
      var turns = 0
      _ = try fixture.run {
        turns += 1
        return turns > 1
      }
    }
    #expect(
      try fixture.run {
        wire.read()
        return wire.answers.last?["params"]?["value"]?.string == "199\(text)"
      })
    let lost = wire.answers.reduce(0) { $0 + ($1["params"]?["lost"]?.integer ?? 0) }
    let count = wire.answers.count { $0["method"] == "watch" }
    #expect(lost > 0)
    // The first value is the empty text; the last one is sent again if it was lost.
    #expect((200...202).contains(count + lost), "\(count) \(lost)")
  }

  @Test func `a value too long for a notification is null`() throws {
    var limits = Limits()
    limits.maximumWatchedValueBytes = 100
    let fixture = try KioskFixture(limits: limits)
    let wire = try fixture.connect()
    _ = try fixture.ask("watch", #"{"expressions":["guest"]}"#, on: wire)
    try set("guest", "\"\(String(repeating: "x", count: 200))\"", fixture)
    #expect(try fixture.run { values("guest", wire).last == "null" })
  }
}

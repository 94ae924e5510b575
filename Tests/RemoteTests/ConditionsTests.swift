// SPDX-License-Identifier: MIT

import Declarations
import Expressions
import JSON
import Kiosk
import LinuxIO
import Motion
import JSONRPC
import Runtime
import Testing

@Suite struct ConditionsTests {
  private func message(_ answer: JSONValue) -> String { answer["message"]?.string ?? answer.text }

  private func set(_ name: String, _ value: String, _ stand: KioskStand) throws {
    #expect(
      try stand.ask("set", "{\"property\":\"\(name)\",\"value\":\(value)}") == true)
  }

  /// The values of an expression that a client received, as JSON.
  private func told(_ text: String, _ wire: Wire) -> [String] {
    wire.read()
    return wire.answers.filter { $0["method"] == "watch" }.compactMap { $0["params"] }
      .filter { $0["watch"]?.string == text }.map { $0["value"]?.text ?? "" }
  }

  // MARK: Waits

  @Test func `a wait for an expression ends when it becomes true`() throws {
    let stand = try KioskStand()
    let waiting = try stand.connect()
    waiting.send(
      line: #"{"jsonrpc":"2.0","method":"wait","params":{"expression":"cups > 2 && page == 'two'","#
        + #""timeout":60},"id":1}"#)
    try set("cups", "3", stand)
    waiting.read()
    #expect(waiting.lines.isEmpty)
    _ = try stand.ask("go", #"{"page":"two"}"#)
    #expect(
      try stand.run {
        waiting.read()
        return !waiting.lines.isEmpty
      })
    #expect(waiting.answers.last?["result"]?["holds"] == true)
    #expect(
      try stand.ask("wait", #"{"expression":"note.text == '' && open","timeout":0}"#)["holds"]
        == true)
  }

  @Test func `a wait that times out reports the expression's inputs`() throws {
    let stand = try KioskStand()
    let answer = try stand.ask("wait", #"{"expression":"cups > 2","timeout":0.02}"#)
    #expect(answer["holds"] == false && answer["value"] == false)
    #expect(answer["found"] == "cups is 1")
  }

  @Test func `an undefined expression is false`() throws {
    let stand = try KioskStand()
    #expect(
      try stand.ask("wait", #"{"expression":"1 / (cups - 1) > 0","timeout":0.02}"#)["holds"]
        == false)
    try set("cups", "2", stand)
    #expect(
      try stand.ask("wait", #"{"expression":"1 / (cups - 1) > 0","timeout":0}"#)["holds"] == true)
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
    let stand = try KioskStand()
    let answer = try stand.ask(
      "wait", "{\"expression\":\(JSONValue.string(text).text),\"timeout\":60}")
    #expect(answer["code"] == -32602)
    #expect(message(answer).contains(words), "\(answer.text)")
  }

  @Test func `an expression that takes too much work is false`() throws {
    let stand = try KioskStand()
    try set("guest", "\"\(String(repeating: "x", count: 16_000))\"", stand)
    func holds(times: Int) throws -> JSONValue? {
      let sum = Array(repeating: "guest", count: times).joined(separator: " + ")
      return try stand.ask("wait", "{\"expression\":\"size(\(sum)) > 0\",\"timeout\":0}")["holds"]
    }
    #expect(try holds(times: 2) == true)
    #expect(try holds(times: 20) == false)
  }

  @Test func `an expression has a maximum length`() throws {
    let stand = try KioskStand()
    let long = "cups > 2" + String(repeating: " ", count: 4090)
    let answer = try stand.ask("wait", "{\"expression\":\"\(long)\"}")
    #expect(message(answer).contains("longer than 4096 bytes"))
  }

  @Test func `a wait that reads the time ends by time alone`() throws {
    let stand = try KioskStand()
    let start = stand.cycle.engine.now.seconds
    let answer = try stand.ask("wait", "{\"expression\":\"uptime > \(start + 0.25)\"}")
    #expect(answer["holds"] == true)
    #expect((answer["t"]?.number ?? 0) >= start + 0.25)
    // Wait for another second of the wall clock, so that a slow machine doesn't matter.
    let second = stand.cycle.engine.clock.second
    #expect(
      try stand.ask("wait", "{\"expression\":\"now.getSeconds() != \(second)\"}")["holds"] == true)
  }

  @Test func `a clock on a hidden page can be read, awaited and watched`() throws {
    let stand = try KioskStand()
    let wire = try stand.connect()
    _ = try stand.ask("watch", #"{"expressions":["clock.text"]}"#, on: wire)
    let start = stand.cycle.engine.now.seconds
    let next = "00:0\(Int(start) + 1)"
    #expect(
      try stand.ask("wait", "{\"property\":\"clock.text\",\"value\":\"\(next)\"}")["holds"] == true)
    #expect(try stand.run { told("clock.text", wire).contains("\"\(next)\"") })
  }

  @Test func `a request to an idle kiosk gets the current state`() throws {
    let stand = try KioskStand()
    let wire = try stand.connect()
    _ = try stand.ask("version", on: wire)
    let last = stand.cycle.engine.now.seconds
    // A second without an update of the kiosk.
    let later = MonotonicClock.now + 1.1
    while MonotonicClock.now < later { try stand.loop.turn(until: later) }
    wire.send(
      line: #"{"jsonrpc":"2.0","method":"get","params":{"property":"clock.text"},"id":77}"#)
    var answer: JSONValue?
    while answer == nil {
      try stand.loop.turn(until: MonotonicClock.now + 0.01)
      wire.read()
      answer = wire.answers.first { $0["id"] == 77 }?["result"]
    }
    #expect(try #require(answer?["value"]?.string) > "00:0\(Int(last))")
  }

  @Test func `a wait in a batch ends with its client`() throws {
    let stand = try KioskStand()
    do {
      let waiting = try stand.connect()
      waiting.send(
        line: #"{"jsonrpc":"2.0","method":"wait","params":{"expression":"uptime < 0"},"id":1}"#)
      #expect(try stand.run { try stand.ask("status")["client_work"]?["kept_bytes"] != 0 })
    }
    #expect(
      try stand.run { try stand.ask("status")["client_work"]?["kept_bytes"] == 0 })
  }

  // MARK: Watches

  @Test func `a watched expression is sent immediately and on each change`() throws {
    let stand = try KioskStand()
    let wire = try stand.connect()
    #expect(
      try stand.ask("watch", #"{"expressions":["cups","cups * 2","guest"]}"#, on: wire)["t"]?
        .number != nil)
    #expect(try stand.run { told("guest", wire) == ["\"\""] })
    #expect(told("cups", wire) == ["1"] && told("cups * 2", wire) == ["2"])
    try set("cups", "3", stand)
    try set("cups", "3", stand)
    try set("guest", "\"Ada\"", stand)
    #expect(try stand.run { told("guest", wire) == ["\"\"", "\"Ada\""] })
    #expect(told("cups", wire) == ["1", "3"] && told("cups * 2", wire) == ["2", "6"])
    let line = wire.answers.first { $0["method"] == "watch" }?["params"]
    #expect(line?["t"]?.number != nil)
  }

  @Test func `a watch reports the causes of changes on request`() throws {
    let stand = try KioskStand()
    let (asking, other) = (try stand.connect(), try stand.connect())
    _ = try stand.ask("watch", #"{"expressions":["cups"],"causes":true}"#, on: asking)
    _ = try stand.ask("watch", #"{"expressions":["cups"]}"#, on: other)
    try set("cups", "2", stand)
    _ = told("cups", asking)
    _ = told("cups", other)
    func causes(_ wire: Wire) -> [JSONValue?] {
      wire.answers.filter { $0["method"] == "watch" }.map { $0["params"]?["by"] }
    }
    #expect(causes(asking) == ["time", "command"])
    #expect(causes(other) == [nil, nil])
  }

  @Test func `the panel's brightness is watched like a property`() throws {
    let stand = try KioskStand()
    let wire = try stand.connect()
    _ = try stand.ask("watch", #"{"expressions":["screen.brightness"]}"#, on: wire)
    try set("screen.brightness", "0.25", stand)
    #expect(told("screen.brightness", wire) == ["1", "0.25"])
  }

  @Test func `an undefined watched expression is null`() throws {
    let stand = try KioskStand()
    let wire = try stand.connect()
    _ = try stand.ask("watch", #"{"expressions":["6 / (cups - 1)"]}"#, on: wire)
    try set("cups", "4", stand)
    #expect(try stand.run { told("6 / (cups - 1)", wire) == ["null", "2"] })
    try set("cups", "1", stand)
    #expect(try stand.run { told("6 / (cups - 1)", wire) == ["null", "2", "null"] })
  }

  @Test func `several changes in one turn are sent once`() throws {
    let stand = try KioskStand()
    let wire = try stand.connect()
    _ = try stand.ask("watch", #"{"expressions":["cups"]}"#, on: wire)
    #expect(try stand.run { told("cups", wire) == ["1"] })
    for cups in 2...5 { try stand.cycle.apply(.set(.value("cups"), .integer(cups))) }
    #expect(try stand.run { told("cups", wire).last == "5" })
    #expect(told("cups", wire) == ["1", "5"])
  }

  @Test func `a turning dial is watched at each detent until it stops`() throws {
    let stand = try KioskStand()
    let wire = try stand.connect()
    _ = try stand.ask("watch", #"{"expressions":["minutes.value"]}"#, on: wire)
    try set("minutes.value", "3", stand)
    #expect(try stand.run { told("minutes.value", wire).last == "3" })
    #expect(try stand.ask("watch", #"{"on":false}"#, on: wire)["t"] != nil)
    let count = told("minutes.value", wire).count
    try set("minutes.value", "5", stand)
    _ = try stand.ask("wait", #"{"still":true}"#, on: wire)
    #expect(told("minutes.value", wire).count == count)
  }

  @Test func `a watch ends by its expression`() throws {
    let stand = try KioskStand()
    let wire = try stand.connect()
    _ = try stand.ask("watch", #"{"expressions":["cups","guest"]}"#, on: wire)
    #expect(try stand.run { told("cups", wire) == ["1"] })
    _ = try stand.ask("watch", #"{"expressions":["cups"],"on":false}"#, on: wire)
    try set("cups", "2", stand)
    try set("guest", "\"Ada\"", stand)
    #expect(try stand.run { told("guest", wire).count == 2 })
    #expect(told("cups", wire) == ["1"])
  }

  @Test func `a list with an invalid expression starts no watch`() throws {
    let stand = try KioskStand()
    let wire = try stand.connect()
    let answer = try stand.ask("watch", #"{"expressions":["cups","nope.x"]}"#, on: wire)
    #expect(message(answer).contains("\"nope.x\": there is no control \"nope\""))
    #expect(message(try stand.ask("watch", "{}", on: wire)).contains("a list of strings"))
    #expect(
      message(try stand.ask("watch", #"{"expressions":[1]}"#, on: wire)).contains("list of strings")
    )
    try set("cups", "2", stand)
    _ = try stand.ask("status", on: wire)
    #expect(told("cups", wire).isEmpty)
  }

  @Test func `watches are limited by number and size`() throws {
    var limits = Limits()
    limits.maximumWatches = 3
    limits.maximumWatchBytes = 64
    limits.maximumExpressions = 4
    let stand = try KioskStand(limits: limits)
    let wire = try stand.connect()
    let many = try stand.ask("watch", #"{"expressions":["cups","1","2","3"]}"#, on: wire)
    #expect(many["data"]?["limit"] == "maximumWatches")
    let more = try stand.ask("watch", #"{"expressions":["cups","1","2","3","4"]}"#, on: wire)
    #expect(more["data"]?["limit"] == "maximumExpressions")
    let long = "cups" + String(repeating: " ", count: 61)
    let bytes = try stand.ask("watch", "{\"expressions\":[\"\(long)\"]}", on: wire)
    #expect(bytes["data"]?["limit"] == "maximumWatchBytes")
    // A repeated watch counts once.
    for _ in 0..<5 {
      #expect(try stand.ask("watch", #"{"expressions":["cups"]}"#, on: wire)["t"] != nil)
    }
  }

  @Test func `a slow reader loses changes, then gets the newest with the number lost`() throws {
    var limits = Limits()
    limits.maximumUnreadBytes = 4096
    let stand = try KioskStand(limits: limits)
    let wire = try stand.connect()
    _ = try stand.ask("watch", #"{"expressions":["guest"]}"#, on: wire)
    // More than the buffers of socket and kiosk.
    let text = String(repeating: "x", count: 8000)
    for turn in 0..<200 {
      try stand.cycle.apply(.set(.value("guest"), .text("\(turn)\(text)")))
      var turns = 0
      _ = try stand.run {
        turns += 1
        return turns > 1
      }
    }
    #expect(
      try stand.run {
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
    let stand = try KioskStand(limits: limits)
    let wire = try stand.connect()
    _ = try stand.ask("watch", #"{"expressions":["guest"]}"#, on: wire)
    try set("guest", "\"\(String(repeating: "x", count: 200))\"", stand)
    #expect(try stand.run { told("guest", wire).last == "null" })
  }
}

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
import JSONRPC
import KioskService
import RoundelRuntime
import RoundelText
import Testing

@Suite struct CommandMethodsTests {
  private func message(_ answer: JSONValue) -> String { answer["message"]?.string ?? answer.text }

  private func notifications(_ method: String, _ wire: Wire) -> [JSONValue] {
    wire.read()
    return wire.answers.filter { $0["method"]?.string == method }.compactMap { $0["params"] }
  }

  @Test(arguments: [
    // A number becomes text for a text property, and the other way round.
    ("note.text", "\"5.10\"", "\"5.10\""), ("note.text", "\"007\"", "\"007\""),
    ("note.text", "\"0x1F\"", "\"0x1F\""), ("note.text", "5.5", "\"5.5\""),
    ("note.text", "true", "\"true\""), ("guest", "42", "\"42\""), ("guest", "\"true\"", "\"true\""),
    ("cups", "3", "3"), ("cups", "\"3\"", "3"), ("cups", "\" 3\"", "refused"),
    ("cups", "\"0x3\"", "refused"), ("cups", "\"three\"", "refused"), ("cups", "true", "refused"),
    ("open", "false", "false"), ("open", "\"false\"", "false"), ("open", "0", "refused"),
    ("minutes.label", "\"10\"", "\"10\""), ("minutes.label", "10", "\"10\""),
    ("minutes.value", "\"4\"", "4"), ("back.enabled", "\"true\"", "true"),
  ])
  func `a value is read as the kind of its property`(
    _ name: String, _ value: String, _ result: String
  ) throws {
    let fixture = try KioskFixture()
    let answer = try fixture.ask("set", "{\"property\":\"\(name)\",\"value\":\(value)}")
    guard result != "refused" else {
      #expect(answer["code"] == -32602, "\(answer.text)")
      return
    }
    #expect(answer == true, "\(answer.text)")
    _ = try fixture.ask("wait", #"{"still":true}"#)
    #expect(try fixture.ask("get", "{\"property\":\"\(name)\"}")["value"]?.text == result)
  }

  @Test func `showing a page on a sleeping panel reports that, unless it wakes`() throws {
    let fixture = try KioskFixture()
    #expect(try fixture.ask("go", #"{"page":"two"}"#) == true)
    _ = try fixture.ask("blank")
    #expect(try fixture.ask("go", #"{"page":"one"}"#)["blank"] == true)
    #expect(try fixture.ask("status")["page"] == "one")
    // A nonexistent page doesn't wake the panel.
    #expect(
      message(try fixture.ask("go", #"{"page":"three","wake":true}"#)).contains("one or two"))
    #expect(try fixture.ask("status")["blank"] == true)
    #expect(try fixture.ask("go", #"{"page":"two","wake":true}"#) == true)
    #expect(try fixture.ask("status")["blank"] == false)
  }

  @Test func `wake and unblank are the same command`() throws {
    let fixture = try KioskFixture()
    for method in ["wake", "unblank"] {
      #expect(try fixture.ask("blank") == true)
      #expect(try fixture.ask("status")["blank"] == true)
      #expect(try fixture.ask(method) == true)
      #expect(try fixture.ask("status")["blank"] == false)
    }
  }

  @Test func `reset restores the initial state of one control or all`() throws {
    let fixture = try KioskFixture()
    _ = try fixture.ask("set", #"{"property":"cups","value":4}"#)
    _ = try fixture.ask("set", #"{"property":"minutes.value","value":4}"#)
    _ = try fixture.ask("wait", #"{"still":true}"#)
    #expect(try fixture.ask("reset", #"{"control":"minutes"}"#) == true)
    #expect(try fixture.ask("get", #"{"property":"minutes.value"}"#)["value"] == 0)
    #expect(try fixture.ask("get", #"{"property":"cups"}"#)["value"] == 4)
    _ = try fixture.ask("go", #"{"page":"two"}"#)
    #expect(try fixture.ask("reset") == true)
    #expect(try fixture.ask("get", #"{"property":"cups"}"#)["value"] == 1)
    #expect(try fixture.ask("status")["page"] == "one")
    #expect(message(try fixture.ask("reset", #"{"control":"nope"}"#)).contains("no control"))
  }

  @Test func `a custom event has the client's fields`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    _ = try fixture.ask("events", on: wire)
    #expect(
      try fixture.ask("emit", #"{"name":"sold","fields":{"dish":"soup","price":4.5}}"#) == true)
    #expect(try fixture.run { !notifications("event", wire).isEmpty })
    let event = notifications("event", wire).first
    #expect(event?["event"] == "emit" && event?["name"] == "sold" && event?["price"]?.text == "4.5")
    #expect(event?["by"] == "command")
    #expect(
      message(try fixture.ask("emit", #"{"name":"sold","fields":{"by":"me"}}"#)).contains("\"by\""))
  }

  @Test func `custom events can't have reserved fields, even in a recording`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    _ = try fixture.ask("events", on: wire)
    let refusal =
      "a field cannot be called \"by\" (expected a name other than t, event, control, item, by or name)"
    #expect(
      message(try fixture.ask("emit", #"{"name":"sold","fields":{"by":"me"}}"#)) == refusal)
    _ = try fixture.ask(
      "touch", #"{"recording":"{\"t\":0,\"emit\":{\"name\":\"sold\",\"by\":\"me\"}}"}"#)
    #expect(try fixture.run { !notifications("event", wire).isEmpty })
    let events = notifications("event", wire)
    #expect(events.map { $0["event"] } == ["failed"])
    #expect(events.first?["message"]?.string == refusal)
  }

  @Test func `a reload is reported after the end of held touches`() throws {
    let fixture = try KioskFixture()
    fixture.cycle.handle(
      Touch(finger: 1, phase: .down, position: Point(100, 45)), at: MonotonicClock.now)
    _ = try fixture.run { fixture.events.contains("shows.pressed(a)") }
    var changed = KioskFixture.kiosk
    changed.pages[0].controls[0].control = Pinwheel(
      center: Point(100, 100), radius: 80, wedges: [.init(id: "a"), .init(id: "z")])
    fixture.cycle.replace(with: Content(changed, fonts: FontLibrary()))
    _ = try fixture.run { fixture.events.last == "reloaded" }
    #expect(fixture.events == ["shows.pressed(a)", "shows.cancelled(a)", "reloaded"])
  }

  @Test func `a restart is reported after the end of held touches`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    _ = try fixture.ask("events", on: wire)
    fixture.cycle.handle(
      Touch(finger: 1, phase: .down, position: Point(100, 45)), at: MonotonicClock.now)
    _ = try fixture.ask("restart")
    #expect(fixture.events == ["shows.pressed(a)", "shows.cancelled(a)", "restarted"])
    #expect(try fixture.run { notifications("event", wire).last?["event"] == "restarted" })
    #expect(notifications("event", wire).last?["by"] == "command")
  }

  @Test func `a recording contains the commands and shakes of clients`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    _ = try fixture.ask("record", on: wire)
    _ = try fixture.ask("go", #"{"page":"two"}"#)
    _ = try fixture.ask("set", #"{"property":"cups","value":"3"}"#)
    _ = try fixture.ask("open", #"{"control":"drinks"}"#)
    _ = try fixture.ask("set", #"{"property":"cups","value":"three"}"#)
    _ = try fixture.ask("emit", #"{"name":"sold","fields":{"price":4.5}}"#)
    _ = try fixture.ask("reset", #"{"control":"drinks"}"#)
    _ = try fixture.ask("blank")
    _ = try fixture.ask("wake")
    fixture.cycle.shake(time: MonotonicClock.now)
    _ = try fixture.ask("touch", #"{"recording":"{\"t\":0,\"shake\":true}"}"#)
    let all = notifications("touch", wire)
    #expect(all.first?["clock"] != nil)
    let lines = all.dropFirst().map { line -> String in
      guard case .object(let members) = line else { return "" }
      return JSONValue.object(members.filter { $0.name != "t" }).text
    }
    // A rejected command isn't recorded.
    #expect(
      lines == [
        #"{"go":"two"}"#, #"{"set":{"cups":3}}"#, #"{"open":"drinks"}"#,
        #"{"emit":{"name":"sold","price":4.5}}"#, #"{"reset":"drinks"}"#, #"{"blank":true}"#,
        #"{"wake":true}"#, #"{"shake":true}"#, #"{"shake":true}"#,
      ])
  }

  @Test func `the tree contains values and, on request, all properties`() throws {
    let fixture = try KioskFixture()
    let tree = try fixture.ask("tree")
    #expect(tree["values"]?.text == #"{"cups":1,"guest":"","open":true,"rows":[]}"#)
    #expect(!tree.text.contains(#""enabled":true,"label""#))
    let all = try fixture.ask("tree", #"{"properties":true}"#)
    #expect(
      all.text.contains(
        #""properties":{"value":0,"label":"0","angle":0,"enabled":true,"visible":true}"#),
      "\(all.text)")
  }

  @Test func `a tree of all properties stops when the answer is full`() throws {
    var limits = Limits()
    limits.maximumAnswerBytes = 300
    let fixture = try KioskFixture(limits: limits)
    let tree = try fixture.ask("tree", #"{"properties":true}"#)
    #expect(tree["incomplete"] == true)
    #expect(tree.text.utf8.count < 3000)
  }

  @Test func `status reports the number of wake-ups`() throws {
    let fixture = try KioskFixture()
    let before = try fixture.ask("status")["wakeups"]?.integer ?? -1
    #expect(before > 0)
    #expect(try fixture.ask("status")["wakeups"]?.integer ?? 0 > before)
  }

  @Test func `every command is a method, and help describes it`() throws {
    let fixture = try KioskFixture()
    guard case .array(let methods) = try fixture.ask("help") else {
      Issue.record("no list")
      return
    }
    for kind in CommandKind.remote {
      let method = methods.first { $0["method"]?.string == kind.name }
      #expect(method?["summary"]?.string == kind.summary)
    }
    #expect(!methods.contains { $0["method"] == "run" })
  }

  @Test func `the socket reference lists the methods in the order of help`() throws {
    #expect(try KioskFixture().ask("help") == .array(SocketReference.methods))
  }
}

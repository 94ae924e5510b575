// SPDX-License-Identifier: MIT

import Controls
import Declarations
import Expressions
import Geometry
import JSON
import Kiosk
import KioskProtocol
import LinuxIO
import Motion
import JSONRPC
import KioskService
import Runtime
import Text
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
    let stand = try KioskStand()
    let answer = try stand.ask("set", "{\"property\":\"\(name)\",\"value\":\(value)}")
    guard result != "refused" else {
      #expect(answer["code"] == -32602, "\(answer.text)")
      return
    }
    #expect(answer == true, "\(answer.text)")
    _ = try stand.ask("wait", #"{"still":true}"#)
    #expect(try stand.ask("get", "{\"property\":\"\(name)\"}")["value"]?.text == result)
  }

  @Test func `showing a page on a sleeping panel reports that, unless it wakes`() throws {
    let stand = try KioskStand()
    #expect(try stand.ask("go", #"{"page":"two"}"#) == true)
    _ = try stand.ask("blank")
    #expect(try stand.ask("go", #"{"page":"one"}"#)["blank"] == true)
    #expect(try stand.ask("status")["page"] == "one")
    // A nonexistent page doesn't wake the panel.
    #expect(
      message(try stand.ask("go", #"{"page":"three","wake":true}"#)).contains("one or two"))
    #expect(try stand.ask("status")["blank"] == true)
    #expect(try stand.ask("go", #"{"page":"two","wake":true}"#) == true)
    #expect(try stand.ask("status")["blank"] == false)
  }

  @Test func `wake and unblank are the same command`() throws {
    let stand = try KioskStand()
    for method in ["wake", "unblank"] {
      #expect(try stand.ask("blank") == true)
      #expect(try stand.ask("status")["blank"] == true)
      #expect(try stand.ask(method) == true)
      #expect(try stand.ask("status")["blank"] == false)
    }
  }

  @Test func `reset restores the initial state of one control or all`() throws {
    let stand = try KioskStand()
    _ = try stand.ask("set", #"{"property":"cups","value":4}"#)
    _ = try stand.ask("set", #"{"property":"minutes.value","value":4}"#)
    _ = try stand.ask("wait", #"{"still":true}"#)
    #expect(try stand.ask("reset", #"{"control":"minutes"}"#) == true)
    #expect(try stand.ask("get", #"{"property":"minutes.value"}"#)["value"] == 0)
    #expect(try stand.ask("get", #"{"property":"cups"}"#)["value"] == 4)
    _ = try stand.ask("go", #"{"page":"two"}"#)
    #expect(try stand.ask("reset") == true)
    #expect(try stand.ask("get", #"{"property":"cups"}"#)["value"] == 1)
    #expect(try stand.ask("status")["page"] == "one")
    #expect(message(try stand.ask("reset", #"{"control":"nope"}"#)).contains("no control"))
  }

  @Test func `a custom event has the client's fields`() throws {
    let stand = try KioskStand()
    let wire = try stand.connect()
    _ = try stand.ask("events", on: wire)
    #expect(
      try stand.ask("emit", #"{"name":"sold","fields":{"dish":"soup","price":4.5}}"#) == true)
    #expect(try stand.run { !notifications("event", wire).isEmpty })
    let event = notifications("event", wire).first
    #expect(event?["event"] == "emit" && event?["name"] == "sold" && event?["price"]?.text == "4.5")
    #expect(event?["by"] == "command")
    #expect(
      message(try stand.ask("emit", #"{"name":"sold","fields":{"by":"me"}}"#)).contains("\"by\""))
  }

  @Test func `custom events can't have reserved fields, even in a recording`() throws {
    let stand = try KioskStand()
    let wire = try stand.connect()
    _ = try stand.ask("events", on: wire)
    let refusal =
      "a field cannot be called \"by\" (expected a name other than t, event, control, item, by or name)"
    #expect(
      message(try stand.ask("emit", #"{"name":"sold","fields":{"by":"me"}}"#)) == refusal)
    _ = try stand.ask(
      "touch", #"{"recording":"{\"t\":0,\"emit\":{\"name\":\"sold\",\"by\":\"me\"}}"}"#)
    #expect(try stand.run { !notifications("event", wire).isEmpty })
    let events = notifications("event", wire)
    #expect(events.map { $0["event"] } == ["failed"])
    #expect(events.first?["message"]?.string == refusal)
  }

  @Test func `a reload is reported after the end of held touches`() throws {
    let stand = try KioskStand()
    stand.cycle.handle(
      Touch(finger: 1, phase: .down, position: Point(100, 45)), at: MonotonicClock.now)
    _ = try stand.run { stand.events.contains("shows.pressed(a)") }
    var changed = KioskStand.kiosk
    changed.pages[0].controls[0].control = Pinwheel(
      center: Point(100, 100), radius: 80, wedges: [.init(id: "a"), .init(id: "z")])
    stand.cycle.replace(with: Content(changed, fonts: FontLibrary()))
    _ = try stand.run { stand.events.last == "reloaded" }
    #expect(stand.events == ["shows.pressed(a)", "shows.cancelled(a)", "reloaded"])
  }

  @Test func `a restart is reported after the end of held touches`() throws {
    let stand = try KioskStand()
    let wire = try stand.connect()
    _ = try stand.ask("events", on: wire)
    stand.cycle.handle(
      Touch(finger: 1, phase: .down, position: Point(100, 45)), at: MonotonicClock.now)
    _ = try stand.ask("restart")
    #expect(stand.events == ["shows.pressed(a)", "shows.cancelled(a)", "restarted"])
    #expect(try stand.run { notifications("event", wire).last?["event"] == "restarted" })
    #expect(notifications("event", wire).last?["by"] == "command")
  }

  @Test func `a recording contains the commands and shakes of clients`() throws {
    let stand = try KioskStand()
    let wire = try stand.connect()
    _ = try stand.ask("record", on: wire)
    _ = try stand.ask("go", #"{"page":"two"}"#)
    _ = try stand.ask("set", #"{"property":"cups","value":"3"}"#)
    _ = try stand.ask("open", #"{"control":"drinks"}"#)
    _ = try stand.ask("set", #"{"property":"cups","value":"three"}"#)
    _ = try stand.ask("emit", #"{"name":"sold","fields":{"price":4.5}}"#)
    _ = try stand.ask("reset", #"{"control":"drinks"}"#)
    _ = try stand.ask("blank")
    _ = try stand.ask("wake")
    stand.cycle.shake(time: MonotonicClock.now)
    _ = try stand.ask("touch", #"{"recording":"{\"t\":0,\"shake\":true}"}"#)
    let lines = notifications("touch", wire).map { line -> String in
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
    let stand = try KioskStand()
    let tree = try stand.ask("tree")
    #expect(tree["values"]?.text == #"{"cups":1,"guest":"","open":true,"rows":[]}"#)
    #expect(!tree.text.contains(#""enabled":true,"label""#))
    let all = try stand.ask("tree", #"{"properties":true}"#)
    #expect(
      all.text.contains(
        #""properties":{"value":0,"label":"0","angle":0,"enabled":true,"visible":true}"#),
      "\(all.text)")
  }

  @Test func `a tree of all properties stops when the answer is full`() throws {
    var limits = Limits()
    limits.maximumAnswerBytes = 300
    let stand = try KioskStand(limits: limits)
    let tree = try stand.ask("tree", #"{"properties":true}"#)
    #expect(tree["incomplete"] == true)
    #expect(tree.text.utf8.count < 3000)
  }

  @Test func `status reports the number of wake-ups`() throws {
    let stand = try KioskStand()
    let before = try stand.ask("status")["wakeups"]?.integer ?? -1
    #expect(before > 0)
    #expect(try stand.ask("status")["wakeups"]?.integer ?? 0 > before)
  }

  @Test func `every command is a method, and help describes it`() throws {
    let stand = try KioskStand()
    guard case .array(let methods) = try stand.ask("help") else {
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
    #expect(try KioskStand().ask("help") == .array(SocketReference.methods))
  }
}

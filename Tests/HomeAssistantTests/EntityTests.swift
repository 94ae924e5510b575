// SPDX-License-Identifier: MIT

import Exchange
import RoundelExpressions
import RoundelJSON
import Kiosk
import Testing

@testable import HomeAssistant

@Suite struct EntityTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  // MARK: Published states

  @Test func `the selected wedge is an option, and no selection is unknown`() throws {
    let wheel = try entity(
      "w", control("pinwheel", "w", #"{"a.label": "Arrow"}"#, items: ["a", "b"]))
    #expect(
      wheel.state(of: .string("a"), by: "finger").text
        == #"{"value":"a","index":0,"label":"Arrow","by":"finger"}"#)
    #expect(wheel.state(of: .string(""), by: "time").text == #"{"value":null,"by":"time"}"#)
    #expect(wheel.isRejected(.string("c")))
    #expect(!wheel.isRejected(.string("")))
  }

  @Test func `a wheel's row is published by its label, a toggle as ON or OFF`() throws {
    let picker = try entity(
      "p", control("picker", "p", #"{"h.0.label": "nought", "h.1.label": "one"}"#, items: ["h"]))
    #expect(
      picker.state(of: .number(1), by: "time").text == #"{"value":"one","index":1,"by":"time"}"#)
    #expect(picker.isRejected(.number(2)))
    #expect(picker.state(of: .number(1e300), by: "time")["value"] == .null)
    let toggle = try entity("t", control("toggle", "t"))
    #expect(toggle.state(of: .bool(true), by: "action").text == #"{"value":"ON","by":"action"}"#)
  }

  @Test func `a dial's number includes its label`() throws {
    let dial = try entity("d", control("dial", "d", #"{"labels": ["Off", "Low", "High"]}"#))
    #expect(dial.platform == .number)
    #expect(dial.maximum == 2)
    #expect(
      dial.state(of: .number(2), by: "finger").text == #"{"value":2,"label":"High","by":"finger"}"#)
  }

  @Test
  func `a text too long for a state is truncated there, and complete in an attribute`() throws {
    let label = try entity("l", control("label", "l"))
    let state = label.state(of: .string(String(repeating: "ä", count: 300)), by: "time")
    #expect(state["value"]?.string?.count == 255)
    #expect(state["text"]?.string?.count == 300)
  }

  @Test func `secrets in events aren't published`() throws {
    let keypad = try entity("code", control("keypad", "code"))
    let event = try JSONValue(
      parsing: #"""
        {"t": 1, "control": "code", "event": "entered", "count": 4, "text": "1234",
         "secret": ["text"], "by": "finger"}
        """#.utf8)
    guard case .object(let members) = event else { return #expect(Bool(false)) }
    #expect(
      keypad.state(ofEvent: members)?.text
        == #"{"event_type":"entered","count":4,"by":"finger"}"#)
    let typed = members.map { $0.name == "event" ? JSONValue.Member("event", "typed") : $0 }
    #expect(keypad.state(ofEvent: typed) == nil)
  }

  @Test func `a turning control suppresses its own value and the value it sets`() throws {
    let entities = KioskEntities(
      try tree(
        [
          control("ring", "heat", #"{"min": 5, "max": 30, "step": null}"#), control("dial", "d"),
          control("picker", "time", #"{"h.0.label": "0", "m.0.label": "0"}"#, items: ["h", "m"]),
          control("toggle", "lamp"),
        ].joined(separator: ","), values: #"{"target": 20, "minute": 0, "other": 1}"#,
        bound: #"""
          {"heat.value": "target", "time.m.index": "minute", "screen.brightness": "target",
           "lamp.value": "other"}
          """#))
    let rotaryControls = entities.all.reduce(into: [:]) { $0[$1.name] = $1.rotaryControls }
      .filter { !$0.value.isEmpty }
    #expect(
      rotaryControls == [
        "heat": ["heat"], "target": ["heat"], "panel": ["heat"], "d": ["d"], "time.h": ["time.h"],
        "time.m": ["time.m"], "minute": ["time.m"],
      ])
    #expect(entities.all.filter(\.isTurned).map(\.name) == ["heat", "d", "time.h", "time.m"])
  }

  // MARK: Incoming commands

  private func set(_ name: String, _ value: Value) -> IncomingCommand {
    .command(.set(Reference(name) ?? .page, value))
  }

  @Test func `messages set the named property`() throws {
    let ring = try entity("r", control("ring", "r", #"{"min": 5, "max": 30}"#))
    #expect(try ring.commands(bytes("21.5")) == [set("r.value", .number(21.5))])
    let toggle = try entity("t", control("toggle", "t"))
    #expect(try toggle.commands(bytes("ON")) == [set("t.value", .flag(true))])
    let wheel = try entity("w", control("pinwheel", "w", items: ["a", "b"]))
    #expect(try wheel.commands(bytes("b")) == [set("w.item", .text("b"))])
    let page = try entity("page", "")
    #expect(try page.commands(bytes("away")) == [.command(.go(page: "away"))])
    #expect(try page.commands(bytes("back")) == [.command(.go(page: "back"))])
    let panel = try entity("panel", "")
    #expect(
      try panel.commands(bytes(#"{"state": "ON", "brightness": 51}"#))
        == [set("screen.brightness", .number(0.2)), .command(.blank(false))])
    #expect(try panel.commands(bytes(#"{"state": "OFF"}"#)) == [.command(.blank(true))])
  }

  @Test func `the error for a number out of bounds gives the readable bounds`() throws {
    func words(_ text: String, _ properties: String) throws -> String {
      let ring = try entity("r", control("ring", "r", properties))
      do throws(MessageError) { return "\(try ring.commands(bytes(text)))" } catch {
        return "\(error)"
      }
    }
    let bounds = #"{"min": 5, "max": 30}"#
    #expect(try words("99", bounds) == "99 is out of range; expected a number from 5 to 30")
    #expect(try words("4.5", bounds) == "4.5 is out of range; expected a number from 5 to 30")
    #expect(try words("much", bounds) == #""much" is not a number from 5 to 30"#)
    let low = try entity("v", "", values: #"{"v": 3}"#, ranges: #"{"v": {"min": 2}}"#)
    do throws(MessageError) {
      _ = try low.commands(bytes("1"))
      Issue.record("1 is taken")
    } catch {
      #expect("\(error)" == "1 is out of range; expected a number of at least 2")
    }
  }

  @Test func `flags, text, options and buttons accept messages from Home Assistant`() throws {
    let values = #"{"night": false, "guest": "", "mode": "eco", "room": 21}"#
    let ranges = #"{"mode": {"options": ["eco", "boost"]}}"#
    func commands(_ name: String, _ text: String) throws -> [IncomingCommand] {
      try entity(name, control("slots", "reels"), values: values, ranges: ranges)
        .commands(bytes(text))
    }
    #expect(try commands("night", "ON") == [set("night", .flag(true))])
    #expect(try commands("guest", "Zoë") == [set("guest", .text("Zoë"))])
    #expect(try commands("mode", "boost") == [set("mode", .text("boost"))])
    #expect(throws: MessageError.self) { try commands("mode", "turbo") }
    #expect(try commands("room", "-1000000") == [set("room", .number(-1_000_000))])
    #expect(try commands("reels.spin", "PRESS") == [.command(.perform("spin", control: "reels"))])
    #expect(try commands("$node/restart", "PRESS") == [.restart])
    #expect(try commands("$node/reset", "PRESS") == [.command(.reset(nil))])
    #expect(throws: MessageError.self) { try commands("$node/restart", "please") }
    #expect(throws: MessageError.self) { try commands("$node/problem", "OFF") }
  }

  @Test func `a brightness bound to an expression is rejected with the reason`() throws {
    let panel = try entity("panel", "", bound: #"{"screen.brightness": null}"#)
    #expect(try panel.commands(bytes(#"{"state": "OFF"}"#)) == [.command(.blank(true))])
    #expect(
      throws: MessageError(
        description:
          "the brightness follows an expression of the kiosk; set the values in that expression")
    ) { try panel.commands(bytes(#"{"state": "ON", "brightness": 5}"#)) }
    #expect(panel.state(isAwake: true, brightness: 1, by: "time")["color_mode"]?.string == "onoff")
  }

  @Test(arguments: ["", "x", "nan", "inf", "1e999", "4", "31", "0x10", "1 2", "\u{0}", "[1]"])
  func `invalid numbers and numbers out of bounds set nothing`(_ text: String) throws {
    let ring = try entity("r", control("ring", "r", #"{"min": 5, "max": 30}"#))
    #expect(throws: MessageError.self) { try ring.commands(bytes(text)) }
  }

  @Test(arguments: [
    "", "ON", "{}", #"{"state": 1}"#, #"{"state": "on"}"#, #"{"brightness": 256}"#,
    #"{"brightness": -1, "state": "ON"}"#, #"{"brightness": "1"}"#, "[[[[",
  ])
  func `an invalid state of a light sets nothing`(_ text: String) throws {
    let panel = try entity("panel", "")
    #expect(throws: MessageError.self) { try panel.commands(bytes(text)) }
  }

  @Test func `invalid or long text and read-only properties set nothing`() throws {
    let wheel = try entity("w", control("pinwheel", "w", items: ["a", "b"]))
    #expect(throws: MessageError.self) { try wheel.commands([0xff, 0xfe]) }
    #expect(throws: MessageError.self) { try wheel.commands(bytes("c")) }
    #expect(throws: MessageError.self) {
      try wheel.commands([UInt8](repeating: 97, count: 1 << 20))
    }
    let label = try entity("l", control("label", "l"))
    #expect(throws: MessageError.self) { try label.commands(bytes("x")) }
  }
}

// SPDX-License-Identifier: MIT

import JSON
import Testing

@testable import HomeAssistant

@Suite struct EntityTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  // MARK: What is published

  @Test func `the wedge that was selected is an option, none is unknown`() throws {
    let wheel = try entity(
      "w", control("pinwheel", "w", #"{"a.label": "Arrow"}"#, items: ["a", "b"]))
    #expect(
      wheel.state(of: .string("a"), by: "finger").text
        == #"{"value":"a","index":0,"label":"Arrow","by":"finger"}"#)
    #expect(wheel.state(of: .string(""), by: "time").text == #"{"value":null,"by":"time"}"#)
    #expect(wheel.isStrange(.string("c")))
    #expect(!wheel.isStrange(.string("")))
  }

  @Test func `a wheel's row is told by its label, a toggle as ON and OFF`() throws {
    let picker = try entity(
      "p", control("picker", "p", #"{"h.0.label": "nought", "h.1.label": "one"}"#, items: ["h"]))
    #expect(
      picker.state(of: .number(1), by: "time").text == #"{"value":"one","index":1,"by":"time"}"#)
    #expect(picker.isStrange(.number(2)))
    #expect(picker.state(of: .number(1e300), by: "time")["value"] == .null)
    let toggle = try entity("t", control("toggle", "t"))
    #expect(toggle.state(of: .bool(true), by: "action").text == #"{"value":"ON","by":"action"}"#)
  }

  @Test func `a dial's number says its label`() throws {
    let dial = try entity("d", control("dial", "d", #"{"labels": ["Off", "Low", "High"]}"#))
    #expect(dial.platform == .number)
    #expect(dial.maximum == 2)
    #expect(
      dial.state(of: .number(2), by: "finger").text == #"{"value":2,"label":"High","by":"finger"}"#)
  }

  @Test func `a text that is too long for a state is cut, and whole beside it`() throws {
    let label = try entity("l", control("label", "l"))
    let state = label.state(of: .string(String(repeating: "ä", count: 300)), by: "time")
    #expect(state["value"]?.string?.count == 255)
    #expect(state["text"]?.string?.count == 300)
  }

  @Test func `what is secret in an event is not told`() throws {
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

  // MARK: What is set

  @Test func `messages set what they name`() throws {
    let ring = try entity("r", control("ring", "r", #"{"min": 5, "max": 30}"#))
    #expect(try ring.orders(bytes("21.5")) == [.set(property: "r.value", .number(21.5))])
    let toggle = try entity("t", control("toggle", "t"))
    #expect(try toggle.orders(bytes("ON")) == [.set(property: "t.value", .bool(true))])
    let wheel = try entity("w", control("pinwheel", "w", items: ["a", "b"]))
    #expect(try wheel.orders(bytes("b")) == [.set(property: "w.item", .string("b"))])
    let page = try entity("page", "")
    #expect(try page.orders(bytes("away")) == [.go(page: "away")])
    let panel = try entity("panel", "")
    #expect(
      try panel.orders(bytes(#"{"state": "ON", "brightness": 51}"#))
        == [.set(property: "screen.brightness", .number(0.2)), .blank(false)])
    #expect(try panel.orders(bytes(#"{"state": "OFF"}"#)) == [.blank(true)])
  }

  @Test(arguments: ["", "x", "nan", "inf", "1e999", "4", "31", "0x10", "1 2", "\u{0}", "[1]"])
  func `a number that is none, or beyond its bounds, sets nothing`(_ text: String) throws {
    let ring = try entity("r", control("ring", "r", #"{"min": 5, "max": 30}"#))
    #expect(throws: OrderError.self) { try ring.orders(bytes(text)) }
  }

  @Test(arguments: [
    "", "ON", "{}", #"{"state": 1}"#, #"{"state": "on"}"#, #"{"brightness": 256}"#,
    #"{"brightness": -1, "state": "ON"}"#, #"{"brightness": "1"}"#, "[[[[",
  ])
  func `what is no state of a light sets nothing`(_ text: String) throws {
    let panel = try entity("panel", "")
    #expect(throws: OrderError.self) { try panel.orders(bytes(text)) }
  }

  @Test func `bytes that are no text, or too many, and what is only read, set nothing`() throws {
    let wheel = try entity("w", control("pinwheel", "w", items: ["a", "b"]))
    #expect(throws: OrderError.self) { try wheel.orders([0xff, 0xfe]) }
    #expect(throws: OrderError.self) { try wheel.orders(bytes("c")) }
    #expect(throws: OrderError.self) { try wheel.orders([UInt8](repeating: 97, count: 1 << 20)) }
    let label = try entity("l", control("label", "l"))
    #expect(throws: OrderError.self) { try label.orders(bytes("x")) }
  }
}

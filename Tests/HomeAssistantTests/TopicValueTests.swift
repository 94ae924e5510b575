// SPDX-License-Identifier: MIT

import HomeAssistant
import JSON
import Kiosk
import Testing

@Suite struct TopicValueTests {
  private static func value(_ range: String) throws -> TopicValue {
    try #require(TopicValue("v", try JSONValue(parsing: Array(range.utf8))))
  }

  private static func read(_ kind: String, _ path: String, _ payload: String) throws -> String {
    let value = try value(#"{"kind": "\#(kind)", "from": {"mqtt": "t", "path": [\#(path)]}}"#)
    return try value.value(in: Array(payload.utf8)).text
  }

  @Test(arguments: [
    ("number", "", "21.5", "21.5"), ("number", "", " -3 \n", "-3"), ("number", "", "1e3", "1000"),
    ("number", #""a""#, #"{"a": "21.5"}"#, "21.5"),
    ("number", #""list", "0", "temp""#, #"{"list": [{"temp": 4}]}"#, "4"),
    ("flag", "", "ON", "true"), ("flag", "", "0", "false"),
    ("flag", #""a""#, #"{"a": true}"#, "true"),
    ("text", "", "21.5", #""21.5""#), ("text", "", "", #""""#),
    ("text", #""a""#, #"{"a": 21.5}"#, #""21.5""#),
    ("text", #""a""#, #"{"a": [1, {}]}"#, #""[1,{}]""#),
    ("list", "", #"["a", {"id": "b"}]"#, #"["a",{"id":"b"}]"#),
    ("list", #""a""#, #"{"a": [1]}"#, "[1]"), ("list", #""a""#, #"{"a": "[1]"}"#, "[1]"),
  ])
  func `a message is read as the value's kind`(
    _ kind: String, _ path: String, _ payload: String, _ expected: String
  ) throws {
    #expect(try Self.read(kind, path, payload) == expected)
  }

  @Test(arguments: [
    ("number", "", "warm", #""warm" is not a number"#), ("number", "", "", #""" is not a number"#),
    ("number", "", "1 2", #""1 2" is not a number"#),
    ("number", "", "inf", #""inf" is not a number"#),
    ("number", #""a""#, #"{"a": null}"#, #""null" is not a number"#),
    ("number", #""a""#, #"{"b": 1}"#, #"has no "a""#),
    ("number", #""a", "1""#, #"{"a": [1]}"#, #"has no "a.1""#),
    ("number", #""a""#, "{", "is no JSON"),
    ("number", #""a", "b""#, #"{"a": 1}"#, #"has no "a.b""#),
    ("flag", "", "2", #""2" is not a flag"#),
    ("text", #""a""#, #"{"a": null}"#, #""null" is not a text"#),
    ("list", "", "[", #""[" is not a list"#), ("list", "", "{}", #""{}" is not a list"#),
  ])
  func `a message that does not suit the value says why`(
    _ kind: String, _ path: String, _ payload: String, _ words: String
  ) {
    let error = #expect(throws: OrderError.self) { try Self.read(kind, path, payload) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func `a message of 1 MiB is too long, and bytes that are no text are none`() throws {
    let value = try Self.value(#"{"kind": "text", "from": {"mqtt": "t"}}"#)
    #expect(throws: OrderError.self) { try value.value(in: Array(repeating: 65, count: 1 << 20)) }
    #expect(throws: OrderError.self) { try value.value(in: [0xff]) }
  }

  @Test(
    arguments: [
      (nil, #""Anna""#, "Anna"), (nil, "21.5", "21.5"), (nil, "true", "true"), (nil, "[1]", "[1]"),
      (#"{"target": {value}}"#, "21.5", #"{"target": 21.5}"#),
      (#"{"name": {value}}"#, #""A \"b\"""#, #"{"name": "A \"b\""}"#),
      (#"{"name": "for {value}!"}"#, #""A \"b\"""#, #"{"name": "for A \"b\"!"}"#),
      ("T {value} {value}", #""a""#, "T a a"),
      (#"[{value}, "{value}"]"#, "3", #"[3, "3"]"#),
    ] as [(String?, String, String)])
  func `a payload holds the value as it suits its place`(
    _ payload: String?, _ value: String, _ expected: String
  ) throws {
    let target = TopicTarget(topic: "t", payload: payload)
    #expect(target.message(of: try JSONValue(parsing: Array(value.utf8))) == expected)
  }

  @Test func `what came from the topic is not published`() throws {
    var value = try Self.value(
      #"{"kind": "number", "step": 1, "from": {"mqtt": "t"}, "to": {"mqtt": "u", "retain": true}}"#)
    // How it is at first is no change.
    #expect(value.note(.number(0)) == nil)
    let heard = try value.value(in: Array("20.4".utf8))
    #expect(heard == .number(20))
    value.hear(heard)
    #expect(value.note(.number(20)) == nil)
    #expect(value.note(.number(21)) == "21")
    #expect(value.message == "21")
    // The other side says that it is so.
    value.hear(.number(21))
    #expect(value.message == nil)
    #expect(value.note(.number(20)) == "20")
    // One that the kiosk refuses changes nothing.
    value.hear(.number(5))
    value.dropHeard()
    #expect(value.note(.number(5)) == "5")
    #expect(value.note(.null) == nil && value.note(.number(5)) == "5")
    value.forget()
    #expect(value.note(.number(7)) == nil)
  }

  @Test func `a broker that keeps messages has those of the kiosk alone from the start`() throws {
    var kept = try Self.value(#"{"kind": "number", "to": {"mqtt": "u", "retain": true}}"#)
    #expect(kept.note(.number(3)) == "3")
    var order = try Self.value(#"{"kind": "number", "to": {"mqtt": "u"}}"#)
    #expect(order.note(.number(3)) == nil && order.note(.number(4)) == "4")
  }

  @Test func `a value without topics is none`() throws {
    #expect(TopicValue("v", try JSONValue(parsing: Array(#"{"kind": "number"}"#.utf8))) == nil)
  }
}

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
    ("number", #""a""#, "{", "is not JSON"),
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

  @Test func `a message that is too long or not UTF-8 is refused`() throws {
    let value = try Self.value(#"{"kind": "text", "from": {"mqtt": "t"}}"#)
    let error = #expect(throws: OrderError.self) {
      try value.value(in: Array(repeating: 65, count: TopicValue.maximumBytes + 1))
    }
    #expect(error?.description == "the message is too long (expected at most 1114112 bytes)")
    let text = #expect(throws: OrderError.self) {
      try value.value(in: Array(repeating: 65, count: 65_537))
    }
    #expect(text?.description.hasSuffix("is not a text of at most 65536 bytes, not 65537") == true)
    #expect(throws: OrderError.self) { try value.value(in: [0xff]) }
  }

  @Test(arguments: ["LIST", #"{"a": LIST}"#])
  func `a list has at most 1 MiB and 100 000 rows, and one more of either is refused`(
    _ form: String
  ) throws {
    let path = form.hasPrefix("{") ? #""a""# : ""
    func read(_ list: String) throws -> Int {
      try Self.read("list", path, form.replacing("LIST", with: list)).utf8.count
    }
    func bytes(_ count: Int) -> String {
      #"["\#(String(repeating: "x", count: count - 4))"]"#
    }
    func rows(_ count: Int) -> String {
      "[\(repeatElement("1", count: count).joined(separator: ","))]"
    }
    #expect(try read(bytes(1 << 20)) == 1 << 20)
    #expect(try read(rows(100_000)) == 200_001)
    // Tiny values in few rows.
    #expect(try read("[\(rows(500_000))]") == 1_000_003)
    for (list, words) in [
      (bytes(1 << 20 + 1), "is not a list of at most 1048576 bytes as JSON, not 1048577"),
      (rows(100_001), "is not a list of at most 100000 rows, not 100001"),
    ] {
      let error = #expect(throws: OrderError.self) { try read(list) }
      #expect(error?.description.hasSuffix(words) == true)
    }
  }

  @Test(
    arguments: [
      (nil, #""Anna""#, "Anna"), (nil, "21.5", "21.5"), (nil, "true", "true"), (nil, "[1]", "[1]"),
      (#"{"target": {value}}"#, "21.5", #"{"target": 21.5}"#),
      (#"{"name": {value}}"#, #""A \"b\"""#, #"{"name": "A \"b\""}"#),
      (#"{"name": "for {value}!"}"#, #""A \"b\"""#, #"{"name": "for A \"b\"!"}"#),
      ("T {value} {value}", #""a""#, "T a a"),
      (#"[{value}, "{value}"]"#, "3", #"[3, "3"]"#),
      ("{value}", #""Anna""#, "Anna"), ("{value}", "[1]", "[1]"),
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

  @Test func `a new connection gets what the broker keeps, and what none has got`() throws {
    for isRetained in [false, true] {
      var value = try Self.value(
        #"{"kind": "number", "to": {"mqtt": "u", "retain": \#(isRetained)}}"#)
      #expect(!value.isDue)
      _ = value.note(.number(1))
      #expect(value.note(.number(2)) == "2" && value.isDue)
      value.noteSent()
      #expect(value.isDue == isRetained)
      #expect(value.note(.number(3)) == "3" && value.isDue)
    }
  }

  @Test func `what has been heard is no longer expected once the kiosk has gone on`() throws {
    var value = try Self.value(
      #"{"kind": "number", "from": {"mqtt": "t"}, "to": {"mqtt": "u"}}"#)
    #expect(value.note(.number(0)) == nil)
    // Until the kiosk has answered, what it tells may be older.
    value.hear(.number(20))
    #expect(value.note(.number(21)) == "21")
    #expect(value.note(.number(20)) == nil && value.message == nil)
    value.hear(.number(30))
    value.confirmHeard()
    #expect(value.note(.number(31)) == "31")
    #expect(value.note(.number(30)) == "30")
    value.hear(.number(40))
    value.confirmHeard()
    #expect(value.note(.number(40)) == nil)
  }

  @Test func `a message to the value's own topic comes back once and is no news`() throws {
    var value = try Self.value(
      #"{"kind": "number", "from": {"mqtt": "t"}, "to": {"mqtt": "t"}}"#)
    _ = value.note(.number(0))
    for number in 1...2 {
      _ = value.note(.number(Double(number)))
      value.noteSent()
    }
    func isOwn(_ payload: String) -> Bool { value.isOwn(Array(payload.utf8)) }
    #expect(isOwn("1") == true)
    #expect(isOwn("2") == true)
    #expect(isOwn("2") == false)
    // One that was lost on the way does not hold up those after it.
    for number in 3...4 {
      _ = value.note(.number(Double(number)))
      value.noteSent()
    }
    #expect(isOwn("4") == true)
    #expect(isOwn("3") == false)
    // Of very many that do not come back, the oldest are forgotten.
    for number in 1...65 {
      _ = value.note(.number(Double(number)))
      value.noteSent()
    }
    #expect(isOwn("1") == false)
    #expect(isOwn("2") == true)
    value.forgetSent()
    #expect(isOwn("3") == false)
    var other = try Self.value(#"{"kind": "number", "from": {"mqtt": "t"}, "to": {"mqtt": "u"}}"#)
    _ = other.note(.number(0))
    #expect(other.note(.number(1)) == "1")
    other.noteSent()
    #expect(other.isOwn(Array("1".utf8)) == false)
  }

  @Test func `the first value after a restart is no news, and the next one is`() throws {
    var value = try Self.value(
      #"{"kind": "flag", "from": {"mqtt": "t"}, "to": {"mqtt": "u"}}"#)
    _ = value.note(.bool(false))
    value.hear(.bool(true))
    value.confirmHeard()
    #expect(value.note(.bool(true)) == nil)
    value.forget()
    #expect(value.note(.bool(false)) == nil)
    // It is told once more where it is watched anew.
    #expect(value.note(.bool(false)) == nil)
    #expect(value.note(.bool(true)) == "true")
  }

  @Test func `a broker that keeps messages has those of the kiosk alone from the start`() throws {
    var kept = try Self.value(#"{"kind": "number", "to": {"mqtt": "u", "retain": true}}"#)
    #expect(kept.note(.number(3)) == "3")
    var order = try Self.value(#"{"kind": "number", "to": {"mqtt": "u"}}"#)
    #expect(order.note(.number(3)) == nil && order.note(.number(4)) == "4")
  }

  @Test func `a value with gone is published from the start and by each new connection`() throws {
    var value = try Self.value(
      #"{"kind": "number", "to": {"mqtt": "u"}, "gone": "off"}"#)
    #expect(value.gone == "off")
    #expect(value.note(.number(3)) == "3")
    value.noteSent()
    #expect(value.isDue)
    // After the kiosk's end no earlier message follows gone, and the next report does.
    value.forget()
    #expect(value.message == nil && !value.isDue)
    #expect(value.note(.number(3)) == "3" && value.isDue)
  }

  @Test func `a device that reports a value itself is believed after gone`() throws {
    var value = try Self.value(
      #"{"kind": "flag", "from": {"mqtt": "t"}, "to": {"mqtt": "u"}, "gone": "off"}"#)
    #expect(value.note(.bool(false)) == nil)
    #expect(value.note(.bool(true)) == "true" && value.isDue)
    value.noteSent()
    #expect(!value.isDue)
    value.forget()
    #expect(value.note(.bool(true)) == nil && value.message == nil)
    #expect(value.note(.bool(false)) == "false" && value.isDue)
  }

  @Test func `a value without topics is none`() throws {
    #expect(TopicValue("v", try JSONValue(parsing: Array(#"{"kind": "number"}"#.utf8))) == nil)
  }
}

// SPDX-License-Identifier: MIT

import Exchange
import RoundelJSON
import Kiosk
import Testing

@Suite struct ExchangedValueTests {
  private static func value(_ range: String) throws -> ExchangedValue {
    try #require(ExchangedValue("v", try JSONValue(parsing: Array(range.utf8)), of: .mqtt))
  }

  private static func read(_ kind: String, _ path: String, _ payload: String) throws -> String {
    let value = try value(#"{"kind": "\#(kind)", "from": {"mqtt": "t", "path": [\#(path)]}}"#)
    return try #require(try value.value(in: Array(payload.utf8))).text
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
    ("number", #""a""#, "{", "invalid JSON"),
    ("number", #""a", "b""#, #"{"a": 1}"#, #"has no "a.b""#),
    ("flag", "", "2", #""2" is not a flag"#),
    ("text", #""a""#, #"{"a": null}"#, #""null" is not a string"#),
    ("list", "", "[", #""[" is not a list"#), ("list", "", "{}", #""{}" is not a list"#),
  ])
  func `an invalid message is rejected with the reason`(
    _ kind: String, _ path: String, _ payload: String, _ words: String
  ) {
    let error = #expect(throws: MessageError.self) { try Self.read(kind, path, payload) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test func `a message that is too long or not UTF-8 is rejected`() throws {
    let value = try Self.value(#"{"kind": "text", "from": {"mqtt": "t"}}"#)
    let error = #expect(throws: MessageError.self) {
      try value.value(in: Array(repeating: 65, count: ExchangedValue.maximumBytes + 1))
    }
    #expect(error?.description == "the message is too long (expected at most 1114112 bytes)")
    let text = #expect(throws: MessageError.self) {
      try value.value(in: Array(repeating: 65, count: 65_537))
    }
    #expect(
      text?.description.hasSuffix("is not a string of at most 65536 bytes, not 65537") == true)
    #expect(throws: MessageError.self) { try value.value(in: [0xff]) }
  }

  @Test(arguments: ["LIST", #"{"a": LIST}"#])
  func `a list may have 1 MiB and 100 000 rows, and no more`(_ form: String) throws {
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
      let error = #expect(throws: MessageError.self) { try read(list) }
      #expect(error?.description.hasSuffix(words) == true)
    }
  }

  @Test func `a value without a source and a target isn't exchanged`() throws {
    let json = try JSONValue(parsing: Array(#"{"kind": "number"}"#.utf8))
    #expect(ExchangedValue("v", json, of: .mqtt) == nil)
  }

  @Test func `a message without an optional member has no value, and others still fail`() throws {
    let value = try Self.value(
      #"{"kind": "number", "from": {"mqtt": "t", "path": ["a", "b"], "optional": true}}"#)
    func read(_ payload: String) throws -> String? {
      try value.value(in: Array(payload.utf8))?.text
    }
    #expect(try read(#"{"a": {"b": 3}}"#) == "3")
    for absent in [#"{"a": {}}"#, "{}", "7", #"{"a": [1]}"#] {
      #expect(try read(absent) == nil)
    }
    for wrong in ["{", #"{"a": {"b": "warm"}}"#, #"{"a": {"b": null}}"#] {
      #expect(throws: MessageError.self) { try read(wrong) }
    }
  }
}

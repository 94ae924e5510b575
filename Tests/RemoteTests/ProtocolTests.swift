// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelJSON
import LinuxIO
import RoundelMotion
import JSONRPC
import TestSupport
import Testing

@Suite struct ProtocolTests {
  @Test func `a request is answered with its id`() throws {
    let fixture = try Fixture()
    let answer = try fixture.answer(
      to: #"{"jsonrpc":"2.0","method":"echo","params":{"value":[1,"x"]},"id":"a"}"#)
    #expect(answer?.text == #"{"jsonrpc":"2.0","result":[1,"x"],"id":"a"}"#)
  }

  @Test(arguments: ["\"\"", "\"x\"", "0", "-1", "1.5", "9007199254740992", "null"])
  func `an answer contains the id of the request unchanged`(_ id: String) throws {
    let fixture = try Fixture()
    let answer = try fixture.answer(to: #"{"jsonrpc":"2.0","method":"echo","id":\#(id)}"#)
    #expect(answer?["id"]?.text == id)
    #expect(answer?["result"] == .null)
  }

  @Test(arguments: [
    // The request, then the error's code, some words of its message, and the id.
    ("{", -32700, "unexpected end", "null"),
    ("nonsense", -32700, "at byte", "null"),
    ("\u{1}", -32700, "invalid JSON", "null"),
    (
      "{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"id\":1}}", -32700, "unexpected text after", "null"
    ),
    ("17", -32600, "an object", "null"),
    ("\"help\"", -32600, "an object", "null"),
    ("[]", -32600, "empty", "null"),
    ("{}", -32600, "jsonrpc", "null"),
    (#"{"jsonrpc":"1.0","method":"echo","id":1}"#, -32600, "jsonrpc", "1"),
    (#"{"jsonrpc":2.0,"method":"echo","id":1}"#, -32600, "jsonrpc", "1"),
    (#"{"jsonrpc":"2.0","id":1}"#, -32600, "method", "1"),
    (#"{"jsonrpc":"2.0","method":1,"id":1}"#, -32600, "method", "1"),
    (#"{"jsonrpc":"2.0","method":"echo","params":"x","id":1}"#, -32600, "params", "1"),
    (#"{"jsonrpc":"2.0","method":"echo","params":7,"id":1}"#, -32600, "params", "1"),
    (#"{"jsonrpc":"2.0","method":"echo","id":true}"#, -32600, "\"id\"", "null"),
    (#"{"jsonrpc":"2.0","method":"echo","id":[1]}"#, -32600, "\"id\"", "null"),
    (#"{"jsonrpc":"2.0","method":"echo","id":{"a":1}}"#, -32600, "\"id\"", "null"),
    (#"{"jsonrpc":"2.0","method":"echo","id":1e300}"#, -32600, "\"id\"", "null"),
    (#"{"jsonrpc":"2.0","method":"tap dance","id":1}"#, -32601, "tap dance", "1"),
    (#"{"jsonrpc":"2.0","method":"","id":1}"#, -32601, "no method", "1"),
    (#"{"jsonrpc":"2.0","method":"repeat","id":1}"#, -32602, "\"text\" is missing", "1"),
    (#"{"jsonrpc":"2.0","method":"repeat","params":[1],"id":1}"#, -32602, "a string", "1"),
    (
      #"{"jsonrpc":"2.0","method":"repeat","params":{"text":null},"id":1}"#, -32602, "a string", "1"
    ),
    (#"{"jsonrpc":"2.0","method":"repeat","params":["x",-1],"id":1}"#, -32602, "0 …", "1"),
    (#"{"jsonrpc":"2.0","method":"repeat","params":["x",1,2],"id":1}"#, -32602, "expected 2", "1"),
    (
      #"{"jsonrpc":"2.0","method":"repeat","params":{"txet":"x"},"id":1}"#, -32602, "\"txet\"", "1"
    ),
    (#"{"jsonrpc":"2.0","method":"later","params":{"a":1},"id":1}"#, -32602, "expected none", "1"),
    (#"{"jsonrpc":"2.0","method":"fail","id":1}"#, -32000, "it is broken", "1"),
    (#"{"jsonrpc":"2.0","method":"forget","id":1}"#, -32603, "dropped", "1"),
    (#"{"jsonrpc":"2.0","method":"help","params":["x"],"id":1}"#, -32602, "\"x\"", "1"),
  ])
  func `errors in a request are reported`(
    _ line: String, _ code: Int, _ words: String, _ id: String
  ) throws {
    let fixture = try Fixture()
    let answer = try fixture.answer(to: line)
    #expect(answer?["error"]?["code"]?.integer == code)
    #expect(answer?["error"]?["message"]?.string?.contains(words) == true, "\(answer?.text ?? "")")
    #expect(answer?["id"]?.text == id)
    #expect(try fixture.answer(to: #"{"jsonrpc":"2.0","method":"echo","id":2}"#)?["id"] == 2)
  }

  @Test func `parameters are given by name or position, or have defaults`() throws {
    let fixture = try Fixture()
    for (parameters, result) in [
      (#"{"times":3,"text":"ab"}"#, "ababab"), (#"["ab",3]"#, "ababab"), (#"["ab"]"#, "abab"),
      (#"{"text":"ab"}"#, "abab"), (#"{"text":"ab","times":null}"#, "abab"),
    ] {
      let answer = try fixture.answer(
        to: #"{"jsonrpc":"2.0","method":"repeat","params":\#(parameters),"id":1}"#)
      #expect(answer?["result"]?.string == result)
    }
  }

  @Test func `a batch is answered with one array, even if an answer is delayed`() throws {
    let fixture = try Fixture()
    let wire = try fixture.connect()
    wire.send(
      line: #"""
        [{"jsonrpc":"2.0","method":"later","id":1},{"jsonrpc":"2.0","method":"echo"},7,\#
        {"jsonrpc":"2.0","method":"echo","params":["x"],"id":2}]
        """#)
    #expect(try fixture.run { !fixture.kept.isEmpty })
    try fixture.settle()
    wire.read()
    #expect(wire.lines.isEmpty)
    fixture.kept.removeFirst().give("now")
    #expect(
      try fixture.run {
        wire.read()
        return !wire.lines.isEmpty
      })
    guard case .array(let answers)? = wire.answers.first else {
      Issue.record("no array: \(wire.lines)")
      return
    }
    #expect(answers.count == 3)
    #expect(Set(answers.map { $0["id"]?.text }) == ["1", "2", "null"])
    #expect(answers.first { $0["id"] == 1 }?["result"] == "now")
  }

  @Test func `notifications aren't answered, alone or in a batch`() throws {
    let fixture = try Fixture()
    let wire = try fixture.connect()
    wire.send(line: #"{"jsonrpc":"2.0","method":"fail"}"#)
    wire.send(line: #"[{"jsonrpc":"2.0","method":"echo"},{"jsonrpc":"2.0","method":"no"}]"#)
    wire.send(line: "  \t ")
    wire.send(line: #"{"jsonrpc":"2.0","method":"echo","params":["last"],"id":1}"#)
    #expect(
      try fixture.run {
        wire.read()
        return !wire.lines.isEmpty
      })
    #expect(wire.lines.count == 1)
    #expect(wire.answers.first?["result"] == "last")
  }

  @Test func `the requests and answers of a batch are limited`() throws {
    var limits = Limits()
    limits.maximumBatchRequests = 3
    limits.maximumAnswerBytes = 1000
    let fixture = try Fixture(limits)
    let one = #"{"jsonrpc":"2.0","method":"repeat","params":["x",600],"id":1}"#
    let four = "[" + Array(repeating: one, count: 4).joined(separator: ",") + "]"
    #expect(try fixture.answer(to: four)?["error"]?["code"] == -32600)
    let three = "[" + Array(repeating: one, count: 3).joined(separator: ",") + "]"
    guard case .array(let answers)? = try fixture.answer(to: three) else {
      Issue.record("no array")
      return
    }
    #expect(answers.count == 3)
    #expect(answers[0]["result"]?.string?.count == 600)
    #expect(answers[1]["error"]?["code"] == -32001)
  }

  @Test func `help lists the methods with their parameters`() throws {
    let fixture = try Fixture()
    let answer = try fixture.answer(to: #"{"jsonrpc":"2.0","method":"help","id":1}"#)
    guard case .array(let methods)? = answer?["result"] else {
      Issue.record("no list")
      return
    }
    #expect(
      methods.compactMap { $0["method"]?.string }
        == ["echo", "fail", "forget", "help", "later", "repeat", "subscribe"])
    let one = try fixture.answer(
      to: #"{"jsonrpc":"2.0","method":"help","params":["repeat"],"id":1}"#)
    #expect(
      one?["result"]?.text == #"""
        [{"method":"repeat","summary":"Gives a text many times.","parameters":\#
        [{"name":"text","type":"a string","required":true,"about":"The text."},\#
        {"name":"times","type":"a number, 0 … 100000000","required":false,"default":2,\#
        "about":"How many times."}],"result":"true"}]
        """#)
  }

  @Test func `deep nesting is rejected without harm`() throws {
    let fixture = try Fixture()
    let deep = String(repeating: "[", count: 500_000)
    #expect(try fixture.answer(to: String(deep.prefix(5000)))?["error"]?["code"] == -32700)
    let open =
      #"{"jsonrpc":"2.0","method":"echo","params":"# + String(repeating: "[", count: 400)
      + String(repeating: "]", count: 400) + #","id":1}"#
    #expect(try fixture.answer(to: open)?["id"] == 1)
  }

  @Test func `mutated requests are answered or ignored, and do no harm`() throws {
    let fixture = try Fixture()
    let seeds = [
      #"{"jsonrpc":"2.0","method":"repeat","params":{"text":"ab","times":3},"id":17}"#,
      #"[{"jsonrpc":"2.0","method":"echo","id":"x"},{"jsonrpc":"2.0","method":"fail","id":null}]"#,
    ].map { Array($0.utf8) }
    var random = SeededGenerator(seed: 5)
    let wire = try fixture.connect()
    var sent = 0
    for round in 0..<4000 {
      sent += wire.send(seeds[round % seeds.count].mutated(using: &random) + [10])
      try fixture.loop.turn(until: .zero)
      wire.read()
    }
    wire.send(line: #"{"jsonrpc":"2.0","method":"echo","params":["still here"],"id":"end"}"#)
    #expect(
      try fixture.run {
        wire.read()
        return wire.answers.last?["id"] == "end"
      })
    #expect(wire.answers.last?["result"] == "still here")
    #expect(wire.answers.count == wire.lines.count)
    #expect(!wire.isClosed && sent > 0)
  }
}

// SPDX-License-Identifier: MIT

import RoundelJSON
@testable import KioskClients
import JSONRPC
import Testing
import RoundelDeclarations

@Suite struct ContextServerTests {
  /// A server with some tools, and its output.
  private final class Assistant {
    private(set) var received: [JSONValue] = []
    private(set) var calls: [String: ContextServer.Call] = [:]
    private(set) var begun: [String] = []
    private var server: ContextServer?

    init() {
      func tool(_ name: String, takesTurns: Bool) -> ContextServer.Tool {
        ContextServer.Tool(
          name: name, title: name, description: name, arguments: ["type": "object"],
          takesTurns: takesTurns
        ) { [unowned self] arguments, call throws(ContextServer.ToolError) in
          let tag = arguments["tag"]?.string ?? name
          guard tag != "bad" else { throw ContextServer.ToolError(message: "it is bad") }
          calls[tag] = call
          begun.append(tag)
        }
      }
      server = ContextServer(
        name: "roundel", version: "1.2.3", instructions: "tap",
        tools: [tool("look", takesTurns: false), tool("tap", takesTurns: true)]
      ) { [unowned self] in received.append($0) }
    }

    func take(_ text: String) throws {
      server?.take(try JSONValue(parsing: Array(text.utf8)))
    }

    func call(_ id: Int, _ tool: String, _ tag: String, meta: String = "") throws {
      try take(
        #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","#
          + #""arguments":{"tag":"\#(tag)"}\#(meta)}}"#)
    }

    func finish(_ tag: String, _ text: String = "done") {
      calls[tag]?.finish(.success(ContextServer.Output(content: [.text(text)])))
    }

    func end(_ reason: String) { server?.end(reason) }

    var isIdle: Bool { server?.isIdle ?? true }

    func answer(_ id: Int) -> JSONValue? { received.last { $0["id"]?.integer == id } }
  }

  @Test func `a client gets its own protocol revision, or the newest`() throws {
    let assistant = Assistant()
    for (id, asked, given) in [(1, "2024-11-05", "2024-11-05"), (2, "1999-01-01", "2025-11-25")] {
      try assistant.take(
        #"{"jsonrpc":"2.0","id":\#(id),"method":"initialize","params":{"protocolVersion":"\#(asked)"}}"#
      )
      #expect(assistant.answer(id)?["result"]?["protocolVersion"]?.string == given)
    }
  }

  @Test func `a slow tool delays no other`() throws {
    let assistant = Assistant()
    try assistant.call(1, "look", "slow")
    try assistant.call(2, "look", "fast")
    try assistant.take(#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#)
    assistant.finish("fast")
    #expect(assistant.received.map { $0["id"]?.integer } == [3, 2])
    #expect(!assistant.isIdle)
    assistant.finish("slow")
    #expect(assistant.answer(1)?["result"]?["isError"]?.bool == false && assistant.isIdle)
  }

  @Test func `tools that touch run in order`() throws {
    let assistant = Assistant()
    try assistant.call(1, "tap", "first")
    try assistant.call(2, "tap", "second")
    try assistant.call(3, "look", "third")
    #expect(assistant.begun == ["first", "third"])
    assistant.finish("first")
    #expect(assistant.begun == ["first", "third", "second"])
  }

  @Test func `a cancelled call isn't answered, and the next one starts`() throws {
    let assistant = Assistant()
    try assistant.call(1, "tap", "first")
    try assistant.call(2, "tap", "second")
    try assistant.take(
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
    assistant.finish("first")
    #expect(assistant.received.isEmpty && assistant.begun == ["first", "second"])
  }

  @Test func `pending calls are answered at the end, and no more start`() throws {
    let assistant = Assistant()
    try assistant.call(1, "tap", "first")
    try assistant.call(2, "tap", "second")
    try assistant.call(3, "look", "third")
    assistant.end("over")
    #expect(assistant.begun == ["first", "third"] && assistant.isIdle)
    #expect(Set(assistant.received.compactMap { $0["id"]?.integer }) == [1, 2, 3])
    #expect(assistant.received.allSatisfy { $0["result"]?["isError"]?.bool == true })
  }

  @Test func `a failure is reported to the model, an invalid call to the client`() throws {
    let assistant = Assistant()
    try assistant.call(1, "tap", "bad")
    #expect(assistant.answer(1)?["result"]?["isError"]?.bool == true)
    try assistant.call(2, "jump", "high")
    #expect(
      assistant.answer(2)?["error"]?["message"]?.string?.contains("expected look, tap") == true)
    try assistant.call(3, "look", "a")
    try assistant.call(3, "look", "b")
    #expect(assistant.answer(3)?["error"] != nil && assistant.begun == ["a"])
    try assistant.take(#"{"jsonrpc":"2.0","id":4,"method":"fly"}"#)
    #expect(assistant.answer(4)?["error"] != nil)
  }

  @Test func `progress is reported only on request`() throws {
    let assistant = Assistant()
    try assistant.call(1, "look", "quiet")
    try assistant.call(2, "look", "loud", meta: #","_meta":{"progressToken":7}"#)
    for tag in ["quiet", "loud"] { assistant.calls[tag]?.report(1, of: 3) }
    #expect(assistant.received.count == 1)
    #expect(assistant.received[0]["params"]?["progressToken"]?.integer == 7)
  }
}

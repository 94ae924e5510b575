// SPDX-License-Identifier: MIT

import RoundelDeclarations
import Foundation
import RoundelJSON
import JSONRPC
import LinuxIO
import Testing

@testable import RoundelStudio

@Suite struct MessageTests {
  private static let kiosk = """
    kiosk: try
    screen: {size: [400, 300]}
    pages:
      - page: only
        controls:
          - {label: title, at: [200, 150], text: Hello}
    """
  private let folder: ScratchFolder
  private let session: StudioSession
  private let methods: MethodTable

  init() throws {
    folder = try ScratchFolder()
    try Files.write(Array(Self.kiosk.utf8), to: "\(folder.path)/try.yaml")
    session = try StudioSession("\(folder.path)/try.yaml", on: try EventLoop())
    methods = MethodTable(session.methods)
  }

  private func ask(_ method: String, _ parameters: JSONValue) throws -> JSONValue {
    var answer: JSONValue?
    methods.serve(
      Request(method, parameters, id: .number(1)).json, from: ClientID(number: 1)
    ) {
      answer = $0.flatMap { try? JSONValue(parsing: $0) }
    }
    return try #require(answer)
  }

  @Test(arguments: [
    ("fly", "{}", -32601, "there is no method \"fly\""),
    ("go", "{}", -32602, "\"page\" is missing (expected a string)"),
    ("go", #"{"page": 3}"#, -32602, "\"page\" must be a string"),
    (
      "go", #"{"page": "only", "now": true}"#, -32602,
      "unknown parameter \"now\" (expected \"page\")"
    ),
    ("speed", #"{"speed": "fast"}"#, -32602, "\"speed\" must be a number"),
    (
      "touch", #"{"phase": "hover", "finger": 0, "x": 1, "y": 1}"#, -32602,
      "\"phase\" must be down, move, up or cancel"
    ),
    (
      "touch", #"{"phase": "down", "finger": 10, "x": 1, "y": 1}"#, -32602,
      "\"finger\" must be 0 … 9"
    ),
    (
      "edit", #"{"revision": 0, "changes": [{"from": {}}]}"#, -32602,
      "\"changes\" must be a list: an object"
    ),
    ("remove", #"{"revision": 0}"#, -32602, "\"owner\" is missing (expected an object)"),
  ])
  func `an invalid message is rejected`(
    _ method: String, _ parameters: String, _ code: Int, _ message: String
  ) throws {
    let answer = try ask(method, try JSONValue(parsing: Array(parameters.utf8)))
    #expect(answer["error"]?["code"]?.integer == code)
    #expect(answer["error"]?["message"]?.string == message)
  }

  @Test func `a message that is not a request is refused`() throws {
    for message: JSONValue in [.null, .string("go"), ["method": "go"], ["jsonrpc": "2.0"]] {
      var answer: JSONValue?
      methods.serve(message, from: ClientID(number: 1)) {
        answer = $0.flatMap { try? JSONValue(parsing: $0) }
      }
      #expect(answer?["error"]?["code"]?.integer == -32600, "\(message.text)")
    }
  }

  @Test func `a change for another revision is ignored`() throws {
    let stale: JSONValue = ["revision": 7, "owner": ["control": "title"]]
    let none: JSONValue = ["revision": 0, "edits": []]
    #expect(try ask("duplicate", stale)["result"] == none)
    let edit = try ask("duplicate", ["revision": 0, "owner": ["control": "title"]])
    #expect(edit["result"]?["chosen"]?["control"]?.string == "title2")
  }

  /// The words after certain calls in the page's scripts.
  private func words(after calls: [String]) throws -> Set<String> {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/RoundelStudio/Page")
    let files = try FileManager.default.contentsOfDirectory(
      at: page, includingPropertiesForKeys: nil)
    var found: Set<String> = []
    for file in files where file.pathExtension == "js" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for call in calls {
        found.formUnion(
          text.components(separatedBy: "\(call)(\"").dropFirst().map { rest in
            String(rest.prefix { $0 != "\"" })
          })
      }
    }
    return found
  }

  @Test func `the page sends and receives exactly the declared messages`() throws {
    let sent = try words(after: ["ask", "change", "arrange"])
    #expect(sent == Set(session.methods.map(\.name) + ["drawn"]))
    let notices = Set(PageMessages.notices.map { $0.name })
    #expect(try words(after: ["receive"]) == notices)
    let module = String(decoding: PageMessages.module(of: session.methods), as: UTF8.self)
    #expect(session.methods.allSatisfy { module.contains("\"\($0.name)\":{\"parameters\":") })
    #expect(notices.allSatisfy { module.contains("\"\($0)\":{\"type\":\"object\"") })
  }
}

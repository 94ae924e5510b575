// SPDX-License-Identifier: MIT

import HostSupport
import RoundelJSON
import KioskClients
import KioskHost
import KioskProtocol
import Testing
import RoundelDeclarations

@Suite(.timeLimit(.minutes(5))) struct KioskToolsTests {
  private static let kiosk = """
    kiosk: wall
    values: {cups: 1}
    pages:
      - page: one
        controls:
          - {button: go, at: [640, 400], size: [200, 100], text: "Go {cups}", on: {pressed: [{set: {cups: 2}}]}}
          - {label: note, at: [640, 700], text: "\(String(repeating: "long ", count: 40))"}
      - page: two
        controls: [{label: other, at: [640, 400], text: x}]

    """

  private let fixture: KioskFixture
  private let model: Model

  init() throws {
    fixture = try KioskFixture(Self.kiosk)
    let place = fixture.folder.path + "/socket"
    try fixture.start(socket: SocketPlace(place, isRequired: true))
    model = Model(fixture, at: place)
  }

  /// A language model that uses the kiosk's tools.
  private final class Model {
    private let fixture: KioskFixture
    private let tools: KioskTools
    private var answers: [JSONValue] = []
    private var server: ContextServer?

    init(_ fixture: KioskFixture, at socket: String) {
      self.fixture = fixture
      tools = KioskTools(KioskAddress(host: nil, socket: socket), on: fixture.machine.loop)
      server = ContextServer(
        name: "roundel", version: "1", instructions: KioskTools.instructions, tools: tools.all
      ) { [unowned self] in answers.append($0) }
    }

    /// Calls a tool, and returns its answer and whether it failed.
    func call(_ tool: String, _ arguments: JSONValue = [:]) throws -> (
      text: String, structure: JSONValue?, hasFailed: Bool
    ) {
      let count = answers.count
      server?.take([
        "jsonrpc": "2.0", "id": .number(Double(count)), "method": "tools/call",
        "params": ["name": .string(tool), "arguments": arguments],
      ])
      try fixture.run { answers.count > count }
      let result = answers[count]["result"] ?? .null
      guard case .array(let content)? = result["content"] else { return ("", nil, true) }
      return (
        content.first?["text"]?.string ?? "", result["structuredContent"],
        result["isError"]?.bool ?? true
      )
    }
  }

  @Test func `the tree lists visible controls, and truncates long text`() throws {
    let tree = try model.call("tree")
    #expect(!tree.hasFailed)
    #expect(
      tree.text.hasPrefix("page one of one, two; 1280×800\nvalues: cups=1\nbutton go at 640,400"))
    #expect(tree.text.contains("…") && !tree.text.contains("label other"))
    #expect(try model.call("tree", ["all": true]).text.contains("label other"))
  }

  @Test func `a tap acts as a finger, and a tap on nothing fails`() throws {
    #expect(try !model.call("tap", ["target": "go"]).hasFailed)
    #expect(try !model.call("wait", ["expression": "cups == 2"]).hasFailed)
    let missed = try model.call("tap", ["at": [10, 10]])
    #expect(missed.hasFailed && missed.text.hasPrefix("nothing handled the touch"))
  }

  @Test func `a tool sets a value`() throws {
    let set = try model.call("set", ["property": "cups", "value": 5])
    #expect(set.text == "done" && set.structure == ["done": true, "blank": false])
  }

  @Test func `a wait with a long timeout is rejected`() throws {
    #expect(
      try model.call("wait", ["still": true, "timeout": 601]).text
        == "the timeout must be between 0 and 600 seconds")
  }

  @Test func `a suite without a name is rejected`() throws {
    #expect(
      try model.call("test", ["suite": ""]).text == "\"suite\" must be the path of a suite file")
  }

  @Test func `a missing kiosk is an error for the model`() throws {
    let lonely = Model(fixture, at: fixture.folder.path + "/nowhere")
    let tree = try lonely.call("tree")
    #expect(tree.hasFailed && tree.text.contains("/nowhere"))
  }
}

// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
package import KioskProtocol
package import LinuxIO
internal import RoundelMotion
internal import JSONRPC
internal import SystemPackage

/// The tools of a language model: socket methods and suites.
package final class KioskTools {
  package typealias Tool = ContextServer.Tool
  typealias Output = ContextServer.Output
  typealias Call = ContextServer.Call
  typealias ToolError = ContextServer.ToolError

  package static let instructions = """
    A kiosk of round controls on a touch panel. `tree` lists the current page, with names for the other \
    tools: CONTROL or CONTROL/ITEM for touches, CONTROL.PROPERTY or the name of a value for `set` and \
    expressions. Lengths are design pixels, x to the right, y down. After a tap or a drag, `wait` for its \
    expected effect.
    """

  /// A limit for snapshots. Some lists have a hundred thousand items.
  private static let maximumItems = 24
  /// The maximum length of a value in a snapshot, in characters.
  private static let maximumValueLength = 60
  /// The longer side of a picture in pixels, unless another scale is requested.
  private static let maximumSide = 1024.0
  /// Bytes of a test report. The end is the most informative part.
  private static let maximumReportBytes = 16 << 10

  private let address: KioskAddress
  private let loop: EventLoop
  private let requests: KioskRequests
  private let programs: ChildProcesses

  package init(_ address: KioskAddress, on loop: EventLoop) {
    self.address = address
    self.loop = loop
    requests = KioskRequests(address, on: loop)
    programs = ChildProcesses(on: loop)
  }

  package var all: [Tool] {
    [
      Tool(
        name: "tree", title: "List controls",
        description:
          "Lists the controls of the current page with their positions, states and items.",
        arguments: object([
          "all": ["type": "boolean", "description": "Whether to list all pages."]
        ]),
        answer: TreeAnswer.schema, isReadOnly: true
      ) { [unowned self] arguments, call throws(ToolError) in
        try list(allPages: arguments["all"]?.bool ?? false, for: call)
      },
      Tool(
        name: "tap", title: "Tap",
        description: "Puts a finger down on a control, an item or a point, and lifts it.",
        arguments: object([
          "target": Self.target, "at": Self.point,
          "duration": number("Seconds until the finger lifts. The default is 0.08."),
        ]),
        answer: TouchAnswer.schema, takesTurns: true
      ) { [unowned self] arguments, call throws(ToolError) in
        try touch("tap", arguments, for: call)
      },
      Tool(
        name: "drag", title: "Drag",
        description: "Moves a finger in a straight line. Lifted in motion, it flings.",
        arguments: object([
          "target": Self.target, "at": Self.point, "to": Self.point, "to_target": Self.target,
          "by": Self.point,
          "duration": number("The duration of the motion in seconds. The default is 0.3."),
          "hold": number("Seconds of rest at the end, to prevent a fling. The default is 0."),
        ]),
        answer: TouchAnswer.schema, takesTurns: true
      ) { [unowned self] arguments, call throws(ToolError) in
        try touch("drag", arguments, for: call)
      },
      tool(for: .set, title: "Set"),
      Tool(
        name: "wait", title: "Wait",
        description: "Waits until an expression is true, a page is shown, or nothing moves.",
        arguments: object([
          "expression": [
            "type": "string", "description": "An expression, such as cups > 2 && page == 'ready'.",
          ],
          "page": ["type": "string"],
          "still": ["type": "boolean", "description": "Whether to wait until nothing moves."],
          "timeout": number("The time limit in seconds, at most 600. The default is 10."),
        ]),
        answer: WaitAnswer.schema, isReadOnly: true
      ) { [unowned self] arguments, call throws(ToolError) in
        try wait(arguments, for: call)
      },
      Tool(
        name: "screenshot", title: "Take a screenshot",
        description: "Returns a screenshot of the panel. The tree is smaller.",
        arguments: object([
          "region": [
            "type": "array", "items": ["type": "number"], "minItems": 4, "maxItems": 4,
            "description": "x, y, width, height in design pixels. The default is everything.",
          ],
          "scale": number("The scale. By default, the longer side has at most 1024 pixels."),
        ]),
        isReadOnly: true
      ) { [unowned self] arguments, call throws(ToolError) in
        try screenshot(arguments, for: call)
      },
      Tool(
        name: "test", title: "Run a suite",
        description: "Runs a test suite, headless or on this kiosk, and returns a report in TAP.",
        arguments: object(
          [
            "suite": ["type": "string", "description": "The path of the suite's file."],
            "running": [
              "type": "boolean",
              "description": "Whether to test the running kiosk, which restarts for each test.",
            ],
            "filter": [
              "type": "string", "description": "Runs only tests whose names contain this.",
            ],
          ], required: ["suite"]),
        answer: Self.testAnswer
      ) { [unowned self] arguments, call throws(ToolError) in
        try test(arguments, for: call)
      },
    ]
  }

  /// The arguments are the parameters of the request.
  private func tool(for kind: CommandKind, title: String) -> Tool {
    let method = kind.method()
    return Tool(
      name: kind.name, title: title, description: kind.summary,
      arguments: method?.parametersSchema ?? [:], answer: Self.commandAnswer, takesTurns: true
    ) { [unowned self] arguments, call throws(ToolError) in
      try ask(kind.name, arguments, for: call) { answer throws(ToolError) in
        let isUnseen = CommandAnswer(answer).isUnseen
        return Output(
          content: [.text(isUnseen ? "done; the panel sleeps" : "done")],
          structure: ["done": true, "blank": .bool(isUnseen)])
      }
    }
  }

  // MARK: Arguments

  private static let target: JSONValue = [
    "type": "string", "description": "CONTROL or CONTROL/ITEM, as listed by tree.",
  ]
  private static let point: JSONValue = [
    "type": "array", "items": ["type": "number"], "minItems": 2, "maxItems": 2,
    "description": "x, y in design pixels.",
  ]

  private static let commandAnswer: JSONValue = [
    "type": "object",
    "properties": [
      "done": ["type": "boolean"],
      "blank": [
        "type": "boolean",
        "description": "Whether the panel sleeps, and shows the effect after it wakes.",
      ],
    ],
    "required": ["done", "blank"],
  ]
  private static let testAnswer: JSONValue = [
    "type": "object",
    "properties": [
      "report": [
        "type": "string",
        "description": "The report in TAP. A long report is truncated to its end.",
      ]
    ],
    "required": ["report"],
  ]

  private func number(_ description: String) -> JSONValue {
    ["type": "number", "description": .string(description)]
  }

  private func object(_ properties: JSONValue, required: [String] = []) -> JSONValue {
    let base: JSONValue = [
      "type": "object", "properties": properties, "additionalProperties": false,
    ]
    return required.isEmpty
      ? base : base.with(["required": .array(required.map(JSONValue.string))])
  }

  // MARK: The kiosk

  /// Finishes the call with the output of `read`.
  private func ask(
    _ method: String, _ arguments: JSONValue, timeout: Double = 30, for call: Call,
    _ read: @escaping (JSONValue) throws(ToolError) -> Output?
  ) throws(ToolError) {
    guard case .object(let members) = arguments else { return }
    do throws(KioskError) {
      call.work = [
        try requests.ask(method, members, timeout: timeout) { [unowned call] result in
          do throws(ToolError) {
            guard let output = try read(try Self.answer(result)) else { return }
            call.finish(.success(output))
          } catch {
            call.finish(.failure(error))
          }
        }
      ]
    } catch {
      throw ToolError(message: error.description)
    }
  }

  private static func answer(
    _ result: Result<JSONValue, KioskError>
  ) throws(ToolError) -> JSONValue {
    do throws(KioskError) {
      return try result.get()
    } catch {
      throw ToolError(message: error.description)
    }
  }

  private func read<Answer: JSONConvertible>(
    _ json: JSONValue, as: Answer.Type = Answer.self
  ) throws(ToolError) -> Answer {
    guard let answer = Answer(json) else {
      throw ToolError(
        message:
          "roundel \(ProgramVersion.current) cannot read the kiosk's answer; the kiosk may have another "
          + "version")
    }
    return answer
  }

  private func list(allPages: Bool, for call: Call) throws(ToolError) {
    try ask("tree", [:], for: call) { [unowned self] json throws(ToolError) in
      var tree: TreeAnswer = try read(json)
      if !allPages {
        for index in tree.pages.indices {
          let isShown = tree.pages[index].isShown
          tree.pages[index].controls.removeAll { !isShown || !$0.isVisible }
        }
      }
      return Output(
        content: [.text(snapshot(tree, allPages: allPages))], structure: brief(tree).json)
    }
  }

  private func touch(_ method: String, _ arguments: JSONValue, for call: Call) throws(ToolError) {
    try ask(method, arguments, timeout: 150, for: call) { [unowned self] json throws(ToolError) in
      let answer: TouchAnswer = try read(json)
      guard answer.isTaken else {
        throw ToolError(
          message: answer.hasWoken
            ? "the panel slept; the touch only woke it"
            : "nothing handled the touch: \(json.text)")
      }
      return Output(content: [.text(json.text)], structure: json)
    }
  }

  private func wait(_ arguments: JSONValue, for call: Call) throws(ToolError) {
    let seconds = arguments["timeout"]?.number ?? 10
    guard (0...600).contains(seconds) else {
      throw ToolError(message: "the timeout must be between 0 and 600 seconds")
    }
    try ask("wait", arguments, timeout: seconds + 30, for: call) {
      [unowned self] json throws(ToolError) in
      let answer: WaitAnswer = try read(json)
      guard answer.holds else {
        throw ToolError(
          message: "not true after \(JSONValue.number(seconds).text) s: "
            + (answer.found ?? answer.value.text))
      }
      return Output(content: [.text(json.text)], structure: json)
    }
    if call.reportsProgress { call.work.append(Ticker(call, until: seconds, on: loop)) }
  }

  private func screenshot(_ arguments: JSONValue, for call: Call) throws(ToolError) {
    guard arguments["scale"] == nil else { return try picture(arguments, for: call) }
    try ask("status", [:], for: call) { [unowned self] json throws(ToolError) in
      let status: StatusAnswer = try read(json)
      let side = Double(max(status.display.size.width, status.display.size.height))
      let scale = JSONValue.number(min(1, Self.maximumSide / side))
      try picture(arguments.with(["scale": scale]), for: call)
      return nil
    }
  }

  private func picture(_ arguments: JSONValue, for call: Call) throws(ToolError) {
    try ask("screenshot", arguments, for: call) { answer throws(ToolError) in
      guard let png = answer["png"]?.string else {
        throw ToolError(message: "the kiosk's answer has no image")
      }
      return Output(content: [.picture(png)])
    }
  }

  private func test(_ arguments: JSONValue, for call: Call) throws(ToolError) {
    guard let suite = arguments["suite"]?.string, !suite.isEmpty else {
      throw ToolError(message: "\"suite\" must be the path of a suite file")
    }
    var words = ["/proc/self/exe", "test", "--tap"]
    if arguments["running"]?.bool == true {
      words.append("--running")
      if let host = address.host { words += ["--host", host] }
      if let socket = address.socket { words += ["--socket", socket] }
    }
    if let filter = arguments["filter"]?.string { words += ["--filter=\(filter)"] }
    do throws(ChildProcess.StartError) {
      let run = try PrintingProgram(
        words + ["--", suite], keeping: Self.maximumReportBytes, programs, on: loop)
      var progress = TestProgress()
      run.onOutput = { [unowned call] chunk in progress.take(chunk, reportingTo: call) }
      run.onEnd = { [unowned call] exit, output in
        let report = String(decoding: output, as: UTF8.self)
        guard exit == .status(0) else {
          return call.finish(
            .failure(
              ToolError(
                message: report.isEmpty ? "cannot run the suite: roundel test \(exit)" : report)))
        }
        call.finish(
          .success(Output(content: [.text(report)], structure: ["report": .string(report)])))
      }
      call.work = [run]
    } catch {
      throw ToolError(message: "cannot run the suite: \(error)")
    }
  }

  // MARK: Snapshots

  /// One line per control, and one for all its items.
  private func snapshot(_ tree: TreeAnswer, allPages: Bool) -> String {
    let size = "\(brief(tree.size.width))×\(brief(tree.size.height))"
    var lines = ["page \(tree.page) of \(tree.pages.map(\.name).joined(separator: ", ")); \(size)"]
    if let language = tree.language { lines[0] += "; language \(language)" }
    if !tree.values.isEmpty {
      lines.append("values: " + tree.values.map(words).joined(separator: " "))
    }
    for page in tree.pages where allPages || page.isShown {
      if allPages { lines.append("\(page.name)\(page.isShown ? " (shown)" : ""):") }
      for control in page.controls {
        lines.append(line(of: control))
        if !control.items.isEmpty { lines.append("  items: \(items(of: control))") }
      }
    }
    return lines.joined(separator: "\n").printableLines
  }

  private func line(of control: TreeAnswer.Control) -> String {
    var words = [control.kind, control.id]
    if let place = control.place { words.append("at \(brief(place.x)),\(brief(place.y))") }
    if !control.isVisible { words.append("hidden") }
    if !control.isEnabled { words.append("disabled") }
    if control.isMoving { words.append("moving") }
    return (words + control.properties.map(self.words)).joined(separator: " ")
  }

  private func items(of control: TreeAnswer.Control) -> String {
    let names = control.items.prefix(Self.maximumItems).map {
      $0.id + ($0.isEnabled ? "" : " (disabled)")
    }
    let more = control.items.count - names.count
    return names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  private func words(_ member: JSONValue.Member) -> String {
    member.name + "=" + (shortened(member.value) ?? member.value.text)
  }

  /// Returns nil if the value is short.
  private func shortened(_ value: JSONValue) -> String? {
    let text = value.text
    return text.count > Self.maximumValueLength
      ? text.prefix(Self.maximumValueLength) + "…" : nil
  }

  private func brief(_ tree: TreeAnswer) -> TreeAnswer {
    var tree = tree
    func shorten(_ members: inout [JSONValue.Member]) {
      for index in members.indices {
        guard let text = shortened(members[index].value) else { continue }
        members[index].value = .string(text)
        tree.isIncomplete = true
      }
    }
    var pages = tree.pages
    for page in pages.indices {
      for control in pages[page].controls.indices {
        let items = pages[page].controls[control].items
        pages[page].controls[control].items = Array(items.prefix(Self.maximumItems))
        if items.count > Self.maximumItems { tree.isIncomplete = true }
        shorten(&pages[page].controls[control].properties)
      }
    }
    var values = tree.values
    shorten(&values)
    tree.pages = pages
    tree.values = values
    return tree
  }

  private func brief(_ number: Double) -> String { JSONValue.number(number.rounded()).text }
}

/// Reports the elapsed time once per second.
private final class Ticker {
  private let loop: EventLoop
  private let start: Timestamp
  private var token: EventLoop.Token?

  init(_ call: ContextServer.Call, until seconds: Double, on loop: EventLoop) {
    self.loop = loop
    start = loop.now
    tick(call, seconds, second: 1)
  }

  private func tick(_ call: ContextServer.Call, _ seconds: Double, second: Double) {
    guard second < seconds else { return }
    token = loop.schedule(at: start + second) { [unowned self, unowned call] in
      call.report(second, of: seconds)
      tick(call, seconds, second: second + 1)
    }
  }
}

private struct TestProgress {
  private var reader = LineReader(limit: 1 << 20)
  private var count: Double?
  private var done = 0.0

  mutating func take(_ chunk: [UInt8], reportingTo call: ContextServer.Call) {
    reader.append(chunk)
    while case .text(let bytes)? = reader.next() {
      let line = String(decoding: bytes, as: UTF8.self)
      if line.hasPrefix("1..") { count = Double(line.dropFirst(3)) }
      guard line.hasPrefix("ok ") || line.hasPrefix("not ok ") else { continue }
      done += 1
      call.report(done, of: count, line)
    }
  }
}

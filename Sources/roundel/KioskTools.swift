// SPDX-License-Identifier: MIT

import Geometry
import Glibc
import JSON
import KioskProtocol
import LinuxIO
import Remote
import SystemPackage
import YAML

/// What a language model may do with a running kiosk: the methods of its socket, and suites.
final class KioskTools {
  typealias Tool = ContextServer.Tool
  typealias Content = ContextServer.Content
  typealias ToolError = ContextServer.ToolError

  static let instructions = """
    A kiosk of round controls on a touch panel. `tree` lists what is shown, by the names that the other \
    tools take: CONTROL or CONTROL/ITEM for fingers, CONTROL.PROPERTY or the name of a value for `set` \
    and expressions. Lengths are pixels of the design, x right, y down. After a tap or a drag, `wait` for \
    what should come of it.
    """

  /// Items of a control in a snapshot; a list may have a hundred thousand.
  private static let maximumItems = 24
  /// Characters of a value in a snapshot.
  private static let maximumValueLength = 60
  /// The longer side of a picture, in pixels, unless another scale is asked for.
  private static let maximumSide = 1024.0
  /// Bytes of a test run's report, of which the end says most.
  private static let maximumReportBytes = 16 << 10

  private let address: KioskAddress
  private var connection: KioskConnection?

  init(_ address: KioskAddress) {
    self.address = address
  }

  var all: [Tool] {
    [
      Tool(
        name: "tree", title: "List controls",
        description: "Lists the controls of the shown page with their places, states and items.",
        arguments: object([
          "all": ["type": "boolean", "description": "Whether to list all pages."]
        ]),
        isReadOnly: true
      ) { [unowned self] arguments throws(ToolError) in
        [.text(snapshot(try ask(TreeRequest()), allPages: arguments["all"]?.bool ?? false))]
      },
      Tool(
        name: "tap", title: "Tap",
        description: "Puts a finger on a control, an item or a point, and lifts it.",
        arguments: object([
          "target": Self.target, "at": Self.point,
          "duration": number("Seconds until the finger is lifted; 0.08."),
        ])
      ) { [unowned self] arguments throws(ToolError) in try touch("tap", arguments) },
      Tool(
        name: "drag", title: "Drag",
        description: "Moves a finger in a straight line; lifted in motion, it flings.",
        arguments: object([
          "target": Self.target, "at": Self.point, "to": Self.point, "to_target": Self.target,
          "by": Self.point, "duration": number("Seconds on its way; 0.3."),
          "hold": number("Seconds that it rests at the end, so that it does not fling; 0."),
        ])
      ) { [unowned self] arguments throws(ToolError) in try touch("drag", arguments) },
      Tool(
        name: "set", title: "Set",
        description: "Sets a value, a property of a control or item, or the language.",
        arguments: object(
          [
            "property": [
              "type": "string", "description": "Such as cups, minutes.value, language.",
            ],
            "value": ["description": "A number, a text, true or false."],
          ], required: ["property", "value"])
      ) { [unowned self] arguments throws(ToolError) in
        _ = try call("set", arguments)
        return [.text("done")]
      },
      Tool(
        name: "wait", title: "Wait",
        description: "Waits until an expression holds, a page is shown, or nothing moves.",
        arguments: object([
          "expression": [
            "type": "string", "description": "Such as: cups > 2 && page == 'ready'.",
          ],
          "page": ["type": "string"],
          "still": ["type": "boolean", "description": "Whether to wait until nothing moves."],
          "timeout": number("Seconds; 10, at most 600."),
        ]),
        isReadOnly: true
      ) { [unowned self] arguments throws(ToolError) in try wait(arguments) },
      Tool(
        name: "screenshot", title: "Take a picture",
        description: "The picture on the panel; the tree costs less.",
        arguments: object([
          "region": [
            "type": "array", "items": ["type": "number"], "minItems": 4, "maxItems": 4,
            "description": "x, y, width, height in design pixels; all of it.",
          ],
          "scale": number("Pixels for each of the panel; at most 1024 pixels a side."),
        ]),
        isReadOnly: true
      ) { [unowned self] arguments throws(ToolError) in try screenshot(arguments) },
      Tool(
        name: "test", title: "Run a suite",
        description: "Runs a test suite, headless or on this kiosk, and reports in TAP.",
        arguments: object(
          [
            "suite": ["type": "string", "description": "The path of the suite's file."],
            "running": [
              "type": "boolean",
              "description": "Whether to test the running kiosk, which starts again for each test.",
            ],
            "filter": ["type": "string", "description": "Only tests whose names contain this."],
          ], required: ["suite"])
      ) { [unowned self] arguments throws(ToolError) in try test(arguments) },
    ]
  }

  // MARK: Arguments

  private static let target: JSONValue = [
    "type": "string", "description": "CONTROL or CONTROL/ITEM, as the tree names them.",
  ]
  private static let point: JSONValue = [
    "type": "array", "items": ["type": "number"], "minItems": 2, "maxItems": 2,
    "description": "x, y in design pixels.",
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

  /// Makes the connection where there is none, or where the kiosk was started again.
  private func reach<Answer>(
    _ body: (KioskConnection) throws(KioskError) -> Answer
  ) throws(ToolError) -> Answer {
    do throws(KioskError) {
      if let connection { return try body(connection) }
      let new = try KioskConnection(to: address, version: Roundel.version)
      connection = new
      return try body(new)
    } catch {
      // The next call tries again.
      if error.kind == .unavailable { connection = nil }
      throw ToolError(message: error.description.isEmpty ? "no kiosk" : error.description)
    }
  }

  private func ask<Request: MethodRequest>(
    _ request: Request
  ) throws(ToolError) -> Request.Answer {
    try reach { connection throws(KioskError) in try connection.call(request) }
  }

  /// Asks for a method whose parameters are the tool's arguments.
  private func call(
    _ method: String, _ arguments: JSONValue, patience: Double = 30
  ) throws(ToolError) -> JSONValue {
    guard case .object(let members) = arguments else { return .null }
    return try reach { connection throws(KioskError) in
      try connection.call(method, members, patience: patience)
    }
  }

  private func touch(_ method: String, _ arguments: JSONValue) throws(ToolError) -> [Content] {
    let answer = try call(method, arguments, patience: 150)
    guard answer["taken"]?.bool == true else {
      throw ToolError(
        message: answer["woke"]?.bool == true
          ? "the panel slept; the touch woke it and did nothing else"
          : "nothing took the touch: \(answer.text)")
    }
    return [.text(answer.text)]
  }

  private func wait(_ arguments: JSONValue) throws(ToolError) -> [Content] {
    let seconds = arguments["timeout"]?.number ?? 10
    guard (0...600).contains(seconds) else {
      throw ToolError(message: "a timeout is 0 … 600 seconds")
    }
    let answer = try call("wait", arguments, patience: seconds + 30)
    guard answer["holds"]?.bool == true else {
      let found = answer["found"]?.string ?? answer["value"]?.text ?? ""
      throw ToolError(
        message: "it does not hold after \(JSONValue.number(seconds).text) s: \(found)")
    }
    return [.text(answer.text)]
  }

  private func screenshot(_ arguments: JSONValue) throws(ToolError) -> [Content] {
    guard case .object(var members) = arguments else { return [] }
    if arguments["scale"] == nil {
      let size = try ask(StatusRequest()).display.size
      let side = Double(max(size.width, size.height))
      members.append(.init("scale", .number(min(1, Self.maximumSide / side))))
    }
    let answer = try call("screenshot", .object(members))
    guard let png = answer["png"]?.string else { throw ToolError(message: "there is no picture") }
    return [.picture(png)]
  }

  private func test(_ arguments: JSONValue) throws(ToolError) -> [Content] {
    guard let suite = arguments["suite"]?.string, !suite.isEmpty else {
      throw ToolError(message: "\"suite\" takes the path of a suite's file")
    }
    var words = ["/proc/self/exe", "test", "--tap"]
    if arguments["running"]?.bool == true {
      words.append("--running")
      if let host = address.host { words += ["--host", host] }
      if let socket = address.socket { words += ["--socket", socket] }
    }
    if let filter = arguments["filter"]?.string { words += ["--filter=\(filter)"] }
    let exit: ChildProcess.Exit
    let report: String
    do throws(Errno) {
      (report, exit) = try PipedProcess.output(
        of: words + ["--", suite], upTo: Self.maximumReportBytes)
    } catch {
      throw ToolError(message: "the suite cannot be run: \(error)")
    }
    guard exit == .status(0) else {
      throw ToolError(
        message: report.isEmpty
          ? "the suite was not run: roundel test \(exit), and said why on its standard error"
          : report)
    }
    return [.text(report)]
  }

  // MARK: Snapshots

  /// What is shown, in as few words as do: a line for a control, and one for all of its items.
  private func snapshot(_ tree: TreeAnswer, allPages: Bool) -> String {
    let size = "\(brief(tree.size.width))×\(brief(tree.size.height))"
    var lines = ["page \(tree.page) of \(tree.pages.map(\.name).joined(separator: ", ")); \(size)"]
    if let language = tree.language { lines[0] += "; language \(language)" }
    if !tree.values.isEmpty {
      lines.append("values: " + tree.values.map(words).joined(separator: " "))
    }
    for page in tree.pages where allPages || page.isShown {
      if allPages { lines.append("\(page.name)\(page.isShown ? " (shown)" : ""):") }
      for control in page.controls where allPages || control.isVisible {
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
    let text = member.value.text
    return member.name + "="
      + (text.count > Self.maximumValueLength ? text.prefix(Self.maximumValueLength) + "…" : text)
  }

  private func brief(_ number: Double) -> String { JSONValue.number(number.rounded()).text }
}

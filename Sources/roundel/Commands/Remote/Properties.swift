// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelExpressions
import RoundelJSON
import Kiosk
import KioskClients
import KioskProtocol
import LinuxIO
import RoundelMotion
import JSONRPC
import RoundelSession

struct Get: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print properties of the running kiosk's controls.",
    discussion: """
      Examples:
        roundel get minutes.value
        roundel get reels.left.label reels.right.label
      """)

  @Argument(
    help: "CONTROL.PROPERTY or the name of a value, as listed by tree.", completion: .properties)
  var properties: [Reference]

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let connection = try kiosk.connect()
    for property in properties {
      let value = try connection.call(GetRequest(property)).value
      StandardOutput.write((kiosk.json ? value.text : value.words) + "\n")
    }
  }
}

struct SetProperties: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set properties of the running kiosk's controls.",
    discussion: """
      Dials and wheels turn to the new value visibly. During the motion, get returns the \
      values that they pass. With --settle, waits until the controls are at rest. Exits with 1 \
      if they still move after --timeout, or if a control rejects a value that it follows. A \
      list is JSON with at most 1 MiB and 100000 rows. A long list needs --file.

      Examples:
        roundel set minutes.value=15
        roundel set --settle minutes.value=15 && roundel get minutes.value
        roundel set start.enabled=false note.text="Back at noon"
        roundel set --file departures=departures.json
      """)

  @Argument(help: "NAME=VALUE for a property or a value.", completion: .settable)
  var assignments: [Assignment] = []

  @Option(
    help: ArgumentHelp(
      "Set a property or a value to a file's contents; - is the standard input.",
      valueName: "NAME=FILE"))
  var file: [Assignment] = []

  @Flag(help: "Wait until the controls are at rest.")
  var settle = false

  @Option(help: "The time limit of --settle, in seconds.")
  var timeout: Seconds = 10.0

  @OptionGroup var kiosk: KioskOptions

  func validate() throws {
    guard !assignments.isEmpty || !file.isEmpty else {
      throw ValidationError("Specify NAME=VALUE or --file NAME=FILE.")
    }
  }

  /// White space around a list may make its file larger than the list.
  private static let valueFile = Files.Kind("the file", maximumBytes: 16 << 20, mayBePipe: true)

  func run() throws {
    var assignments = assignments
    for var assignment in file {
      let path = assignment.text
      guard let text = String(validating: try Files.read(path, Self.valueFile), as: UTF8.self)
      else {
        throw Failure(.badFile, "cannot read \(path): not UTF-8")
      }
      assignment.text = text.last?.isNewline == true ? String(text.dropLast()) : text
      assignments.append(assignment)
    }
    let connection = try kiosk.connect()
    var isRefused = false
    for assignment in assignments {
      let value = try value(of: assignment, on: connection)
      let answer = try connection.perform(.set(assignment.name, value))
      if kiosk.json { StandardOutput.write(json: answer) }
      for refusal in CommandAnswer(answer).refusals {
        isRefused = true
        Failure(.didNotHold, "\(assignment.name) is set, but \(refusal)").report()
      }
    }
    if settle { try wait(for: assignments, on: connection) }
    if isRefused { throw Failure(.didNotHold) }
  }

  /// Waits until the set controls have settled.
  private func wait(for assignments: [Assignment], on connection: KioskConnection) throws {
    let end = MonotonicClock.now + timeout.value
    for assignment in assignments {
      let name: String
      switch assignment.name {
      case .property(let path): name = path.control
      case .value(let value): name = value
      case .text, .texts, .event, .language, .page, .now, .uptime: continue
      }
      let request = WaitRequest(for: .settled([name]), timeout: max(0, end - MonotonicClock.now))
      guard try connection.call(request, timeout: timeout.value + 30).holds else {
        throw Failure(
          .didNotHold,
          "\(name) still moves after \(JSONValue.number(timeout.value).text) seconds")
      }
    }
  }
}

extension SetProperties {
  /// Returns a list if the kiosk has a list, otherwise a string, which the kiosk converts.
  private func value(
    of assignment: Assignment, on connection: KioskConnection
  ) throws -> Value {
    guard assignment.text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "[") else {
      return .text(assignment.text)
    }
    switch try connection.call(GetRequest(assignment.name)).value {
    case .array, .null: break
    default: return .text(assignment.text)
    }
    do throws(JSONValue.SyntaxError) {
      let json = try JSONValue(parsing: assignment.text.utf8)
      return Value(json) ?? .text(assignment.text)
    } catch {
      throw Failure(.usage, "cannot set \(assignment.name): \(error)")
    }
  }
}

struct Wait: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wait",
    abstract: "Wait until the running kiosk reaches a state.",
    discussion: """
      Expressions have the syntax of kiosk files. An undefined expression, such as a division \
      by zero, counts as false. Exits with 1 on timeout.

      Examples:
        roundel wait "cups > 2 && page == 'home'" --timeout 5
        roundel wait minutes.value=15
        roundel wait --page dinner
        roundel wait --still && roundel screenshot -o after.png
      """)

  @Argument(help: "An expression, or NAME=VALUE.", completion: .properties)
  var expression: AwaitedState?

  @Option(help: "Wait for this page instead.", completion: .pages)
  var page: String?

  @Flag(help: "Wait until all motion has ended and the panel shows it, instead.")
  var still = false

  @Option(help: "The time limit in seconds.")
  var timeout: Seconds = 10.0

  @OptionGroup var kiosk: KioskOptions

  func validate() throws {
    guard [expression != nil, page != nil, still].count(where: { $0 }) == 1 else {
      throw ValidationError("Specify one of an expression, NAME=VALUE, --page or --still.")
    }
  }

  func run() throws {
    let goal: Goal<String> =
      switch (expression, page) {
      case (.expression(let text), _): .that(text)
      case (.assignment(let assignment), _):
        .property(assignment.name, .value(.text(assignment.text)))
      case (nil, let page?): .page(page)
      case (nil, nil): .still
      }
    let answer = try kiosk.call(
      WaitRequest(for: goal, timeout: timeout.value), timeout: timeout.value + 30)
    guard answer.holds else {
      let unmetGoal = goal.unmetGoal(answer.state)
      throw Failure(
        .didNotHold,
        unmetGoal.what + (unmetGoal.expected.map { ", not \($0)" } ?? "")
          + (unmetGoal.readings.map { " (\($0))" } ?? "")
          + ", after \(JSONValue.number(timeout.value).text) seconds")
    }
  }
}

struct WatchExpressions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print the values of expressions, now and whenever they change.",
    discussion: """
      Prints one JSON object per line, such as {"t":2.310,"watch":"cups","value":2}. An \
      undefined value is null. Runs until interrupted, or until the kiosk exits. If the reader \
      is too slow, the line {"event":"lost","count":N} reports the number of dropped lines.

      Examples:
        roundel watch cups
        roundel watch minutes.value "cups * 2 + 1" --host lobby
      """)

  @Argument(help: "Expressions, as in a kiosk file.", completion: .properties)
  var expressions: [String]

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let connection = try kiosk.connect()
    let maximum = WatchRequest.maximumExpressions
    for start in stride(from: 0, to: expressions.count, by: maximum) {
      let texts = Array(expressions[start...].prefix(maximum))
      try connection.call(WatchRequest { $0.expressions = texts })
    }
    try connection.printNotices(.watch)
  }
}

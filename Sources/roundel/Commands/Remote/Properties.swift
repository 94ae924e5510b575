// SPDX-License-Identifier: MIT

import ArgumentParser
import JSON
import Kiosk
import Session

struct Get: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print properties of the running kiosk's controls.",
    discussion: """
      Examples:
        roundel get minutes.value
        roundel get reels.left.label reels.right.label
      """)

  @Argument(help: "CONTROL.PROPERTY, as tree names them.")
  var properties: [String]

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let connection = try kiosk.connect()
    for property in properties {
      let value = try connection.call("get", [.init("property", .string(property))])["value"]
      StandardOutput.write((kiosk.json ? value?.text ?? "null" : value.words) + "\n")
    }
  }
}

struct SetProperties: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set properties of the running kiosk's controls.",
    discussion: """
      What turns, turns there visibly.

      Examples:
        roundel set minutes.value=15
        roundel set start.enabled=false note.text="Back at noon"
      """)

  @Argument(help: "CONTROL.PROPERTY=VALUE.")
  var assignments: [Assignment]

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let connection = try kiosk.connect()
    for assignment in assignments {
      let result = try connection.call(
        "set",
        [
          .init("property", .string(assignment.path.description)),
          .init("value", JSONValue(assignment.value)),
        ])
      if kiosk.json { StandardOutput.write(json: result) }
    }
  }
}

struct Wait: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Wait until the running kiosk has come to something.",
    discussion: """
      Exit code 1 says that it has not, in time.

      Examples:
        roundel wait minutes.value=15 --timeout 5
        roundel wait --page dinner
        roundel wait --still && roundel screenshot -o after.png
      """)

  @Argument(help: "CONTROL.PROPERTY=VALUE.")
  var assignment: Assignment?

  @Option(help: "Until this page is shown, instead.")
  var page: String?

  @Flag(help: "Until nothing moves any more and the panel shows it, instead.")
  var still = false

  @Option(help: "Seconds after which to give up.")
  var timeout = 10.0

  @OptionGroup var kiosk: KioskOptions

  func validate() throws {
    guard [assignment != nil, page != nil, still].count(where: { $0 }) == 1 else {
      throw ValidationError("Say what to wait for: CONTROL.PROPERTY=VALUE, --page or --still.")
    }
  }

  func run() throws {
    var parameters: [JSONValue.Member] = [.init("timeout", .number(timeout))]
    if let assignment {
      parameters += [
        .init("property", .string(assignment.path.description)),
        .init("value", JSONValue(assignment.value)),
      ]
    }
    if let page { parameters.append(.init("page", .string(page))) }
    if still { parameters.append(.init("still", .bool(true))) }
    let result = try kiosk.connect().call("wait", parameters, patience: timeout + 30)
    if kiosk.json { StandardOutput.write(json: result) }
    guard result["holds"]?.bool == true else {
      let value = result["value"].words
      let found =
        if let assignment {
          "\(assignment.path) is \(value), not \(JSONValue(assignment.value).words)"
        } else if let page {
          "the page is \(value), not \(page)"
        } else {
          "the kiosk still moves"
        }
      throw Failure(.didNotHold, "\(found), after \(JSONValue.number(timeout).text) seconds")
    }
  }
}

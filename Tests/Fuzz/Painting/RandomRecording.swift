// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelJSON
import Kiosk
import TestSupport

/// Random touches and commands for a kiosk of `RandomFile`, as a recording.
struct RandomRecording {
  let text: String

  private static let controls = ["o", "p0", "p1", "p2", "q0", "q1", "q2"]
  private static let kinds = [
    "pinwheel", "dial", "menu", "slots", "picker", "button", "label", "image", "chart", "ring",
    "bar", "color", "toggle", "keypad", "list",
  ]

  init(_ random: inout SeededGenerator) {
    var time = 0.0
    text = (0..<Int.random(in: 5...40, using: &random)).map { _ in
      time += Self.pause(&random)
      let what = Self.what(&random)
      return JSONValue.object([.init("t", .number(time)), what]).text + "\n"
    }.joined()
  }

  private static func pause(_ random: inout SeededGenerator) -> Double {
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<4: 0
    case 4..<10: .random(in: 0...0.05, using: &random)
    case 10..<15: .random(in: 0...0.4, using: &random)
    default: .random(in: 0...5, using: &random)
    }
  }

  private static func what(_ random: inout SeededGenerator) -> JSONValue.Member {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<6: touch(&random)
    case 6:
      .init("clock", .string("2026-02-2\(Int.random(in: 0...8, using: &random))T23:59:58"))
    default: command(&random)
    }
  }

  private static func touch(_ random: inout SeededGenerator) -> JSONValue.Member {
    let finger = JSONValue.Member("finger", .number(Double(Int.random(in: 0...2, using: &random))))
    let phase =
      ["down", "down", "move", "move", "up", "cancel"].randomElement(using: &random) ?? ""
    guard ["down", "move"].contains(phase) else { return .init(phase, .object([finger])) }
    let range =
      switch Int.random(in: 0..<8, using: &random) {
      case 0: -1e300...1e300
      case 1: -50.0...8000
      case 2: 0.0...80
      default: 200.0...900
      }
    return .init(
      phase,
      .object([
        finger, .init("x", .number(.random(in: range, using: &random))),
        .init("y", .number(.random(in: range, using: &random))),
      ]))
  }

  private static func command(_ random: inout SeededGenerator) -> JSONValue.Member {
    let kind = CommandKind.remote.randomElement(using: &random) ?? CommandKind.all[0]
    switch kind.notation {
    case .pairs:
      let control = controls.randomElement(using: &random) ?? ""
      return .init(kind.name, .object([setting(of: control, &random)]))
    case .fields: return .init(kind.name, .string("x"))
    case .plain: break
    }
    let arguments = kind.parameters.map { JSONValue.Member($0.member, argument($0, &random)) }
    switch arguments.count {
    case 0: return .init(kind.name, .bool(true))
    case 1: return .init(kind.name, arguments[0].value)
    default: return .init(kind.name, .object(arguments))
    }
  }

  private static func argument(
    _ parameter: CommandParameter, _ random: inout SeededGenerator
  ) -> JSONValue {
    let control = controls.randomElement(using: &random) ?? ""
    switch parameter.referent {
    case .page, .overPage: return .string(["p", "q"].randomElement(using: &random) ?? "")
    case .control: return .string(control)
    case .controls:
      return .string(Bool.random(using: &random) ? control : CommandKind.everything)
    // Random strings hardly ever match the patterns of these.
    case .nothing where parameter.name == "key":
      return .string(
        ["right", "enter", "Return", "Tab", "4", "F1"].randomElement(using: &random) ?? "")
    case .nothing where parameter.name == "mqtt": return .string("home/kitchen")
    case .nothing where ["home", "entity"].contains(parameter.name):
      return .string("light.kitchen")
    case .nothing, .property, .program, .sound:
      return SchemaValue.value(parameter.schema, &random)
    }
  }

  private static func setting(
    of control: String, _ random: inout SeededGenerator
  ) -> JSONValue.Member {
    let key = SchemaValue.keys(of: kinds.randomElement(using: &random) ?? "").randomElement(
      using: &random)
    let names = ["n", "t", "f", "language"] + Array(repeating: "\(control).\(key ?? "")", count: 8)
    let values: [JSONValue] = [
      .number(.random(in: -10...400, using: &random)), .number(0), .number(1e9), .bool(true),
      .bool(false), .string(RandomText.any(&random)), .string("ar"), .string("b.png"),
      .string("#a0b0c040"), .array([]), .array([.string("x"), .string(RandomText.any(&random))]),
    ]
    return .init(
      names.randomElement(using: &random) ?? "", values.randomElement(using: &random) ?? .null)
  }
}

// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelJSON
import Kiosk
import KioskFile
import RoundelMotion
import Painting
import TestSupport

/// A random kiosk file that is used, changed and reset at random, all derived from one number.
struct FileSession {
  static let length = 100

  private let text: String
  private let isVerbose: Bool
  private let number: UInt64
  private var random: SeededGenerator
  private var fingers: RandomFingers

  init(number: UInt64, isVerbose: Bool = false) {
    random = SeededGenerator(seed: number &* 0x51_7cc1_b727)
    fingers = RandomFingers(seed: ~number)
    var text = RandomFile(&random).text.replacing("{n: 3,", with: "{n: {value: 3, keep: true},")
    if Bool.random(using: &random) {
      text = text.replacing("screen: {", with: "screen: {mirror: auto, ")
    }
    self.text = text
    self.number = number
    self.isVerbose = isVerbose
  }

  /// Runs all steps. Returns the violation of the law, or nil.
  mutating func run() -> String? {
    if isVerbose { print(text) }
    let reading = ParsedKiosk(Array(text.utf8), path: "k.yaml", assets: AllAssets())
    // The same file with other marks.
    let again = ParsedKiosk(Array("# \n\n\(text)".utf8), path: "k.yaml", assets: AllAssets())
    guard let description = reading.description, let same = again.description else {
      return "refused: \(reading.diagnostics.first?.description ?? "")"
    }
    var engine = Engine(description, seed: number)
    for step in 0..<Self.length {
      use(&engine)
      var violation: String?
      switch step % 8 {
      case 3:
        var law = IdentityLaw(fingers, RandomKiosk(seed: number))
        violation = law.violation(of: engine, same)
      case 7: violation = ResetLaw.violation(of: engine, seed: random.next())
      default: break
      }
      if let violation { return "step \(step): \(violation)" }
    }
    return nil
  }

  private mutating func use(_ engine: inout Engine) {
    engine.advance(to: engine.now + fingers.pause)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<55:
      let touch = fingers.touch(on: engine)
      log("\(touch.phase) \(touch.finger) at \(touch.position)", engine)
      engine.handle(touch, at: engine.now)
    case 55..<75: setKey(of: &engine)
    case 75..<85: setValue(of: &engine)
    case 85..<90:
      apply(.go(page: ["p", "q", "back", "home"].randomElement(using: &random) ?? ""), &engine)
    case 90..<94: apply(.blank(Bool.random(using: &random)), &engine)
    case 94..<97:
      apply(.key(Keystroke.allCases.randomElement(using: &random) ?? .enter), &engine)
    default:
      guard let entry = entry(of: engine) else { return }
      guard let command = entry.control.commands.randomElement(using: &random) else {
        return apply(.reset(entry.id), &engine)
      }
      apply(.perform(command, control: entry.id), &engine)
    }
    _ = engine.takeEvents()
    _ = engine.takePrograms()
  }

  private mutating func entry(of engine: Engine) -> PlacedControl? {
    engine.pages.flatMap(\.controls).randomElement(using: &random)
  }

  private mutating func setKey(of engine: inout Engine) {
    guard let entry = entry(of: engine) else { return }
    let states = entry.control.properties + ["enabled", "visible"]
    let values: [Value] = [
      .integer(Int.random(in: -2...9, using: &random)), .flag(Bool.random(using: &random)),
      .text(["", "b", "Dock", "TEXT", "7"].randomElement(using: &random) ?? ""),
    ]
    if Bool.random(using: &random), let state = states.randomElement(using: &random) {
      for value in values {
        apply(.set(.property(PropertyPath(control: entry.id, property: state)), value), &engine)
      }
    } else if Bool.random(using: &random),
      let key = entry.source?.names(upTo: .max).randomElement(using: &random)
    {
      for value in values {
        apply(.set(.property(PropertyPath(control: entry.id, property: key)), value), &engine)
      }
    } else if let member = SchemaValue.member(of: entry.kind, &random),
      let value = Value(member.value)
    {
      apply(.set(.property(PropertyPath(control: entry.id, property: member.name)), value), &engine)
    }
  }

  private mutating func setValue(of engine: inout Engine) {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: apply(.set(.value("n"), .integer(Int.random(in: -9...99, using: &random))), &engine)
    case 1:
      apply(.set(.value("t"), .text(["", "other"].randomElement(using: &random) ?? "")), &engine)
    case 2: apply(.set(.value("f"), .flag(Bool.random(using: &random))), &engine)
    case 3:
      apply(.set(.value("text_scale"), .number(Double.random(in: 1...2, using: &random))), &engine)
    default:
      guard let language = engine.description.languages.randomElement(using: &random) else {
        return
      }
      apply(.set(.language, .text(language)), &engine)
    }
  }

  private func apply(_ command: Command, _ engine: inout Engine) {
    log("\(command)", engine)
    try? engine.apply(command)
  }

  private func log(_ step: @autoclosure () -> String, _ engine: Engine) {
    if isVerbose { print("\(engine.now.seconds) \(step())") }
  }
}

/// A loader that finds each file.
private struct AllAssets: AssetLoader {
  func loadImage(at path: String) {}
  func loadFont(_ face: FaceName) {}
  func loadText(at path: String, inside folder: String) -> [UInt8] { [] }
  func findProgram(_ name: String, for kiosk: String) {}
}

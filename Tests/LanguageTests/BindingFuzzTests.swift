// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import TestSupport
import Testing

@testable import Kiosk

/// Kiosks with random references between values, controls and templates, under random touches and
/// commands, compared with a full recomputation.
@Suite struct BindingFuzzTests {
  private static let steps = 300

  @Test(arguments: 0..<24)
  func `bound properties always equal a full recomputation`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let file = Self.file(&random)
    var guest = try Guest(file)
    for _ in 0..<Self.steps {
      Self.act(&random, on: &guest.engine, framesPerSecond: nil)
      let wrong = Self.mismatches(guest.engine)
      #expect(wrong == [], "\(file)")
      if !wrong.isEmpty { return }
    }
  }

  @Test(arguments: 0..<6)
  func `the frame rate doesn't change the history`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let file = Self.file(&random)
    let start = random
    var histories: [[Event]] = []
    for rate in [nil, 7.0, 60, 144] {
      random = start
      var guest = try Guest(file)
      for _ in 0..<Self.steps { Self.act(&random, on: &guest.engine, framesPerSecond: rate) }
      histories.append(guest.engine.takeEvents())
    }
    for history in histories.dropFirst() {
      let place = zip(history, histories[0]).enumerated().first { $0.element.0 != $0.element.1 }
      #expect(
        place == nil && history.count == histories[0].count,
        "\(place.map { "\($0)" } ?? "more") of \(file)")
    }
  }

  // MARK: Kiosks

  private static func file(_ random: inout SeededGenerator) -> String {
    let count = Int.random(in: 1...4, using: &random)
    var names = (0..<count).map { "v\($0)" } + ["language", "page", "far", "rows"]
    var controls = [
      "- {list: c, at: [350, 250], size: [90, 90], row_height: 30, items: \"{rows}\"}"
    ]
    var computed: [String] = []
    for index in 0..<Int.random(in: 2...9, using: &random) {
      let value = "v\(Int.random(in: 0..<count, using: &random))"
      let place = "at: [\(50 + index % 4 * 100), \(50 + index / 4 * 100)]"
      let id = "c\(index)"
      if Int.random(in: 0..<2, using: &random) == 0 {
        let template = [
          "{\(value) * 2}", "{12 / \(value)}", "{\(value) > 4 && v0 < 8}", text(&random, names),
          "{now.getSeconds()}",
        ].randomElement(using: &random)
        computed.append("w\(index): \"\(template ?? "")\"")
        names.append("w\(index)")
      }
      switch Int.random(in: 0..<8, using: &random) {
      case 6:
        controls.append(
          "- {ring: \(id), \(place), radius: 45, max: 8, step: 1, value: \"{\(value)}\", text: \"\(text(&random, names))\"}"
        )
        names += ["\(id).value", "\(id).text"]
      case 7:
        controls.append(
          "- {dial: \(id), \(place), radius: 45, max: 8, value: \"{\(value)}\", unit: \" l\"}")
        names += ["\(id).value", "\(id).label"]
      case 0, 1:
        controls.append("- {dial: \(id), \(place), radius: 45, labels: 9, value: \"{\(value)}\"}")
        names += ["\(id).value", "\(id).label", "\(id).angle"]
      case 2:
        controls.append(
          "- {pinwheel: \(id), \(place), radius: 45, wedges: [{id: a, label: \"\(text(&random, names))\", color: \"{\(value) > 4 ? 'red' : '#0000ff'}\"}, {id: b, enabled: \"{\(value) < 6}\"}]}"
        )
        names += ["\(id).item", "\(id).a.label", "\(id).b.enabled"]
      case 3:
        controls.append(
          "- {button: \(id), \(place), size: [90, 90], text: \"\(text(&random, names))\", enabled: \"{\(value) != 3}\", on: {selected: [{set: {\(value): \"{\(value) + 1}\"}}]}}"
        )
        names += ["\(id).text", "\(id).enabled"]
      default:
        controls.append("- {label: \(id), \(place), text: \"\(text(&random, names))\"}")
        names.append("\(id).text")
      }
    }
    let values =
      (0..<count).map { "v\($0): {value: \($0), min: 0, max: 8, step: 1}" }
      + ["far: {value: 1, stale: 1.5}", "rows: [one, two]"]
    return page(
      controls.joined(separator: "\n"),
      """
      values: {\((computed + values).shuffled(using: &random).joined(separator: ", "))}
      languages: [en, de]
      texts: {t: {en: "en {v0}", de: "de {v0}"}}
      reactions:
      \(reactions(&random, names).map { "  - \($0)" }.joined(separator: "\n"))
      """)
  }

  /// Random reactions, which may trigger each other.
  private static func reactions(_ random: inout SeededGenerator, _ names: [String]) -> [String] {
    // The displayed angle of a moving control differs at each frame.
    let still = names.filter { name in
      !["angle", "text", "a.label"].contains(where: name.hasSuffix) && !name.hasPrefix("w")
    }
    return (0..<Int.random(in: 1...4, using: &random)).map { number in
      let name = still.randomElement(using: &random) ?? "page"
      let other = still.randomElement(using: &random) ?? "page"
      let when = [
        "string(\(name)).endsWith('\(number + 1)')", "string(\(name)) == string(\(other))",
        "v0 > \(number * 2)",
      ].randomElement(using: &random)
      let action = ["{emit: r\(number)}", "{set: {v0: \(number)}}", "{set: {v0: \"{v0 + 1}\"}}"]
        .randomElement(using: &random)
      return "{when: \"\(when ?? "")\", do: [\(action ?? "")]}"
    }
  }

  /// A template with some of the names, which may sometimes be undefined.
  private static func text(_ random: inout SeededGenerator, _ names: [String]) -> String {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in
      let name = names.randomElement(using: &random) ?? "page"
      return switch Int.random(in: 0..<5, using: &random) {
      case 0: "{texts.t}"
      case 1: "{12 / v0:.2f}"
      case 2: "{string(\(name)) + '!'}"
      default: "{\(name)}"
      }
    }.joined(separator: " ")
  }

  // MARK: Steps

  private static func act(
    _ random: inout SeededGenerator, on engine: inout Engine, framesPerSecond: Double?
  ) {
    let target = engine.now + Double.random(in: 0...0.4, using: &random)
    if let framesPerSecond {
      while engine.now < target {
        engine.advance(to: min(target, engine.now + 1 / framesPerSecond))
      }
    }
    engine.advance(to: target)
    let finger = Int.random(in: 0...1, using: &random)
    let place = Point(
      Double.random(in: 0...400, using: &random), Double.random(in: 0...300, using: &random))
    let number = Double(Int.random(in: -2...10, using: &random))
    let entry = engine.pages[0].controls.randomElement(using: &random)
    switch Int.random(in: 0..<14, using: &random) {
    case 0...6:
      let isDown = engine.fingers.contains(finger)
      let phase: Touch.Phase = isDown ? (Bool.random(using: &random) ? .move : .up) : .down
      engine.handle(Touch(finger: finger, phase: phase, position: place), at: target)
    case 7: try? engine.set(.value("v0"), to: .number(number))
    case 8:
      try? engine.set(
        .property(PropertyPath(control: entry?.id ?? "", property: "value")), to: .number(number))
    case 9: try? engine.set(.language, to: .text(Bool.random(using: &random) ? "en" : "de"))
    case 10: try? engine.apply(.reset(Bool.random(using: &random) ? entry?.id : nil))
    case 11: try? engine.set(.value("far"), to: .number(number))
    case 12:
      try? engine.set(
        .value("rows"), to: .list((0..<Int(max(number, 0))).map { .text("row \($0)") }))
    default: engine.setBlank(Bool.random(using: &random))
    }
  }

  // MARK: Laws

  private static func mismatches(_ engine: Engine) -> [String] {
    var wrong: [String] = []
    for binding in engine.plan.bindings.all {
      if case .value(let name) = binding.subject {
        var budget = WorkBudget(1 << 20)
        var failure: EvaluationError?
        let text = binding.template.text(in: engine.scope(), budget: &budget, failure: &failure)
        let found = engine.value(of: .value(name))?.display ?? TextTemplate.placeholder
        if found != text { wrong.append("\(name) is \(found), not \(text)") }
      }
      // Moving controls are evaluated only at certain times.
      if case .reaction(let reaction, _) = binding.subject,
        !engine.pages[0].controls.contains(where: { $0.control.isMoving(at: engine.now) })
      {
        let index = engine.plan.bindings.reactions[nil]?.first {
          if case .reaction(reaction, _) = engine.plan.bindings.all[$0].subject {
            true
          } else {
            false
          }
        }
        if engine.holds(reaction.condition) != index.map(engine.dataflow.holding.contains) {
          wrong.append("\(reaction) was judged otherwise")
        }
      }
      guard case .property(let path, let place) = binding.subject else { continue }
      let found = engine.value(of: path.property, of: path.control)
      if let name = binding.target {
        // A control in use may be ahead of its value, or still moving to it.
        let control = engine.pages[place.page].controls[place.control].control
        if control.isMoving(at: engine.now) || engine.isHeld(place) { continue }
        let value = engine.value(of: .value(name))
        if found?.display != value?.display {
          wrong.append(
            "\(path) is \(found?.display ?? "nil"), not \(value?.display ?? "nil")")
        }
        continue
      }
      var budget = WorkBudget(1 << 20)
      var failure: EvaluationError?
      let text = binding.template.text(in: engine.scope(), budget: &budget, failure: &failure)
      if found?.display != text {
        wrong.append("\(path) is \(found?.display ?? "nil"), not \(text)")
      }
    }
    return wrong
  }
}

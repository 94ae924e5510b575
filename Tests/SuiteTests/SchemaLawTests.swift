// SPDX-License-Identifier: MIT

import RoundelJSON
import SchemaValidator
import TestSupport
import Testing
import RoundelDeclarations
import RoundelYAML

@testable import RoundelSuites

/// The schema accepts whatever the suite reader accepts.
@Suite struct SuiteSchemaLawTests {
  /// Each step, in all its notations.
  private static let steps: [String: [JSONValue]] = [
    "tap": ["left", "dial/3", [10, 20], ["at": "left", "for": 1], "$given"],
    "drag": [["from": "dial", "by": [3, 4]], ["from": [1, 2], "around": "dial", "turn": 90]],
    "fling": [["from": "dial", "to": "left", "during": 0.2]],
    "touch": [[["from": "left"], ["from": "dial", "to": [4, 5], "after": 0.1]]],
    "press": ["left", ["at": "dial", "finger": 1]], "move": [["to": "left", "finger": 1]],
    "release": [0, .null],
    "set": [["dial.value": 4], ["cups": 3, "note.text": "5.10"], ["${given}.enabled": false]],
    "go": ["second"], "show": ["aid"],
    "notify": ["Tea", ["text": "Tea", "title": "Kitchen", "level": "alarm", "seconds": 3]],
    "spin": [], "open": [], "close": [],
    "emit": ["x", ["name": "x", "n": 4, "list": [1, 2]]], "blank": [true, false, "view"],
    "publish": [["mqtt": "a/b"], ["mqtt": "a/b", "payload": "x", "retain": true, "qos": 1]],
    "call": [["home": "light.toggle", "entity": "light.kitchen", "data": ["n": 4, "l": [1]]]],
    "wake": [true], "jack": [true, false],
    "reset": ["all", "dial"], "shake": [true],
    "key": ["left", "F1", 1], "scan": ["4006381333931", 47],
    "clock": ["2026-11-21T08:00:00"],
    "wait": [2, "still", ["dial.value": 3, "within": 4], ["that": "cups > 0"], ["page": "first"]],
    "type": ["4711", 4711, ["text": "x", "control": "dial"]],
    "repeat": [
      ["times": 2, "steps": [["tap": "left"], ["repeat": ["times": 3, "steps": [["wait": 1]]]]]]
    ],
    "shot": ["a", ["name": "a", "region": "left"], ["name": "a", "region": [0, 0, 9, 9]]],
    "expect": [
      ["event": "settled", "control": "dial", "index": ["min": 3, "max": 5], "within": 1],
      ["event": "emit", "name": "x", "price": 4], ["event": "any"],
      ["no_event": "any", "during": 1],
      ["events": ["pressed", ["event": "selected", "label": "Left"]], "control": "left"],
      ["events": ["pressed"], "exactly": true], ["exactly": [["event": "emit", "a": 1]]],
      ["picture": "a", "region": "dial", "still": false], ["dial.value": ["one_of": [1, 2]]],
      ["cups": ["not": 3], "note.text": "", "within": 2], ["that": "cups > 0"], ["page": "first"],
      ["spoken": "Left", "within": 2],
      ["$given.value": 0], ["c$given": 1], ["dial.label": ["not": "$given"]],
    ],
  ]

  private static func suite(_ random: inout SeededGenerator) -> JSONValue {
    let names = steps.keys.sorted().filter { steps[$0]?.isEmpty == false }
    let list: [JSONValue] = (0..<6).compactMap { _ in
      guard let name = names.randomElement(using: &random),
        let step = steps[name]?.randomElement(using: &random)
      else { return nil }
      return .object([.init(name, step)])
    }
    let cases: [JSONValue] = [["given": ["dial"]], [["given": "dial"]], ["given": ["ups"]]]
    return [
      "suite": "s", "kiosk": "k.yaml", "size": [800, 600], "seed": 3, "timeout": 9,
      "setup": [["wait": "still"]],
      "tests": [
        [
          "test": "t $given", "for": cases.randomElement(using: &random) ?? [], "tags": ["a", 5],
          "only": "headless", "steps": .array(list),
        ]
      ],
    ]
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `the schema accepts whatever the reader accepts`(_ seed: UInt64) throws {
    #expect(Set(Self.steps.keys) == Set(Step.verbs.map(\.name)))
    var random = SeededGenerator(seed: seed)
    let validator = Validator(SuiteSchema.schema)
    var taken = 0
    for _ in 0..<80 {
      var document = ChangedDocument(Self.suite(&random), isAssembled: false)
      for _ in 0..<Int.random(in: 0...2, using: &random) { document.change(using: &random) }
      let text = document.value.text
      guard
        SuiteReading(Array(text.utf8), path: "s.yaml", kiosk: { _, _ in makeKiosk() }).suite != nil
      else { continue }
      taken += 1
      #expect(validator.problem(document.value) == nil, "\(text)")
    }
    #expect(taken > 20, "hardly any suite was taken: \(taken)")
  }

  @Test(arguments: [
    ("{tpa: left}", "tpa"), ("{expect: {event: pressed, contorl: left}}", "contorl"),
    ("{expect: {picture: a, regoin: left}}", "regoin"), ("{drag: {form: left}}", "form"),
  ])
  func `the schema reports a misspelt key`(_ step: String, _ word: String) throws {
    let text = Array("suite: s\nkiosk: k.yaml\ntests: [{test: t, steps: [\(step)]}]".utf8)
    let node = try #require(Composer.compose(text, kind: "suite", example: "") { _, _ in })
    let problem = Validator(SuiteSchema.schema).problem(JSONValue(node))
    #expect(
      problem?.contains("anyOf") == false && problem?.contains(word) == true, "\(problem ?? "")")
  }
}
